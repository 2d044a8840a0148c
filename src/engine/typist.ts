/**
 * Carries out the typing of one delivery on one terminal: look at the line, paste, wait for the echo, press Enter.
 * It decides nothing about turns or queues; each call ends in exactly one input for the bus. A screen is used to
 * refuse, never as a sign that a turn began. Source: facts/typing.md sections 3 and 4, facts/composers-*.md section 4.
 */
import type { Adapter, LineRules, Screen } from "../adapters/adapter.js";
import type { DeliveryId, TerminalId } from "../bus/ids.js";
import type { Input } from "../bus/protocol.js";
import type { HoldReason } from "../bus/terminal.js";
import type { TerminalHost } from "./ports.js";

export type Pause = (ms: number) => Promise<void>;

export type Typist = {
  paste(terminal: TerminalId, delivery: DeliveryId, text: string): Promise<Input>;
  enter(terminal: TerminalId, delivery: DeliveryId, text: string): Promise<Input>;
  /** One look and, where the first Enter only broke the line, one more Enter; it waits for nothing. */
  enterAgain(terminal: TerminalId, delivery: DeliveryId, text: string): Promise<Input>;
  /** Begins the look of a paste that is about to come. */
  foresee(terminal: TerminalId): void;
  /** One look ahead, while messages wait for the end of a turn: two that agree are the proof that a paste needs. */
  glance(terminal: TerminalId): Promise<void>;
  /** Why the line cannot be typed on now; null when it can. */
  look(terminal: TerminalId): Promise<HoldReason | null>;
  /** The screen as text, and whether this text still stands on the line. */
  evidence(terminal: TerminalId, text: string): Promise<{ readonly screen: string; readonly onLine: boolean }>;
};

export type TypistParts = {
  readonly host: TerminalHost;
  readonly adapterFor: (terminal: TerminalId) => Adapter;
  /** What the bus says of a claimed terminal now: the look at its line takes a while, and a turn or a prompt may begin in it. */
  readonly mayStillType: (terminal: TerminalId) => boolean;
  readonly pause: Pause;
  /** ms since the terminal's last output; null: not known, since none was heard yet. */
  readonly quietMs: (terminal: TerminalId) => number | null;
  /** Resolves with the terminal's next output, or after this many ms. */
  readonly nextOutput: (terminal: TerminalId, ms: number) => Promise<void>;
  readonly now: () => number;
};

/** A half-drawn frame is gone after this, in ms; three reads decide. */
const REDRAW_MS = 50;
const ECHO_POLL_MS = 25;
/** Reads further apart than this do not speak for the time between them. */
const CHAIN_MS = 1_000;
/** The first looks for an echo come closer together: an idle CLI shows it within a few ms, and its output tells so. */
const FIRST_ECHO_POLL_MS = 3;
/** Looks that output may bring forward; a CLI that draws all the time must not use up the wait. */
const EAGER_LOOKS = 4;
/** A look or an echo that was asked for longer ago than this is old, in ms: the same again then. */
const FRESH_LOOK_MS = 10;
const FRESH_ECHO_MS = 2;
/** How often the gate inside tmux may disagree with the line rules before they alone decide. */
const GATE_TRIES = 20;

