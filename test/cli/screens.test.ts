import { describe, expect, test } from "vitest";
import type { Doors, ScreenEnd, StartedEngine } from "../../src/cli/cli.js";
import type { EngineClient } from "../../src/engine/client.js";
import { QuayError } from "../../src/lib/errors.js";
import {
  agentView,
  deferred,
  doorsWith,
  endpoint,
  fakeEngine,
  run,
  snapshotOf,
  start,
  trailView,
} from "../support/fake-cli.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const onTerminal = { outIsTerminal: true, inputIsTerminal: true };

/** An engine in this process whose end the test decides. */
const startedEngine = () => {
  const client = fakeEngine(snapshotOf({ agents: [agentView()] }));
  const closed = deferred<string>();
  let stops = 0;
  const engine: StartedEngine = {
    client,
    endpoint,
    ownerToken: "owner",
    closed: closed.promise,
    stop: async () => {
      stops += 1;
      closed.resolve("stopped");
    },
  };
  return { engine, client, stops: () => stops, end: (why: string) => closed.resolve(why) };
};

/** A screen that stays until it is told to leave, or until the test leaves it. */
const screen = () => {
  const left = deferred<ScreenEnd>();
  const shown: unknown[] = [];
  let way: (() => Promise<void>) | null = null;
  const missionControl: Doors["missionControl"] = (client, { until: told, goBack }) => {
    shown.push(client);
    way = goBack;
    told.addEventListener("abort", () => left.resolve("left"), { once: true });
    return left.promise;
  };
  return { missionControl, leave: left.resolve, shown, goBack: () => (shown.length === 0 ? null : { way }) };
};

