import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { terminalId } from "../../../src/bus/ids.js";
import type { SeatRequest } from "../../../src/engine/client.js";
import { type Rig, rest, startRig } from "../../support/engine-rig.js";
import { tempFolder } from "../../support/temp-folder.js";
import { verifies } from "../../support/verifies.js";

const seat = (name: string, change: Partial<SeatRequest> = {}): SeatRequest => ({
  ...{ name, kind: "claude", cwd: "/work/app", args: [], env: {}, prompt: null, preset: null },
  ...change,
});
const leftovers = (rig: Rig): readonly number[] => [
  rig.engine.state().terminals.size,
  rig.ground.vault.secrets().length,
  rig.ground.vault.places().length,
  rig.ground.spool.folders.size,
  rig.ground.world.panes.size,
];

describe("a bridge that is switched off", () => {
  verifies("codex:listener-while-unheard", "is not stood in for by OSC: the terminal becomes a listener", async () => {
    const settings = { adapters: { codex: { command: null, bridge: false } }, port: null, mailbox: { notify: false } };
    const rig = await startRig({ settings });
    const id = await rig.launch("deaf", "codex", { silent: true });
    await rig.engine.submit({ kind: "outputSeen", terminal: id });
    await rig.sees("deaf", { kind: "ready", cliSession: null, cleared: false });
    await rig.advance(30_000);
    expect(rig.client.snapshot().agents.find((one) => one.id === id)).toMatchObject({
      level: "listener",
      status: "unknown",
    });
    const heard = await startRig();
    const other = await heard.launch("heard", "codex", { silent: true });
    await heard.engine.submit({ kind: "outputSeen", terminal: other });
    await heard.sees("heard", { kind: "ready", cliSession: null, cleared: false });
    await heard.advance(30_000);
    expect(heard.client.snapshot().agents.find((one) => one.id === other)?.level).toBe("full peer");
  });
});

test("the person's own settings of a CLI are read in its own environment, and those that are there are given to the launch", async () => {
  const folder = tempFolder();
  const [strong, weak] = [join(folder, "strong.toml"), join(folder, "weak.toml")];
  writeFileSync(strong, "a = 1");
  writeFileSync(weak, "b = 2");
  const rig = await startRig();
  const request = seat("a", {
    kind: "codex",
    args: [join(folder, "none"), folder, strong],
    env: { SETTINGS_FILE: weak },
  });
  const { id } = await rig.seats.launch(request);
  expect(rig.ground.world.panes.get(terminalId(id!))?.plan.env.SETTINGS).toBe("a = 1|b = 2");
});

describe("a CLI that runs a server", () => {
  const server = { kind: "opencode" } as const;

  verifies("opencode:server-private", "gets a port and a password of its own, which go when it goes", async () => {
    const rig = await startRig();
    const [a, b] = [await rig.seats.launch(seat("a", server)), await rig.seats.launch(seat("b", server))];
    const doors = [a, b].map(({ id }) => rig.ground.doors.get(terminalId(id!)));
    expect(doors.map((door) => door?.port)).toEqual([4100, 4100]);
    expect(doors[0]?.password).not.toBe(doors[1]?.password);
    await rig.seats.end(terminalId(a.id!));
    await rest();
    expect([...rig.ground.doors.open.keys()]).toEqual([b.id]);
  });

  test("that cannot start leaves none behind", async () => {
    const rig = await startRig();
    rig.ground.world.missingPrograms.add("opencode");
    expect((await rig.seats.launch(seat("a", server))).result).toBe("failed");
    expect(rig.ground.doors.open.size).toBe(0);
  });
});