/** Screen text without its colours, for people who read what went wrong. */
const plain = (screen: Screen | null): string =>
  (screen?.ansi ?? "").replace(/\u001b(?:\[[0-9;:?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|.)/g, "").trimEnd();

const holdOf = (rules: LineRules, screen: Screen): HoldReason | null => {
  if (rules.dialog(screen) !== null) return "a dialog is open";
  const line = rules.line(screen);
  if (line === "empty") return null;
  return line === "occupied" ? "a person is typing" : "the screen is not understood";
};

export const createTypist = (parts: TypistParts): Typist => {
  const { host, adapterFor, pause, quietMs, nextOutput, now } = parts;
  /** Since when each read of this line said empty, with nothing of ours sent between. */
  const empty = new Map<TerminalId, { readonly since: number; readonly last: number }>();

  const ahead = new Map<TerminalId, { readonly at: number; readonly hold: Promise<HoldReason | null> }>();
  /** When the line was asked for that showed the echo of this delivery. */
  const echoed = new Map<
    TerminalId,
    { readonly delivery: DeliveryId; readonly at: number; readonly cursor: Screen["cursor"] }
  >();

  const note = (terminal: TerminalId, hold: HoldReason | null): HoldReason | null => {
    const known = empty.get(terminal);
    const at = now();
    if (hold !== null) empty.delete(terminal);
    else empty.set(terminal, { since: known && at - known.last <= CHAIN_MS ? known.since : at, last: at });
    return hold;
  };

  const read = async (terminal: TerminalId, rules: LineRules): Promise<HoldReason | null> => {
    const screen = await host.screen(terminal);
    return note(terminal, screen === null ? "the screen is not understood" : holdOf(rules, screen));
  };

  const glance = async (terminal: TerminalId): Promise<void> => {
    const rules = adapterFor(terminal).line;
    if (rules !== null) await read(terminal, rules);
  };

  const look = async (terminal: TerminalId): Promise<HoldReason | null> => {
    const rules = adapterFor(terminal).line;
    if (rules === null) return null;
    // hazard:draft-kept. The line is empty before a draft's first key, too.
    const [isPerson, first] = await Promise.all([host.personAt(terminal), read(terminal, rules)]);
    if (isPerson) return note(terminal, "a person is typing");
    let hold = first;
    for (let reads = 1; reads < 3 && hold === "the screen is not understood"; reads += 1) {
      await pause(REDRAW_MS);
      hold = await read(terminal, rules);
    }
    if (hold !== null) return hold;
    // Empty is proof only when it was empty for a while. A screen changes by output alone: without any since then, this
    // read is also the read of that time; else an earlier or a later one has to agree.
    const quiet = quietMs(terminal);
    const known = now() - (empty.get(terminal)?.since ?? now());
    if ((quiet !== null && quiet >= rules.settleMs) || known >= rules.settleMs) return null;
    await pause(rules.settleMs - known);
    return read(terminal, rules);
  };

  const foresee: Typist["foresee"] = (terminal) => {
    const hold = look(terminal);
    // A paste that does not come leaves it unread.
    hold.catch(() => {});
    ahead.set(terminal, { at: now(), hold });
  };

  const lookOrForeseen = async (terminal: TerminalId): Promise<HoldReason | null> => {
    const foreseen = ahead.get(terminal);
    ahead.delete(terminal);
    if (foreseen === undefined || now() - foreseen.at > FRESH_LOOK_MS) return look(terminal);
    const hold = await foreseen.hold;
    const quiet = quietMs(terminal);
    // What was printed since may be the first letter of a draft.
    return hold === null && quiet !== null && quiet <= now() - foreseen.at ? look(terminal) : hold;
  };

  /** Waits until the line shows our text alone; says what it showed instead when the time is over. */
  const awaitEcho = async (
    terminal: TerminalId,
    rules: LineRules,
    text: string,
    limitMs: number,
    drawn: Promise<void> | null,
  ): Promise<
    | { readonly ok: true; readonly cursor: Screen["cursor"]; readonly at: number }
    | { readonly ok: false; readonly why: string; readonly screen: string }
  > => {
    let screen: Screen | null = null;
    let step = FIRST_ECHO_POLL_MS;
    let looks = 0;
    let at = 0;
    await drawn;
    for (let waited = 0; waited <= limitMs; waited += step) {
      if (waited > 0) step = Math.min(ECHO_POLL_MS, step * 2);
      at = now();
      screen = await host.screen(terminal);
      if (screen !== null) {
        const echo = rules.echo(screen, text);
        const dialog = rules.dialog(screen);
        if (echo === "ours" && dialog === null) return { ok: true, cursor: screen.cursor, at };
        if (echo === "mixed") {
          return { ok: false, why: "the line holds other text beside the message", screen: plain(screen) };
        }
      }
      looks += 1;
      await (looks <= EAGER_LOOKS ? nextOutput(terminal, step) : pause(step));
    }
    const dialog = screen === null ? null : rules.dialog(screen);
    const why =
      dialog === null ? "the line never showed the pasted text" : `a dialog (${dialog}) was open after the paste`;
    return { ok: false, why, screen: plain(screen) };
  };

  const paste: Typist["paste"] = async (terminal, delivery, text) => {
    const rules = adapterFor(terminal).line;
    const hold = await lookOrForeseen(terminal);
    if (hold !== null) return { kind: "typingHeld", terminal, delivery, why: hold };
    if (!parts.mayStillType(terminal)) return { kind: "typingHeld", terminal, delivery, why: null };
    empty.delete(terminal);
    // Heard from before the paste on: the echo may be here before the answer of tmux is.
    const drawn = nextOutput(terminal, FIRST_ECHO_POLL_MS);
    const reply = await host.paste(terminal, delivery, rules?.pasted?.(text) ?? text);
    if (reply.kind === "unknown") return { kind: "typingUnknown", terminal, delivery };
    if (reply.kind === "refused" && reply.reason !== "already pasted") {
      switch (reply.reason) {
        case "mode":
          return { kind: "typingHeld", terminal, delivery, why: "the pane is in a mode" };
        case "input off":
          return { kind: "typingHeld", terminal, delivery, why: "input is off" };
        case "gone":
          return { kind: "typingFailed", terminal, delivery, why: "its program has ended" };
        case "stale epoch":
          return { kind: "typingUnknown", terminal, delivery };
      }
    }
    if (rules === null) return { kind: "pasted", terminal, delivery };
    const echo = await awaitEcho(terminal, rules, text, rules.echoMs, drawn);
    if (echo.ok) {
      echoed.set(terminal, { delivery, at: echo.at, cursor: echo.cursor });
      return { kind: "pasted", terminal, delivery };
    }
    return { kind: "pasteStranded", terminal, delivery, why: echo.why, screen: echo.screen };
  };

  const enter: Typist["enter"] = async (terminal, delivery, text) => {
    const adapter = adapterFor(terminal);
    const rules = adapter.line;
    if (adapter.enterAfterMs > 0) await pause(adapter.enterAfterMs);
    const seen = echoed.get(terminal);
    echoed.delete(terminal);
    const isSeen = seen !== undefined && seen.delivery === delivery && now() - seen.at <= FRESH_ECHO_MS;
    for (let tries = 0; ; tries += 1) {
      let cursor = tries === 0 && isSeen ? seen.cursor : null;
      if (rules !== null && cursor === null) {
        // Seen again right before Enter: a dialog that opened meanwhile would take it as its answer, so it is waited for.
        const echo = await awaitEcho(terminal, rules, text, rules.echoMs, null);
        if (!echo.ok) return { kind: "pasteStranded", terminal, delivery, why: echo.why, screen: echo.screen };
        cursor = echo.cursor;
      }
      // And tmux looks once more in the step that presses it: a dialog takes the text away, or moves the cursor.
      const gate = rules !== null && tries < GATE_TRIES ? { echoTail: rules.gate(text), cursor } : null;
      const reply = await host.enter(terminal, delivery, gate);
      if (reply.kind === "entered") return { kind: "entered", terminal, delivery };
      if (reply.kind === "unknown") return { kind: "typingUnknown", terminal, delivery };
      switch (reply.reason) {
        case "already entered":
          return { kind: "entered", terminal, delivery };
        case "no echo":
          await pause(ECHO_POLL_MS);
          continue;
        case "gone":
          return { kind: "typingFailed", terminal, delivery, why: "its program has ended" };
        case "input off": {
          const screen = plain(await host.screen(terminal));
          return { kind: "pasteStranded", terminal, delivery, why: "the pane's input was switched off", screen };
        }
        case "not pasted":
        case "not entered":
        case "stale epoch":
          return { kind: "typingUnknown", terminal, delivery };
      }
    }
  };

  const enterAgain: Typist["enterAgain"] = async (terminal, delivery, text) => {
    const rules = adapterFor(terminal).line;
    const result = (pressed: boolean | null): Input => ({ kind: "enteredAgain", terminal, delivery, pressed });
    // A predecessor may have pressed it and not lived to say so.
    const pane = (await host.panes()).find((seen) => seen.terminal === terminal);
    if (pane?.enteredMarker === delivery && pane.enteredTwice) return result(true);
    const screen = await host.screen(terminal);
    if (rules?.brokenBehind === undefined || screen === null) return result(false);
    if (rules.dialog(screen) !== null || !rules.brokenBehind(screen, text)) return result(false);
    if (await host.personAt(terminal)) return result(false);
    const reply = await host.enterAgain(terminal, delivery, { echoTail: rules.gate(text), cursor: screen.cursor });
    if (reply.kind === "unknown") return result(null);
    return result(reply.kind === "entered" || reply.reason === "already entered");
  };

  const evidence: Typist["evidence"] = async (terminal, text) => {
    const screen = await host.screen(terminal);
    const rules = adapterFor(terminal).line;
    return { screen: plain(screen), onLine: screen !== null && rules !== null && rules.echo(screen, text) === "ours" };
  };

  return { paste, enter, enterAgain, foresee, glance, look, evidence };
};
