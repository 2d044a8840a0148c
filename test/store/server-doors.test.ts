import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { terminalId } from "../../src/bus/ids.js";
import { createServerDoors } from "../../src/store/server-doors.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

const T = terminalId("term-1");
const DOOR = { port: 4100, user: "opencode", password: "secret", cliSession: "ses_1" };

verifies(
  "opencode:server-private",
  "a door stands in a private file while its terminal lives, for the next engine too",
  () => {
    const folder = join(tempFolder(), "servers");
    createServerDoors(folder).put(T, DOOR);
    const doors = createServerDoors(folder);
    expect(doors.get(T)).toEqual(DOOR);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    doors.drop(T);
    expect(doors.get(T)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    doors.drop(T);
  },
);

test("a file that is none is as none", () => {
  const folder = tempFolder();
  const doors = createServerDoors(folder);
  doors.put(T, DOOR);
  for (const text of ["", "{", "{}", JSON.stringify({ ...DOOR, port: 0 }), JSON.stringify({ ...DOOR, more: 1 })]) {
    writeFileSync(join(folder, `${T}.json`), text);
    expect(doors.get(T)).toBeNull();
  }
  expect(existsSync(join(folder, `${T}.json`))).toBe(true);
});
