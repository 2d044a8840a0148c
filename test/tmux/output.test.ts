import { statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalId } from "../../src/bus/ids.js";
import type { HostEvent, TerminalHost } from "../../src/engine/ports.js";
import { createTmuxServer, type TmuxServer } from "../support/tmux-server.js";
import { createTmuxPrograms, type TmuxPrograms } from "../support/tmux-world.js";
import { until } from "../support/until.js";

const T1 = terminalId("term-1");

/** This process reads nothing for that long, as if it were stopped. */
const stall = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

describe("the tap on tmux", () => {
  let server: TmuxServer;
  let programs: TmuxPrograms;
  let host: TerminalHost;
  let events: HostEvent[];
  /** Bytes so far: joining all of them at each look would itself be a slow reader. */
  let received: number;

  beforeEach(async () => {
    server = createTmuxServer();
    programs = createTmuxPrograms(server);
    host = server.host();
    events = [];
    received = 0;
    host.on((event) => {
      events.push(event);
      if (event.kind === "output") received += event.bytes.length;
    });
    await host.start();
  });
  afterEach(() => server.end());

  const output = (): Buffer =>
    Buffer.concat(
      events.flatMap((event) => (event.kind === "output" && event.terminal === T1 ? [Buffer.from(event.bytes)] : [])),
    );

  it("brings the bytes of a program from its first one on, escapes and backslashes too", async () => {
    const query = "\x1b]7501;?\x1b\\ first \\ \\033";
    await host.launch(
      programs.plan(T1, [
        process.execPath,
        "-e",
        `process.stdout.write(${JSON.stringify(query)}); setTimeout(() => {}, 60000)`,
      ]),
    );
    await until(() => received >= query.length);
    expect(output().toString("latin1")).toBe(query);
  });

  it("joins wide characters that were written in pieces", async () => {
    const text = "日本語👩‍👧é".repeat(50);
    const program = `const b = Buffer.from(${JSON.stringify(text)}); let i = 0;
      const next = () => { if (i < b.length) { process.stdout.write(b.subarray(i, ++i), () => setImmediate(next)); } else setTimeout(() => {}, 60000); }; next();`;
    await host.launch(programs.plan(T1, [process.execPath, "-e", program]));
    const wanted = Buffer.from(text);
    await until(
      () => received >= wanted.length,
      10_000,
      () => `${received} of ${wanted.length}`,
    );
    expect(output().toString("utf8")).toBe(text);
  });

  it("brings 4 MB without a loss", async () => {
    const program = `process.stdout.write("0123456789abcdef".repeat(262144)); setTimeout(() => {}, 60000)`;
    await host.launch(programs.plan(T1, [process.execPath, "-e", program]));
    await until(
      () => received >= 4 * 1024 * 1024,
      20_000,
      () => `${received} bytes`,
    );
    expect(output().equals(Buffer.from("0123456789abcdef".repeat(262144)))).toBe(true);
    expect(events.some((event) => event.kind === "gap")).toBe(false);
  });

  it("says gap and goes on when its client was thrown out", async () => {
    await host.launch(programs.plan(T1, ["sh", "-c", "while :; do echo tick; sleep 0.1; done"]));
    await until(() => output().includes("tick"));
    for (const line of server.run("list-clients", "-F", "#{client_name}").split("\n")) {
      server.run("detach-client", "-t", line);
    }
    await until(() => events.some((event) => event.kind === "gap" && event.terminal === T1), 5_000, "the gap");
    const before = received;
    await until(() => received > before, 5_000, "output");
    await until(async () => (await host.panes().catch(() => [])).length === 1, 5_000, "the command client");
    expect(events.some((event) => event.kind === "exited" || event.kind === "fencedOut")).toBe(false);
  });

  it("lets a program write on while nobody reads, and says gap for what was lost", async () => {
    const script = `const fs = require("fs"); const next = () => { fs.appendFileSync("count", "."); process.stdout.write("x".repeat(20000), () => setTimeout(next, 10)); }; next();`;
    // Its size grows by one a round: a reader never meets a file that was emptied to be written anew.
    const count = (): number => statSync(`${server.folder}/count`).size;
    await host.launch(programs.plan(T1, [process.execPath, "-e", script]));
    await until(() => received > 20_000);
    const before = count();
    stall(3_500);
    expect(count()).toBeGreaterThan(before + 50);
    await until(() => events.some((event) => event.kind === "gap" && event.terminal === T1), 10_000, "the gap");
    const after = received;
    await until(() => received > after + 100_000, 10_000, "output after the gap");
  });
});
