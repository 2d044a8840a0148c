import { expect, test } from "vitest";
import { trailChanges } from "../../../src/cli/trail-changes.js";
import { trailView } from "../../support/fake-cli.js";

const entry = (id: string, given = {}) => trailView({ id, ...given });
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

test("first the newest few, oldest of them first; then only what changed", () => {
  const changes = trailChanges(2);
  expect(ids(changes([entry("3"), entry("2"), entry("1")]))).toEqual(["2", "3"]);
  expect(changes([entry("3"), entry("2"), entry("1")])).toEqual([]);
  expect(changes([entry("3", { timer: { kind: "counting", since: 5 } }), entry("2")])).toEqual([]);
  const done = entry("2", { status: "Completed", response: "Yes." });
  expect(ids(changes([entry("4"), entry("3"), done, entry("1")]))).toEqual(["2", "4"]);
  expect(ids(changes([entry("4", { notes: ["No reply within 60s"] }), entry("3"), done]))).toEqual(["4"]);
});
