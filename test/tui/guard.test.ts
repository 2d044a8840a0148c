import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { spawnGuard } from "../../src/tui/guard.js";
import { verifies } from "../support/verifies.js";

const LEAVE = "\x1b[m\x1b[?25h100%\\n\x1b[?1049l";

/** What the guard wrote to its terminal (a file here) after its pipe was ended with `word`. */
const writtenAfter = async (word: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "quay-guard-"));
  try {
    const file = join(folder, "terminal");
    const fd = openSync(file, "w+");
    const child = spawnGuard(fd, "sane", LEAVE);
    closeSync(fd);
    child.stdin?.end(word);
    await once(child, "exit");
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe("the terminal's guard", () => {
  verifies("hazard:terminal-sane", "restores the screen when its holder is gone without a word", async () => {
    expect(await writtenAfter("")).toBe(LEAVE);
  });
  verifies("hazard:terminal-sane", "does nothing when its holder has said that all is in order", async () => {
    expect(await writtenAfter("bye\n")).toBe("");
  });
});
