/**
 * Who may speak to the bridge at all, decided from a request's head alone: first where it says it is going
 * (Host) and which page sent it (Origin), then the token. Pure; the listener asks before it reads a body.
 * Rules: HAZARDS "Identity and trust" as docs/security.md states them; `hazard:host-and-origin-first`.
 */

/** The parts of an incoming request that the guard reads. `rawHeaders`: name, value, name, value … as they came. */
export type RequestHead = {
  readonly headers: { readonly authorization?: string | undefined };
  readonly rawHeaders: readonly string[];
};

const valuesOf = (rawHeaders: readonly string[], name: string): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);

/**
 * Why this request may not come in, or null. A page of another site that reaches 127.0.0.1 by DNS rebinding
 * shows in Host; one that calls it directly shows in Origin.
 */
export const foreignHead = (head: RequestHead, port: number): string | null => {
  const hosts = valuesOf(head.rawHeaders, "host").map((host) => host.toLowerCase());
  const ours = [`127.0.0.1:${port}`, `localhost:${port}`];
  const [host] = hosts;
  if (hosts.length !== 1 || host === undefined || !ours.includes(host)) {
    return `The Host header must be 127.0.0.1:${port} or localhost:${port}.`;
  }
  const origins = valuesOf(head.rawHeaders, "origin");
  if (origins.some((origin) => !ours.some((own) => origin.toLowerCase() === `http://${own}`))) {
    return "Requests from web pages are refused: the Origin header is not this bridge's own.";
  }
  return null;
};

/** The token of `Authorization: Bearer …`, or null. */
export const bearerOf = (head: RequestHead): string | null => {
  const match = /^bearer +([^\s]+) *$/i.exec(head.headers.authorization ?? "");
  return match?.[1] ?? null;
};
