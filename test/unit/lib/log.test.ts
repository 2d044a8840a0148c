import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openLog, silentLog } from "../../../src/lib/log.js";
import { tempFolder } from "../../support/temp-folder.js";
import { verifies } from "../../support/verifies.js";

const linesOf = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("writes JSON lines with level, time and scope, at once", () => {
  const file = join(tempFolder(), "state", "quay.log");
  const log = openLog(file, "info");
  log.child({ scope: "tmux" }).warn({ pane: "%7" }, "no answer");
  log.debug({}, "not at this level");
  expect(linesOf(file)).toEqual([
    { level: "warn", pid: process.pid, scope: "tmux", time: expect.any(String), pane: "%7", msg: "no answer" },
  ]);
});

test("appends to what is there", () => {
  const file = join(tempFolder(), "quay.log");
  openLog(file, "info").info({}, "one");
  openLog(file, "info").info({}, "two");
  expect(linesOf(file).map((line) => line.msg)).toEqual(["one", "two"]);
});

verifies("hazard:private-files", "the file is private from its first byte", () => {
  const before = process.umask(0);
  try {
    const file = join(tempFolder(), "state", "quay.log");
    openLog(file, "info");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  } finally {
    process.umask(before);
  }
});

test("what was said stands in it at debug only", () => {
  const file = join(tempFolder(), "quay.log");
  const log = openLog(file, "debug");
  log.info({ delivery: "msg-1", text: "the plan", inner: { prompt: "the prompt" } }, "accepted");
  log.debug({ text: "the plan" }, "accepted");
  const [info, debug] = linesOf(file);
  expect(JSON.stringify(info)).not.toContain("the p");
  expect(info?.delivery).toBe("msg-1");
  expect(debug?.text).toBe("the plan");
});

verifies("hazard:no-token-in-argv-or-log", "secrets stand in it at no level", () => {
  const file = join(tempFolder(), "quay.log");
  const log = openLog(file, "debug");
  log.debug({ token: "s3cret", headers: { authorization: "Bearer s3cret" } }, "request");
  log.child({ scope: "mcp" }).error({ eventSecret: "s3cret" }, "request");
  expect(readFileSync(file, "utf8")).not.toContain("s3cret");
});

test("a cause is its message", () => {
  const file = join(tempFolder(), "quay.log");
  openLog(file, "info").error({ cause: new Error("disk full") }, "commit failed");
  expect(linesOf(file)[0]?.cause).toBe("disk full");
});

test("a log that grew large is set aside at the next start", () => {
  const file = join(tempFolder(), "quay.log");
  writeFileSync(file, "old\n");
  truncateSync(file, 11 * 1024 * 1024);
  openLog(file, "info").info({}, "fresh");
  expect(linesOf(file)).toHaveLength(1);
  expect(statSync(`${file}.1`).size).toBe(11 * 1024 * 1024);
});

test("nothing goes to stdout", () => {
  const write = vi.spyOn(process.stdout, "write");
  openLog(join(tempFolder(), "quay.log"), "debug").error({}, "loud");
  silentLog().error({}, "silent");
  expect(write).not.toHaveBeenCalled();
  write.mockRestore();
});
