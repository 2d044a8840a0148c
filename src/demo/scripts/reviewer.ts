/**
 * Script of the reviewer: counts what can be counted in a named file of its folder, or in the diff of the working
 * tree, and says that it did no more than that. It takes a file name from a message, never a command.
 */
import { execFile } from "node:child_process";
import { QuayError } from "../../lib/errors.js";
import { readProjectFile } from "../project-files.js";
import { type Script, type Stage, unknownPrompt } from "../stage.js";

const UNDERSTANDS = 'I count lines of a file that a message names, or of "git diff"; I do not judge code.';
const HONEST = "I am a scripted demo: I counted, I did not judge.";

/** The first word that looks like a file name, without quotes and punctuation. */
export const namedFile = (body: string): string | null => {
  for (const word of body.split(/\s+/)) {
    const bare = word.replace(/^[`'"(<[]+|[`'")>\],;:.!?]+$/g, "");
    if (/^[\w@./-]+\.[A-Za-z0-9]{1,8}$/.test(bare) && !bare.startsWith("-")) return bare;
  }
  return null;
};

export const countedNote = (file: string, text: string): string => {
  const lines = text.replace(/\n$/, "").split("\n");
  const longest = Math.max(...lines.map((line) => [...line].length));
  const open = lines.filter((line) => /\b(?:TODO|FIXME)\b/.test(line)).length;
  const trailing = lines.filter((line) => /[ \t]$/.test(line)).length;
  return `${HONEST} ${file}: ${lines.length} lines, the longest ${longest} characters; ${open} with TODO or FIXME, ${trailing} with trailing blanks.`;
};

/** The working tree against HEAD, without any program that the repository's configuration names. */
const diffNumbers = (stage: Stage): Promise<string> =>
  new Promise((resolve, reject) => {
    const argv = [
      "-c",
      "core.fsmonitor=false",
      "--no-pager",
      "diff",
      "--no-ext-diff",
      "--no-textconv",
      "--numstat",
      "HEAD",
    ];
    const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LANG: "C.UTF-8", GIT_OPTIONAL_LOCKS: "0" };
    execFile(
      "git",
      argv,
      { cwd: stage.cwd, env, timeout: 10_000, maxBuffer: 1_000_000, signal: stage.signal },
      (error, out) => {
        if (error === null) resolve(out);
        else reject(new QuayError("demo.git", `git diff does not work in ${stage.cwd}.`, { cause: error }));
      },
    );
  });

export const diffNote = (numstat: string): string => {
  const rows = numstat.split("\n").flatMap((row) => {
    const [added, removed, file] = row.split("\t");
    return file === undefined ? [] : [{ added: Number(added) || 0, removed: Number(removed) || 0 }];
  });
  const sum = (pick: (row: { added: number; removed: number }) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  if (rows.length === 0) return `${HONEST} git diff HEAD is empty.`;
  return `${HONEST} git diff HEAD: ${rows.length} files, ${sum((row) => row.added)} lines added, ${sum((row) => row.removed)} removed.`;
};

export const reviewer: Script = {
  understands: UNDERSTANDS,
  play: async ({ from, body }, stage) => {
    if (from.kind === "notice") return "Noted.";
    await stage.pause();
    if (/\bgit diff\b/i.test(body))
      return diffNote(await stage.tool("Bash", "git diff HEAD --numstat", () => diffNumbers(stage)));
    const file = namedFile(body);
    if (file === null) return unknownPrompt("reviewer", UNDERSTANDS);
    const text = await stage.tool("Read", file, () => readProjectFile(stage.cwd, file));
    return text === null ? `There is no file ${file} in ${stage.cwd}.` : countedNote(file, text);
  },
};
