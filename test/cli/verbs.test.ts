import { describe, expect, test } from "vitest";
import { QuayError } from "../../src/lib/errors.js";
import { agentView, doorsWith, endpoint, fakeEngine, run, snapshotOf, trailView } from "../support/fake-cli.js";
import { verifies } from "../support/verifies.js";

const seat = { name: "reviewer", kind: "claude", result: "started", id: "term-a1", why: null } as const;
const failedSeat = {
  name: "tester",
  kind: "claude",
  result: "failed",
  id: null,
  why: "claude is not installed",
} as const;
const person = { kind: "person", as: null, project: "/" };

describe("ls, status and trail", () => {
  const agents = [
    agentView({ status: "working", taskTitle: "Fix it\u001b[2J", currentTool: "Bash", queued: 2 }),
    agentView({ id: "term-b2", name: "测试", kind: "shell", level: "not a peer", status: "unknown", stale: true }),
  ];

  test("ls prints a table in which control bytes are inert and columns are aligned", async () => {
    const { code, out } = await run(["ls"], doorsWith(fakeEngine(snapshotOf({ agents }))));
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "NAME      KIND    LEVEL       STATUS           QUEUED  ID       PROJECT       TASK",
        "reviewer  claude  full peer   working          2       term-a1  /work/parser  Fix it␛[2J (Bash)",
        "测试      shell   not a peer  unknown (stale)          term-b2  /work/parser",
        "",
      ].join("\n"),
    );
  });

  test("ls --json is the agents of the snapshot", async () => {
    const { out } = await run(["ls", "--json"], doorsWith(fakeEngine(snapshotOf({ agents }))));
    expect(JSON.parse(out)).toEqual(agents);
  });

  verifies("store:read-without-engine", "ls without an engine reads the store and says so on stderr", async () => {
    const doors = doorsWith(null, { readStore: async () => snapshotOf({ agents }) });
    const { code, out, err } = await run(["ls", "--json"], doors);
    expect([code, JSON.parse(out)]).toEqual([0, agents]);
    expect(err).toContain("no engine is running; this is the stored state");
  });

  test("ls with neither engine nor store exits 3 and says how to start one", async () => {
    const { code, err } = await run(["ls"], doorsWith(null));
    expect([code, err]).toEqual([3, expect.stringMatching(/^quay: No engine is running\. Start one with: quay /)]);
  });

  test("status asks the engine, and prints what is known", async () => {
    const waiting = agentView({ status: "waiting", prompt: { about: "permission", text: "Run rm?", since: 1 } });
    const engine = fakeEngine(snapshotOf(), { status: { ok: true, agent: waiting } });
    const { out } = await run(["status", "reviewer"], doorsWith(engine));
    expect(out).toContain("status     waiting\n");
    expect(out).toContain("waits for  permission: Run rm?\n");
    expect(engine.commands).toEqual([{ kind: "status", caller: person, target: "reviewer" }]);
    expect(engine.isClosed()).toBe(true);
  });

  verifies("explain:proof", "explain prints bytes, hash, markers, times and the screen of one message", async () => {
    const proof = {
      entry: trailView({ id: "msg-1", notes: ["the line holds other text"], status: "Failed" }),
      state: "failed",
      typed: { bytes: 12, sha256: "ab".repeat(32), lines: 2 },
      pane: "%7",
      markers: "pasted",
      hops: 1,
      turn: null,
      times: [{ at: Date.UTC(2026, 0, 1, 10, 20, 30, 405), what: "accepted, durable" }],
      screen: "half a \u001b[31mdraft",
    } as const;
    const engine = fakeEngine(snapshotOf(), { explain: { ok: true, proof } });
    const { out } = await run(["explain", "msg-1"], doorsWith(engine));
    expect(engine.commands).toEqual([{ kind: "explain", delivery: "msg-1" }]);
    expect(out).toContain(`12 bytes, 2 lines, SHA-256 ${"ab".repeat(32)}`);
    expect(out).toContain("its text was pasted, Enter was not pressed");
    expect(out).toContain("10:20:30.405  accepted, durable");
    expect(out).toMatch(/screen then:\nhalf a .*draft/);
    expect(out).not.toContain("\u001b");
  });

  verifies(
    "store:read-without-engine",
    "status without an engine looks a name up in the store, live ones first",
    async () => {
      const gone = agentView({ id: "term-old", exit: { at: 1, why: "ended by quay kill" } });
      const doors = doorsWith(null, { readStore: async () => snapshotOf({ agents: [gone, agentView()] }) });
      expect(JSON.parse((await run(["status", "reviewer", "--json"], doors)).out).id).toBe("term-a1");
      expect((await run(["status", "term-old"], doors)).out).toContain("ended    ended by quay kill");
      expect(await run(["status", "nobody"], doors)).toMatchObject({
        code: 1,
        err: expect.stringContaining("'nobody'"),
      });
    },
  );

  test("the engine's refusal is printed with its sentence and exit 1", async () => {
    const engine = fakeEngine(snapshotOf(), { status: { ok: false, code: "unknownTarget", message: "No agent 'x'." } });
    expect(await run(["status", "x"], doorsWith(engine))).toMatchObject({
      code: 1,
      out: "",
      err: "quay: No agent 'x'.\n",
    });
  });

  test("trail asks for as many entries as were wanted", async () => {
    const entries = [trailView({ id: "d-2", status: "Completed", response: "Looks\ngood." }), trailView()];
    const engine = fakeEngine(snapshotOf(), { trail: { ok: true, entries } });
    const { out } = await run(["trail", "--limit", "5"], doorsWith(engine));
    expect(out.split("\n")).toHaveLength(3);
    expect(out).toMatch(/^\d\d:\d\d:\d\d Completed You → reviewer: Review the diff\. {2}Answer: Looks↵good\.\n/);
    expect(engine.commands).toEqual([{ kind: "trail", limit: 5, before: null }]);
    expect(JSON.parse((await run(["trail", "--json"], doorsWith(engine))).out)).toEqual(entries);
  });
});

