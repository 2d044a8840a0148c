import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { ancestorsOf } from "../../../src/lib/processes.js";

test("a child's ancestors are this process and its own, up to the first", () => {
  const child = spawn("sleep", ["100"]);
  try {
    const own = ancestorsOf(process.pid) ?? [];
    expect(own[0]).toBe(process.ppid);
    expect(ancestorsOf(child.pid ?? 0)).toEqual([process.pid, ...own]);
  } finally {
    child.kill("SIGKILL");
  }
});

test("a process that is over has none, and neither does a number that was never one", async () => {
  const child = spawn("true");
  await once(child, "exit");
  expect(ancestorsOf(child.pid ?? 0)).toBeNull();
  expect(ancestorsOf(2 ** 30)).toBeNull();
});

test("a program's name may hold brackets and spaces", () => {
  const child = spawn("sleep", ["100"], { argv0: "x) S 1 (y" });
  try {
    expect(ancestorsOf(child.pid ?? 0)?.[0]).toBe(process.pid);
  } finally {
    child.kill("SIGKILL");
  }
});
