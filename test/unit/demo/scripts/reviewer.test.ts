import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPrompt } from "../../../../src/demo/prompt.js";
import { diffNote, namedFile, reviewer } from "../../../../src/demo/scripts/reviewer.js";
import { recordedStage, temporaryProject } from "../../../support/demo-stage.js";

let project: Awaited<ReturnType<typeof temporaryProject>>;
beforeEach(async () => {
  project = await temporaryProject();
});
afterEach(() => project.remove());

const ask = (text: string) =>
  reviewer.play(readPrompt(`[Peer agent (lead)]: ${text}`), recordedStage(project.cwd).stage);

describe("the reviewer", () => {
  it("counts a named file and says that it did no more", async () => {
    await writeFile(join(project.cwd, "a.mjs"), "// TODO one\nlet b = 1; \nend\n");
    expect(await ask("Please review `a.mjs`.")).toBe(
      "I am a scripted demo: I counted, I did not judge. a.mjs: 3 lines, the longest 11 characters; 1 with TODO or FIXME, 1 with trailing blanks.",
    );
    expect(await ask("review b.mjs")).toContain("There is no file b.mjs");
  });

  it("reads nothing outside of its folder", async () => {
    await symlink("/etc/hostname", join(project.cwd, "link.txt"));
    for (const file of ["link.txt", "/etc/hostname.txt", "../../etc/hostname.txt"]) {
      const answer = await ask(`review ${file}`).catch((error: Error) => error.message);
      expect(answer).toMatch(/outside of this agent's folder|There is no file/);
    }
    await expect(ask("review link.txt")).rejects.toThrow("outside of this agent's folder");
  });

  it("counts the diff of the working tree", async () => {
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...words], { cwd: project.cwd });
    git("init", "-q");
    await writeFile(join(project.cwd, "a.txt"), "one\ntwo\n");
    git("add", "a.txt");
    git("commit", "-qm", "one");
    expect(await ask("look at git diff")).toContain("git diff HEAD is empty");
    await writeFile(join(project.cwd, "a.txt"), "one\n2\n3\n");
    expect(await ask("look at git diff")).toContain("1 files, 2 lines added, 1 removed");
  });

  it.each([
    ["see src/a.ts, please", "src/a.ts"],
    ["(`x.md`)", "x.md"],
    ["--output=/tmp/x.sh", null],
    ["no file here", null],
  ])("finds the file of %j", (body, file) => {
    expect(namedFile(body)).toBe(file);
  });

  it("reads binary files of a diff as no lines", () => {
    expect(diffNote("-\t-\ta.png\n1\t2\tb.txt\n")).toContain("2 files, 1 lines added, 2 removed");
  });
});
