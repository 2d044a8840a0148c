import { describe, expect, test } from "vitest";
import { type ApprovalArgument, parseRule, ruleCovers } from "../../../src/bus/approval-rule.js";
import { verifies } from "../../support/verifies.js";

const ruleOf = (text: string) => {
  const parsed = parseRule(text);
  if (parsed.kind === "fault") throw new Error(`${text}: ${parsed.why}`);
  return parsed.rule;
};
const CWD = "/home/me/shop";
const covers = (rule: string, tool: string, argument: ApprovalArgument | null, cwd = CWD): boolean =>
  ruleCovers(ruleOf(rule), { tool, argument }, cwd);
const runs = (rule: string, value: string): boolean => covers(`Bash(${rule})`, "Bash", { kind: "command", value });
const writes = (rule: string, value: string, cwd = CWD): boolean =>
  covers(`Write(${rule})`, "Write", { kind: "path", value }, cwd);
const fetches = (rule: string, value: string): boolean =>
  covers(`WebFetch(${rule})`, "WebFetch", { kind: "address", value });

describe("a command without a star", () => {
  test.each(["git status", "npm test && npm run lint", 'echo "$HOME" | wc -c', "ls (a)", "make -j2"])(
    "%s: itself",
    (it) => {
      expect(runs(it, it)).toBe(true);
    },
  );

  verifies("approve:commands", "a rule for a command covers that command and nothing that has it inside", () => {
    const hostile = [
      "git status; rm -rf /",
      "git status && rm -rf /",
      "git status || true",
      "git status | sh",
      "git status & rm x",
      "git status\nrm -rf /",
      "git status\r\nrm",
      "git status `rm x`",
      "git status $(rm x)",
      "git status > ~/.bashrc",
      "git status\u2028rm x",
      "git status\u0000",
      "git status\u200b",
      "git status ",
      " git status",
      "git  status",
      "git\tstatus",
      "GIT STATUS",
      "git statuses",
      "xgit status",
      "git statu",
      "gіt status",
      "'git status'",
      "",
    ];
    for (const value of hostile) expect([value, runs("git status", value)]).toEqual([value, false]);
  });
});

