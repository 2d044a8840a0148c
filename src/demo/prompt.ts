/**
 * What was typed into the demo agent, taken apart: who it is from, by the header that Quay types, and its text.
 * Pure. A header is a claim of whoever typed it; the scripts use it only to know whom to answer.
 */
export type IncomingPrompt = {
  /** The whole text, as submitted. */
  readonly text: string;
  readonly from: { readonly kind: "person" | "notice" } | { readonly kind: "peer"; readonly name: string };
  /** The text behind the header, trimmed. */
  readonly body: string;
};

export const readPrompt = (text: string): IncomingPrompt => {
  const peer = /^\[Peer agent \(([^()[\]:\n]{1,64})\)\]: ?/.exec(text);
  if (peer !== null)
    return { text, from: { kind: "peer", name: peer[1] ?? "" }, body: text.slice(peer[0].length).trim() };
  const notice = /^\[(?:Broadcast Notice|Mailbox)\]: ?/.exec(text);
  if (notice !== null) return { text, from: { kind: "notice" }, body: text.slice(notice[0].length).trim() };
  return { text, from: { kind: "person" }, body: text.trim() };
};
