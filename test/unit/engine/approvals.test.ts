import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Adapter } from "../../../src/adapters/adapter.js";
import { claudePermission } from "../../../src/adapters/claude-permission.js";
import { terminalId } from "../../../src/bus/ids.js";
import type { Input } from "../../../src/bus/protocol.js";
import { createApprovals } from "../../../src/engine/approvals.js";
import type { Engine } from "../../../src/engine/engine.js";
import type { Settings, SpooledEvent } from "../../../src/engine/ports.js";
import { tempFolder } from "../../support/temp-folder.js";
import { verifies } from "../../support/verifies.js";

const T = terminalId("term-1");
const FILE = "1000-7.event";

type Setup = {
  readonly approve?: readonly string[];
  readonly preset?: string | null;
  readonly settings?: () => Settings;
  readonly cwd?: string;
  readonly drain?: () => Promise<void>;
};

/** Approvals over a bus that only notes what it is told. */
const world = ({ approve, preset = "tdd-swarm", settings, cwd = "/work", drain }: Setup = {}) => {
  const given: Extract<Input, { kind: "permissionAnswered" }>[] = [];
  const notes: string[] = [];
  let drains = 0;
  let waiting: readonly SpooledEvent[] = [];
  const terminal = { id: T, kind: "claude", cwd, preset, ...(approve === undefined ? {} : { approve }) };
  const approvals = createApprovals({
    engine: {
      state: () => ({ terminals: new Map([[T, terminal]]), approvals: new Map(given.map((one) => [one.id, one])) }),
      submit: async (input: (typeof given)[number]) => void given.push(input),
    } as unknown as Engine,
    adapterFor: () => ({ permission: claudePermission }) as unknown as Adapter,
    settings: settings ?? (() => ({ adapters: {}, port: null, mailbox: { notify: false } })),
    drain:
      drain ??
      (async () => {
        drains += 1;
        const now = waiting;
        waiting = [];
        for (const event of now) await approvals.judge(event);
      }),
    note: (what) => void notes.push(what),
  });
  const event = (tool: string, input: unknown, file = FILE): SpooledEvent => ({
    file: `/spool/term-1/${file}`,
    terminal: T,
    secret: "s",
    pane: "%1",
    cliPid: 1,
    event: "PermissionRequest",
    payload: { tool_name: tool, tool_input: input },
    writtenAt: 0,
  });
  return {
    given,
    notes,
    drains: () => drains,
    judge: (tool: string, input: unknown, file?: string) => approvals.judge(event(tool, input, file)),
    leaves: (tool: string, input: unknown, file?: string): void => {
      waiting = [...waiting, event(tool, input, file)];
    },
    answer: (file = FILE, signal = new AbortController().signal) => approvals.answer(T, file, signal),
  };
};

const GIT = { command: "git status" };

describe("a request that a rule covers", () => {
  verifies(
    ["approve:on-trail", "approve:counted"],
    "is recorded with its rule, and then its hook is told yes",
    async () => {
      const { leaves, answer, given } = world({ approve: ["Bash(ls)", "Bash(git status)"] });
      leaves("Bash", GIT);
      expect(await answer()).toEqual(claudePermission.yes);
      expect(given).toEqual([
        {
          kind: "permissionAnswered",
          id: "ok-1000-7",
          terminal: T,
          what: "Bash: git status",
          dialog: "approve Bash: git status",
          rule: "Bash(git status)",
          source: "preset tdd-swarm",
        },
      ]);
    },
  );

  test("may be read before its hook asks", async () => {
    const { judge, answer, given } = world({ approve: ["Bash(git status)"], preset: null });
    await judge("Bash", GIT);
    expect(await answer()).toEqual(claudePermission.yes);
    expect(given[0]?.source).toBe("its launch");
  });

  test("may be covered by the settings, which are read anew each time", async () => {
    let rules: readonly string[] = [];
    const settings = (): Settings => ({
      adapters: { claude: { command: null, bridge: true, approve: rules } },
      port: null,
      mailbox: { notify: false },
    });
    const { leaves, answer, given } = world({ settings });
    leaves("Bash", GIT);
    expect(await answer()).toBeNull();
    rules = ["Bash(git *)"];
    leaves("Bash", GIT, "1001-7.event");
    expect(await answer("1001-7.event")).toEqual(claudePermission.yes);
    expect(given[0]?.source).toBe("the settings");
  });

  verifies("approve:only-own-cli", "is answered once, and by its own file's name alone", async () => {
    const { judge, answer, given } = world({ approve: ["Bash(git status)"] });
    await judge("Bash", GIT);
    expect(await answer("1000-8.event")).toBeNull();
    expect(await answer()).toEqual(claudePermission.yes);
    await judge("Bash", GIT);
    expect(await answer()).toBeNull();
    expect(given).toHaveLength(1);
  });
});

describe("no answer", () => {
  verifies("approve:no-rule-no-answer", "where there is no rule, and nothing is read for it", async () => {
    const { leaves, answer, drains, given } = world();
    leaves("Bash", GIT);
    expect(await answer()).toBeNull();
    expect([drains(), given]).toEqual([0, []]);
  });

  verifies("approve:no-rule-no-answer", "for what no rule covers", async () => {
    const { leaves, answer, given } = world({ approve: ["Bash(git status)"] });
    leaves("Bash", { command: "git status; rm -rf /" });
    expect(await answer()).toBeNull();
    expect(given).toEqual([]);
  });

  test("when the spool takes too long, and not later either", async () => {
    const { answer, judge, given } = world({ approve: ["Bash(git status)"], drain: () => new Promise(() => {}) });
    expect(await answer()).toBeNull();
    await judge("Bash", GIT);
    expect(given).toEqual([]);
  }, 8_000);

  test("when the hook is gone", async () => {
    const { judge, answer, given } = world({ approve: ["Bash(git status)"] });
    await judge("Bash", GIT);
    expect(await answer(FILE, AbortSignal.abort())).toBeNull();
    expect(given).toEqual([]);
  });

  test("when the settings or the spool cannot be read, and that is noted", async () => {
    const broken = world({
      settings: () => {
        throw new Error("bad file");
      },
    });
    await broken.judge("Bash", GIT);
    expect(await broken.answer()).toBeNull();
    expect(broken.notes).toEqual(["a permission request was not judged", "a permission request was not answered"]);
    const stuck = world({ approve: ["Bash(git status)"], drain: () => Promise.reject(new Error("no spool")) });
    expect(await stuck.answer()).toBeNull();
  });
});

verifies("approve:paths", "a link that leads out of a rule's folder is not covered", async () => {
  const root = realpathSync(tempFolder());
  const cwd = join(root, "shop");
  for (const folder of ["shop/src", "outside"]) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(join(root, "outside"), join(cwd, "src", "out"));
  symlinkSync(cwd, join(root, "link"));
  const asks = async (cwdSeen: string, file_path: string) => {
    const { leaves, answer } = world({ approve: ["Write(src/**)"], cwd: cwdSeen });
    leaves("Write", { file_path });
    return (await answer()) !== null;
  };
  expect(await asks(cwd, join(cwd, "src/new/a.ts"))).toBe(true);
  expect(await asks(cwd, join(cwd, "src/out/a.ts"))).toBe(false);
  expect(await asks(join(root, "link"), join(root, "link/src/a.ts"))).toBe(true);
  expect(await asks(join(root, "link"), join(root, "link/src/out/a.ts"))).toBe(false);
});
