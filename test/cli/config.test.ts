import { join } from "node:path";
import { expect } from "vitest";
import { openSettingsFile } from "../../src/store/settings-file.js";
import { doorsWith, run } from "../support/fake-cli.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

const place = () => {
  const file = openSettingsFile({ settings: join(tempFolder(), "settings.json") }, ["claude"]);
  const doors = doorsWith(null, { openSettings: async () => file });
  return { file, config: (...words: readonly string[]) => run(["config", ...words], doors) };
};

verifies(["config:list", "config:get-set"], "list, get, set, unset and path", async () => {
  const { file, config } = place();
  expect(await config("path")).toMatchObject({ code: 0, out: `${file.path}\n` });
  expect(await config("get", "port")).toMatchObject({ code: 0, out: "null\n" });
  expect(await config("set", "port", "47100")).toMatchObject({ code: 0, out: "port is 47100 now.\n" });
  expect((await config("list")).out).toMatch(
    /^KEY +VALUE +FROM +MEANING\n[\s\S]*^port +47100 +set +Port of the bridge/m,
  );
  expect((await config("list")).out).toMatch(/^mailbox\.notify +false +default /m);
  expect(JSON.parse((await config("list", "--json")).out)).toContainEqual(
    expect.objectContaining({ key: "port", value: 47_100, isSet: true }),
  );
  expect(await config("unset", "port")).toMatchObject({ code: 0, out: "port is back at its default, null.\n" });
});

verifies(["config:unknown-key", "config:checked"], "errors are plain, and exit 1", async () => {
  const { config } = place();
  expect(await config("get", "prot")).toMatchObject({
    code: 1,
    out: "",
    err: "quay: There is no setting 'prot'. quay config list shows all.\n",
  });
  expect(await config("set", "port", "0")).toMatchObject({
    code: 1,
    err: expect.stringContaining("port cannot be 0: "),
  });
});

verifies("config:person-only", "inside a terminal of Quay it only reads", async () => {
  const { file } = place();
  const doors = doorsWith(null, { openSettings: async () => file });
  const inside = { env: { QUAY_TERMINAL_ID: "term-1" } };
  for (const words of [
    ["set", "port", "47100"],
    ["unset", "port"],
  ])
    expect(await run(["config", ...words], doors, inside)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is for people"),
    });
  expect((await run(["config", "get", "port"], doors, inside)).code).toBe(0);
  expect(file.get("port").isSet).toBe(false);
});
