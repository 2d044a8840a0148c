/**
 * The demo agent's OSC 7501 reports: the root record only, sent without asking. Builds the bytes; writes nothing.
 * Source of the limits: facts on OSC 7501, wire format. A report carries no message text of the conversation.
 */
export type ProgramStatus = "idle" | "working" | "done" | "error" | "clear";

const LONGEST_CAPTION = 120;

const caption = (text: string): string =>
  [...text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ").trim()].slice(0, LONGEST_CAPTION).join("");

/** `about`: what it is doing, one line; left out when empty. */
export const programStatus = (state: ProgramStatus, about = ""): string => {
  const pairs = [`state=${state}`];
  if (state !== "clear") pairs.push("app=quay-demo");
  const shown = caption(about);
  if (shown !== "" && state !== "clear") pairs.push(`msg=${Buffer.from(shown, "utf8").toString("base64")}`);
  return `\u001b]7501;${pairs.join(":")}\u0007`;
};
