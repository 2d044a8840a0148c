import { expect, it } from "vitest";
import { screenCommand } from "../../../src/engine/screen-command.js";

it("names the engine's own folders, and takes away those of another shell", () => {
  expect(screenCommand({ QUAY_HOME: "/q q", XDG_CONFIG_HOME: "" }, "/bin/node", "/m.js")).toEqual([
    ...["-u", "XDG_STATE_HOME", "-u", "XDG_CONFIG_HOME", "QUAY_HOME=/q q", "/bin/node", "/m.js"],
  ]);
});

it("makes a folder absolute: the pane stands elsewhere", () => {
  expect(screenCommand({ QUAY_HOME: "state" }, "node", "main")).toContain(`QUAY_HOME=${process.cwd()}/state`);
});