describe("starting a terminal", () => {
  verifies("hazard:missing-cli-reported", "that cannot start leaves nothing behind, and says why", async () => {
    const rig = await startRig();
    rig.ground.world.missingPrograms.add("claude");
    rig.ground.world.missingFolders.add("/nowhere");
    for (const request of [seat("a"), seat("b", { kind: "demo", cwd: "/nowhere" }), seat("c", { kind: "emacs" })]) {
      const result = await rig.seats.launch(request);
      expect(result).toMatchObject({ name: request.name, result: "failed", id: null });
      expect(result.why).not.toBe("");
    }
    await rest();
    expect(leftovers(rig)).toEqual([0, 0, 0, 0, 0]);
    expect((await rig.seats.launch(seat("c", { kind: "demo" }))).result).toBe("started");
  });

  test("that its CLI has no way to start is refused with what to do", async () => {
    const rig = await startRig();
    const result = await rig.seats.launch(seat("a", { kind: "custom" }));
    expect(result).toMatchObject({ result: "failed", why: expect.stringContaining("needs its command") });
    expect(leftovers(rig)).toEqual([0, 0, 0, 0, 0]);
    expect((await rig.seats.launch(seat("a", { kind: "custom", args: ["htop"] }))).result).toBe("started");
  });

  verifies("kill:nothing-left", "and ending it ends what its pane leaves behind", async () => {
    const rig = await startRig();
    const id = terminalId((await rig.seats.launch(seat("a"))).id!);
    const pid = rig.host.pidOf(id);
    await rig.seats.end(id);
    expect(rig.endedGroups).toEqual([pid]);
    expect(pid).not.toBeNull();
  });

  verifies("name:rule", "with a name that is none is refused by the rule", async () => {
    const rig = await startRig();
    for (const name of ["", "a(b", "a:b", "x".repeat(65)]) {
      expect((await rig.seats.launch(seat(name))).why).toContain("is no session name");
    }
    expect(leftovers(rig)).toEqual([0, 0, 0, 0, 0]);
  });

  verifies("approve:rules-checked", "with a rule that is none is refused, and nothing is left", async () => {
    const rig = await startRig();
    const { why } = await rig.seats.launch(seat("a", { approve: ["Bash(ls)", "Bash"] }));
    expect(why).toContain("'Bash' is no approval rule: Bash alone would approve all of it");
    expect(leftovers(rig)).toEqual([0, 0, 0, 0, 0]);
  });

  verifies("approve:rules-checked", "with rules that its CLI cannot be answered by is refused", async () => {
    const rig = await startRig();
    const { why } = await rig.seats.launch(seat("a", { kind: "demo", approve: ["Bash(ls)"] }));
    expect(why).toContain("The permission requests of 'demo' cannot be answered by rule.");
    expect((await rig.seats.launch(seat("a", { kind: "demo", approve: [] }))).result).toBe("started");
  });

  verifies("approve:fixed-at-launch", "again keeps the approval rules of its first launch", async () => {
    const rig = await startRig();
    const first = await rig.seats.launch(seat("a", { approve: ["Bash(ls)"] }));
    const second = await rig.seats.relaunch(first.id as never);
    expect(rig.engine.state().terminals.get(second.id as never)?.approve).toEqual(["Bash(ls)"]);
  });

  verifies("hazard:name-is-no-header", "with a name that stands for others is refused", async () => {
    const rig = await startRig();
    for (const name of ["You", "system", "a via You", "Peer agent boss", "a［b", "a\u202eb"]) {
      expect((await rig.seats.launch(seat(name))).why).toContain("is no session name");
    }
    expect(leftovers(rig)).toEqual([0, 0, 0, 0, 0]);
  });

  verifies("hazard:name-is-no-header", "again under a name from before that rule ends nothing", async () => {
    const rig = await startRig();
    const id = await rig.launch("a");
    const old = rig.engine.state().terminals.get(id)!;
    (rig.engine.state().terminals as Map<typeof id, typeof old>).set(id, { ...old, name: "You" });
    expect(await rig.seats.relaunch(id)).toMatchObject({ result: "failed", id: null });
    expect(rig.engine.state().terminals.get(id)?.exit).toBeNull();
    expect(rig.host.paneOf(id)).not.toBeNull();
  });

  test("with the name of a live terminal of the project is refused; of an exited one, or elsewhere, it is free", async () => {
    const rig = await startRig();
    const first = await rig.launch("a");
    expect((await rig.seats.launch(seat("a"))).why).toContain(first);
    expect((await rig.seats.launch(seat("a", { cwd: "/work/other" }))).result).toBe("started");
    rig.host.exit(first, 0);
    await rest();
    expect((await rig.seats.launch(seat("a"))).result).toBe("started");
  });

  test("twice at the same time under one name starts one", async () => {
    const rig = await startRig();
    const results = await Promise.all([rig.seats.launch(seat("a")), rig.seats.launch(seat("a"))]);
    expect(results.map((result) => result.result).sort()).toEqual(["failed", "started"]);
  });

  verifies("non-peer:no-token", "that is no peer gets no token", async () => {
    const rig = await startRig();
    const id = await rig.launch("shell", "shell");
    expect(Object.keys(rig.host.pane(id).plan.env)).toEqual(["QUAY_TERMINAL_ID"]);
    expect(rig.host.pane(id).plan.unsetEnv).toContain("QUAY_MCP_URL");
    expect(rig.ground.vault.secrets()).toEqual([]);
  });

  verifies("relaunch:new-id", "again gives a new terminal, and ends the old one with its queue", async () => {
    const rig = await startRig();
    await rig.launch("a");
    const old = await rig.launch("b");
    await rig.sees("b", { kind: "turnStarted", cliTurn: "t1", prompt: "a person's prompt", automatic: false });
    void rig.send("a", "b", "hello");
    await rig.advance(100);
    const result = await rig.seats.relaunch(old);
    expect(result.result).toBe("started");
    expect(result.id).not.toBe(old);
    await rig.advance(100);
    expect(rig.trail()[0]).toMatchObject({ status: "Failed", toId: old });
    expect(rig.engine.state().terminals.get(rig.idOf("b"))).toMatchObject({ id: result.id, succeeds: old });
    expect(rig.ground.world.panes.has(old)).toBe(false);
  });
});

