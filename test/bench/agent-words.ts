/** What the fixture agent and its benchmark say to each other, one JSON line each. */
type From = { readonly name: string /** By the shared monotonic clock, ms. */; readonly at: number };

export type AgentReport =
  | (From & { readonly kind: "hello"; readonly url: string; readonly token: string })
  | (From & { readonly kind: "pasted" })
  | (From & { readonly kind: "submitted"; readonly text: string })
  | (From & { readonly kind: "ended" });

export type AgentOrder =
  /** Turns last this long; null: until `end`. */
  { readonly kind: "turns"; readonly ms: number | null } | { readonly kind: "end" };