describe("send and broadcast", () => {
  const dispatched = { ok: true, delivery: "d-1", outcome: { kind: "dispatched", to: "reviewer" } } as const;

  verifies("project:of-the-command-line", "send passes flags on, as You in this folder's project", async () => {
    const engine = fakeEngine(snapshotOf(), { send: dispatched });
    await run(["send", "reviewer", "/compact", "--raw", "--wait"], doorsWith(engine));
    expect(engine.commands).toEqual([
      { kind: "send", caller: person, target: "reviewer", text: "/compact", wait: true, raw: true },
    ]);
  });

  test("a message that begins with a dash goes after --", async () => {
    const engine = fakeEngine(snapshotOf(), { send: dispatched });
    await run(["send", "reviewer", "--", "-x"], doorsWith(engine));
    expect(engine.commands).toMatchObject([{ text: "-x" }]);
  });

  test("- reads stdin, without its last line end; an empty one is refused", async () => {
    const engine = fakeEngine(snapshotOf(), { send: dispatched });
    await run(["send", "reviewer", "-"], doorsWith(engine), { input: "two\nlines\n" });
    expect(engine.commands).toMatchObject([{ text: "two\nlines" }]);
    const empty = await run(["send", "reviewer", "-"], doorsWith(engine), { input: "\n" });
    expect(empty).toMatchObject({ code: 1, err: "quay: stdin was empty, so there is nothing to send.\n" });
  });

  test("--as names a running agent, exactly, of this project first", async () => {
    const agents = [
      agentView({ id: "t1", name: "boss", project: "/x" }),
      agentView({ id: "t2", name: "boss", project: "/" }),
    ];
    const engine = fakeEngine(snapshotOf({ agents }), { send: dispatched });
    await run(["send", "reviewer", "hi", "--as", "boss"], doorsWith(engine));
    expect(engine.commands).toMatchObject([{ caller: { kind: "person", as: "t2" } }]);
    const nobody = await run(["send", "reviewer", "hi", "--as", "bos"], doorsWith(engine));
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining("No running agent is named 'bos'") });
    const two = await run(["send", "reviewer", "hi", "--as", "boss", "--project", "/y"], doorsWith(engine));
    expect(two).toMatchObject({ code: 1, err: expect.stringContaining("t1 in /x, t2 in /") });
  });

  test("the reply alone goes to stdout, as it is on a pipe and inert on a terminal", async () => {
    const outcome = { kind: "reply", to: "reviewer", text: "Yes.\u001b[31m\nAll of it." } as const;
    const engine = fakeEngine(snapshotOf(), { send: { ok: true, delivery: "d-1", outcome } });
    const piped = await run(["send", "reviewer", "Done?", "--wait"], doorsWith(engine));
    expect(piped).toMatchObject({ code: 0, out: "Yes.\u001b[31m\nAll of it.\n", err: "Reply from reviewer:\n" });
    const seen = await run(["send", "reviewer", "Done?", "--wait"], doorsWith(engine), { outIsTerminal: true });
    expect(seen.out).toBe("Yes.␛[31m\nAll of it.\n");
  });

  test("no reply in time is exit 1 with --wait; the sentence says where the answer will be", async () => {
    const outcome = { kind: "stillWorking", to: "reviewer" } as const;
    const engine = fakeEngine(snapshotOf(), { send: { ok: true, delivery: "d-1", outcome } });
    const { code, out, err } = await run(["send", "reviewer", "Done?", "--wait", "--json"], doorsWith(engine));
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ delivery: "d-1", outcome });
    expect(err).toContain("still working. Its answer will be in quay trail");
  });

  verifies("project:of-the-command-line", "broadcast goes to the project that was named", async () => {
    const outcome = { kind: "broadcast", reached: ["a", "b"], holding: ["c"], failed: [] } as const;
    const engine = fakeEngine(snapshotOf(), { broadcast: { ok: true, outcome } });
    const { out } = await run(["broadcast", "Freeze", "--project", "/site"], doorsWith(engine));
    expect(out).toBe("Sent to 2 peers: a, b. Held until their turn ends: c.\n");
    expect(engine.commands).toEqual([{ kind: "broadcast", caller: { ...person, project: "/site" }, text: "Freeze" }]);
  });
});

