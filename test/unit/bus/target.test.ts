import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/bus/protocol.js";
import { wordRefusal } from "../../../src/bus/refusal.js";
import { matchTarget } from "../../../src/bus/target.js";
import { given, idOf, type Sent, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const HERE = "/work/app";
const THERE = "/work/other";

/** The same session name in two projects: ids are made from the name, so the second one is launched by hand. */
const twin = (world: World, name: string, project: string): string => {
  world.launches({ name: `${name}-twin`, project });
  const record = world.terminal(`${name}-twin`);
  world.take({ kind: "terminalLaunched", terminal: { ...record, name } });
  return record.id;
};

const refusalOf = (sent: Sent): Extract<Outcome, { kind: "refused" }>["refusal"] => {
  const outcome = sent.outcome();
  if (outcome?.kind !== "refused") throw new Error(`not refused: ${JSON.stringify(outcome)}`);
  return outcome.refusal;
};

describe("a target", () => {
  verifies(["target:exact-id", "target:id-in-any-project"], "is found by its exact id, in any project", () => {
    const world = given("sender", { name: "far", project: THERE });
    expect(world.delivery(world.send("sender", idOf("far"), "hello")).toName).toBe("far");
  });

  verifies("target:exact-session-name", "is found by its exact session name", () => {
    const world = given("sender");
    const id = twin(world, "reviewer", HERE);
    expect(world.delivery(world.send("sender", "reviewer", "hello")).to).toBe(id);
  });

  verifies("target:nothing-else", "is found by nothing else", () => {
    const world = given("sender", "reviewer");
    for (const near of ["claude", "review", "Reviewer", "REVIEWER", "term-review", "term-Reviewer", "reviewer ", ""]) {
      expect(refusalOf(world.send("sender", near, "hello")), near).toMatchObject({ kind: "unknownTarget" });
    }
  });

  verifies("target:same-for-send-and-status", "is matched by one rule for a message and for a status", () => {
    const world = given("sender", "reviewer", { name: "far", project: THERE });
    world.exits("reviewer");
    for (const target of ["reviewer", "far", "nobody"]) {
      const match = matchTarget(world.state(), target, HERE, world.now());
      const outcome = world.send("sender", target, "hello").outcome();
      if (match.ok) expect([...world.state().deliveries.values()].at(-1)?.to).toBe(match.terminal.id);
      else expect(outcome).toEqual({ kind: "refused", refusal: match.refusal });
    }
  });

  verifies(
    ["target:id-of-exited-status", "target:id-of-exited-refuses-message", "deliver:exited-refused"],
    "that has exited answers for its status by id, and takes no message",
    () => {
      const world = given("sender", "reviewer");
      world.exits("reviewer");
      const match = matchTarget(world.state(), idOf("reviewer"), HERE, world.now());
      expect(match.ok && match.terminal.id).toBe(idOf("reviewer"));
      expect(world.agent("reviewer").status).toBe("exited");
      const refusal = refusalOf(world.send("sender", idOf("reviewer"), "hello"));
      expect(refusal.kind).toBe("terminalExited");
      expect(wordRefusal(refusal)).toContain("has exited, so no agent is running to read the message");
    },
  );

  verifies(
    ["target:session-name-live-only", "target:name-only-exited"],
    "by a name that only exited terminals carry is refused, and the refusal says so",
    () => {
      const world = given("sender", "reviewer");
      world.exits("reviewer");
      const refusal = refusalOf(world.send("sender", "reviewer", "hello"));
      expect(refusal.kind).toBe("nameExited");
      expect(wordRefusal(refusal)).toContain("has exited");
      const id = twin(world, "reviewer", HERE);
      const again = matchTarget(world.state(), "reviewer", HERE, world.now());
      expect(again.ok && again.terminal.id).toBe(id);
    },
  );

  verifies("target:callers-project-first", "is looked for in the caller's project first", () => {
    const world = given("sender");
    const near = twin(world, "reviewer", HERE);
    world.launches({ name: "x", project: THERE });
    world.take({ kind: "terminalLaunched", terminal: { ...world.terminal("x"), name: "reviewer" } });
    expect(world.delivery(world.send("sender", "reviewer", "hello")).to).toBe(near);
  });

  verifies("target:other-projects-second", "elsewhere is found when the caller's project has none alive", () => {
    const world = given("sender", "reviewer");
    world.exits("reviewer");
    const far = twin(world, "reviewer", THERE);
    const match = matchTarget(world.state(), "reviewer", HERE, world.now());
    expect(match.ok && match.terminal.id).toBe(far);
  });

  verifies("target:ambiguous", "with two live matches in one search is refused, with both listed", () => {
    const world = given("sender");
    const ids = [twin(world, "reviewer", THERE), idOf("y")];
    world.launches({ name: "y", project: "/work/third" });
    world.take({ kind: "terminalLaunched", terminal: { ...world.terminal("y"), name: "reviewer" } });
    const refusal = refusalOf(world.send("sender", "reviewer", "hello"));
    if (refusal.kind !== "ambiguousTarget") throw new Error(refusal.kind);
    expect(refusal.matches.map((match) => match.id)).toEqual(ids);
    const words = wordRefusal(refusal);
    for (const id of ids) expect(words).toContain(id);
    expect(words).toContain("Pass the terminal ID instead");
  });

  verifies("target:unknown-lists-live-peers", "that is unknown is refused with the live peers", () => {
    const world = given("sender", { name: "far", project: THERE }, { name: "shell", like: "shell" }, "gone");
    world.exits("gone");
    const refusal = refusalOf(world.send("sender", "nobody", "hello"));
    if (refusal.kind !== "unknownTarget") throw new Error(refusal.kind);
    expect(refusal.peers.map((peer) => peer.name)).toEqual(["sender", "far"]);
    expect(wordRefusal(refusal)).toContain("- far (term-far)");
  });

  verifies("target:refused-leaves-no-trace", "that is refused sends nothing and waits on nothing", () => {
    const world = given("sender", { name: "shell", like: "shell" }, "gone");
    world.idle("sender");
    world.exits("gone");
    const before = world.state();
    const count = world.facts.length;
    for (const target of ["nobody", "gone", "shell", "sender"]) {
      world.send("sender", target, "hello", { wait: true });
    }
    world.send("sender", "sender", "", { wait: true });
    expect(world.facts.length).toBe(count);
    expect(world.state()).toEqual(before);
    expect(world.trail()).toEqual([]);
  });

  verifies("deliver:self-refused", "that is the caller itself is refused", () => {
    const world = given("sender");
    world.idle("sender");
    expect(refusalOf(world.send("sender", "sender", "hello")).kind).toBe("self");
    expect(refusalOf(world.say("sender", "hello", { as: "sender" })).kind).toBe("self");
  });

  verifies("non-peer:refuses-everyone", "that is a shell refuses everyone", () => {
    const world = given("sender", { name: "shell", like: "shell" });
    for (const sent of [
      world.send("sender", "shell", "ls"),
      world.say("shell", "ls"),
      world.say("shell", "ls", { raw: true }),
    ]) {
      expect(refusalOf(sent).kind).toBe("notAPeer");
    }
    expect(world.pastes("shell")).toEqual([]);
  });

  verifies("non-peer:status-by-id", "that is a shell answers for its status", () => {
    const world = given({ name: "shell", like: "shell" });
    world.prints("shell");
    expect(world.agent("shell")).toMatchObject({ level: "not a peer", status: "unknown" });
    world.exits("shell");
    expect(world.agent("shell")).toMatchObject({ level: "not a peer", status: "exited" });
  });

  test("does not answer for a caller that has exited", () => {
    const world = given("sender", "reviewer");
    world.exits("sender");
    expect(refusalOf(world.send("sender", "reviewer", "hello")).kind).toBe("callerExited");
  });
});
