/**
 * The agent's own record of what happened to it: JSON lines in the file that DRILL_LOG names, each written before
 * the agent goes on, so that a kill loses nothing. Without a file it records nothing.
 */
import { openSync, writeSync } from "node:fs";

export type RecordLine =
  | { readonly kind: "started"; readonly at: number; readonly pid: number; readonly osc: boolean }
  /** Every byte that came in, base64. */
  | { readonly kind: "bytes"; readonly at: number; readonly bytes: string }
  /** `end`: the answer is told, and the hooks of the end still run. */
  | { readonly kind: "submitted"; readonly at: number; readonly text: string; readonly during: "idle" | "turn" | "end" }
  | { readonly kind: "swallowed"; readonly at: number }
  | { readonly kind: "turnStarted"; readonly at: number; readonly turn: string }
  | { readonly kind: "turnEnded"; readonly at: number; readonly turn: string; readonly answer: string }
  | { readonly kind: "turnAborted"; readonly at: number; readonly turn: string }
  | { readonly kind: "dialogAnnounced"; readonly at: number; readonly dialog: number }
  | { readonly kind: "dialogOpened"; readonly at: number; readonly dialog: number }
  /** `heldMs`: how long before this key its OSC report was written. */
  | { readonly kind: "dialogAnswered"; readonly at: number; readonly dialog: number; readonly heldMs: number }
  | { readonly kind: "dialogClosed"; readonly at: number; readonly dialog: number }
  /** Text that came while a dialog stood, and was dropped. */
  | { readonly kind: "dropped"; readonly at: number; readonly text: string }
  | { readonly kind: "hook"; readonly at: number; readonly event: string }
  | { readonly kind: "printed"; readonly at: number; readonly bytes: number }
  | { readonly kind: "ended"; readonly at: number; readonly why: string };

type WithoutTime<T> = T extends RecordLine ? Omit<T, "at"> : never;

export type AgentRecord = { write(line: WithoutTime<RecordLine>): void };

export const openRecord = (path: string | undefined): AgentRecord => {
  if (path === undefined || path === "") return { write: () => {} };
  const file = openSync(path, "a", 0o600);
  return {
    write: (line) => {
      const { kind, ...rest } = line;
      writeSync(file, `${JSON.stringify({ kind, at: Date.now(), ...rest })}\n`);
    },
  };
};