describe("quay", () => {
  test("needs a terminal", async () => {
    const { code, err } = await run([], doorsWith(null));
    expect([code, err]).toEqual([1, expect.stringContaining("Mission Control needs a terminal")]);
  });

  test("comes back to the engine that runs", async () => {
    const client = fakeEngine(snapshotOf());
    const { missionControl, leave, shown } = screen();
    const running = start([], doorsWith(client, { missionControl }), onTerminal);
    await until(() => shown.length === 1);
    leave("left");
    expect(await running.ended).toMatchObject({
      code: 0,
      out: "Left the screen; the engine goes on. Come back with: quay. End it: quay stop\n",
    });
    expect(shown).toHaveLength(1);
    expect(client.isClosed()).toBe(true);
  });

  verifies("mission-control:closed-by-esc", "opened by tmux's key, has a way back for the person alone", async () => {
    const env = { TMUX: "/s/default,7,0", TMUX_PANE: "%4", QUAY_CONTROL: "q1-free" };
    const answers: Record<string, string> = { "display-message": "712 /dev/pts/3\n", "show-options": "0\n" };
    let gone: readonly string[] = [];
    const goBackOf = async (given: NodeJS.ProcessEnv) => {
      const ran: (readonly string[])[] = [];
      const feed: Doors["feed"] = async ([, , socket, verb = "", ...words]) => {
        ran.push([verb, ...words]);
        expect(socket).toBe("/s/default");
        if (gone.includes(verb)) throw new QuayError("run", `no last ${verb}`);
        return answers[verb] ?? "";
      };
      const client = fakeEngine(snapshotOf());
      const { missionControl, leave, goBack } = screen();
      const running = start([], doorsWith(client, { missionControl, feed }), { ...onTerminal, env: given });
      const back = await until(() => goBack());
      leave("left");
      await running.ended;
      return { ran, back: back.way };
    };
    expect((await goBackOf({ ...env, QUAY_CONTROL: undefined })).back).toBeNull();
    expect((await goBackOf({ ...env, TMUX: undefined })).back).toBeNull();

    const outside = await goBackOf(env);
    await outside.back?.();
    expect(outside.ran).toEqual([
      ["display-message", "-p", "#{client_pid} #{client_name}"],
      ["show-options", "-qv", "@quay_from_712"],
      ["set-option", "-qu", "@quay_from_712"],
      ["switch-client", "-c", "/dev/pts/3", "-l"],
    ]);
    // Its session is gone: then the window before it.
    gone = ["switch-client"];
    const orphan = await goBackOf(env);
    await orphan.back?.();
    expect(orphan.ran.at(-1)).toEqual(["last-window"]);
    gone = ["switch-client", "last-window"];
    await expect((await goBackOf(env)).back?.()).rejects.toThrow("There is nothing to go back to");

    gone = [];
    for (const from of ["1\n", ""]) {
      answers["show-options"] = from;
      const within = await goBackOf(env);
      await within.back?.();
      expect(within.ran.at(-1)).toEqual(["last-window"]);
    }
    answers["display-message"] = " \n";
    await expect((await goBackOf(env)).back?.()).rejects.toThrow("There is nothing to go back to");
  });

  test("another's screen stays while its engine moves to another process", async () => {
    const first = fakeEngine(snapshotOf({ agents: [agentView({ name: "before" })] }));
    const second = fakeEngine(snapshotOf({ agents: [agentView({ name: "after" })] }));
    const { missionControl, leave, shown } = screen();
    let answering = first;
    const doors = doorsWith(first, { missionControl, connect: async () => answering });
    const running = start([], doors, onTerminal);
    await until(() => shown.length === 1);
    const client = shown[0] as EngineClient;
    const heard: string[] = [];
    client.subscribe((change) => heard.push(change.kind));
    answering = second;
    first.tell({ kind: "gone", why: "the engine has stopped" });
    await until(() => client.snapshot().agents[0]?.name === "after");
    expect(heard).toEqual(["snapshot"]);
    leave("left");
    expect((await running.ended).code).toBe(0);
    expect(second.isClosed()).toBe(true);
  });

  test("leaving the screen hands the agents to an engine without one", async () => {
    const { engine, stops } = startedEngine();
    const shell = agentView({ id: "t3", kind: "shell", level: "not a peer" });
    const gone = agentView({ id: "t4", status: "exited", exit: { at: 1, why: "ended" } });
    const successor = fakeEngine(snapshotOf({ agents: [agentView(), agentView({ id: "t2" }), shell, gone] }));
    const { missionControl, leave, shown } = screen();
    let spawned = false;
    const doors = doorsWith(null, {
      missionControl,
      startEngine: async () => engine,
      spawnServe: async () => {
        expect(stops()).toBe(1);
        spawned = true;
        return { pid: 77, exitStatus: () => null, log: async () => "", logFile: "/x" };
      },
      readEndpoint: async () => (spawned ? { endpoint, token: "owner" } : null),
      connect: async () => successor,
    });
    const running = start([], doors, onTerminal);
    await until(() => shown.length === 1);
    leave("left");
    const { code, out } = await running.ended;
    expect([code, out]).toEqual([
      0,
      "The engine runs without a screen. 2 agents go on in tmux. Come back with: quay. End the engine: quay stop\n",
    ]);
    expect(successor.isClosed()).toBe(true);
  });

  verifies(
    "hazard:lost-client-ends-nothing",
    "a SIGHUP leaves the engine running in this process, silent",
    async () => {
      const { engine, stops } = startedEngine();
      const { missionControl, leave, shown } = screen();
      const running = start([], doorsWith(null, { missionControl, startEngine: async () => engine }), onTerminal);
      await until(() => shown.length === 1);
      running.signal("SIGHUP");
      leave("lost");
      let ended = false;
      void running.ended.then(() => {
        ended = true;
      });
      running.signal("SIGHUP");
      await until(() => true);
      expect([ended, stops(), running.out()]).toEqual([false, 0, ""]);
      running.signal("SIGTERM");
      expect(await running.ended).toMatchObject({ code: 0, out: "" });
      expect(stops()).toBe(1);
    },
  );

  verifies("hazard:lost-client-ends-nothing", "a terminal that is lost without a signal does the same", async () => {
    const { engine, stops, end } = startedEngine();
    const { missionControl, leave, shown } = screen();
    const running = start([], doorsWith(null, { missionControl, startEngine: async () => engine }), onTerminal);
    await until(() => shown.length === 1);
    leave("lost");
    await until(() => true);
    expect(stops()).toBe(0);
    end("quay stop");
    expect((await running.ended).code).toBe(0);
  });

  verifies("stop:agents-go-on", "quay stop elsewhere ends the screen too, and says so", async () => {
    const { engine, end } = startedEngine();
    const { missionControl, shown } = screen();
    const running = start([], doorsWith(null, { missionControl, startEngine: async () => engine }), onTerminal);
    await until(() => shown.length === 1);
    end("quay stop");
    expect((await running.ended).out).toBe(
      "The engine has ended: quay stop. Agents go on; start it again with: quay\n",
    );
  });

  test("an engine that another shell started meanwhile is used", async () => {
    const client = fakeEngine(snapshotOf());
    const { missionControl, leave, shown } = screen();
    let looked = 0;
    const doors = doorsWith(client, {
      missionControl,
      startEngine: () => Promise.reject(new QuayError("engine-running", "Process 4242 has it.")),
      readEndpoint: async () => {
        looked += 1;
        return looked === 1 ? null : { endpoint, token: "owner" };
      },
    });
    const running = start([], doors, onTerminal);
    await until(() => shown.length === 1);
    leave("left");
    expect((await running.ended).code).toBe(0);
  });
});

