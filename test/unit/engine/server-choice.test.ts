import { describe, expect, it } from "vitest";
import { emptyState } from "../../../src/bus/state.js";
import type { Vault } from "../../../src/engine/ports.js";
import { chooseServer } from "../../../src/engine/server-choice.js";

const vaultWith = (tmuxServer: string | null): Vault =>
  ({ get: (key: string) => (key === "tmuxServer" ? tmuxServer : null) }) as unknown as Vault;
const choose = (insideTmux: string | null, known: string | null = null, socket: string | null = null) =>
  chooseServer({ socket, insideTmux }, vaultWith(known), emptyState, "quay-1a");

describe("which tmux server", () => {
  it("is Quay's own outside tmux, and the person's inside theirs", () => {
    expect(choose(null)).toEqual({ kind: "own", name: "quay-1a" });
    expect(choose("/tmp/tmux-0/default,12,3")).toEqual({ kind: "user", socketPath: "/tmp/tmux-0/default" });
  });

  it("is Quay's own too in a pane of Quay's own server", () => {
    expect(choose("/tmp/tmux-0/quay-1a,12,3")).toEqual({ kind: "own", name: "quay-1a" });
    expect(choose("/tmp/tmux-0/mine,12,3", JSON.stringify({ kind: "own", name: "mine" }))).toEqual({
      kind: "own",
      name: "mine",
    });
    expect(choose("/tmp/elsewhere/quay-1a,12,3")).toEqual({ kind: "user", socketPath: "/tmp/elsewhere/quay-1a" });
  });
});
