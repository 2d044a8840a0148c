import { describe, expect, test } from "vitest";
import { given, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

/** A full peer, and a responder that has reported that it rests. */
const world = (): World => {
  const made = given("lead", { name: "agy", like: "responder" });
  made.idle("lead");
  made.prints("agy");
  made.osc("agy", "idle");
  return made;
};

const done = (made: World, text: string, cutAt?: number): void =>
  made.sees("agy", {
    kind: "programStatus",
    state: "done",
    about: null,
    text,
    ...(cutAt === undefined ? {} : { cutAt }),
  });

const blocked = (made: World, text: string): void =>
  made.sees("agy", { kind: "programStatus", state: "blocked", about: "permission", text });

describe("a responder", () => {
  verifies("peer:antigravity-responder", "starts, rests, works and waits by what it prints", () => {
    const made = given({ name: "agy", like: "responder" });
    const seen = (): readonly string[] => [made.agent("agy").level, made.agent("agy").status];
    expect(seen()).toEqual(["responder", "starting"]);
    made.prints("agy");
    made.osc("agy", "idle");
    expect(seen()).toEqual(["responder", "idle"]);
    made.osc("agy", "working");
    expect(seen()).toEqual(["responder", "working"]);
    blocked(made, "Run rm?");
    expect(seen()).toEqual(["responder", "waiting"]);
    expect(made.agent("agy").prompt).toMatchObject({ about: "permission", text: "Run rm?" });
    made.osc("agy", "working");
    expect(seen()).toEqual(["responder", "working"]);
    done(made, "ok");
    expect(seen()).toEqual(["responder", "idle"]);
    made.exits("agy");
    expect(seen()).toEqual(["responder", "exited"]);
  });

  verifies(
    ["responder:answer-at-turn-end", "tool:send-message:reply-text"],
    "answers with the text of its turn's end",
    () => {
      const made = world();
      const sent = made.send("lead", "agy", "What is 3 + 4?", { wait: true });
      made.typed("agy");
      expect(made.entry(sent)).toMatchObject({ status: "Dispatched", timer: { kind: "counting" } });
      made.osc("agy", "working");
      expect(made.agent("agy")).toMatchObject({ status: "working", taskTitle: "What is 3 + 4?" });
      expect(sent.outcome()).toBeUndefined();
      made.after(5_000);
      done(made, "Seven.");
      expect(sent.outcome()).toEqual({ kind: "reply", to: "agy", text: "Seven." });
      expect(made.entry(sent)).toMatchObject({ status: "Completed", label: "Reply:", response: "Seven.", notes: [] });
    },
  );

  verifies("deliver:antigravity-between-turns", "is typed on between turns, one message per turn", () => {
    const made = world();
    made.osc("agy", "working");
    const first = made.send("lead", "agy", "one");
    const second = made.send("lead", "agy", "two");
    expect(made.pastes("agy")).toEqual([]);
    blocked(made, "Run it?");
    made.after(60_000);
    expect(made.pastes("agy")).toEqual([]);
    made.osc("agy", "working");
    done(made, "that was mine");
    expect(made.pastes("agy")).toEqual(["[Peer agent (lead)]: one"]);
    made.typed("agy");
    made.osc("agy", "working");
    done(made, "first");
    made.typed("agy");
    made.osc("agy", "working");
    done(made, "second");
    expect([made.entry(first).response, made.entry(second).response]).toEqual(["first", "second"]);
  });

  verifies("responder:cut-off-note", "says of an answer that fills its room that it is cut off", () => {
    const made = world();
    const sent = made.send("lead", "agy", "tell me", { wait: true });
    made.typed("agy");
    made.osc("agy", "working");
    done(made, "x".repeat(199), 199);
    expect(sent.outcome()).toMatchObject({ kind: "reply", cutAt: 199 });
    expect(made.entry(sent).notes.join()).toContain("cut off at 199 characters");
  });

  verifies("responder:blocked-is-the-answer", "answers with the prompt that its turn stops on, and amends that", () => {
    const made = world();
    const sent = made.send("lead", "agy", "clean up", { wait: true });
    made.typed("agy");
    made.osc("agy", "working");
    blocked(made, "Trust this folder?");
    expect(sent.outcome()).toEqual({ kind: "reply", to: "agy", text: "blocked (permission): Trust this folder?" });
    expect(made.entry(sent)).toMatchObject({ status: "Completed" });
    const next = made.send("lead", "agy", "and then");
    expect(made.entry(next).status).toBe("Queued");
    made.after(30_000);
    made.osc("agy", "working");
    done(made, "Cleaned.");
    expect(made.entry(sent)).toMatchObject({ status: "Completed", response: "Cleaned." });
    expect(made.pastes("agy")).toHaveLength(2);
  });

  test("answers with a prompt that comes before it ever said that it works", () => {
    const made = world();
    const sent = made.send("lead", "agy", "hello", { wait: true });
    made.typed("agy");
    blocked(made, "Trust this folder?");
    expect(sent.outcome()).toMatchObject({ kind: "reply", text: "blocked (permission): Trust this folder?" });
  });

  verifies("responder:interrupt-and-error", "says that a turn was interrupted or failed", () => {
    const made = world();
    const first = made.send("lead", "agy", "one", { wait: true });
    made.typed("agy");
    made.osc("agy", "working");
    made.osc("agy", "idle");
    expect(first.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "interrupted" });
    const second = made.send("lead", "agy", "two", { wait: true });
    made.typed("agy");
    made.osc("agy", "working");
    made.osc("agy", "error", "quota exceeded");
    expect(second.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "failed", detail: "quota exceeded" });
  });

  test("gives a turn that a person began to nobody, and its title is not ours", () => {
    const made = world();
    made.osc("agy", "working");
    done(made, "for the person");
    const sent = made.send("lead", "agy", "and me?", { wait: true });
    made.typed("agy");
    expect(sent.outcome()).toBeUndefined();
    made.osc("agy", "working");
    done(made, "for you");
    expect(sent.outcome()).toMatchObject({ text: "for you" });
    made.osc("agy", "working");
    expect(made.agent("agy").taskTitle).toBeNull();
  });

  test("that gives no sign of a turn is unconfirmed after 15 s, and a later turn is not taken for its own", () => {
    const made = world();
    const sent = made.send("lead", "agy", "hello");
    made.typed("agy");
    made.after(15_000);
    expect(made.delivery(sent).state).toBe("unconfirmed");
    made.osc("agy", "working");
    done(made, "something else");
    expect(made.entry(sent).response).toBeNull();
  });

  verifies("responder:unknown-after-gap", "is Unknown after a gap, is typed on, and ends the turn that ran", () => {
    const made = world();
    const sent = made.send("lead", "agy", "long work");
    made.typed("agy");
    made.osc("agy", "working");
    made.sees("agy", { kind: "programStatusLost" });
    expect(made.agent("agy")).toMatchObject({ level: "responder", status: "unknown" });
    const next = made.send("lead", "agy", "next");
    expect(made.entry(next).status).toBe("Queued");
    done(made, "Done at last.");
    expect(made.entry(sent).response).toBe("Done at last.");
    expect(made.pastes("agy")).toHaveLength(2);
    made.typed("agy");
    made.osc("agy", "working");
    done(made, "next done");
    made.sees("agy", { kind: "programStatusLost" });
    const third = made.send("lead", "agy", "third", { wait: true });
    made.typed("agy");
    made.osc("agy", "working");
    done(made, "third done");
    expect(third.outcome()).toMatchObject({ kind: "reply", text: "third done" });
  });

  test("whose turn's end was lost in a gap is given up after 120 s without a sign, and what waits is typed", () => {
    const made = world();
    const sent = made.send("lead", "agy", "long work");
    made.typed("agy");
    made.osc("agy", "working");
    made.restarts();
    made.take({ kind: "tmuxReachable", reachable: true });
    const next = made.send("lead", "agy", "next");
    made.after(119_000);
    expect(made.pastes("agy")).toHaveLength(1);
    made.after(1_000);
    expect(made.effects.at(-1)).toMatchObject({ kind: "resync" });
    made.sees("agy", { kind: "resyncFailed" });
    expect(made.entry(sent).notes).toEqual(["its turn's end was not reported"]);
    expect(made.entry(next).status).toBe("Queued");
    expect(made.pastes("agy")).toHaveLength(2);
  });

  verifies("responder:never-heard", "that prints nothing of its status is a listener after 30 s", () => {
    const made = given("lead", { name: "agy", like: "responder" });
    made.idle("lead");
    made.prints("agy");
    const sent = made.send("lead", "agy", "hello", { wait: true });
    expect(made.pastes("agy")).toEqual([]);
    made.after(30_000);
    expect(made.agent("agy")).toMatchObject({ level: "listener", status: "unknown", demoted: "it reports no status" });
    expect(made.pastes("agy")).toHaveLength(1);
    made.typed("agy");
    expect(sent.outcome()).toMatchObject({ kind: "reporterLost", remedy: "file mailbox" });
    made.osc("agy", "idle");
    expect(made.agent("agy")).toMatchObject({ level: "responder", status: "idle", demoted: null });
  });
});

