import { expect, test } from "vitest";
import type { Sink } from "../../../src/cli/cli.js";
import { refused, reportError } from "../../../src/cli/errors-to-exit.js";

test("control bytes of a foreign name are inert in an error, its lines stay", () => {
  let written = "";
  const sink: Sink = {
    write: (text) => {
      written += text;
    },
    isTerminal: true,
    columns: 80,
    closed: new AbortController().signal,
  };
  expect(reportError(refused("There is no agent 'a\u001b[31m'.\nLive peers:\n- b\u0007"), sink)).toBe(1);
  expect(written).not.toMatch(/[\u001b\u0007]/);
  expect(written.split("\n")).toHaveLength(4);
});
