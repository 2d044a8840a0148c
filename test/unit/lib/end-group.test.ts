/** Programs that go on when their terminal is gone. */
import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { endGroup } from "../../../src/lib/end-group.js";
import { until } from "../../support/until.js";
import { verifies } from "../../support/verifies.js";

/** Its waits are steps of the event loop here. */
const brief = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A group of its own: a shell and its child, deaf to these signals. */
const startGroup = async (deafTo: readonly string[]) => {
  const trap = deafTo.length === 0 ? "" : `trap '' ${deafTo.join(" ")};`;
  const child = spawn("sh", ["-c", `${trap} sleep 60 & echo $!; wait; wait; sleep 60`], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => {
    said += bytes.toString();
  });
  await until(() => said.includes("\n"), 5_000, "the child of the shell");
  onTestFinished(() => void child.kill("SIGKILL"));
  return { pid: child.pid!, inner: Number(said), ended: () => child.exitCode !== null || child.signalCode !== null };
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

verifies(
  ["kill:nothing-left", "hazard:ended-is-ended"],
  "they are asked, then made to, with their children",
  async () => {
    const deaf = await startGroup(["HUP", "TERM"]);
    await endGroup(deaf.pid, brief);
    await until(() => deaf.ended() && !isAlive(deaf.inner), 5_000, "the end of the deaf ones");
    const polite = await startGroup(["HUP"]);
    await endGroup(polite.pid, brief);
    await until(() => polite.ended() && !isAlive(polite.inner), 5_000, "the end of the polite ones");
  },
);

test("a group that is gone, or is none, is left alone", async () => {
  let pauses = 0;
  const count = async (): Promise<void> => {
    pauses += 1;
  };
  const over = spawn("true", { detached: true });
  await new Promise((resolve) => over.once("exit", resolve));
  await endGroup(over.pid!, count);
  await endGroup(1, count);
  await endGroup(0, count);
  expect(pauses).toBe(0);
});
