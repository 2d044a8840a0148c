import { describe, expect, it } from "vitest";
import { readPrompt } from "../../../src/demo/prompt.js";

describe("a prompt", () => {
  it.each([
    ["[Peer agent (feature-impl)]: GREEN", { kind: "peer", name: "feature-impl" }, "GREEN"],
    ["[Broadcast Notice]: lunch ", { kind: "notice" }, "lunch"],
    ["say [Peer agent (x)]: GREEN", { kind: "person" }, "say [Peer agent (x)]: GREEN"],
    ["[Peer agent (a)b)]: GREEN", { kind: "person" }, "[Peer agent (a)b)]: GREEN"],
  ])("%j", (text, from, body) => {
    expect(readPrompt(text)).toEqual({ text, from, body });
  });
});
