/** The shelf of presets on real folders: what a file may hold, which one wins, and that changes are seen. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runKinds } from "../../src/adapters/registry.js";
import type { PresetShelf } from "../../src/engine/ports.js";
import { createPresetShelf } from "../../src/store/presets.js";
import { repositoryRoot } from "../support/source-files.js";
import { tempFolder } from "../support/temp-folder.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const kinds = ["claude", "shell", "demo"];

type Place = { readonly root: string; readonly project: string; readonly shelf: PresetShelf };

const makePlace = (): Place => {
  const root = tempFolder();
  const project = join(root, "project");
  mkdirSync(project);
  const shelf = createPresetShelf({ builtIn: join(root, "built-in"), user: join(root, "user"), kinds });
  onTestFinished(() => shelf.close());
  return { root, project, shelf };
};

const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
};

const preset = (name: string, description = "") => ({ name, description, seats: [{ name: "one", kind: "claude" }] });

const errorOf = (content: unknown): string => {
  const { root, shelf } = makePlace();
  write(join(root, "user", "it.json"), content);
  const entry = shelf.list(null).find((view) => view.origin === "user");
  return entry?.error ?? "";
};

verifies("recipe:tdd-swarm-seats", "the package's TDD Swarm has the four seats of the recipe", () => {
  const { root } = makePlace();
  const shelf = createPresetShelf({
    builtIn: join(repositoryRoot, "presets"),
    user: join(root, "user"),
    kinds: runKinds,
  });
  onTestFinished(() => shelf.close());
  expect(shelf.list(null).map(({ name, error, origin }) => ({ name, error, origin }))).toEqual([
    { name: "demo", error: null, origin: "built in" },
    { name: "relay-three-clis", error: null, origin: "built in" },
    { name: "research-and-write", error: null, origin: "built in" },
    { name: "review-pair", error: null, origin: "built in" },
    { name: "tdd-swarm", error: null, origin: "built in" },
  ]);
  expect(shelf.seats("tdd-swarm", root).map(({ name, kind, prompt }) => ({ name, kind, prompt }))).toEqual([
    { name: "test-architect", kind: "claude", prompt: null },
    { name: "feature-impl", kind: "claude", prompt: null },
    { name: "test-runner", kind: "shell", prompt: null },
    { name: "reviewer", kind: "claude", prompt: null },
  ]);
  expect(shelf.seats("demo", root).map(({ name, kind, args }) => ({ name, kind, args }))).toEqual([
    { name: "test-architect", kind: "demo", args: ["--role", "test-architect"] },
    { name: "feature-impl", kind: "demo", args: ["--role", "feature-impl"] },
    { name: "test-runner", kind: "shell", args: [] },
    { name: "reviewer", kind: "demo", args: ["--role", "reviewer"] },
  ]);
});

verifies("preset:schema", "reads every field, with folders counted from where it is launched", () => {
  const { root, project, shelf } = makePlace();
  const seats = [
    {
      name: "a",
      kind: "claude",
      cwd: "sub/../api",
      args: ["-v"],
      env: { KEY: "v" },
      prompt: "Go.",
      worktree: false,
      approve: ["Bash(npm test)"],
    },
    { name: "b", kind: "shell", cwd: "/abs" },
    { name: "c", kind: "shell" },
  ];
  write(join(root, "user", "full.json"), { name: "full", description: "all", seats });
  expect(shelf.seats("full", project)).toEqual([
    {
      name: "a",
      kind: "claude",
      cwd: join(project, "api"),
      args: ["-v"],
      env: { KEY: "v" },
      prompt: "Go.",
      preset: "full",
      approve: ["Bash(npm test)"],
    },
    { name: "b", kind: "shell", cwd: "/abs", args: [], env: {}, prompt: null, preset: "full" },
    { name: "c", kind: "shell", cwd: project, args: [], env: {}, prompt: null, preset: "full" },
  ]);
});

verifies(["preset:schema", "name:rule"], "says what is wrong with a file, by place and name", () => {
  const seat = { name: "a", kind: "claude" };
  expect(errorOf({ ...preset("p"), colour: 1 })).toContain('unknown key "colour"');
  expect(errorOf({ ...preset("p"), seats: [{ ...seat, promt: "x" }] })).toContain('unknown key "promt" in seats[0]');
  expect(errorOf({ ...preset("p"), seats: [{ ...seat, kind: "cluade" }] })).toContain(
    'seats[0].kind: "cluade" is no run kind; known are claude, shell, demo',
  );
  expect(errorOf({ ...preset("p"), seats: [seat, seat] })).toContain('seats[1].name: two seats are called "a"');
  expect(errorOf({ ...preset("p"), seats: [] })).toContain("at least one seat");
  expect(errorOf({ ...preset("p"), seats: [{ ...seat, env: { "A B": "x" } }] })).toContain("seats[0].env");
  expect(errorOf({ ...preset("p"), seats: [{ ...seat, args: ["a\u0000b"] }] })).toContain("seats[0].args[0]");
  expect(errorOf({ name: "p", seats: [seat] })).toContain("description");
  expect(errorOf("{")).toContain("not valid JSON");
  expect(errorOf("[]")).toContain("it.json");
  expect(errorOf(" ".repeat(1024 * 1024 + 1))).toContain("the limit is 1048576");
  for (const bad of ["", "x".repeat(65), "a\nb", "it's", 'a"b', "a[b", "a]b", "a(b", "a)b", "a:b", "a@b", "a/b"]) {
    expect(errorOf({ ...preset("p"), seats: [{ ...seat, name: bad }] })).toContain("seats[0].name");
    expect(errorOf({ ...preset(bad) })).toContain("1 to 64 characters");
  }
  expect(errorOf({ ...preset("x".repeat(64)), seats: [{ ...seat, name: "Tester 2 é漢" }] })).toBe("");
});

verifies("preset:three-places", "the project's wins over the user's, and that over the package's", () => {
  const { root, project, shelf } = makePlace();
  write(join(root, "built-in", "a.json"), preset("same", "built in"));
  write(join(root, "built-in", "b.json"), preset("only-built-in"));
  write(join(root, "user", "x.json"), preset("same", "user"));
  write(join(project, ".quay", "presets", "y.json"), preset("same", "project"));
  expect(shelf.list(null).map((view) => [view.name, view.description, view.origin])).toEqual([
    ["same", "user", "user"],
    ["only-built-in", "", "built in"],
  ]);
  expect(shelf.list(project).map((view) => [view.name, view.description])).toEqual([
    ["same", "project"],
    ["only-built-in", ""],
  ]);
});

verifies(
  "preset:three-places",
  "a folder inside the working tree finds its project's presets, one outside does not",
  () => {
    const { root, project, shelf } = makePlace();
    mkdirSync(join(project, ".git"));
    mkdirSync(join(project, "src", "deep"), { recursive: true });
    write(join(project, ".quay", "presets", "p.json"), preset("mine"));
    expect(shelf.seats("mine", join(project, "src", "deep"))).toHaveLength(1);
    const inner = join(project, "vendored");
    mkdirSync(join(inner, ".git"), { recursive: true });
    expect(() => shelf.seats("mine", inner)).toThrow(expect.objectContaining({ code: "preset-unknown" }));
    expect(() => shelf.seats("mine", root)).toThrow(expect.objectContaining({ code: "preset-unknown" }));
  },
);

verifies("preset:bad-file-skipped", "a bad file is listed with its error and hides none of the others", () => {
  const { root, project, shelf } = makePlace();
  write(join(root, "user", "bad.json"), "{");
  write(join(root, "user", "good.json"), preset("good"));
  write(join(root, "user", "notes.txt"), "no preset");
  mkdirSync(join(root, "user", "folder.json"));
  spawnSync("mkfifo", [join(root, "user", "pipe.json")]);
  const views = shelf.list(project);
  expect(views.map((view) => [view.name, view.error === null])).toEqual([
    ["bad", false],
    ["folder", false],
    ["good", true],
    ["pipe", false],
  ]);
  expect(shelf.seats("good", project)).toHaveLength(1);
  expect(() => shelf.seats("bad", project)).toThrow(expect.objectContaining({ code: "preset-invalid" }));
  expect(() => shelf.seats("bad", project)).toThrow(join(root, "user", "bad.json"));
});

verifies(
  "preset:bad-file-skipped",
  "a bad file of a later place is reported, not passed over for an earlier one",
  () => {
    const { root, project, shelf } = makePlace();
    write(join(root, "built-in", "a.json"), preset("same"));
    write(join(root, "user", "b.json"), { ...preset("same"), typo: 1 });
    expect(() => shelf.seats("same", project)).toThrow('unknown key "typo"');
  },
);

test("of two files of one name in a folder the second is an error", () => {
  const { root, project, shelf } = makePlace();
  write(join(root, "user", "a.json"), preset("same", "first"));
  write(join(root, "user", "b.json"), preset("same", "second"));
  expect(shelf.list(null).map((view) => [view.description, view.error])).toEqual([
    ["first", null],
    ["", expect.stringContaining('a.json is called "same" too')],
  ]);
  expect(shelf.seats("same", project)).toHaveLength(1);
});

test("an unknown name lists those that are there", () => {
  const { root, project, shelf } = makePlace();
  write(join(root, "user", "a.json"), preset("alpha"));
  expect(() => shelf.seats("alpa", project)).toThrow('There is no preset "alpa". Presets here: alpha.');
});

test("a seat that asks for what is not built yet is refused by name", () => {
  const { root, project, shelf } = makePlace();
  const seat = { name: "a", kind: "claude" };
  write(join(root, "user", "w.json"), { ...preset("w"), seats: [{ ...seat, worktree: true }] });
  expect(shelf.list(null).every((view) => view.error === null)).toBe(true);
  expect(() => shelf.seats("w", project)).toThrow(/Seat "a".*worktree.*not supported yet/);
});

verifies("approve:rules-checked", "a rule that is none is an error of its preset, by place and text", () => {
  const withRule = (rule: unknown) => ({
    ...preset("p"),
    seats: [{ name: "a", kind: "claude", approve: ["Bash(ls)", rule] }],
  });
  expect(errorOf(withRule("Bash"))).toContain('seats[0].approve[1]: "Bash" is no approval rule: Bash alone');
  expect(errorOf(withRule("rm -rf"))).toContain('"rm -rf" is no approval rule: write TOOL or TOOL(PATTERN)');
  expect(errorOf(withRule(7))).toContain("seats[0].approve[1]");
});

verifies("preset:watched", "files that come, change and go are told of, also in folders made later", async () => {
  const { root, project, shelf } = makePlace();
  let changes = 0;
  shelf.on(() => {
    changes += 1;
  });
  shelf.watchProject(project);
  // The watch starts in the background, so that one act may be too early for it: it is repeated, seldom.
  const seen = async (act: () => void): Promise<void> => {
    const before = changes;
    let asked = 0;
    await until(
      () => {
        if (asked % 50 === 0) act();
        asked += 1;
        return changes > before;
      },
      15_000,
      "a change to be told",
    );
  };
  const user = join(root, "user", "a.json");
  const own = join(project, ".quay", "presets", "p.json");
  let round = 0;
  const rewrite = (path: string) => () => {
    round += 1;
    write(path, preset("a", `round ${round}`));
  };
  await seen(rewrite(user));
  await seen(rewrite(user));
  await seen(rewrite(own));
  expect(shelf.list(project).map((view) => view.origin)).toEqual(["project"]);
  await seen(rewrite(own));
  await seen(() => rmSync(own, { force: true }));
  expect(shelf.list(project).map((view) => view.origin)).toEqual(["user"]);
});

/** The inodes that this process watches, as Linux tells. */
const watchedInodes = (): ReadonlySet<number> => {
  const texts = readdirSync("/proc/self/fdinfo").map((fd) => {
    try {
      return readFileSync(join("/proc/self/fdinfo", fd), "utf8");
    } catch {
      return "";
    }
  });
  return new Set(
    [...texts.join("\n").matchAll(/^inotify wd:\S+ ino:([0-9a-f]+)/gm)].map(([, ino]) => Number.parseInt(ino!, 16)),
  );
};

test.runIf(existsSync("/proc/self/fdinfo"))(
  "the folder around the user's presets is not watched: the store may lie there, and changes with each message",
  async () => {
    const { root } = makePlace();
    const { ino } = statSync(join(root, "user"));
    await until(() => watchedInodes().has(ino), 5_000, "a watch on the user's presets");
    expect(watchedInodes().has(statSync(root).ino)).toBe(false);
  },
);
