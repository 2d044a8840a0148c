import { describe, expect, test } from "vitest";
import { cliPage } from "../../src/cli/docs-page.js";
import { doorsWith, run } from "../support/fake-cli.js";

const VERBS = [
  "serve",
  "up",
  "new",
  "ls",
  "status",
  "explain",
  "send",
  "broadcast",
  "trail",
  "attach",
  "kill",
  "relaunch",
  "forget",
  "stop",
  "down",
  "presets",
  "demo",
];
const nobody = doorsWith(null);

describe("help", () => {
  test.each(VERBS)("quay %s --help explains the verb, its flags, and shows examples", async (verb) => {
    const { code, out, err } = await run([verb, "--help"], nobody);
    expect(code).toBe(0);
    expect(err).toBe("");
    expect(out).toContain(`Usage: quay ${verb}`);
    expect(out).toMatch(/Examples:\n {2}\$ .*quay/);
    expect(out).toContain("--home <dir>");
  });

  test("quay --help lists every verb and the exit codes", async () => {
    const { code, out } = await run(["--help"], nobody);
    expect(code).toBe(0);
    for (const verb of VERBS) expect(out).toMatch(new RegExp(`^  ${verb} `, "m"));
    expect(out).toContain("3    no engine can be reached");
  });

  test("quay --version prints the version alone", async () => {
    expect(await run(["--version"], nobody)).toMatchObject({ code: 0, out: "1.2.3\n", err: "" });
  });

  test("every verb that prints records takes --json", async () => {
    for (const verb of VERBS.filter((name) => name !== "demo")) {
      expect((await run([verb, "--help"], nobody)).out, verb).toContain("--json");
    }
  });
});

describe("wrong usage exits 2 and says what is wrong", () => {
  test.each([
    [["serv"], "There is no verb 'serv'. Did you mean 'serve'?"],
    [["trial"], "There is no verb 'trial'. Did you mean 'trail'?"],
    [["xyzzy"], "There is no verb 'xyzzy'. See quay --help."],
    [["ls", "--jsn"], "unknown option '--jsn'"],
    [["ls", "extra"], "too many arguments"],
    [["up"], "missing required argument 'preset'"],
    [["new", "claude"], "required option '--name <name>' not specified"],
    [["new", "--name", "a"], "missing required argument 'kind'"],
    [["send", "reviewer"], "missing required argument 'message'"],
    [["status"], "missing required argument 'target'"],
    [["kill"], "missing required argument 'target'"],
    [["trail", "--limit", "0"], "whole number from 1 to 10000"],
    [["trail", "--limit", "x"], "whole number from 1 to 10000"],
    [["--socket", "../x", "ls"], "not a path"],
    [["--home", "", "ls"], "name a folder"],
    [["down"], "Name a preset or an agent, or pass --all"],
    [["down", "x", "--all"], "not both"],
    [["send", "reviewer", "-"], "stdin is a terminal"],
  ] as const)("quay %s", async (args, message) => {
    const { code, out, err } = await run(args, nobody, { inputIsTerminal: true });
    expect(err).toContain(message);
    expect(err).toMatch(/^quay: /);
    expect(code).toBe(2);
    expect(out).toBe("");
  });
});

describe("the flags page", () => {
  test("holds the help of every verb, the exit codes and the variables", () => {
    const page = cliPage();
    for (const verb of VERBS) expect(page).toContain(`## quay ${verb}\n\n\`\`\`text\nUsage: quay ${verb}`);
    for (const word of ["Exit codes:", "QUAY_HOME", "QUAY_TERMINAL_ID", "Examples:"]) expect(page).toContain(word);
    expect(page).not.toMatch(/[ \t]$/m);
  });
});
