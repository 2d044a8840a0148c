import { join } from "node:path";
import { expect, test } from "vitest";
import { terminalId } from "../../src/bus/ids.js";
import { openStore } from "../../src/store/store.js";
import { tempFolder } from "../support/temp-folder.js";

const a = terminalId("term-a");
const b = terminalId("term-b");

test("secrets and places are there after a restart, replaced and dropped by terminal", async () => {
  const database = join(tempFolder(), "quay.db");
  const first = openStore({ database });
  first.vault.putSecrets(a, { tool: "t1", event: "e1" });
  first.vault.putSecrets(b, { tool: "t2", event: "e2" });
  first.vault.putSecrets(a, { tool: "t3", event: "e3" });
  first.vault.putPlace(a, { serverPid: 10, serverStartedAt: 1_784_000_000_000 });
  first.vault.putPlace(b, { serverPid: 11, serverStartedAt: 1 });
  await first.close();

  const { vault, close } = openStore({ database });
  expect(vault.secrets()).toEqual([
    { terminal: a, tool: "t3", event: "e3" },
    { terminal: b, tool: "t2", event: "e2" },
  ]);
  expect(vault.places()[0]).toEqual({ terminal: a, serverPid: 10, serverStartedAt: 1_784_000_000_000 });
  vault.dropSecrets(a);
  vault.dropPlace(b);
  vault.dropPlace(b);
  expect(vault.secrets().map((entry) => entry.terminal)).toEqual([b]);
  expect(vault.places().map((entry) => entry.terminal)).toEqual([a]);
  await close();
});

test("single values: none, then the last one set", async () => {
  const { vault, close } = openStore({ database: join(tempFolder(), "quay.db") });
  expect(vault.get("port")).toBeNull();
  vault.set("port", "7501");
  vault.set("port", "");
  vault.set("it's; --", "v");
  expect(vault.get("port")).toBe("");
  expect(vault.get("it's; --")).toBe("v");
  await close();
});
