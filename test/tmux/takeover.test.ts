import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliveryId, terminalId } from "../../src/bus/ids.js";
import type { HostEvent, TerminalHost } from "../../src/engine/ports.js";
import { writeChildSources } from "../support/child-sources.js";
import { createTmuxServer, isAlive, type TmuxServer } from "../support/tmux-server.js";
import { createTmuxPrograms, type TmuxPrograms } from "../support/tmux-world.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const T1 = terminalId("term-1");
const T2 = terminalId("term-2");
const D1 = deliveryId("d1");
const D2 = deliveryId("d2");

/** An engine's host in a process of its own: it types d1 with Enter, d2 without, says so, and waits to be killed. */
const CHILD = `
import { appendFileSync } from "node:fs";
import { createTmuxHost } from "./src/tmux/host.js";
const { name, plan, file, launchFolder } = JSON.parse(process.argv[2]);
const host = createTmuxHost({ server: { kind: "own", name }, tmuxSession: "quay", instance: "test", missionControl: null, launchFolder });
process.on("message", async (step) => {
  if (step === "start") { await host.start(); await host.launch(plan); }
  if (step === "type") {
    await host.paste("term-1", "d1", "first"); await host.enter("term-1", "d1", null);
    await host.paste("term-1", "d2", "second");
  }
  appendFileSync(file, step + "\\n");
});
`;