describe("a command with a star", () => {
  test.each([
    ["git log *", "git log --oneline -5 src/main.ts"],
    ["git log *", "git log "],
    ["npm run *", "npm run test:unit -- --watch=false"],
    ["git commit -m *", "git commit -m 'say it; and go | on'"],
    ["git commit -m *", 'git commit -m "plain words" --no-edit'],
    ["git commit -m *", "git commit -m 'größer'"],
    ["* --version", "node --version"],
    ["npm * --silent *", "npm run lint --silent x --silent y"],
    ["npm test && echo *", "npm test && echo done"],
  ])("%s covers %s", (rule, value) => {
    expect(runs(rule, value)).toBe(true);
  });

  verifies("approve:commands", "a star covers nothing that a shell obeys", () => {
    const signs = [
      ";",
      "&",
      "|",
      "<",
      ">",
      "`",
      "$",
      "(",
      ")",
      "{",
      "}",
      "[",
      "]",
      "?",
      "*",
      "!",
      "#",
      "~",
      "^",
      "\\",
      "\n",
      "\r",
      "\t",
    ];
    for (const sign of signs) {
      for (const value of [`git log a${sign}b`, `git log ${sign}`, `git log ${sign}${sign} rm x`, `git log "a${sign}`])
        expect([value, runs("git log *", value)]).toEqual([value, false]);
    }
  });

  verifies("approve:commands", "a star covers a quoted word only where its quotes end where they seem to", () => {
    const open = [
      `git log 'a`,
      `git log "a`,
      `git log 'a' ; rm 'b'`,
      `git log "$(rm x)"`,
      'git log "`rm x`"',
      `git log "a\\"; rm x; \\"b"`,
      `git log "!!"`,
      `git log 'a\nb'`,
      `git log $'a\\'; rm x; \\'b'`,
      `git log 'a'\\''b'; rm x`,
    ];
    for (const value of open) expect([value, runs("git log *", value)]).toEqual([value, false]);
    // Inside quotes of the rule itself a quote of the command would close them.
    expect(runs('echo "*"', 'echo "plain"')).toBe(true);
    expect(runs('echo "*"', 'echo "a" ; rm x ; echo "b"')).toBe(false);
    expect(runs("echo '*", "echo ' ' ; rm x ; ''")).toBe(false);
    expect(runs("echo \\*", "echo \\'; rm x'")).toBe(false);
  });

  test("stars do not make a hostile argument slow", () => {
    const rule = `${"*a".repeat(60)}*b`;
    const before = performance.now();
    expect(runs(rule, "a".repeat(4_096))).toBe(false);
    expect(runs("*", "a".repeat(4_097))).toBe(false);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe("a path", () => {
  test.each([
    ["/home/me/shop/a.txt", "/home/me/shop/a.txt"],
    ["src/*", `${CWD}/src/main.ts`],
    ["./src/*", `${CWD}/src/main.ts`],
    ["src/**", `${CWD}/src/deep/down/main.ts`],
    ["**", `${CWD}/a`],
    ["**/*.test.ts", `${CWD}/test/unit/a.test.ts`],
    [".github/*", `${CWD}/.github/ci.yml`],
  ])("%s covers %s", (rule, value) => {
    expect(writes(rule, value)).toBe(true);
  });

  verifies("approve:paths", "a path pattern stays in its folder, and no star covers a hidden or unclean path", () => {
    const hostile: readonly (readonly [string, string])[] = [
      ["src/*", `${CWD}/src/deep/main.ts`],
      ["src/**", `${CWD}/src/../.ssh/id`],
      ["src/**", `${CWD}/src/..`],
      ["src/**", `${CWD}/src/./a`],
      ["src/**", `${CWD}/src//a`],
      ["src/**", `${CWD}/src/`],
      ["src/**", "src/main.ts"],
      ["src/**", "/home/me/shopping/src/a"],
      ["src/**", "/home/me/shop/srcx/a"],
      ["**", `${CWD}/.git/hooks/pre-commit`],
      ["**", `${CWD}/a/.env`],
      ["*", `${CWD}/.env`],
      ["**", "/etc/passwd"],
      ["src/**", `${CWD}/src/a\nb`],
      ["*", `/home/me/other/a`],
    ];
    for (const [rule, value] of hostile) expect([rule, value, writes(rule, value)]).toEqual([rule, value, false]);
  });

  test("stars in the name of the terminal's folder are letters", () => {
    expect(writes("*", "/home/x/a", "/home/*")).toBe(false);
    expect(writes("*", "/home/*/a", "/home/*")).toBe(true);
    expect(writes("tmp/*", "/tmp/a", "/")).toBe(true);
  });
});

verifies("approve:paths", "an address pattern does not leave its host by a star", () => {
  expect(fetches("https://docs.example.org/**", "https://docs.example.org/a/b?c#d")).toBe(true);
  expect(fetches("https://*.example.org/**", "https://docs.example.org/a")).toBe(true);
  for (const value of [
    "https://evil.example/docs.example.org/",
    "https://evil.example/.example.org/",
    "https://a@evil.example/.example.org/",
    "https://evil.example?.example.org/",
    "https://evil.example#.example.org/",
    "https://evil.example\\.example.org/",
    "http://docs.example.org/a",
    "https://docs.example.org/a b",
  ])
    expect([value, fetches("https://*.example.org/**", value)]).toEqual([value, false]);
});

describe("tools", () => {
  verifies("approve:tools", "a rule covers its own tool by its exact name, with the argument it speaks of", () => {
    expect(covers("mcp__github__get_issue", "mcp__github__get_issue", null)).toBe(true);
    for (const tool of ["mcp__github__get_issues", "MCP__github__get_issue", "mcp__github__get_issue ", "get_issue"])
      expect(covers("mcp__github__get_issue", tool, null)).toBe(false);
    expect(covers("mcp__github__*", "mcp__github__get_issue", null)).toBe(true);
    for (const tool of ["mcp__github__", "mcp__github", "mcp__github2__x", "mcp__github__a__b", "mcp__github__a b"])
      expect([tool, covers("mcp__github__*", tool, null)]).toEqual([tool, false]);
    // A pattern that has nothing to be held against covers nothing; nor does a name alone cover an argument.
    expect(covers("Bash(*)", "Bash", null)).toBe(false);
    expect(covers("WebSearch", "WebSearch", { kind: "text", value: "x" })).toBe(false);
    expect(covers("WebSearch(tmux *)", "WebSearch", { kind: "text", value: "tmux paste?" })).toBe(true);
    expect(covers("Bash(git status)", "bash", { kind: "command", value: "git status" })).toBe(false);
    expect(
      ruleCovers(
        { text: "", tool: "AskUserQuestion", pattern: null },
        { tool: "AskUserQuestion", argument: null },
        CWD,
      ),
    ).toBe(false);
  });

  test.each([
    ["", "write TOOL"],
    ["*", "write TOOL"],
    ["mcp__*", "write TOOL"],
    ["Ba*(ls)", "write TOOL"],
    ["Bash", "alone would approve all of it"],
    ["Write", "alone would approve all of it"],
    ["Bash()", "its pattern is empty"],
    ["Bash( )", "its pattern is empty"],
    ["Bash(ls", "closing parenthesis"],
    ["Bash(ls) ", "closing parenthesis"],
    ["Read(~/x)", "knows no ~"],
    ["Read(../x)", "no .."],
    ["Read(a/../x)", "no .."],
    ["Bash(a\nb)", "line break"],
    ["Bash(a\u200bb)", "nobody sees"],
    ["AskUserQuestion", "asks the person"],
    ["ExitPlanMode", "asks the person"],
    ["mcp__a__*(x)", "take no pattern"],
    [`Bash(${"x".repeat(600)})`, "longer than"],
  ])("the rule %j is a mistake", (text, words) => {
    const parsed = parseRule(text);
    expect(parsed.kind === "fault" ? parsed.why : "no fault").toContain(words);
  });
});
