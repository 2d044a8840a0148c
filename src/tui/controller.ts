/**
 * Between the engine and the screen: keeps the last snapshot, runs each event through the reducer, and carries out what
 * the reducer asks for. It knows EngineClient and two callbacks, no stream.
 */

import { terminalId } from "../bus/ids.js";
import type { Snapshot } from "../bus/views.js";
import type { Answers, Change, EngineClient, Failure } from "../engine/client.js";
import { messageOf } from "../lib/errors.js";
import { readMail } from "./mail-reader.js";
import { createStore, type Store } from "./store.js";
import { type Limiter, limit, type Timing } from "./timing.js";
import { activeProject, firstUi, type Notice, type Request, type Ui, type UiEvent } from "./ui.js";
import type { MailRequest } from "./ui-mailbox.js";
import { step } from "./ui-state.js";
import { wordDone, wordOutcome } from "./view-model.js";

/** Changes of the engine are read at most ten times a second. */
const READ_GAP_MS = 100;
const TOAST_MS = 6000;
/** How often the open mailbox is read, in ms. */
const MAIL_EVERY_MS = 2_000;
/** How often an open preview is looked at. */
const LOOK_MS = 1000;

export type Ways = {
  readonly leave: () => void;
  readonly redraw: () => void;
  /** Shows this terminal to the person; resolves when they are back. */
  readonly open: (attach: Answers["attach"]) => Promise<void>;
  /** Puts a text on the person's clipboard. */
  readonly copy: (text: string) => Promise<void>;
  readonly insideTmux: string | null;
  readonly gone: (why: string) => void;
};

export class Controller {
  readonly snapshot: Store<Snapshot>;
  readonly ui: Store<Ui>;
  readonly #client: EngineClient;
  readonly #timing: Timing;
  readonly #ways: Ways;
  readonly #reads: Limiter;
  readonly #unsubscribe: () => void;
  /** Ends our waits when the screen is left; the messages go on. */
  readonly #left = new AbortController();
  /** The agent whose preview is open. */
  #watched: string | null = null;
  #endWatch: () => void = () => {};
  readonly #fades = new Set<() => void>();
  #mailTimer: () => void = () => {};

  constructor(client: EngineClient, first: Pick<Ui, "screen" | "cwd" | "goesBack">, timing: Timing, ways: Ways) {
    this.#client = client;
    this.#timing = timing;
    this.#ways = ways;
    this.snapshot = createStore(client.snapshot());
    this.ui = createStore(firstUi(first.screen, first.cwd, first.goesBack));
    this.#reads = limit(timing, READ_GAP_MS, () => this.#readSnapshot());
    this.#unsubscribe = client.subscribe((change) => this.#takeChange(change));
  }