describe("a preset", () => {
  verifies("up:keeps-the-living", "that is up already keeps its live seats and starts the missing ones", async () => {
    const preset = [seat("a"), seat("b"), seat("shell", { kind: "shell" })];
    const rig = await startRig({ preset });
    const up = async (): Promise<readonly string[]> => {
      const answer = await rig.client.dispatch({ kind: "up", preset: "swarm", cwd: "/work/app" });
      if (!answer.ok) throw new Error(answer.message);
      return answer.seats.map((one) => `${one.name} ${one.result}`);
    };
    expect(await up()).toEqual(["a started", "b started", "shell started"]);
    const a = rig.idOf("a");
    rig.host.exit(rig.idOf("b"), 1);
    await rest();
    expect(await up()).toEqual(["a already running", "b started", "shell already running"]);
    expect(rig.idOf("a")).toBe(a);
  });

  test("with a seat that cannot start reports that one, and starts the others", async () => {
    const rig = await startRig({ preset: [seat("a", { kind: "demo" }), seat("b"), seat("c", { kind: "demo" })] });
    rig.ground.world.missingPrograms.add("claude");
    const answer = await rig.client.dispatch({ kind: "up", preset: "swarm", cwd: "/work/app" });
    expect(answer).toMatchObject({
      ok: true,
      seats: [{ result: "started" }, { result: "failed" }, { result: "started" }],
    });
    await rest();
    expect(rig.ground.world.panes.size).toBe(2);
  });
});

describe("the token of a terminal", () => {
  verifies(
    ["hazard:token-works-alone", "tools:live-terminal-only"],
    "stands for it alone, while it lives",
    async () => {
      const rig = await startRig();
      const a = await rig.launch("a");
      await rig.launch("b");
      const { QUAY_TOKEN: token = "", QUAY_EVENTS_SECRET: secret = "" } = rig.host.pane(a).plan.env;
      expect(rig.directory.callerOf(token)).toEqual({ id: a, name: "a" });
      expect(rig.directory.callerOf(secret)).toBe(null);
      expect(rig.directory.eventSourceOf(secret)).toEqual({ id: a, name: "a" });
      expect(rig.directory.eventSourceOf(token)).toBe(null);
      for (const other of ["", "owner", `${token} `, token.slice(1)]) expect(rig.directory.callerOf(other)).toBe(null);
      expect([rig.directory.isOwner("owner"), rig.directory.isOwner(token)]).toEqual([true, false]);
      rig.host.exit(a, 0);
      await rest();
      expect(rig.directory.callerOf(token)).toBe(null);
      expect(rig.directory.eventSourceOf(secret)).toBe(null);
    },
  );

  test("of events counts only with its own pane, secret and terminal", async () => {
    const rig = await startRig();
    await rig.launch("a");
    await rig.launch("b");
    const started = { kind: "turnStarted", cliTurn: "t1", prompt: "hi", automatic: false } as const;
    for (const forge of [{ secret: "made up" }, { pane: "%99" }, { terminal: rig.idOf("b") }]) {
      rig.leaves("a", started);
      Object.assign(rig.ground.spool.events[0]!, forge);
      rig.directory.poke("a");
      await rest();
      expect(rig.ground.spool.events).toEqual([]);
    }
    expect(rig.client.snapshot().agents.map((agent) => agent.status)).toEqual(["idle", "idle"]);
    expect(rig.notes.filter((note) => note === "event not counted")).toHaveLength(3);
  });
});
