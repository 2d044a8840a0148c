/**
 * Dialogs of a drill agent: they open by themselves at moments of chance, stay a while and go. While one is open every
 * key is an answer to it; Enter takes "Yes". Each is announced by OSC before it opens, or told when it is open.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Behaviour } from "./behaviour.js";
import type { Key } from "./keys.js";
import type { State } from "./program-status.js";
import type { Random } from "./random.js";
import type { AgentRecord } from "./record.js";

export type Dialogs = {
  /** What the open dialog asks for; null when none is open. */
  open(): string | null;
  /** Announced or open: the terminal was told that a person is needed. */
  isTold(): boolean;
  /** Takes a key when a dialog is open; false when there is none. */
  press(key: Key): boolean;
  /** Opens them one after the other, as the behaviour says. */
  start(): void;
};

export const openDialogs = (parts: {
  readonly behaviour: Behaviour["dialogs"];
  readonly random: Random;
  readonly record: AgentRecord;
  readonly status: (state: State, msg?: string) => void;
  /** The report that holds when no dialog is told. */
  readonly resting: () => State;
  readonly changed: () => void;
}): Dialogs => {
  const { behaviour, random, record } = parts;
  let now: {
    readonly dialog: number;
    readonly toldAt: number;
    readonly isOpen: boolean;
    readonly close: AbortController;
  } | null = null;

  const show = async (dialog: number): Promise<void> => {
    const close = new AbortController();
    const tell = (isOpen: boolean): void => {
      now = { dialog, toldAt: Date.now(), isOpen, close };
      parts.status("blocked", `approve Bash: touch drill-${dialog}`);
    };
    if (behaviour.leadMs !== null) {
      record.write({ kind: "dialogAnnounced", dialog });
      tell(false);
      await pause(behaviour.leadMs);
      now = { ...now!, isOpen: true };
    } else {
      tell(true);
    }
    record.write({ kind: "dialogOpened", dialog });
    parts.changed();
    await pause(behaviour.openMs, undefined, { signal: close.signal }).catch(() => {});
    now = null;
    record.write({ kind: "dialogClosed", dialog });
    parts.status(parts.resting());
    parts.changed();
  };

  const answer = (): void => {
    if (now === null) return;
    record.write({ kind: "dialogAnswered", dialog: now.dialog, heldMs: Date.now() - now.toldAt });
    now.close.abort();
  };

  return {
    open: () => (now?.isOpen === true ? `touch drill-${now.dialog}` : null),
    isTold: () => now !== null,
    press: (key) => {
      if (now?.isOpen !== true) return false;
      if (key.kind === "enter" || (key.kind === "text" && /^[12y]$/.test(key.text))) answer();
      else if (key.kind === "text" || key.kind === "paste") record.write({ kind: "dropped", text: key.text });
      return true;
    },
    start: () => {
      const run = async (): Promise<void> => {
        for (let dialog = 1; dialog <= behaviour.count; dialog += 1) {
          await pause(random.within(behaviour.gapMs));
          await show(dialog);
        }
      };
      void run();
    },
  };
};