describe("verbs that start and end terminals", () => {
  test("up prints each seat and exits 1 when one failed", async () => {
    const engine = fakeEngine(snapshotOf(), { up: { ok: true, seats: [seat, failedSeat] } });
    const { code, out } = await run(["up", "tdd-swarm", "--cwd", "/"], doorsWith(engine));
    expect(code).toBe(1);
    expect(out).toBe("reviewer (claude): started as term-a1\ntester (claude): failed: claude is not installed\n");
    expect(engine.commands).toEqual([{ kind: "up", preset: "tdd-swarm", cwd: "/" }]);
  });

  test("new passes what follows -- to the program, whatever it looks like", async () => {
    const engine = fakeEngine(snapshotOf(), { launch: { ok: true, seat } });
    const args = ["new", "claude", "--name", "reviewer", "--", "--model", "opus", "--socket", "x", "--help"];
    expect(await run(args, doorsWith(engine))).toMatchObject({
      code: 0,
      out: "reviewer (claude): started as term-a1\n",
    });
    expect(engine.commands).toMatchObject([
      { kind: "launch", seat: { name: "reviewer", kind: "claude", cwd: "/", args: args.slice(5) } },
    ]);
  });

  test("a folder that is not there is refused before anything starts", async () => {
    for (const args of [
      ["new", "shell", "--name", "x", "--cwd", "/nowhere/at/all"],
      ["up", "x", "--cwd", "/nowhere/at/all"],
    ]) {
      const { code, err } = await run(args, doorsWith(null));
      expect([code, err]).toEqual([1, expect.stringContaining("There is no folder /nowhere/at/all")]);
    }
  });

  test("kill, relaunch, forget and attach need an engine", async () => {
    for (const args of [["kill", "x"], ["relaunch", "x"], ["forget", "x"], ["attach", "x", "--json"], ["stop"]]) {
      expect(await run(args, doorsWith(null))).toMatchObject({
        code: 3,
        err: expect.stringContaining("No engine is running"),
      });
    }
  });

  test("kill, relaunch and forget say what they did", async () => {
    const engine = fakeEngine(snapshotOf(), {
      kill: { ok: true, ended: ["term-a1"] },
      relaunch: { ok: true, seat },
      forget: { ok: true, forgotten: ["term-a1"] },
    });
    expect((await run(["kill", "reviewer"], doorsWith(engine))).out).toBe("Ended term-a1.\n");
    expect((await run(["relaunch", "reviewer"], doorsWith(engine))).out).toBe(
      "reviewer (claude): started as term-a1\n",
    );
    expect((await run(["forget", "term-a1"], doorsWith(engine))).out).toBe("Dropped term-a1 from the list.\n");
  });

  test("attach runs tmux without the variables it must not see", async () => {
    const engine = fakeEngine(snapshotOf(), { attach: { ok: true, argv: ["tmux", "attach"], unsetEnv: ["TMUX"] } });
    const ran: unknown[] = [];
    const doors = doorsWith(engine, {
      run: async (argv, env) => {
        ran.push(argv, env);
        return 0;
      },
    });
    const env = { TMUX: "/tmp/tmux-0/default,12,0", TERM: "xterm" };
    const { code } = await run(["attach", "reviewer"], doors, { env, outIsTerminal: true, inputIsTerminal: true });
    expect(code).toBe(0);
    expect(engine.commands).toEqual([{ kind: "attach", target: "reviewer", insideTmux: "/tmp/tmux-0/default" }]);
    expect(ran).toEqual([["tmux", "attach"], { TERM: "xterm" }]);
    expect(await run(["attach", "reviewer"], doors)).toMatchObject({
      code: 1,
      err: expect.stringContaining("needs a terminal"),
    });
  });

  verifies("stop:agents-go-on", "stop waits until the engine's endpoint is gone", async () => {
    const engine = fakeEngine(snapshotOf(), { stop: { ok: true, agentsLeft: 3 } });
    let asked = 0;
    const doors = doorsWith(engine, {
      readEndpoint: async () => {
        asked += 1;
        return asked > 3 ? null : { endpoint, token: "owner" };
      },
    });
    const { code, out } = await run(["stop"], doors);
    expect([code, out]).toEqual([0, "The engine has ended. 3 agents go on in tmux. Come back with: quay\n"]);
    expect(asked).toBe(4);
  });

  test("presets lists them, and shows a broken file with its error", async () => {
    const good = {
      name: "tdd-swarm",
      description: "Four seats",
      origin: "built in",
      path: "/p/t.json",
      error: null,
    } as const;
    const presets = [
      { ...good, seats: [{ name: "reviewer", kind: "claude" }] },
      { ...good, name: "bad", path: "/p/bad.json", seats: [], error: "/p/bad.json: unknown key 'seat'" },
    ];
    const { out } = await run(["presets"], doorsWith(null, { readPresets: async () => presets }));
    expect(out).toContain("tdd-swarm  built in  reviewer (claude)  Four seats\n");
    expect(out).toContain("Not readable: /p/bad.json: unknown key 'seat'\n");
  });
});