describe("quay serve", () => {
  test("--json prints one line when ready, and one when it has ended; a hang-up does not end it", async () => {
    const { engine, stops } = startedEngine();
    const running = start(["serve", "--json"], doorsWith(null, { startEngine: async () => engine }));
    await until(() => running.out() !== "");
    expect(JSON.parse(running.out())).toEqual({ ready: true, ...endpoint });
    running.signal("SIGHUP");
    expect(stops()).toBe(0);
    running.signal("SIGTERM");
    const { code, out } = await running.ended;
    expect([code, out.split("\n")[1]]).toEqual([0, '{"ready":false,"closed":"stopped"}']);
  });

  test("passes the tmux it is in, and the server that was asked for", async () => {
    const { engine, end } = startedEngine();
    const asked: unknown[] = [];
    const startEngine: Doors["startEngine"] = async ({ socket, insideTmux, env }) => {
      asked.push(socket, insideTmux, env.QUAY_HOME);
      end("over");
      return engine;
    };
    const env = { TMUX: "/tmp/tmux-0/default,1,0" };
    await run(["serve", "--socket", "work", "--home", "/h"], doorsWith(null, { startEngine }), { env });
    expect(asked).toEqual(["work", "/tmp/tmux-0/default,1,0", "/h"]);
  });

  test("a second engine says who has the state folder", async () => {
    const startEngine = () => Promise.reject(new QuayError("engine-running", "Process 77 runs the engine."));
    const plain = await run(["serve"], doorsWith(null, { startEngine }));
    expect(plain).toMatchObject({ code: 1, out: "", err: "quay: Process 77 runs the engine.\n" });
    const json = await run(["serve", "--json"], doorsWith(null, { startEngine }));
    expect([json.code, JSON.parse(json.out)]).toEqual([
      1,
      { ready: false, code: "engine-running", message: "Process 77 runs the engine." },
    ]);
  });
});

describe("quay trail --follow", () => {
  const entry = trailView();
  const done = trailView({ status: "Completed", response: "Fine." });

  test("prints one line per change, also of the engine that comes after this one", async () => {
    const first = fakeEngine(snapshotOf({ trail: [entry] }));
    const second = fakeEngine(snapshotOf({ trail: [done] }));
    let engine = first;
    const running = start(
      ["trail", "--follow", "--json"],
      doorsWith(null, {
        readEndpoint: async () => ({ endpoint, token: "owner" }),
        connect: async () => engine,
      }),
    );
    await until(() => running.out().split("\n").length === 2);
    first.show(snapshotOf({ trail: [entry] }));
    engine = second;
    first.tell({ kind: "gone", why: "it was stopped" });
    await until(() => running.out().split("\n").length === 3);
    running.signal("SIGINT");
    const { code, out, err } = await running.ended;
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([entry, done]);
    expect(err).toBe("quay: the engine is gone (it was stopped); waiting for the next one\nquay: the engine is back\n");
    expect(second.isClosed()).toBe(true);
  });

  test("ends when nobody reads its pipe any more", async () => {
    const closed = new AbortController();
    const running = start(["trail", "--follow"], doorsWith(fakeEngine(snapshotOf({ trail: [entry] }))), {
      closed: closed.signal,
    });
    await until(() => running.out() !== "");
    closed.abort();
    expect((await running.ended).code).toBe(0);
  });

  test("on a terminal it is the live view", async () => {
    const client = fakeEngine(snapshotOf({ trail: [entry] }));
    let seen = "";
    const doors = doorsWith(client, {
      liveTrail: async (shown) => {
        seen = shown.snapshot().trail[0]?.id ?? "";
        return "left";
      },
    });
    expect(await run(["trail", "--follow"], doors, onTerminal)).toMatchObject({ code: 0, out: "" });
    expect(seen).toBe("d-1");
  });
});
