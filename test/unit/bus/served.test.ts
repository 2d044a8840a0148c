/** A terminal whose turns are read from the server that its CLI runs: OpenCode. */
import { describe, expect } from "vitest";
import { given, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const NAME = "served";
const started = (): World => {
  const world = given("asker", { name: NAME, like: "served" });
  world.prints(NAME);
  return world;
};
const reached = (): World => {
  const world = started();
  world.sees(NAME, { kind: "reporterHeard" });
  return world;
};
const both = (world: World): readonly string[] => {
  const { level, status } = world.agent(NAME);
  return [level, status];
};

describe("its server", () => {
  verifies(["peer:opencode-full", "peer:opencode-server-read"], "makes it a full peer, idle before any session", () => {
    const world = reached();
    expect(both(world)).toEqual(["full peer", "idle"]);
    world.after(120_000);
    expect(both(world)).toEqual(["full peer", "idle"]);
  });

  verifies("deliver:opencode-between-turns", "tells when messages may be typed: one after each turn", () => {
    const world = reached();
    world.turnStarts(NAME, "m1", "by hand");
    const [first, second] = [world.send("asker", NAME, "first"), world.send("asker", NAME, "second")];
    expect(world.pastes(NAME)).toEqual([]);
    world.stops(NAME, "m1", "done");
    world.after(400);
    world.typed(NAME);
    expect(world.pastes(NAME)).toHaveLength(1);
    world.answers(NAME, "m2", "to the first");
    world.typed(NAME);
    world.answers(NAME, "m3", "to the second");
    expect([first, second].map((sent) => world.entry(sent).response)).toEqual(["to the first", "to the second"]);
  });

  verifies("opencode:hung-start-noticed", "that never answers makes it a listener, printed or not", () => {
    const world = given({ name: NAME, like: "served" });
    world.after(30_000);
    expect(both(world)).toEqual(["full peer", "starting"]);
    world.sees(NAME, { kind: "reporterLost" });
    expect(both(world)).toEqual(["listener", "unknown"]);
    expect(world.agent(NAME).demoted).toBe(
      `its server cannot be reached; \`quay relaunch ${NAME}\` starts it again with one`,
    );
    const silent = started();
    silent.after(30_000);
    expect(both(silent)).toEqual(["listener", "unknown"]);
  });

  verifies(["opencode:unreached-says-so", "opencode:heard-again"], "that went ends the wait, and may come back", () => {
    const world = reached();
    world.idle("asker");
    const sent = world.send("asker", NAME, "What is it?", { wait: true });
    world.typed(NAME);
    world.turnStarts(NAME, "m1");
    world.sees(NAME, { kind: "reporterLost" });
    expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", to: NAME, how: "lost" });
    expect(both(world)).toEqual(["listener", "unknown"]);
    const again = world.send("asker", NAME, "Are you there?", { wait: true });
    world.typed(NAME);
    expect(again.outcome()).toMatchObject({ kind: "cannotReply", remedy: "relaunch with its server", queued: false });
    world.sees(NAME, { kind: "reporterHeard" });
    expect(both(world)).toEqual(["full peer", "idle"]);
    // What it had answered meanwhile is told late, and stands on the trail.
    world.stops(NAME, "m1", "That.");
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "That." });
  });

  verifies("deliver:opencode-unreached-at-once", "that cannot be reached lets messages be typed at once", () => {
    const world = reached();
    world.turnStarts(NAME, "m1", "by hand");
    const sent = world.send("asker", NAME, "first");
    expect(world.entry(sent).status).toBe("Queued");
    world.sees(NAME, { kind: "reporterLost" });
    world.typed(NAME);
    expect(world.entry(sent).status).toBe("Dispatched");
  });
});