describe("down asks before it ends agents", () => {
  const agents = [
    agentView({ id: "t1", name: "a", preset: "swarm", project: "/" }),
    agentView({ id: "t2", name: "b", preset: "swarm", project: "/other" }),
    agentView({ id: "t3", name: "old", preset: "swarm", project: "/", exit: { at: 1, why: "done" } }),
  ];
  const engine = () => fakeEngine(snapshotOf({ agents }), { down: { ok: true, ended: ["t1"] } });

  verifies("down:confirms", "a yes ends those of this project", async () => {
    const used = engine();
    const { code, out, questions } = await run(["down", "swarm"], doorsWith(used), {
      inputIsTerminal: true,
      answer: "y",
    });
    expect(questions).toEqual(["End 1 agent (a)? Their work on disk stays. [y/N] "]);
    expect(used.commands).toEqual([{ kind: "down", target: "swarm", project: "/" }]);
    expect([code, out]).toEqual([0, "Ended 1 agent: a. The engine goes on; end it with: quay stop\n"]);
  });

  verifies("down:confirms", "anything else ends nothing", async () => {
    const used = engine();
    const said = await run(["down", "--all"], doorsWith(used), { inputIsTerminal: true, answer: "" });
    expect(said).toMatchObject({ code: 1, err: "quay: Nothing was ended.\n" });
    expect(said.questions).toEqual(["End 2 agents (a, b)? Their work on disk stays. [y/N] "]);
    const unasked = await run(["down", "--all"], doorsWith(used));
    expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining("Pass --yes") });
    expect(used.commands).toEqual([]);
  });

  test("--yes does not ask; a name of another project is found when this one has none", async () => {
    const used = engine();
    await run(["down", "b", "--yes"], doorsWith(used));
    await run(["down", "--all", "--yes"], doorsWith(used));
    expect(used.commands).toEqual([
      { kind: "down", target: "b", project: null },
      { kind: "down", target: null, project: null },
    ]);
  });

  test("nothing that matches is refused", async () => {
    const { code, err } = await run(["down", "swarmx", "--yes"], doorsWith(engine()));
    expect([code, err]).toEqual([1, expect.stringContaining("No running agent is named 'swarmx'")]);
  });
});

