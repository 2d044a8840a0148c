/**
 * Server-sent events, pure: text chunks in, events out, the unfinished tail kept. Comments and fields that nobody here uses
 * (id, retry) are skipped. Source: the event stream format of the HTML standard.
 */
export type SseEvent = { readonly event: string; readonly data: string };

/** Characters of one event that is still unfinished; a longer one is dropped whole. */
const LONGEST = 64 * 1024 * 1024;

export const createSseParser = (found: (event: SseEvent) => void): ((chunk: string) => void) => {
  let tail = "";
  let event = "message";
  let data: string[] = [];
  let size = 0;

  const takeLine = (line: string): void => {
    if (line === "") {
      if (data.length > 0 && size <= LONGEST) found({ event, data: data.join("\n") });
      event = "message";
      data = [];
      size = 0;
      return;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    if (field !== "data") return;
    size += value.length;
    if (size <= LONGEST) data.push(value);
  };

  return (chunk) => {
    // One event of a long trail comes in many pieces of one line: look through each piece once.
    if (!/[\r\n]/.test(chunk) && !tail.endsWith("\r")) {
      tail += chunk;
      return;
    }
    const lines = (tail + chunk).split(/\r\n|\n|\r(?!$)/);
    tail = lines.pop() ?? "";
    for (const line of lines) takeLine(line);
  };
};
