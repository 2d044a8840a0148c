import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completionScript, SHELLS } from "../../src/cli/completion-scripts.js";
import { buildProgram, verbsBelow } from "../../src/cli/program.js";
import { openSettingsFile } from "../../src/store/settings-file.js";
import { agentView, doorsWith, fakeEngine, run, snapshotOf } from "../support/fake-cli.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

const preset = {
  name: "tdd-swarm",
  description: "Tests first",
  origin: "built in",
  path: "/p",
  seats: [],
  error: null,
} as const;
const agents = [
  agentView(),
  agentView({ id: "term-b2", name: "back end; rm" }),
  agentView({ id: "term-c3", name: "reviewer" }),
];
const doors = doorsWith(fakeEngine(snapshotOf({ agents })), {
  readPresets: async () => [preset, { ...preset, name: "broken", error: "no" }],
  openSettings: async () => openSettingsFile({ settings: join(tempFolder(), "settings.json") }, ["claude", "shell"]),
});
/** Candidates at the end of this line. */
const at = async (...words: readonly string[]): Promise<readonly string[]> => {
  const { code, out } = await run(["complete", "--", ...words], doors);
  expect(code).toBe(0);
  return out.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0]!]));
};

const program = buildProgram({ version: "", columns: 80, write: () => {}, writeError: () => {}, act: async () => {} });

describe("the words of a line", () => {
  verifies("completion:verb-table", "every verb, below its own, and every flag of each", async () => {
    const shown = verbsBelow(program).filter((verb) => verb.name() !== "complete");
    expect(shown.length).toBeGreaterThan(30);
    for (const verb of shown) {
      const path: string[] = [];
      for (let one = verb; one.parent !== null; one = one.parent) path.unshift(one.name());
      expect([path, await at(...path.slice(0, -1), "")]).toEqual([path, expect.arrayContaining([verb.name()])]);
      const flags = verb.options.flatMap(({ long }) => (long == null ? [] : [long]));
      expect(await at(...path, "--")).toEqual(expect.arrayContaining([...flags, "--help", "--home"]));
    }
    expect(await at("")).not.toContain("complete");
  });

  verifies("completion:names", "names where a name is meant", async () => {
    expect(await at("attach", "")).toEqual(["reviewer", "back end; rm"]);
    expect(await at("send", "--as", "")).toEqual(["reviewer", "back end; rm"]);
    expect(await at("up", "")).toEqual(["tdd-swarm"]);
    expect(await at("down", "")).toEqual(["tdd-swarm", "reviewer", "back end; rm"]);
    expect(await at("new", "")).toEqual(["claude", "shell"]);
    expect(await at("config", "get", "")).toContain("adapters.shell.command");
    expect(await at("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await at("trail", "export", "--format", "")).toEqual(["jsonl", "markdown", "mermaid"]);
    expect(await at("up", "tdd-swarm", "--cwd", "")).toEqual([":folders"]);
    expect(await at("help", "")).toContain("attach");
  });

  test("nothing where nothing is known: a text, a second target, what another program gets", async () => {
    expect(await at("send", "reviewer", "")).toEqual([]);
    expect(await at("attach", "reviewer", "")).toEqual([]);
    expect(await at("new", "claude", "--", "--")).toEqual([]);
    expect(await at("trail", "--limit", "")).toEqual([]);
    expect(await at("nonsense", "")).toEqual([]);
  });

  test("a fault of the store or a file is no candidate and no error", async () => {
    const broken = doorsWith(null, { readStore: async () => Promise.reject(new Error("damaged")) });
    expect(await run(["complete", "--", "attach", ""], broken)).toMatchObject({ code: 0, out: "", err: "" });
  });
});

describe("in a shell", () => {
  test.each(SHELLS)("the script for %s asks for each word and names itself", (shell) => {
    expect(completionScript(shell)).toContain("quay complete -- ");
    expect(completionScript(shell)).toContain(`Completion of quay for ${shell}`);
  });

  /** What bash completes, with a `quay` on the PATH that answers these lines. */
  const inBash = (answer: string, words: readonly string[]): readonly string[] => {
    const folder = tempFolder();
    mkdirSync(join(folder, "one folder"));
    writeFileSync(join(folder, "answer"), answer);
    writeFileSync(join(folder, "quay"), `#!/bin/sh\nprintf '%s\\n' "$@" >${folder}/asked\ncat ${folder}/answer\n`, {
      mode: 0o755,
    });
    const line = words.map((word) => `'${word}'`).join(" ");
    const script = `${completionScript("bash")}
compopt() { :; }
COMP_WORDS=(quay ${line}); COMP_CWORD=${words.length}
_quay
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync("bash", ["--norc", "-c", script], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: `${folder}:${process.env.PATH}` },
    });
    const asked = execFileSync("cat", [join(folder, "asked")], { encoding: "utf8" });
    expect(asked).toBe(["complete", "--", ...words, ""].join("\n"));
    return out.trimEnd().split("\n");
  };

  verifies("completion:quoted", "bash gets each name as one quoted word, that runs nothing", () => {
    const names = ["plain", "back end", "a;b", "$HOME", "`id`", "a&b|c", "*", "#x"];
    const replies = inBash(names.map((name) => `${name}\tabout it\n`).join(""), ["attach", ""]);
    expect(replies).toHaveLength(names.length);
    const read = execFileSync("bash", ["--norc", "-c", `printf '%s\\n' ${replies.join(" ")}`], { encoding: "utf8" });
    expect(read.trimEnd().split("\n")).toEqual(names);
    expect(inBash("plain\tx\npeer\tx\nother\tx\n", ["attach", "p"])).toEqual(["plain", "peer"]);
    expect(inBash(":folders\n", ["up", "x", "--cwd", "o"])).toEqual(["one folder"]);
  });
});
