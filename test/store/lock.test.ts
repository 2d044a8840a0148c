/** The engine's lock, against real second processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readHolder, takeLock } from "../../src/store/lock.js";
import { writeChildSources } from "../support/child-sources.js";
import { repositoryRoot } from "../support/source-files.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

/** Starts a second process that takes the lock; resolves with its first line. */
const startHolder = async (root: string, file: string): Promise<{ child: ChildProcess; line: string }> => {
  const script = join(repositoryRoot, "test/fixtures/store/holder.mjs");
  const child = spawn(process.execPath, [script, root, file], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [bytes] = (await once(child.stdout, "data")) as [Buffer];
  return { child, line: bytes.toString().trim() };
};

const codeRoot = (): string => {
  const root = tempFolder();
  writeChildSources(root, ["bus", "lib", "store"]);
  return root;
};

verifies("hazard:second-engine-named", "a second process is told who holds it and since when", async () => {
  const root = codeRoot();
  const file = join(root, "state", "engine.lock");
  const before = Date.now();
  const { child, line } = await startHolder(root, file);
  expect(line).toBe("held");
  let thrown: unknown;
  try {
    takeLock(file);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "engine-running", facts: { pid: child.pid } });
  const { since } = (thrown as { facts: { since: number } }).facts;
  expect(since).toBeGreaterThanOrEqual(before);
  expect(String(thrown)).toContain(`process ${child.pid}, since ${new Date(since).toISOString()}`);
  expect(String(thrown)).toContain("quay stop");
});

verifies("hazard:kill-leaves-no-lock", "a process killed by SIGKILL leaves no lock", async () => {
  const root = codeRoot();
  const file = join(root, "state", "engine.lock");
  const { child, line } = await startHolder(root, file);
  expect(line).toBe("held");
  const dead = once(child, "exit");
  child.kill("SIGKILL");
  await dead;
  expect(readHolder(file)).toMatchObject({ pid: child.pid });
  const lock = takeLock(file);
  expect(readHolder(file)).toMatchObject({ pid: process.pid });
  lock.release();
});

verifies("hazard:second-engine-named", "a child of ours cannot take what we hold, and names us", async () => {
  const root = codeRoot();
  const file = join(root, "state", "engine.lock");
  const lock = takeLock(file);
  const refused = await startHolder(root, file);
  expect(JSON.parse(refused.line)).toMatchObject({ code: "engine-running", facts: { pid: process.pid } });
  lock.release();
  expect((await startHolder(root, file)).line).toBe("held");
});

test("a second taker in this process is refused, and does not loosen the first", async () => {
  const root = codeRoot();
  const file = join(root, "state", "engine.lock");
  const lock = takeLock(file);
  expect(() => takeLock(file)).toThrow(expect.objectContaining({ code: "engine-running" }));
  expect(JSON.parse((await startHolder(root, file)).line)).toMatchObject({ code: "engine-running" });
  lock.release();
  lock.release();
  const again = takeLock(file);
  again.release();
  expect(existsSync(`${file}.holder`)).toBe(false);
});

test("a holder that is long dead is not named", () => {
  const file = join(tempFolder(), "engine.lock");
  const lock = takeLock(file);
  writeFileSync(`${file}.holder`, JSON.stringify({ pid: 2 ** 22 + 1, since: 1 }));
  expect(() => takeLock(file)).toThrow("just started");
  writeFileSync(`${file}.holder`, "{");
  expect(() => takeLock(file)).toThrow("just started");
  lock.release();
});

verifies("hazard:private-files", "the lock and its holder's line are private", () => {
  const folder = join(tempFolder(), "state");
  const lock = takeLock(join(folder, "engine.lock"));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "engine.lock")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "engine.lock.holder")).mode & 0o777).toBe(0o600);
  lock.release();
});