  stop(): void {
    this.#endWatch();
    this.#unsubscribe();
    this.#reads.stop();
    for (const cancel of this.#fades) cancel();
    this.#mailTimer();
    this.#left.abort();
  }

  take(event: UiEvent): void {
    const { ui, requests } = step(this.ui.get(), event, this.snapshot.get());
    this.ui.set(ui);
    for (const request of requests) void this.#carryOut(request);
    this.#watchScreen();
  }

  /** Looks at an agent's screen each second while its preview is open, never otherwise. */
  #watchScreen(): void {
    const { overlay } = this.ui.get();
    const id = overlay.kind === "look" ? overlay.id : null;
    if (id === this.#watched) return;
    this.#watched = id;
    this.#endWatch();
    if (id !== null) void this.#look(id);
  }

  async #look(id: string): Promise<void> {
    const answer = await this.#client.dispatch({ kind: "look", target: id }).catch(() => null);
    if (this.#watched !== id || this.#left.signal.aborted) return;
    this.#endWatch = this.#timing.after(LOOK_MS, () => void this.#look(id));
    if (answer?.ok) this.take({ kind: "looked", id, ansi: answer.ansi });
  }

  #takeChange(change: Change): void {
    switch (change.kind) {
      case "snapshot":
        this.#reads.poke();
        return;
      case "toast": {
        this.take({ kind: "toastRaised", text: change.toast.text });
        const cancel = this.#timing.after(TOAST_MS, () => {
          this.#fades.delete(cancel);
          this.take({ kind: "toastFaded" });
        });
        this.#fades.add(cancel);
        return;
      }
      case "gone":
        this.take({ kind: "engineGone", why: change.why });
        this.#ways.gone(change.why);
        return;
    }
  }

  #readSnapshot(): void {
    const next = this.#client.snapshot();
    const isNew = next.revision !== this.snapshot.get().revision || next.engine.pid !== this.snapshot.get().engine.pid;
    if (isNew) this.snapshot.set(next);
    this.take({ kind: "engineChanged" });
  }

  async #carryOut(request: Request): Promise<void> {
    switch (request.kind) {
      case "leave":
        this.#ways.leave();
        return;
      case "redraw":
        this.#ways.redraw();
        return;
      case "open":
        await this.#open(request.target, request.name);
        return;
      case "copy":
        await this.#copy(request.text, request.what);
        return;
      case "deed":
        await this.#doDeed(request);
        return;
      case "prove":
        await this.#prove(request.id);
        return;
      case "readMailbox":
      case "readThread":
        await this.#readMail(request);
        return;
      case "send":
      case "broadcast": {
        const { notice, refused } = await this.#say(request).catch((error: unknown) => ({
          notice: { text: messageOf(error), isGood: false },
          refused: true,
        }));
        if (!this.#left.signal.aborted) this.take({ kind: "answered", request: request.request, notice, refused });
        return;
      }
    }
  }

  async #say(request: Extract<Request, { kind: "send" | "broadcast" }>): Promise<{ notice: Notice; refused: boolean }> {
    const project = request.kind === "broadcast" ? request.project : activeProject(this.ui.get(), this.snapshot.get());
    const as = request.kind === "send" && request.as !== null ? terminalId(request.as) : null;
    const caller = { kind: "person", as, project } as const;
    const { text } = request;
    const answer: Answers["send"] | Answers["broadcast"] | Failure =
      request.kind === "send"
        ? await this.#client.dispatch(
            { kind: "send", caller, target: request.target, text, wait: true, raw: false },
            { signal: this.#left.signal },
          )
        : await this.#client.dispatch({ kind: "broadcast", caller, text }, { signal: this.#left.signal });
    if (!answer.ok) return { notice: { text: answer.message, isGood: false }, refused: true };
    return { notice: wordOutcome(answer.outcome), refused: answer.outcome.kind === "refused" };
  }

  async #doDeed({ request, command }: Extract<Request, { kind: "deed" }>): Promise<void> {
    const notice = await this.#client
      .dispatch(command, { signal: this.#left.signal })
      .then((answer) => wordDone(command, answer))
      .catch((error: unknown): Notice => ({ text: messageOf(error), isGood: false }));
    if (!this.#left.signal.aborted) this.take({ kind: "done", request, notice });
  }

  /** An entry is shown without its proof when there is none to be had. */
  async #prove(id: string): Promise<void> {
    const answer = await this.#client.dispatch({ kind: "explain", delivery: id }).catch(() => null);
    if (answer?.ok && !this.#left.signal.aborted) this.take({ kind: "proved", id, proof: answer.proof });
  }

  async #copy(text: string, what: string): Promise<void> {
    const notice = await this.#ways.copy(text).then(
      (): Notice => ({ text: `${what} is copied.`, isGood: true }),
      (error: unknown): Notice => ({ text: `It could not be copied: ${messageOf(error)}`, isGood: false }),
    );
    this.take({ kind: "noticed", notice });
  }

  /** While the view is open it is read again and again: mail comes without a word from the engine. */
  async #readMail(request: MailRequest): Promise<void> {
    const event = await readMail(this.#client, request);
    if (this.#left.signal.aborted) return;
    this.take(event);
    const { overlay } = this.ui.get();
    if (request.kind === "readThread" || overlay.kind !== "mailbox") return;
    this.#mailTimer();
    this.#mailTimer = this.#timing.after(MAIL_EVERY_MS, () => {
      const now = this.ui.get().overlay;
      if (now.kind !== "mailbox") return;
      if (now.open !== null) void this.#readMail({ kind: "readThread", id: now.open.threadId });
      void this.#readMail({ kind: "readMailbox" });
    });
  }

  async #open(target: string, name: string): Promise<void> {
    const complain = (why: string): void =>
      this.take({ kind: "noticed", notice: { text: `${name} could not be opened: ${why}`, isGood: false } });
    try {
      const answer = await this.#client.dispatch({ kind: "attach", target, insideTmux: this.#ways.insideTmux });
      if (this.#left.signal.aborted) return;
      if (answer.ok) await this.#ways.open(answer);
      else complain(answer.message);
    } catch (error) {
      complain(messageOf(error));
    }
  }
}