test("an error of another kind is called a bug, with its stack", async () => {
  const doors = doorsWith(null, { readStore: () => Promise.reject(new TypeError("boom")) });
  const { code, err } = await run(["ls"], doors);
  expect(code).toBe(1);
  expect(err).toMatch(/^quay: this is a bug in Quay: boom\nTypeError: boom\n/);
});

test("--socket that is not the running engine's is refused", async () => {
  const engine = fakeEngine(snapshotOf());
  const { code, err } = await run(["--socket", "work", "ls"], doorsWith(engine));
  expect([code, err]).toEqual([1, expect.stringContaining("runs on the tmux server 'quay', not on 'work'")]);
  expect(engine.isClosed()).toBe(true);
});

test("an engine that refuses the token is no absent engine", async () => {
  const doors = doorsWith(fakeEngine(snapshotOf()), {
    connect: () => Promise.reject(new QuayError("engine-refused", "The token is wrong.")),
  });
  expect(await run(["ls"], doors)).toMatchObject({ code: 1, err: "quay: The token is wrong.\n" });
});

describe("trail export", () => {
  const entries = [
    trailView({ id: "d-2", text: "second", project: "/work/other" }),
    trailView({ id: "d-1", text: "first", project: "/work/parser" }),
  ];

  verifies("trail:export", "asks the engine, and prints the oldest first", async () => {
    const engine = fakeEngine(snapshotOf(), { trail: { ok: true, entries } });
    const { code, out } = await run(["trail", "export", "--last", "7"], doorsWith(engine));
    expect(code).toBe(0);
    expect(engine.commands).toEqual([{ kind: "trail", limit: 7, before: null }]);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(["d-1", "d-2"]);
    const drawn = await run(["trail", "export", "--format", "mermaid", "--project", "/work/parser"], doorsWith(engine));
    expect(drawn.out).toContain("->>p1: first\n");
    expect(drawn.out).not.toContain("second");
  });

  verifies(["trail:export", "store:read-without-engine"], "without an engine reads the store", async () => {
    const doors = doorsWith(null, { readStore: async () => snapshotOf({ trail: entries }) });
    const { out, err } = await run(["trail", "export", "--format", "markdown"], doors);
    expect(out).toMatch(/first[\s\S]*second/);
    expect(err).toContain("no engine is running");
  });

  test("another form is wrong usage, and the trail itself goes on as before", async () => {
    const engine = fakeEngine(snapshotOf(), { trail: { ok: true, entries } });
    expect((await run(["trail", "export", "--format", "pdf"], doorsWith(engine))).code).toBe(2);
    expect((await run(["trail", "exports"], doorsWith(engine))).code).toBe(2);
    expect((await run(["trail", "--limit", "3"], doorsWith(engine))).code).toBe(0);
  });
});
