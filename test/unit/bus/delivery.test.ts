import { describe, expect, test } from "vitest";
import { deliveryId } from "../../../src/bus/ids.js";
import { mayStillType } from "../../../src/bus/reporter.js";
import { given, idOf, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const ready = (): World => {
  const world = given("test-architect", "feature-impl", { name: "listener", like: "listener" });
  world.idle("test-architect", "feature-impl");
  return world;
};
const held = (world: World, why: "a person is typing" | "a dialog is open" | "input is off" | null): void =>
  world.take({
    kind: "typingHeld",
    terminal: idOf("feature-impl"),
    delivery: world.terminal("feature-impl").typing!,
    why,
  });
const freed = (world: World): void => world.take({ kind: "lineSeen", terminal: idOf("feature-impl"), hold: null });

describe("a message", () => {
  verifies("screen:type-now", "that its line holds is tried at once when a person vouches for the line", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "hello");
    held(world, "a person is typing");
    expect(world.delivery(sent).state).toBe("queued");
    world.take({ kind: "typeNow", delivery: deliveryId(sent.delivery) });
    expect(world.delivery(sent).state).toBe("pasting");
    expect(world.pastes("feature-impl")).toHaveLength(2);
  });

  verifies("deliver:between-turns", "that a turn of a person overtook is typed when that turn is over", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "hello");
    world.turnStarts("feature-impl", "own", "my own work");
    expect(mayStillType(world.terminal("feature-impl"), world.now())).toBe(false);
    held(world, null);
    expect(world.delivery(sent).state).toBe("queued");
    expect(world.terminal("feature-impl").hold).toBeNull();
    expect(world.pastes("feature-impl")).toHaveLength(1);
    world.stops("feature-impl", "own");
    world.after(400);
    expect(world.delivery(sent).state).toBe("pasting");
    expect(world.pastes("feature-impl")).toHaveLength(2);
  });

  verifies("deliver:header", "is typed with the header of its sender", () => {
    const world = ready();
    world.send("test-architect", "feature-impl", "make them pass");
    expect(world.pastes("feature-impl")).toEqual(["[Peer agent (test-architect)]: make them pass"]);
  });

  verifies(
    "hazard:idle-silent-gets-message",
    "to an idle terminal is typed at once, however long that was silent",
    () => {
      const world = ready();
      world.after(3_600_000);
      world.send("test-architect", "feature-impl", "hello");
      expect(world.pastes("feature-impl")).toHaveLength(1);
    },
  );

  verifies("hazard:claimed-before-first-byte", "is claimed, and its terminal free, before its first byte", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "hello");
    expect(world.delivery(sent).state).toBe("pasting");
    expect(world.terminal("feature-impl").typing).toBe(sent.delivery);
    const claimed = world.facts.findIndex(
      (fact) => fact.kind === "terminalChanged" && fact.patch.typing === sent.delivery,
    );
    expect(claimed).toBeGreaterThan(0);
  });

  verifies(["deliver:queued-while-starting", "peer:full-while-starting"], "to a starting terminal waits", () => {
    const world = given("test-architect", "feature-impl");
    world.idle("test-architect");
    world.prints("feature-impl");
    const sent = world.send("test-architect", "feature-impl", "hello");
    expect(world.agent("feature-impl")).toMatchObject({ level: "full peer", status: "starting", queued: 1 });
    expect(sent.outcome()).toMatchObject({ kind: "queued", why: "it is starting" });
    world.after(29_999);
    expect(world.pastes("feature-impl")).toEqual([]);
    world.idle("feature-impl");
    expect(world.pastes("feature-impl")).toHaveLength(1);
  });

  verifies(
    ["deliver:between-turns", "deliver:queued-while-working"],
    "to a working terminal waits for its turn's end",
    () => {
      const world = ready();
      world.turnStarts("feature-impl", "t1", "a person's prompt");
      const sent = world.send("test-architect", "feature-impl", "hello");
      expect(world.entry(sent).status).toBe("Queued");
      expect(sent.outcome()).toMatchObject({ kind: "queued", why: "it is working" });
      world.stops("feature-impl", "t1", "done");
      expect(world.pastes("feature-impl")).toEqual([]);
      world.after(400);
      expect(world.pastes("feature-impl")).toHaveLength(1);
    },
  );

  verifies("deliver:queued-while-waiting", "to a terminal that waits on a person stays in the queue", () => {
    const world = ready();
    for (const [index, source] of (["hook", "osc", "registry", "screen"] as const).entries()) {
      world.asks("feature-impl", "approve Bash: touch x", source);
      world.send("test-architect", "feature-impl", `hello ${index}`);
      expect(world.agent("feature-impl").status).toBe("waiting");
      expect(world.pastes("feature-impl")).toHaveLength(index);
      world.sees("feature-impl", { kind: "promptClosed", source });
      expect(world.pastes("feature-impl")).toHaveLength(index + 1);
      world.typed("feature-impl");
      world.answers("feature-impl", `t${index}`, "done");
    }
  });

  verifies(["deliver:next-at-turn-end", "deliver:one-per-turn"], "follows the one before it, one per turn", () => {
    const world = ready();
    const sent = ["one", "two", "three"].map((text) => world.send("test-architect", "feature-impl", text));
    const statuses = (): readonly string[] => sent.map((one) => world.entry(one).status);
    world.typed("feature-impl");
    expect(statuses()).toEqual(["Dispatched", "Queued", "Queued"]);
    world.turnStarts("feature-impl", "t1");
    expect(world.pastes("feature-impl")).toHaveLength(1);
    world.stops("feature-impl", "t1", "did one");
    world.after(400);
    world.typed("feature-impl");
    expect(statuses()).toEqual(["Completed", "Dispatched", "Queued"]);
    world.answers("feature-impl", "t2", "did two");
    world.typed("feature-impl");
    expect(statuses()).toEqual(["Completed", "Completed", "Dispatched"]);
    expect(world.pastes("feature-impl").map((text) => text.split(": ")[1])).toEqual(["one", "two", "three"]);
  });

  verifies("deliver:at-once-to-listener", "to a listener is typed at once, also right after another", () => {
    const world = ready();
    world.send("test-architect", "listener", "one");
    world.send("test-architect", "listener", "two");
    world.typed("listener");
    world.typed("listener");
    expect(world.pastes("listener")).toHaveLength(2);
  });

  verifies(
    ["deliver:at-once-while-plugin-silent", "peer:claude-listener-while-unheard"],
    "to a terminal whose plugin is silent is typed at once",
    () => {
      const world = given("test-architect", "feature-impl");
      world.idle("test-architect");
      world.prints("feature-impl");
      world.after(30_000);
      expect(world.agent("feature-impl")).toMatchObject({
        level: "listener",
        fullLevel: "full peer",
        status: "unknown",
      });
      world.send("test-architect", "feature-impl", "one");
      world.send("test-architect", "feature-impl", "two");
      world.typed("feature-impl");
      world.typed("feature-impl");
      expect(world.pastes("feature-impl")).toHaveLength(2);
    },
  );

  test("that queued while its terminal started is typed when the grace ends, even if another input comes first", () => {
    const world = given("test-architect", "feature-impl");
    world.idle("test-architect");
    world.prints("feature-impl");
    world.send("test-architect", "feature-impl", "hello");
    world.passes(30_001);
    world.prints("test-architect");
    expect(world.pastes("feature-impl")).toHaveLength(1);
  });

  verifies("deliver:untypable-fails-the-call", "that cannot be typed at once fails its call", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "hello");
    const why = "its program has ended";
    world.take({ kind: "typingFailed", terminal: idOf("feature-impl"), delivery: world.delivery(sent).id, why });
    expect(sent.outcome()).toEqual({ kind: "deliveryFailed", to: "feature-impl", why });
  });

  verifies(
    ["deliver:untypable-queued-fails-on-trail", "ending:untypable"],
    "that was queued and cannot be typed shows Failed, with what was seen",
    () => {
      const world = ready();
      world.turnStarts("feature-impl", "t1", "a person's prompt");
      const sent = world.send("test-architect", "feature-impl", "hello");
      expect(sent.outcome()).toMatchObject({ kind: "queued" });
      world.stops("feature-impl", "t1", "done");
      world.after(400);
      const why = "the line never showed the pasted text";
      const delivery = world.delivery(sent).id;
      world.take({ kind: "pasteStranded", terminal: idOf("feature-impl"), delivery, why, screen: "> odd" });
      expect(world.entry(sent)).toMatchObject({ status: "Failed", notes: [why] });
      expect(world.delivery(sent).evidence).toBe("> odd");
      expect(world.settled.get(sent.call)).toHaveLength(1);
    },
  );

  verifies(
    ["send:held-is-queued-with-note", "hazard:draft-kept"],
    "behind a person's draft is held, and says so",
    () => {
      const world = ready();
      const sent = world.send("test-architect", "feature-impl", "hello");
      held(world, "a person is typing");
      expect(sent.outcome()).toMatchObject({ kind: "queued", why: "a person is typing" });
      expect(world.entry(sent)).toMatchObject({ status: "Queued", notes: ["held: a person is typing"] });
      expect(world.agent("feature-impl").held).toBe("a person is typing");
      world.after(600_000);
      expect(world.pastes("feature-impl")).toHaveLength(1);
      freed(world);
      expect(world.pastes("feature-impl")).toHaveLength(2);
      world.typed("feature-impl");
      expect(world.entry(sent)).toMatchObject({ status: "Dispatched", notes: [] });
    },
  );

  test("that is held stays at the head of its queue", () => {
    const world = ready();
    world.send("test-architect", "feature-impl", "one");
    world.send("test-architect", "feature-impl", "two");
    held(world, "a person is typing");
    freed(world);
    world.typed("feature-impl");
    world.answers("feature-impl", "t1", "");
    expect(world.pastes("feature-impl").map((text) => text.split(": ")[1])).toEqual(["one", "one", "two"]);
  });

  verifies("hazard:dialog-untouched", "is not typed while a dialog is open", () => {
    const world = ready();
    world.send("test-architect", "feature-impl", "one");
    held(world, "a dialog is open");
    world.send("test-architect", "feature-impl", "two");
    world.osc("feature-impl", "blocked", "Trust this folder?");
    world.after(120_000);
    freed(world);
    expect(world.pastes("feature-impl")).toHaveLength(1);
    expect(world.agent("feature-impl")).toMatchObject({ status: "waiting", prompt: { text: "Trust this folder?" } });
    world.osc("feature-impl", "idle");
    expect(world.pastes("feature-impl")).toHaveLength(2);
  });

  verifies("hazard:input-off-fails", "to a pane without input fails after bounded tries, and the next goes on", () => {
    const world = ready();
    const [first, second] = [
      world.send("test-architect", "feature-impl", "one"),
      world.send("test-architect", "feature-impl", "two"),
    ];
    // Held for another reason as often as you like: only a pane without input counts.
    for (let n = 0; n < 30; n += 1) {
      held(world, "a person is typing");
      freed(world);
    }
    for (let n = 0; n < 19; n += 1) {
      held(world, "input is off");
      expect(world.entry(first).status).toBe("Queued");
      freed(world);
    }
    held(world, "input is off");
    expect(world.entry(first)).toMatchObject({ status: "Failed" });
    expect(world.entry(first).notes.join()).toContain("takes no input");
    world.typed("feature-impl");
    expect(world.entry(second).status).toBe("Dispatched");
  });

  verifies("hazard:busy-is-no-failure", "to a busy target waits ten minutes as well as ten seconds", () => {
    const world = ready();
    world.turnStarts("feature-impl", "t1", "a person's prompt");
    const sent = world.send("test-architect", "feature-impl", "hello");
    for (let minute = 0; minute < 10; minute += 1) {
      world.after(60_000);
      world.sees("feature-impl", { kind: "turnContinued", cliTurn: "t1" });
    }
    expect(world.entry(sent).status).toBe("Queued");
    world.stops("feature-impl", "t1", "done");
    world.after(400);
    world.typed("feature-impl");
    expect(world.entry(sent).status).toBe("Dispatched");
  });

  verifies("hazard:never-twice", "is typed once, be the CLI idle again in 5 ms or busy after 8 s", () => {
    const world = ready();
    world.send("test-architect", "feature-impl", "fast");
    world.typed("feature-impl");
    world.turnStarts("feature-impl", "t1");
    world.stops("feature-impl", "t1", "done");
    world.after(5);
    world.after(600);
    world.send("test-architect", "feature-impl", "slow");
    world.typed("feature-impl");
    world.after(8_000);
    expect(world.pastes("feature-impl")).toHaveLength(2);
    world.answers("feature-impl", "t2", "done");
    world.after(120_000);
    expect(world.pastes("feature-impl")).toHaveLength(2);
  });

  verifies("hazard:send-meets-turn-end", "that meets a turn's end is typed once, in either order", () => {
    for (const order of ["send first", "end first"]) {
      const world = ready();
      world.turnStarts("feature-impl", "t1", "a person's prompt");
      world.stops("feature-impl", "t1", "done");
      world.passes(400);
      if (order === "end first") world.take({ kind: "alarm" });
      world.send("test-architect", "feature-impl", "hello");
      if (order === "send first") world.take({ kind: "alarm" });
      expect(world.pastes("feature-impl"), order).toHaveLength(1);
      world.typed("feature-impl");
      world.after(20_000);
      expect(world.pastes("feature-impl"), order).toHaveLength(1);
    }
  });

  verifies("hazard:same-name-is-another", "for a terminal that ended never reaches a later one of its name", () => {
    const world = ready();
    world.turnStarts("feature-impl", "t1", "a person's prompt");
    const sent = world.send("test-architect", "feature-impl", "hello");
    world.exits("feature-impl");
    world.launches("second");
    world.take({ kind: "terminalLaunched", terminal: { ...world.terminal("second"), name: "feature-impl" } });
    world.idle("second");
    expect(world.pastes("second")).toEqual([]);
    expect(world.entry(sent)).toMatchObject({ status: "Failed", toId: idOf("feature-impl") });
  });

  verifies("ending:cancelled", "in the queue can be cancelled, and only there", () => {
    const world = ready();
    const first = world.send("test-architect", "feature-impl", "one");
    const second = world.send("test-architect", "feature-impl", "two", { wait: true });
    for (const sent of [first, second]) world.take({ kind: "cancelDelivery", delivery: world.delivery(sent).id });
    expect(world.delivery(first).state).toBe("pasting");
    expect(world.entry(second)).toMatchObject({ status: "Failed", notes: ["cancelled before it was typed"] });
    expect(second.outcome()).toMatchObject({ kind: "deliveryFailed" });
    world.typed("feature-impl");
    world.answers("feature-impl", "t1", "");
    expect(world.pastes("feature-impl")).toHaveLength(1);
  });

  verifies("ending:exited-before-end", "whose terminal exits fails, saying how far it came", () => {
    const world = ready();
    const [turning, queued] = [
      world.send("test-architect", "feature-impl", "one"),
      world.send("test-architect", "feature-impl", "two"),
    ];
    world.typed("feature-impl");
    world.turnStarts("feature-impl", "t1");
    world.exits("feature-impl");
    expect(world.entry(turning)).toMatchObject({ status: "Failed", notes: ["exited before its turn ended"] });
    expect(world.entry(queued)).toMatchObject({ status: "Failed", notes: ["exited before it could be typed"] });
  });

  verifies(
    ["ending:not-submitted", "hazard:swallowed-enter"],
    "without a sign of its turn stops blocking after 15 s; still on the line, it fails with the screen",
    () => {
      const world = ready();
      const sent = world.send("test-architect", "feature-impl", "one");
      const next = world.send("test-architect", "feature-impl", "two");
      world.typed("feature-impl");
      world.after(14_999);
      expect(world.pastes("feature-impl")).toHaveLength(1);
      world.after(1);
      expect(world.entry(sent)).toMatchObject({
        status: "Dispatched",
        notes: ["typed, no sign that it was submitted"],
      });
      expect(world.pastes("feature-impl")).toHaveLength(2);
      expect(world.effects.filter((effect) => effect.kind === "captureEvidence")).toHaveLength(1);
      const delivery = world.delivery(sent).id;
      world.take({ kind: "evidenceCaptured", delivery, screen: "> one", onLine: true });
      expect(world.entry(sent).status).toBe("Failed");
      expect(world.delivery(sent).evidence).toBe("> one");
      held(world, "a person is typing");
      expect(world.entry(next).notes).toEqual(["held: its line holds text that was not submitted"]);
    },
  );

  test("without a sign in time is confirmed by a late one", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "one");
    world.typed("feature-impl");
    world.after(40_000);
    world.answers("feature-impl", "t1", "late, but here");
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "late, but here" });
  });

  test("that a person submitted before Quay could press Enter is not called unsubmitted", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "one");
    const delivery = world.delivery(sent).id;
    world.take({ kind: "pasted", terminal: idOf("feature-impl"), delivery });
    world.turnStarts("feature-impl", "t1");
    world.take({ kind: "pasteStranded", terminal: idOf("feature-impl"), delivery, why: "no echo", screen: "" });
    expect(world.terminal("feature-impl")).toMatchObject({ typing: null, line: "free" });
    world.stops("feature-impl", "t1", "did it");
    world.after(400);
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "did it" });
  });

  test("typed while the bridge was silent gets its answer when the bridge speaks after all", () => {
    const world = given("test-architect", "feature-impl");
    world.idle("test-architect");
    world.prints("feature-impl");
    world.after(30_000);
    const sent = world.send("test-architect", "feature-impl", "one");
    world.typed("feature-impl");
    world.answers("feature-impl", "t1", "here I am");
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "here I am" });
    expect(world.agent("feature-impl")).toMatchObject({ level: "full peer", status: "idle" });
  });

  test("is not typed into what OSC says has just begun to work", () => {
    const world = ready();
    world.osc("feature-impl", "working");
    world.send("test-architect", "feature-impl", "one");
    world.after(1_999);
    expect(world.pastes("feature-impl")).toEqual([]);
    world.osc("feature-impl", "idle");
    expect(world.pastes("feature-impl")).toHaveLength(1);
  });

  test("behind one that stands unsubmitted on the line waits until the line is seen free", () => {
    const world = ready();
    const delivery = world.delivery(world.send("test-architect", "feature-impl", "one")).id;
    world.take({ kind: "pasteStranded", terminal: idOf("feature-impl"), delivery, why: "no echo", screen: "" });
    const next = world.send("test-architect", "feature-impl", "two");
    expect(world.entry(next).notes).toEqual(["held: its line holds text that was not submitted"]);
    expect(world.pastes("feature-impl")).toHaveLength(1);
    freed(world);
    expect(world.pastes("feature-impl")).toHaveLength(2);
  });

  test("that was queued when another engine took over stays there", () => {
    const world = ready();
    world.turnStarts("feature-impl", "t1", "a person's prompt");
    world.send("test-architect", "feature-impl", "one");
    world.take({ kind: "fencedOut", holder: "7" });
    world.stops("feature-impl", "t1", "done");
    world.after(10_000);
    expect(world.pastes("feature-impl")).toEqual([]);
  });

  test("is typed no more once another engine has taken over", () => {
    const world = ready();
    world.take({ kind: "fencedOut", holder: "7" });
    expect(world.send("test-architect", "feature-impl", "one").outcome()).toEqual({
      kind: "refused",
      refusal: { kind: "fencedOut", holder: "7" },
    });
    world.after(100_000);
    expect(world.pastes("feature-impl")).toEqual([]);
  });

  test("is not typed on a terminal whose tmux does not answer, and goes on when it does", () => {
    const world = ready();
    world.take({ kind: "tmuxReachable", reachable: false });
    const sent = world.send("test-architect", "feature-impl", "one");
    expect(world.entry(sent).notes).toEqual(["held: tmux does not answer"]);
    expect(world.agent("feature-impl")).toMatchObject({ status: "idle", level: "full peer", stale: true });
    world.take({ kind: "tmuxReachable", reachable: true });
    expect(world.pastes("feature-impl")).toHaveLength(1);
  });

  test("whose typing is unknown keeps the lock until the markers are read", () => {
    for (const [typed, state, pastes] of [
      ["nothing", "pasting", 2],
      ["pasted", "entering", 1],
      ["entered", "dispatched", 1],
    ] as const) {
      const world = ready();
      const sent = world.send("test-architect", "feature-impl", "one");
      const at = { terminal: idOf("feature-impl"), delivery: world.delivery(sent).id };
      world.take({ kind: "typingUnknown", ...at });
      expect(world.effects.at(-1)).toEqual({ kind: "probe", ...at });
      world.after(30_000);
      expect(world.terminal("feature-impl").typing).toBe(at.delivery);
      world.take({ kind: "markersRead", ...at, typed });
      expect(world.delivery(sent).state).toBe(state);
      expect(world.pastes("feature-impl")).toHaveLength(pastes);
    }
  });
});
