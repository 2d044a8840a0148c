import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { statePaths } from "../../../src/lib/paths.js";
import { tempFolder } from "../../support/temp-folder.js";

test("QUAY_HOME holds everything in one folder", () => {
  const home = join(tempFolder(), "q");
  const paths = statePaths({ HOME: "/nowhere", QUAY_HOME: home, XDG_STATE_HOME: "/x", XDG_CONFIG_HOME: "/y" });
  const { tmuxSocket, ...places } = paths;
  for (const place of Object.values(places)) expect(place === home || place.startsWith(`${home}/`)).toBe(true);
  expect(new Set(Object.values(places)).size).toBe(Object.values(places).length - 1);
  expect(tmuxSocket).toMatch(/^quay-[0-9a-f]{8}$/);
});

test("by default state and configuration are in their XDG folders", () => {
  const user = tempFolder();
  const paths = statePaths({ HOME: user });
  expect(paths.database).toBe(join(user, ".local/state/quay/quay.db"));
  expect(paths.settings).toBe(join(user, ".config/quay/settings.json"));
  expect(paths.presets).toBe(join(user, ".config/quay/presets"));
  expect(paths.tmuxSocket).toBe("quay");
});

test("XDG variables move them, but only when they are absolute", () => {
  const user = tempFolder();
  const moved = statePaths({ HOME: user, XDG_STATE_HOME: join(user, "s"), XDG_CONFIG_HOME: join(user, "c") });
  expect(moved.home).toBe(join(user, "s/quay"));
  expect(moved.config).toBe(join(user, "c/quay"));
  expect(moved.tmuxSocket).not.toBe("quay");
  expect(statePaths({ HOME: user, XDG_STATE_HOME: "s", XDG_CONFIG_HOME: "" })).toEqual(statePaths({ HOME: user }));
});

test("an empty QUAY_HOME is none, and a relative one counts from the current folder", () => {
  const user = tempFolder();
  expect(statePaths({ HOME: user, QUAY_HOME: "" })).toEqual(statePaths({ HOME: user }));
  expect(statePaths({ HOME: user, QUAY_HOME: "here" }).home).toBe(join(process.cwd(), "here"));
});

test("one folder has one name and one tmux server, through a link, before and after it is made", () => {
  const root = tempFolder();
  mkdirSync(join(root, "real"));
  symlinkSync(join(root, "real"), join(root, "link"));
  const before = statePaths({ HOME: root, QUAY_HOME: join(root, "link", "q") });
  mkdirSync(join(root, "real", "q"));
  expect(statePaths({ HOME: root, QUAY_HOME: join(root, "link", "q") })).toEqual(before);
  expect(statePaths({ HOME: root, QUAY_HOME: join(root, "real", "q") })).toEqual(before);
});

test("two state folders have two tmux servers", () => {
  const root = tempFolder();
  const socketOf = (name: string): string => statePaths({ HOME: root, QUAY_HOME: join(root, name) }).tmuxSocket;
  expect(socketOf("a")).not.toBe(socketOf("b"));
});
