import { describe, expect, test } from "vitest";
import { given, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const one = (): World => {
  const world = given("backend-dev", { name: "listener", like: "listener" });
  world.prints("backend-dev");
  return world;
};
const both = (world: World): readonly string[] => {
  const { level, status } = world.agent("backend-dev");
  return [level, status];
};

describe("level and status", () => {
  verifies(
    ["tool:list-agents:status-words", "tool:agent-status:status-words", "tool:list-agents:level-words"],
    "go through the six words and no other",
    () => {
      const world = one();
      const seen = [world.agent("backend-dev").status];
      const note = (): void => {
        seen.push(world.agent("backend-dev").status);
      };
      world.idle("backend-dev");
      note();
      world.turnStarts("backend-dev", "t1", "hello");
      note();
      world.asks("backend-dev", "approve");
      note();
      world.after(120_000);
      world.sees("backend-dev", { kind: "promptClosed", source: "hook" });
      world.sees("backend-dev", { kind: "resyncFailed" });
      note();
      world.exits("backend-dev");
      note();
      expect(seen).toEqual(["starting", "idle", "working", "waiting", "unknown", "exited"]);
    },
  );

  verifies("peer:claude-full-again", "come back with the first word of the plugin", () => {
    const world = one();
    world.after(30_000);
    expect(both(world)).toEqual(["listener", "unknown"]);
    expect(world.agent("backend-dev").demoted).toContain("quay relaunch backend-dev");
    world.turnStarts("backend-dev", "t1", "hello");
    expect(both(world)).toEqual(["full peer", "working"]);
    expect(world.agent("backend-dev").demoted).toBe(null);
  });

  test("stay starting while nothing was printed: the 30 s count from the first output", () => {
    const world = given("backend-dev");
    world.after(600_000);
    expect(both(world)).toEqual(["full peer", "starting"]);
    world.prints("backend-dev");
    world.after(29_999);
    expect(both(world)).toEqual(["full peer", "starting"]);
    world.after(1);
    expect(both(world)).toEqual(["listener", "unknown"]);
  });

  verifies("hazard:start-up-dialogs", "wait on a start-up dialog, which stops that clock and keeps the message", () => {
    const world = one();
    world.after(20_000);
    world.sees("backend-dev", {
      kind: "promptRaised",
      prompt: { about: "dialog", text: "trust dialog", source: "screen" },
    });
    const sent = world.say("backend-dev", "hello");
    world.after(600_000);
    expect(world.agent("backend-dev")).toMatchObject({
      status: "waiting",
      level: "full peer",
      prompt: { text: "trust dialog" },
    });
    expect(world.entry(sent).status).toBe("Queued");
    world.sees("backend-dev", { kind: "promptClosed", source: "screen" });
    expect(both(world)).toEqual(["full peer", "starting"]);
    world.idle("backend-dev");
    expect(world.pastes("backend-dev")).toHaveLength(1);
  });

  test("do not wait for ever on a dialog of the screen once the bridge speaks", () => {
    const world = one();
    world.sees("backend-dev", {
      kind: "promptRaised",
      prompt: { about: "dialog", text: "trust dialog", source: "screen" },
    });
    world.turnStarts("backend-dev", "t1", "hello");
    expect(both(world)).toEqual(["full peer", "working"]);
  });

  verifies("hazard:dialog-without-hook", "wait on a dialog that only OSC or the registry tells of", () => {
    for (const tell of [
      (world: World) => world.osc("backend-dev", "blocked", "Allow?"),
      (world: World) =>
        world.sees("backend-dev", { kind: "registryStatus", state: "waiting", text: "Allow?", lastEnd: null }),
    ]) {
      const world = one();
      world.idle("backend-dev");
      tell(world);
      expect(world.agent("backend-dev")).toMatchObject({ status: "waiting", prompt: { text: "Allow?" } });
    }
  });

  test("take a hook's dialog as provisional for 2 s when OSC speaks and does not confirm it", () => {
    const world = one();
    world.idle("backend-dev");
    world.turnStarts("backend-dev", "t1", "hello");
    world.osc("backend-dev", "working");
    world.asks("backend-dev", "approve");
    world.after(1_999);
    expect(world.agent("backend-dev").status).toBe("waiting");
    world.after(1);
    expect(world.agent("backend-dev").status).toBe("working");
    world.asks("backend-dev", "approve");
    world.osc("backend-dev", "blocked", "approve");
    world.after(100_000);
    expect(world.agent("backend-dev").status).toBe("waiting");
  });

  test("wait on while a tool beside the asking one ends", () => {
    const world = one();
    world.idle("backend-dev");
    world.turnStarts("backend-dev", "t1", "hello");
    world.sees("backend-dev", { kind: "toolStarted", tool: "1", name: "Read" });
    world.sees("backend-dev", { kind: "toolStarted", tool: "2", name: "Bash" });
    world.asks("backend-dev", "approve Bash: touch x");
    world.sees("backend-dev", { kind: "toolEnded", tool: "1", autoApproved: false });
    expect(world.agent("backend-dev").status).toBe("waiting");
    world.sees("backend-dev", { kind: "toolEnded", tool: "2", autoApproved: false });
    expect(world.agent("backend-dev").status).toBe("working");
  });

  verifies(["peer:listener-limits", "hazard:unknown-shown"], "of a listener are unknown until it has exited", () => {
    const world = one();
    for (const state of ["idle", "done", "cleared"] as const) {
      world.osc("listener", state);
      expect(world.agent("listener")).toMatchObject({ level: "listener", status: "unknown" });
    }
    world.exits("listener");
    expect(world.agent("listener")).toMatchObject({ level: "listener", status: "exited" });
  });

  verifies("hazard:new-words-degrade", "hold a listener's message while OSC says that it works or waits", () => {
    const world = one();
    for (const state of ["working", "blocked"] as const) {
      world.osc("listener", state);
      world.say("listener", `while ${state}`);
    }
    expect(world.pastes("listener")).toEqual([]);
    world.osc("listener", "cleared");
    expect(world.pastes("listener")).toHaveLength(1);
    // Words that nobody knows leave it as it is: Unknown.
    expect(world.agent("listener").status).toBe("unknown");
  });

  verifies("hazard:crash-is-alone", "of one terminal's exit touch no other", () => {
    const world = given("a", "b");
    world.idle("a", "b");
    const before = world.agent("b");
    world.exits("a");
    expect(world.agent("b")).toEqual(before);
    expect(world.agent("a")).toMatchObject({ status: "exited", exit: { why: "its program ended with status 0" } });
  });

  verifies("forget:exited-stay", "of an exited terminal stay listed until it is forgotten, or for seven days", () => {
    const world = given("a", "b");
    world.exits("a");
    world.exits("b");
    world.take({ kind: "terminalForgotten", terminal: world.terminal("a").id });
    expect([...world.state().terminals.values()].map((terminal) => terminal.name)).toEqual(["b"]);
    world.after(7 * 24 * 3_600_000 - 1);
    expect(world.state().terminals.size).toBe(1);
    world.after(1);
    expect(world.state().terminals.size).toBe(0);
  });

  test("of a live terminal cannot be forgotten", () => {
    const world = one();
    world.take({ kind: "terminalForgotten", terminal: world.terminal("backend-dev").id });
    expect(world.agent("backend-dev").status).toBe("starting");
  });
});
