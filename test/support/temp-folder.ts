/** Folders outside the repository that go away with the test that made them. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Called inside a test; its real path, without links. */
export const tempFolder = (name = "quay-test"): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