describe("PiG", () => {
  const pig = (): World => {
    const made = given("lead", { name: "pig", like: "pig" });
    made.idle("lead");
    made.prints("pig");
    return made;
  };

  verifies(
    ["peer:pig-listener-while-unheard", "deliver:pig-unheard-at-once", "tool:send-message:pig-version"],
    "is a listener while its extension is not heard, and the answer is the version to compare",
    () => {
      const made = pig();
      expect(made.agent("pig")).toMatchObject({ level: "full peer", status: "starting" });
      const early = made.send("lead", "pig", "early", { wait: true });
      expect(made.pastes("pig")).toEqual([]);
      made.after(30_000);
      expect(made.agent("pig")).toMatchObject({ level: "listener", status: "unknown" });
      expect(made.agent("pig").demoted).toContain("pig --version");
      made.typed("pig");
      expect(early.outcome()).toMatchObject({ kind: "reporterLost", remedy: "compare the PiG version" });
      const late = made.send("lead", "pig", "late", { wait: true });
      made.typed("pig");
      expect(late.outcome()).toMatchObject({ kind: "cannotReply", remedy: "compare the PiG version", queued: false });
    },
  );

  verifies("peer:pig-full-again", "is a full peer again with the extension's first word", () => {
    const made = pig();
    made.after(30_000);
    made.sees("pig", { kind: "ready", cliSession: "s", cleared: false });
    expect(made.agent("pig")).toMatchObject({ level: "full peer", status: "idle", demoted: null });
  });
});
