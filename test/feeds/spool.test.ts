import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type TerminalId, terminalId } from "../../src/bus/ids.js";
import type { Spool, SpooledEvent } from "../../src/engine/ports.js";
import { createSpool } from "../../src/feeds/spool.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const hook = fileURLToPath(new URL("../../src/adapters/assets/claude-plugin/hooks/spool.sh", import.meta.url));
const T1 = terminalId("t1");
const T2 = terminalId("t2");

let base: string;
let root: string;
let spool: Spool;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "quay-spool-"));
  root = join(base, "spool");
  spool = createSpool(root);
});
afterEach(async () => {
  await spool.close();
  rmSync(base, { recursive: true, force: true });
});

const put = (terminal: TerminalId, name: string, text = `quay1\tStop\tsecret\t%3\t42\n{"n":"${name}"}`): string => {
  const file = join(root, terminal, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

const namesOf = (events: readonly SpooledEvent[]): readonly unknown[] => events.map((event) => event.payload.n);
const rejectedIn = (terminal: TerminalId): readonly string[] => readdirSync(join(root, terminal, "rejected")).sort();
const reasonOf = (terminal: TerminalId, name: string): string =>
  readFileSync(join(root, terminal, "rejected", `${name}.reason`), "utf8");

describe("folders", () => {
  test("are private from their first moment", () => {
    const folder = spool.prepare(T1);
    expect(folder).toBe(join(root, "t1"));
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("are made private again when somebody opened them", () => {
    chmodSync(spool.prepare(T1), 0o755);
    expect(statSync(spool.prepare(T1)).mode & 0o777).toBe(0o700);
  });

  test("go with their terminal", async () => {
    spool.prepare(T1);
    put(T1, "1000000000000000001-1.event");
    await spool.drain();
    await spool.drop(T1);
    expect(existsSync(join(root, "t1"))).toBe(false);
    expect(await spool.drain()).toEqual([]);
  });
});

describe("drain", () => {
  test("gives all that the header and the JSON say", async () => {
    spool.prepare(T1);
    const file = put(T1, "1796076173351392625-77.event", 'quay1\tStop\ts3cret\t%12\t4711\n{"a":{"b":[1]}}\n');
    expect(await spool.drain()).toEqual([
      {
        file,
        terminal: T1,
        event: "Stop",
        secret: "s3cret",
        pane: "%12",
        cliPid: 4711,
        payload: { a: { b: [1] } },
        writtenAt: 1796076173351,
      },
    ]);
  });

  test("leaves out what the environment did not say", async () => {
    spool.prepare(T1);
    put(T1, "1000000000000000001-1.event", "quay1\tStop\t\t\t\n{}");
    expect(await spool.drain()).toMatchObject([{ secret: "", pane: null, cliPid: null, payload: {} }]);
  });

  test("sorts by time over all terminals, whatever the process ids", async () => {
    spool.prepare(T1);
    spool.prepare(T2);
    put(T1, "1000000000000000003-9.event");
    put(T2, "1000000000000000001-99999.event");
    put(T1, "1000000000000000002-100.event");
    expect(namesOf(await spool.drain())).toEqual([
      "1000000000000000001-99999.event",
      "1000000000000000002-100.event",
      "1000000000000000003-9.event",
    ]);
  });

  test("sorts by the file's time within a second when the system's date is no finer", async () => {
    spool.prepare(T1);
    utimesSync(put(T1, "1700000000000000000-200.event"), 1700000000.125, 1700000000.125);
    utimesSync(put(T1, "1700000000000000000-100.event"), 1700000000.875, 1700000000.875);
    const events = await spool.drain();
    expect(namesOf(events)).toEqual(["1700000000000000000-200.event", "1700000000000000000-100.event"]);
    expect(events[0]?.writtenAt).toBe(1700000000125);
  });

  test("gives an event once, and deletes it only when it is taken", async () => {
    spool.prepare(T1);
    const file = put(T1, "1000000000000000001-1.event");
    const first = await spool.drain();
    expect(await spool.drain()).toEqual([]);
    expect(existsSync(file)).toBe(true);
    await spool.taken(first);
    expect(existsSync(file)).toBe(false);
  });

  test("two at the same time share the events between them", async () => {
    spool.prepare(T1);
    for (let n = 1; n <= 20; n += 1) put(T1, `10000000000000000${String(n).padStart(2, "0")}-1.event`);
    const both = await Promise.all([spool.drain(), spool.drain()]);
    expect(both.flat()).toHaveLength(20);
  });

  test("gives again what a predecessor drained and did not take", async () => {
    spool.prepare(T1);
    put(T1, "1000000000000000001-1.event");
    await spool.drain();
    await spool.close();
    spool = createSpool(root);
    expect(namesOf(await spool.drain())).toEqual(["1000000000000000001-1.event"]);
  });

  test("does not mind files that vanish, also those already drained", async () => {
    spool.prepare(T1);
    const file = put(T1, "1000000000000000001-1.event");
    const events = await spool.drain();
    unlinkSync(file);
    await spool.taken(events);
    rmSync(join(root, "t1"), { recursive: true });
    expect(await spool.drain()).toEqual([]);
  });

  test("leaves half files and strangers alone", async () => {
    spool.prepare(T1);
    put(T1, ".1000000000000000001-1.part");
    put(T1, "notes.txt");
    expect(await spool.drain()).toEqual([]);
    expect(readdirSync(join(root, "t1")).sort()).toEqual([".1000000000000000001-1.part", "notes.txt"]);
  });
});

describe("a bad file", () => {
  const good = "2000000000000000000-1.event";
  const bad = "1000000000000000000-1.event";
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["is empty", "", /no header line/],
    ["has no JSON", "quay1\tStop\ts\t%1\t1\n", /not JSON/],
    ["was cut", 'quay1\tStop\ts\t%1\t1\n{"a":', /not JSON/],
    ["holds a list", "quay1\tStop\ts\t%1\t1\n[1]", /not a JSON object/],
    ["is of another version", "quay2\tStop\ts\t%1\t1\n{}", /not of version quay1/],
    ["has too few fields", "quay1\tStop\ts\n{}", /not of version quay1/],
    ["names no event", "quay1\t\ts\t%1\t1\n{}", /names no event/],
    ["names an event with odd characters", "quay1\tSt op;\ts\t%1\t1\n{}", /names no event/],
  ];
  test.each(cases)(
    "that %s is moved aside with the reason and does not block the rest",
    async (_what, text, reason) => {
      spool.prepare(T1);
      put(T1, bad, text);
      put(T1, good);
      expect(namesOf(await spool.drain())).toEqual([good]);
      expect(rejectedIn(T1)).toEqual([bad, `${bad}.reason`]);
      expect(reasonOf(T1, bad)).toMatch(reason);
      expect(statSync(join(root, "t1", "rejected")).mode & 0o777).toBe(0o700);
    },
  );

  test("larger than 8 MB is not read", async () => {
    spool.prepare(T1);
    truncateSync(put(T1, bad), 8 * 1024 * 1024 + 1);
    expect(await spool.drain()).toEqual([]);
    expect(reasonOf(T1, bad)).toMatch(/larger than 8388608 bytes \(8388609\)/);
  });

  test("of 8 MB is read", async () => {
    spool.prepare(T1);
    const head = 'quay1\tStop\ts\t%1\t1\n{"x":"';
    put(T1, good, `${head}${"y".repeat(8 * 1024 * 1024 - head.length - 2)}"}`);
    expect(await spool.drain()).toHaveLength(1);
  });

  test("that is a link is not followed, a folder is not opened, a pipe does not hang", async () => {
    spool.prepare(T1);
    writeFileSync(join(base, "elsewhere"), "quay1\tStop\ts\t%1\t1\n{}");
    symlinkSync(join(base, "elsewhere"), join(root, "t1", "1000000000000000001-1.event"));
    symlinkSync(join(base, "nowhere"), join(root, "t1", "1000000000000000002-1.event"));
    mkdirSync(join(root, "t1", "1000000000000000003-1.event"));
    spawnSync("mkfifo", [join(root, "t1", "1000000000000000004-1.event")]);
    put(T1, good);
    expect(namesOf(await spool.drain())).toEqual([good]);
    expect(rejectedIn(T1).filter((name) => name.endsWith(".reason"))).toHaveLength(4);
    expect(existsSync(join(base, "elsewhere"))).toBe(true);
  });

  test("is one of at most 50 that are kept", async () => {
    spool.prepare(T1);
    for (let n = 100; n < 160; n += 1) put(T1, `1000000000000000${n}-1.event`, "bad");
    await spool.drain();
    const kept = rejectedIn(T1).filter((name) => name.endsWith(".event"));
    expect(kept).toHaveLength(50);
    expect(kept[0]).toBe("1000000000000000110-1.event");
  });
});

describe("arrival", () => {
  test("is told for what lies there already, and soon after a new file", async () => {
    spool.prepare(T1);
    put(T1, "1000000000000000001-1.event");
    let told = 0;
    spool.on(() => {
      told += 1;
    });
    await until(() => told > 0, 500, "the first word");
    await spool.taken(await spool.drain());
    const before = told;
    put(T1, "1000000000000000002-1.event");
    await until(() => told > before, 500, "word of the new file");
  });

  test("is told again by the sweep while an event is not drained", async () => {
    spool.prepare(T1);
    let told = 0;
    spool.on(() => {
      told += 1;
    });
    put(T1, "1000000000000000001-1.event");
    await until(() => told > 0);
    const before = told;
    await until(() => told > before, 2_500, "the sweep");
  });

  test("is told for folders of a predecessor", async () => {
    spool.prepare(T1);
    await spool.close();
    spool = createSpool(root);
    let told = 0;
    spool.on(() => {
      told += 1;
    });
    await until(() => told > 0);
    const before = told;
    put(T1, "1000000000000000001-1.event");
    await until(() => told > before, 500, "word of the new file");
  });
});

describe("the hook script", () => {
  const run = async (
    env: Readonly<Record<string, string>>,
    stdin = '{"session_id":"s1"}',
    event = "Stop",
  ): Promise<{ readonly code: number | null; readonly out: string; readonly ms: number }> => {
    const started = performance.now();
    const child = spawn("sh", [hook, event], { env: { PATH: process.env.PATH ?? "", ...env } });
    let out = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
    });
    child.stderr.on("data", (bytes) => {
      out += bytes;
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { code, out, ms: performance.now() - started };
  };

  test("writes an event that the spool reads, private and silent", async () => {
    const folder = spool.prepare(T1);
    const before = Date.now();
    const text = JSON.stringify({ session_id: "s1", text: 'quote " tab \t back \\ ünï 🙂\nline $(id) %s' });
    const env = { QUAY_SPOOL: folder, QUAY_EVENTS_SECRET: "s3c", TMUX_PANE: "%5", CLAUDE_PID: "123" };
    expect(await run(env, text)).toMatchObject({ code: 0, out: "" });
    const [name] = readdirSync(folder);
    expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
    const [event] = await spool.drain();
    expect(event).toMatchObject({ event: "Stop", secret: "s3c", pane: "%5", cliPid: 123, payload: JSON.parse(text) });
    expect(Math.abs(event!.writtenAt - before)).toBeLessThan(5_000);
  });

  test("does nothing outside a terminal of Quay, or when the folder is gone", async () => {
    expect(await run({})).toMatchObject({ code: 0, out: "" });
    expect(await run({ QUAY_SPOOL: join(base, "gone") })).toMatchObject({ code: 0, out: "" });
    expect(readdirSync(base)).toEqual(["spool"]);
  });

  test("works where date knows no nanoseconds", async () => {
    const folder = spool.prepare(T1);
    const bin = join(base, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "date"), "#!/bin/sh\necho 1700000000N\n", { mode: 0o755 });
    await run({ QUAY_SPOOL: folder, PATH: `${bin}:${process.env.PATH}` });
    expect(readdirSync(folder)[0]).toMatch(/^1700000000000000000-\d+\.event$/);
    expect(Math.abs((await spool.drain())[0]!.writtenAt - Date.now())).toBeLessThan(5_000);
  });

  test("leaves no half file when it cannot write", async () => {
    const folder = spool.prepare(T1);
    const bin = join(base, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "cat"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(await run({ QUAY_SPOOL: folder, PATH: `${bin}:${process.env.PATH}` })).toMatchObject({ code: 0, out: "" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("pokes Quay with the secret, which stands in no argument", async () => {
    const folder = spool.prepare(T1);
    const heard: string[] = [];
    const server = createServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    const env = { QUAY_SPOOL: folder, QUAY_EVENTS_URL: url, QUAY_EVENTS_SECRET: "s3c" };
    // A proxy of the user's must not see it, nor may it lead astray.
    expect(await run({ ...env, http_proxy: "http://127.0.0.1:9" })).toMatchObject({ code: 0, out: "" });
    await until(() => heard.length > 0, 3_000, "the poke");
    expect(heard).toEqual(["POST /events Bearer s3c"]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(readFileSync(hook, "utf8")).toMatch(/\| curl -q -K -\n/);
  });

  /** A bridge that answers so, and what it was asked. */
  const answering = async (status: number, body: string) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      let said = "";
      request.on("data", (bytes) => {
        said += bytes;
      });
      request.on("end", () => {
        asked.push(said);
        response.writeHead(status).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    return { asked, env: { QUAY_SPOOL: spool.prepare(T1), QUAY_EVENTS_URL: url, QUAY_EVENTS_SECRET: "s3c" } };
  };

  verifies("approve:no-rule-no-answer", "a permission request names its file, and prints what it is told", async () => {
    const yes = await answering(200, '{"yes":1}');
    expect(await run(yes.env, "{}", "PermissionRequest")).toMatchObject({ code: 0, out: '{"yes":1}' });
    expect(yes.asked).toEqual(readdirSync(yes.env.QUAY_SPOOL));
    for (const [status, body] of [
      [204, ""],
      [401, "no"],
      [500, '{"ok":false}'],
    ] as const) {
      const other = await answering(status, body);
      expect(await run(other.env, "{}", "PermissionRequest")).toMatchObject({ code: 0, out: "" });
      expect(other.asked).toHaveLength(1);
    }
  });

  test("no other event prints what it is told", async () => {
    const { env, asked } = await answering(200, '{"yes":1}');
    expect(await run(env)).toMatchObject({ code: 0, out: "" });
    await until(() => asked.length > 0, 3_000, "the poke");
    expect(asked).toEqual([""]);
  });

  verifies(
    "approve:without-engine",
    "a permission request ends at once and silent when no engine listens",
    async () => {
      const env = {
        QUAY_SPOOL: spool.prepare(T1),
        QUAY_EVENTS_URL: "http://127.0.0.1:9/events",
        QUAY_EVENTS_SECRET: "s",
      };
      const { code, out, ms } = await run(env, "{}", "PermissionRequest");
      expect([code, out]).toEqual([0, ""]);
      expect(ms).toBeLessThan(1_500);
      expect(await spool.drain()).toMatchObject([{ event: "PermissionRequest" }]);
    },
  );

  test("does not wait for a Quay that does not answer", async () => {
    const folder = spool.prepare(T1);
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    const { code, ms } = await run({ QUAY_SPOOL: folder, QUAY_EVENTS_URL: url, QUAY_EVENTS_SECRET: "s3c" });
    expect(code).toBe(0);
    expect(ms).toBeLessThan(1_500);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