describe("taking over on tmux", () => {
  let server: TmuxServer;
  let programs: TmuxPrograms;
  beforeEach(() => {
    server = createTmuxServer();
    programs = createTmuxPrograms(server);
  });
  afterEach(() => server.end());

  const started = async (
    options: Parameters<TmuxServer["host"]>[0] = {},
  ): Promise<{ host: TerminalHost; events: HostEvent[] }> => {
    const host = server.host(options);
    const events: HostEvent[] = [];
    host.on((event) => events.push(event));
    await host.start();
    return { host, events };
  };
  const exits = (events: readonly HostEvent[]) => events.filter((event) => event.kind === "exited");

  it("reads the markers that a killed engine left, ends its clients, and types on", async () => {
    const folder = join(server.folder, "child");
    mkdirSync(folder);
    writeChildSources(folder, ["tmux", "bus", "lib"]);
    writeFileSync(join(folder, "child.js"), CHILD);
    const file = join(server.folder, "steps");
    const plan = programs.receiver(T1);
    const child = spawn(
      process.execPath,
      [
        join(folder, "child.js"),
        JSON.stringify({ name: server.name, plan, file, launchFolder: join(server.folder, "run") }),
      ],
      {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      },
    );
    const did = (step: string) => () => existsSync(file) && readFileSync(file, "utf8").includes(`${step}\n`);
    child.send("start");
    await until(did("start"), 10_000, "the child's host");
    await programs.ready(T1);
    child.send("type");
    await until(did("type"), 10_000, "the child's typing");
    child.kill("SIGKILL");

    const host = server.host();
    expect(await host.start()).toMatchObject([{ terminal: T1, dead: false, pastedMarker: "d2", enteredMarker: "d1" }]);
    expect(server.run("list-clients", "-F", "#{client_name}").split("\n")).toHaveLength(2);
    expect(await host.paste(T1, D2, "second")).toEqual({ kind: "refused", reason: "already pasted" });
    expect(await host.enter(T1, D2, null)).toEqual({ kind: "entered" });
    await until(
      () => programs.received(T1) === "first\rsecond\r",
      5_000,
      () => programs.received(T1),
    );
  });

  it("refuses a line of the engine before, also when it was frozen meanwhile", async () => {
    const first = await started();
    await first.host.launch(programs.receiver(T1));
    await programs.ready(T1);
    const second = await started();
    await until(() => first.events.some((event) => event.kind === "fencedOut"), 5_000, "the news");
    expect((await first.host.paste(T1, D1, "late")).kind).not.toBe("pasted");
    expect(await second.host.paste(T1, D1, "right")).toEqual({ kind: "pasted" });
    await until(() => programs.received(T1) === "right");
    // The loser does not come back: its clients stay away.
    expect(server.run("list-clients", "-F", "#{client_name}").split("\n")).toHaveLength(2);
  });

  it("lets two instances share a server, each with its own terminals", async () => {
    const one = await started({ instance: "aaaa" });
    const two = await started({ instance: "bbbb" });
    await one.host.launch(programs.receiver(T1));
    await two.host.launch(programs.receiver(T2));
    await programs.ready(T1);
    await programs.ready(T2);
    expect((await one.host.panes()).map((pane) => pane.terminal)).toEqual([T1]);
    expect((await two.host.panes()).map((pane) => pane.terminal)).toEqual([T2]);
    expect(await one.host.paste(T1, D1, "one")).toEqual({ kind: "pasted" });
    expect(await two.host.paste(T2, D1, "two")).toEqual({ kind: "pasted" });
    expect([...one.events, ...two.events].some((event) => event.kind === "fencedOut")).toBe(false);
  });

  verifies(
    "hazard:dead-server-exits",
    "tells within two seconds that a killed server took everything, and starts a new one for the next launch",
    async () => {
      const { host, events } = await started();
      await host.launch(programs.receiver(T1));
      await host.launch(programs.ending(T2, 0));
      await until(() => exits(events).length === 1);
      const before = host.server();
      process.kill(before.pid, "SIGKILL");
      await until(() => exits(events).length === 2, 2_000, "the exits");
      expect(exits(events)[1]).toMatchObject({
        terminal: T1,
        status: null,
        signal: null,
        why: "its tmux server ended",
      });
      expect(await host.panes()).toEqual([]);
      expect(await host.fence()).toEqual([]);
      expect(await host.paste(T1, D1, "x")).toEqual({ kind: "refused", reason: "gone" });

      await host.launch(programs.receiver(terminalId("term-3")));
      expect(host.server().pid).not.toBe(before.pid);
      await programs.ready("term-3");
      expect(await host.paste(terminalId("term-3"), D1, "on the new one")).toEqual({ kind: "pasted" });
      expect(server.pid()).toBe(host.server().pid);
      expect(isAlive(before.pid)).toBe(false);
    },
  );

  it("comes back when its clients are killed, with a raised epoch and a gap", async () => {
    const { host, events } = await started();
    await host.launch(programs.receiver(T1));
    await programs.ready(T1);
    const epoch = server.run("show-options", "-sv", "@quay_epoch_test");
    for (const pid of server.run("list-clients", "-F", "#{client_pid}").split("\n"))
      process.kill(Number(pid), "SIGKILL");
    await until(() => server.run("show-options", "-sv", "@quay_epoch_test") !== epoch, 5_000, "the new epoch");
    await until(() => events.some((event) => event.kind === "gap"), 5_000, "the gap");
    expect(await host.paste(T1, D1, "again")).toEqual({ kind: "pasted" });
    expect(exits(events)).toEqual([]);
  });

  it("comes back when its session was closed under it", async () => {
    const { host, events } = await started();
    await host.launch(programs.receiver(T1));
    server.run("kill-session", "-t", "=quay");
    await until(() => exits(events).length === 1, 5_000, "the exit");
    await until(async () => (await host.launch(programs.receiver(T2)).catch(() => null)) !== null, 5_000, "a launch");
    await programs.ready(T2);
    expect(await host.paste(T2, D1, "here")).toEqual({ kind: "pasted" });
  });

  it("sweeps only its own left-over buffers", async () => {
    const { host } = await started();
    server.run("set-buffer", "-b", "quay-test-left", "x");
    server.run("set-buffer", "-b", "quay-othr-busy", "y");
    server.run("set-buffer", "-b", "mine", "z");
    await host.fence();
    expect(server.run("list-buffers", "-F", "#{buffer_name}").split("\n").sort()).toEqual(["mine", "quay-othr-busy"]);
  });

  it("leaves no markers of a terminal that is gone", async () => {
    const { host } = await started();
    const markers = () => server.run("show-environment", "-g", "-h").match(/^QUAY_(PASTE|ENTER)/gm) ?? [];
    await host.launch(programs.receiver(T1));
    await programs.ready(T1);
    await host.paste(T1, D1, "x");
    await host.enter(T1, D1, null);
    expect(markers()).toHaveLength(2);
    await host.kill(T1);
    expect(markers()).toEqual([]);
  });

  it("can fence again and again, and stop in the middle of it", async () => {
    const { host } = await started();
    await host.launch(programs.receiver(T1));
    for (let round = 0; round < 5; round++) expect(await host.fence()).toHaveLength(1);
    const fence = host.fence().catch((error: { code?: string }) => error.code);
    await host.stop();
    expect(await fence).toBe("host-stopped");
    expect(server.run("list-clients")).toBe("");
  });
});
