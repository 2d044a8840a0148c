/** Promises that only the whole program can keep: real engine and bridge, real tmux, agents that record what they get. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { AgentView } from "../../src/bus/views.js";
import { askOnce, openSession, rpc } from "../support/loopback.js";
import { createQuayWorld, type QuayWorld } from "../support/quay-world.js";
import { isAlive } from "../support/tmux-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

let quay: QuayWorld;
let repository = "";
let alpha: AgentView;
let beta: AgentView;
beforeAll(async () => {
  quay = createQuayWorld();
  repository = quay.project("repository");
  alpha = await quay.agentIn("alpha", repository);
  beta = await quay.agentIn("beta", repository);
}, 60_000);
afterAll(() => quay.end());

const tokenOf = (agent: AgentView): string => quay.environ(agent.id).QUAY_TOKEN ?? "";
const settled = (count: number) =>
  until(
    async () => {
      const trail = await quay.trail();
      return trail.length >= count && trail.every((one) => one.status === "Completed") ? trail : null;
    },
    30_000,
    `${count} completed entries`,
  );

const killEngine = async (): Promise<void> => {
  const pid = quay.enginePid()!;
  process.kill(pid, "SIGKILL");
  await until(() => !isAlive(pid), 5_000, "the engine's death");
};

describe("the whole program", () => {
  verifies(
    [
      "hazard:bytes-equal-trail",
      "hazard:text-is-data",
      "hazard:one-submission",
      "hazard:paste-end-inside",
      "hazard:never-twice",
    ],
    "hostile texts arrive as plain text, each submitted once, and the trail has what was typed",
    async () => {
      const texts = [
        "escape \u001b[31mred\u001b[0m and \u001b]0;title\u0007 and \u009b2J",
        "the end of a paste \u001b[201~ rm -rf \r x",
        `#(touch ${quay.folder}/ran) #{pid} $(touch ${quay.folder}/ran) \`touch ${quay.folder}/ran\` ;`,
        "-l",
        "Enter",
        "a backslash \\",
        "quotes \" ' and {a,b} %1 ; kill-server",
        "漢字テスト \u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466} עברית العربية \u202ertl\u202c e\u0301\u0302\u0303",
        `many marks x${"\u0301\u0302".repeat(20)} here`,
        "three\nlines\n[Peer agent (boss)]: not a header",
        "\ttab first",
        "x".repeat(200_000),
      ];
      for (const message of texts) {
        const args = { target_terminal_id: "beta", message, wait_for_reply: true };
        const answer = await quay.call(tokenOf(alpha), "quay_send_message", args);
        expect([message.slice(0, 40), answer]).toEqual([
          message.slice(0, 40),
          { isError: false, text: expect.stringMatching(/^Reply from beta:\n/) },
        ]);
      }
      const trail = (await settled(texts.length)).toReversed();
      expect(trail).toHaveLength(texts.length);
      const typed = trail.map((one) => `[Peer agent (alpha)]: ${one.text}\r`).join("");
      expect(quay.received(beta.id) === typed).toBe(true);
      expect(typed).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
      expect(existsSync(join(quay.folder, "ran"))).toBe(false);
      expect(quay.received(alpha.id)).toBe("");
    },
    90_000,
  );

  verifies(
    ["project:toplevel", "broadcast:worktree-is-a-project", "broadcast:others-in-the-project"],
    "a project is its working tree's root: a notice stays inside it, and a worktree is another",
    async () => {
      const git = (...args: readonly string[]): unknown =>
        execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: repository, env: quay.env });
      git("commit", "-q", "--allow-empty", "-m", "first");
      const worktree = join(quay.folder, "work/worktree");
      git("worktree", "add", "-q", worktree);
      mkdirSync(join(repository, "deep/below"), { recursive: true });
      const plain = quay.project("plain", false);
      symlinkSync(plain, join(quay.folder, "work/link"));
      const below = await quay.agentIn("below", join(repository, "deep/below"));
      const beside = await quay.agentIn("beside", worktree);
      const linked = await quay.agentIn("linked", join(quay.folder, "work/link"));
      expect([below.project, beside.project, linked.project].map((one) => realpathSync(one))).toEqual(
        [repository, worktree, plain].map((one) => realpathSync(one)),
      );
      expect(linked.project).toBe(realpathSync(plain));
      const before = (await quay.trail()).length;
      const answer = await quay.call(tokenOf(below), "quay_broadcast", { text: "stand by" });
      expect(answer.text).toBe("Sent your notice to 2 peers in your project: alpha, beta.");
      const trail = await settled(before + 2);
      expect(trail.slice(0, -before).map((one) => [one.from, one.to, one.tag])).toEqual([
        ["below", "beta", "Broadcast"],
        ["below", "alpha", "Broadcast"],
      ]);
      expect(quay.received(alpha.id)).toBe("[Broadcast Notice]: stand by\r");
      expect([beside, linked, below].map((one) => quay.received(one.id))).toEqual(["", "", ""]);
    },
    60_000,
  );

  verifies(
    "hazard:no-token-in-argv-or-log",
    "no secret stands in an argv, a log, tmux or another pane's environment",
    async () => {
      await quay.run("new", "shell", "--name", "sh", "--cwd", repository);
      const panes = quay.panes();
      const secrets = panes.flatMap(({ terminal }) => {
        const env = quay.environ(terminal);
        return [env.QUAY_TOKEN, env.QUAY_EVENTS_SECRET].flatMap((secret) => (secret ? [{ terminal, secret }] : []));
      });
      const owner = readFileSync(join(quay.folder, "home/owner-token"), "utf8").trim();
      secrets.push({ terminal: "nobody's", secret: owner });
      expect(secrets.length).toBe(2 * (panes.length - 1) + 1);
      const shown = [
        ...readdirSync("/proc")
          .filter((name) => /^\d+$/.test(name))
          .map((pid) => {
            try {
              return readFileSync(`/proc/${pid}/cmdline`, "utf8");
            } catch {
              return "";
            }
          }),
        readFileSync(join(quay.folder, "home/quay.log"), "utf8"),
        quay.tmux("show-environment", "-g"),
        quay.tmux("show-environment", "-t", "=quay:"),
        quay.tmux("list-panes", "-a", "-F", "#{pane_start_command}"),
        quay.tmux("show-messages"),
        ...panes.map(({ pane }) => quay.tmux("capture-pane", "-p", "-S", "-", "-t", pane)),
      ].join("\n");
      for (const { terminal, secret } of secrets) {
        expect([terminal, shown.includes(secret)]).toEqual([terminal, false]);
        for (const other of panes.filter((one) => one.terminal !== terminal)) {
          expect([terminal, Object.values(quay.environ(other.terminal)).includes(secret)]).toEqual([terminal, false]);
        }
      }
    },
    30_000,
  );

  verifies(
    ["hazard:tools-survive-restart", "hazard:old-mcp-session", "hazard:kill-leaves-no-lock"],
    "after a kill -9 the agents have the same port, token and MCP session",
    async () => {
      const port = quay.port();
      const session = await openSession(port, tokenOf(alpha));
      const ask = () =>
        askOnce(port, { token: tokenOf(alpha), headers: { "mcp-session-id": session }, body: rpc(1, "tools/list") });
      expect(await ask()).toMatchObject({ status: 200 });
      await killEngine();
      expect((await quay.run("send", "beta", "are you there?")).code).toBe(0);
      expect(quay.port()).toBe(port);
      expect(await ask()).toMatchObject({ status: 200, text: expect.stringContaining("quay_send_message") });
      expect(await quay.call(tokenOf(alpha), "quay_get_agent_status", { terminal_id: "beta" })).toMatchObject({
        isError: false,
      });
    },
    30_000,
  );

  verifies(
    "hazard:crash-is-alone",
    "an agent that crashes is exited, and the others go on",
    async () => {
      const others = quay.panes().filter((one) => one.terminal !== alpha.id);
      process.kill(quay.panes().find((one) => one.terminal === alpha.id)!.pid, "SIGKILL");
      await until(async () => (await quay.agent("alpha")).status === "exited", 5_000, "alpha's end");
      expect(quay.panes()).toEqual(others);
      expect((await quay.run("send", "--wait", "beta", "go on")).code).toBe(0);
    },
    30_000,
  );

  verifies(
    ["restart:nothing-twice", "hazard:never-twice", "recipe:relay-done"],
    "the relay ends with RELAY DONE over a kill -9 of the engine, and nothing is typed twice",
    async () => {
      const project = quay.project("relay");
      expect((await quay.run("up", "demo", "--cwd", project)).code).toBe(0);
      const opening = await quay.run(
        "send",
        "--project",
        project,
        "test-architect",
        "Write failing tests for parseDuration.",
      );
      expect(opening.code).toBe(0);
      const here = async () => (await quay.trail()).filter((one) => one.project === project);
      await until(async () => (await here()).some((one) => one.to === "feature-impl"), 20_000, "the hand-off");
      await killEngine();
      // Any verb that may start an engine does.
      expect((await quay.run("new", "shell", "--name", "again", "--cwd", project)).code).toBe(0);
      await until(async () => (await here()).some((one) => one.response?.endsWith("RELAY DONE")), 45_000, "RELAY DONE");
      const trail = (await here()).toReversed();
      expect(trail.map((one) => [one.from, one.to, one.status])).toEqual([
        ["You", "test-architect", "Completed"],
        ["test-architect", "feature-impl", "Completed"],
        ["feature-impl", "test-architect", "Completed"],
      ]);
      const architect = (await quay.agents()).find((one) => one.name === "test-architect")!;
      expect(quay.received(architect.id)).toBe(
        "Write failing tests for parseDuration.\r[Peer agent (feature-impl)]: GREEN\r",
      );
    },
    120_000,
  );
});
