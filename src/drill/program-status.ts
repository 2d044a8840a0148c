/**
 * The agent's OSC 7501 bytes: the question whether its terminal reads them, and the root record. Builds, writes
 * nothing. Told in Claude Code's words, so that Quay's adapter for it hears them.
 */
export type State = "idle" | "working" | "done" | "error" | "blocked" | "clear";

/** Switched on in the start-up block; Quay answers the question from here on. */
export const START_BLOCK = "\u001b[?2004h\u001b[?2031h\u001b[?25l";
export const END_BLOCK = "\u001b[?2031l\u001b[?2004l\u001b[?25h";

/** Whether the terminal reads OSC 7501; its answer to the last part ends the wait. */
export const QUESTION = "\u001b[>0q\u001b[?u\u001b]7501;?\u0007\u001b[c";

export const report = (state: State, msg = ""): string => {
  if (state === "clear") return "\u001b]7501;state=clear\u0007";
  const kind = state === "blocked" ? ":kind=permission" : "";
  const said = msg === "" ? "" : `:msg=${Buffer.from(msg.slice(0, 120), "utf8").toString("base64")}`;
  return `\u001b]7501;state=${state}:app=claude-code${kind}${said}\u0007`;
};
