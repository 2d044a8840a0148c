/** Bad input on the whole program: a clear error, nothing typed, nothing lost. Real engine, bridge, tmux and agents. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { AgentView } from "../../src/bus/views.js";
import { API } from "../../src/engine/api-contract.js";
import { askOnce, callOf, openSession, rpc } from "../support/loopback.js";
import { createQuayWorld, type QuayWorld } from "../support/quay-world.js";
import { repositoryRoot } from "../support/source-files.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

/** A bad file is not offered; those of the package are. */
const shippedPresets = (): readonly string[] =>
  readdirSync(join(repositoryRoot, "presets"))
    .map((file) => file.replace(/\.json$/, ""))
    .sort();

let quay: QuayWorld;
let alpha: AgentView;
let beta: AgentView;
let gamma: AgentView;
let shell: AgentView;
let tokens: { readonly alpha: string; readonly beta: string; readonly gamma: string };
let eventSecret = "";

beforeAll(async () => {
  quay = createQuayWorld();
  const project = quay.project("project");
  alpha = await quay.agentIn("alpha", project);
  beta = await quay.agentIn("beta", project);
  gamma = await quay.agentIn("gamma", project);
  await quay.agentIn("agent-10", project);
  await quay.agentIn("agent-1", project);
  await quay.run("new", "shell", "--name", "sh", "--cwd", project);
  shell = await quay.agent("sh");
  const tokenOf = (agent: AgentView): string => quay.environ(agent.id).QUAY_TOKEN ?? "";
  tokens = { alpha: tokenOf(alpha), beta: tokenOf(beta), gamma: tokenOf(gamma) };
  eventSecret = quay.environ(alpha.id).QUAY_EVENTS_SECRET ?? "";
  for (const name of ["gamma", "agent-1"]) expect((await quay.run("kill", name)).code).toBe(0);
  await until(async () => (await quay.agent("agent-1")).status === "exited", 5_000, "the end of agent-1");
  await quay.run("send", "beta", "a first message");
  await until(async () => (await quay.trail())[0]?.status === "Completed", 10_000, "the first answer");
  await until(async () => (await quay.agent("beta")).status === "idle", 5_000, "beta being idle");
}, 90_000);
afterAll(() => quay.end());

const BIG = "x".repeat(257 * 1024);

type Case = { readonly target: string; readonly message: string; readonly says: RegExp };
const cases = (): readonly Case[] => {
  const bad = (target: string, says: RegExp, message = "hello"): Case => ({ target, message, says });
  const nobody = /No agent has the terminal ID or session name '.*'\. Pass one exactly as .+ lists it\. Live peers:\n/;
  return [
    bad("nobody", nobody),
    bad("BETA", nobody),
    bad("bet", nobody),
    bad(" beta", nobody),
    bad("demo", nobody),
    bad("", nobody),
    bad("*", nobody),
    bad(beta.id.slice(0, -1), nobody),
    bad(beta.id.toUpperCase(), nobody),
    bad(
      "gamma",
      /The only terminal named 'gamma' has exited, so no agent is running to read the message\. Live peers:/,
    ),
    bad("agent-1", /The only terminal named 'agent-1' has exited/),
    bad(gamma.id, new RegExp(`Terminal ${gamma.id} \\('gamma'\\) has exited, so no agent is running`)),
    bad("sh", /'sh' is a shell terminal, not a peer: it would run the message instead of reading it\./),
    bad(shell.id, /'sh' is a shell terminal, not a peer/),
    bad("beta", /The message is empty\. Say what the peer should do\./, ""),
    bad("beta", /The message is empty\./, " \n\t "),
    bad("beta", /The message is 263168 bytes of UTF-8; the limit is 262144\. Write it to a file/, BIG),
  ];
};

/** Runs it and sees that it touched nothing. */
const leavesAll = async (work: () => Promise<void>): Promise<void> => {
  const before = await quay.standing();
  await work();
  expect(await quay.standing()).toEqual(before);
};

describe("bad input", () => {
  verifies(
    [
      "target:refused-leaves-no-trace",
      "target:nothing-else",
      "target:name-only-exited",
      "target:id-of-exited-refuses-message",
      "target:unknown-lists-live-peers",
      "hazard:targets-are-ids",
      "deliver:self-refused",
      "deliver:exited-refused",
      "non-peer:refuses-everyone",
      "body:limit",
      "body:empty-refused",
      "wording:refusals-are-tool-errors",
    ],
    "of an agent: each is a tool error that says what to do, and leaves all as it was",
    () =>
      leavesAll(async () => {
        const self = /'alpha' is your own terminal; a message to yourself is refused\./;
        const own = [
          { target: "alpha", message: "hello", says: self },
          { target: alpha.id, message: "hello", says: self },
        ];
        for (const wait of [true, false]) {
          for (const { target, message, says } of [...cases(), ...own]) {
            const args = { target_terminal_id: target, message, wait_for_reply: wait };
            const answer = await quay.call(tokens.alpha, "quay_send_message", args);
            expect([target, answer]).toEqual([target, { isError: true, text: expect.stringMatching(says) }]);
            expect(answer.text).not.toContain("quay ls");
          }
        }
        const send = async (args: Readonly<Record<string, unknown>>) =>
          quay.call(tokens.alpha, "quay_send_message", args);
        expect(await send({ target_terminal_id: "beta" })).toMatchObject({ isError: true });
        expect(await send({ target_terminal_id: "beta", message: 7 })).toMatchObject({ isError: true });
        expect(await send({ target_terminal_id: ["beta"], message: "x" })).toMatchObject({ isError: true });
        for (const [text, says] of [
          ["", /The text is empty\./],
          [BIG, /The text is 263168 bytes of UTF-8; the limit is 262144\./],
        ] as const) {
          const answer = await quay.call(tokens.alpha, "quay_broadcast", { text });
          expect(answer).toEqual({ isError: true, text: expect.stringMatching(says) });
        }
        for (const target of ["nobody", "BETA", "gamma", beta.id.slice(1)]) {
          const answer = await quay.call(tokens.alpha, "quay_get_agent_status", { terminal_id: target });
          expect([target, answer.isError]).toEqual([target, true]);
        }
      }),
    60_000,
  );

  verifies(
    ["target:refused-leaves-no-trace", "target:same-for-send-and-status"],
    "of a person: exit 1, the same sentence in a person's words, and all stays as it was",
    () =>
      leavesAll(async () => {
        const tried = cases().filter((one) => one.message !== BIG);
        const ran = await Promise.all(tried.map(({ target, message }) => quay.run("send", "--", target, message)));
        expect(ran).toEqual(tried.map(({ says }) => ({ code: 1, out: "", err: expect.stringMatching(says) })));
        for (const { err } of ran) expect(err).not.toContain("quay_list_agents");
        expect(await quay.run("status", "BETA")).toMatchObject({ code: 1, err: expect.stringContaining("'BETA'") });
        expect(await quay.run("send", "beta", "/exit")).toMatchObject({
          code: 1,
          err: expect.stringContaining("--raw"),
        });
        for (const name of ["a:b", "a[1]", "", " ", "#(touch x)", "a/b", "x".repeat(65), "beta"]) {
          expect([name, (await quay.run("new", "shell", "--name", name, "--cwd", alpha.cwd)).code]).toEqual([name, 1]);
        }
      }),
    60_000,
  );

  verifies(
    [
      "tools:token-required",
      "tools:live-terminal-only",
      "hazard:token-works-alone",
      "hazard:host-and-origin-first",
      "hazard:sender-from-token",
    ],
    "at the door: a wrong, foreign or dead token, a foreign Host or Origin; nothing passes, all stays as it was",
    () =>
      leavesAll(async () => {
        const port = quay.port();
        const send = callOf(1, "quay_send_message", {
          target_terminal_id: "beta",
          message: "forged",
          wait_for_reply: false,
        });
        const session = await openSession(port, tokens.alpha);
        const ask = (token: string | undefined, headers: Readonly<Record<string, string>> = {}, body: unknown = send) =>
          askOnce(port, { ...(token === undefined ? {} : { token }), headers, body });
        const within = { "mcp-session-id": session };
        for (const token of [undefined, "nobody", `${tokens.alpha}x`, tokens.gamma, eventSecret]) {
          expect(await ask(token, within)).toMatchObject({ status: 401, text: expect.stringMatching(/token/i) });
          expect(await ask(token, {}, rpc(1, "initialize"))).toMatchObject({ status: 401 });
        }
        const another = await ask(tokens.beta, within);
        expect(another).toMatchObject({ status: 404, text: expect.stringContaining("Session not found") });
        for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1:1"]) {
          expect(await ask(tokens.alpha, { ...within, host })).toMatchObject({
            status: 403,
            text: expect.stringContaining(`The Host header must be 127.0.0.1:${port}`),
          });
        }
        for (const origin of ["http://evil.example", "null", `https://127.0.0.1:${port}`]) {
          expect(await ask(tokens.alpha, { ...within, origin })).toMatchObject({
            status: 403,
            text: expect.stringContaining("Origin"),
          });
        }
        for (const command of [{ kind: "stop" }, { kind: "kill", target: "beta" }, { kind: "send", as: "beta" }]) {
          const heard = await askOnce(port, { path: API.command, token: tokens.alpha, body: command });
          expect([command.kind, heard.status >= 400]).toEqual([command.kind, true]);
        }
        const forged = {
          kind: "send",
          caller: { kind: "terminal", id: beta.id },
          target: "alpha",
          text: "forged",
          wait: false,
          raw: false,
        };
        // Whoever it says it is: the token says who it is, and alpha may not write to itself.
        const heard = await askOnce(port, { path: API.command, token: tokens.alpha, body: forged });
        expect(JSON.parse(heard.text)).toMatchObject({ outcome: { kind: "refused", refusal: { kind: "self" } } });
      }),
    60_000,
  );

  verifies(
    ["preset:schema", "preset:bad-file-skipped"],
    "in presets: each fault is named, nothing is started, and the good ones can be used",
    async () => {
      const folder = join(quay.folder, "home/presets");
      const seat = { name: "one", kind: "shell" };
      const files: Readonly<Record<string, readonly [unknown, RegExp]>> = {
        "unknown-key": [{ name: "unknown-key", description: "", seats: [seat], colour: "red" }, /unknown key "colour"/],
        "unknown-seat-key": [{ name: "unknown-seat-key", description: "", seats: [{ ...seat, role: "x" }] }, /"role"/],
        "bad-json": ['{"name": "bad-json",', /JSON/],
        "twin-seats": [{ name: "twin-seats", description: "", seats: [seat, seat] }, /two seats are called "one"/],
        "unknown-kind": [
          { name: "unknown-kind", description: "", seats: [{ ...seat, kind: "parrot" }] },
          /"parrot" is no run kind; known are /,
        ],
        "no-seats": [{ name: "no-seats", description: "", seats: [] }, /at least one seat/],
        "hostile-name": [
          { name: "hostile-name", description: "", seats: [{ ...seat, name: "#(touch x)" }] },
          /is no name/,
        ],
      };
      mkdirSync(folder, { recursive: true });
      await leavesAll(async () => {
        for (const [name, [preset]] of Object.entries(files)) {
          const text = typeof preset === "string" ? preset : JSON.stringify(preset);
          writeFileSync(join(folder, `${name}.json`), text);
        }
        for (const [name, [, says]] of Object.entries(files)) {
          const ran = await quay.run("up", name);
          expect([name, ran]).toEqual([name, { code: 1, out: "", err: expect.stringMatching(says) }]);
          expect(ran.err).toContain(`${name}.json`);
        }
        expect(await quay.run("up", "nothing")).toMatchObject({
          code: 1,
          err: expect.stringContaining(`There is no preset "nothing". Presets here: ${shippedPresets().join(", ")}.`),
        });
      });
      writeFileSync(join(folder, "good.json"), JSON.stringify({ name: "good", description: "", seats: [seat] }));
      expect(await quay.run("up", "good")).toMatchObject({
        code: 0,
        out: expect.stringContaining("one (shell): started"),
      });
    },
    60_000,
  );

  verifies(
    ["hazard:missing-cli-reported", "up:keeps-the-living"],
    "a program that is not there: each seat's result, no pane left behind, and a second up starts only what is missing",
    async () => {
      quay.settings({ adapters: { claude: { command: "/nonexistent/claude" } } });
      const before = quay.panes().length;
      const first = await quay.run("up", "tdd-swarm");
      expect(first.code).toBe(1);
      for (const name of ["test-architect", "feature-impl", "reviewer"]) {
        expect(first.out).toContain(
          `${name} (claude): failed: There is no program /nonexistent/claude that can be run.`,
        );
      }
      expect(first.out).toContain("test-runner (shell): started as ");
      const second = await quay.run("up", "tdd-swarm");
      expect(second.out).toContain("test-runner (shell): already running");
      expect(quay.panes()).toHaveLength(before + 1);
      expect((await quay.agents()).filter((agent) => agent.kind === "claude")).toEqual([]);
    },
    60_000,
  );

  verifies(
    ["hazard:bytes-equal-trail", "trail:every-message"],
    "after all that the bus still works, and what arrived is what the trail says",
    async () => {
      await quay.run("send", "agent-10", "still there?");
      const entry = await until(
        async () => {
          const [newest] = await quay.trail();
          return newest?.text === "still there?" && newest.status === "Completed" ? newest : null;
        },
        10_000,
        "the answer",
      );
      expect(entry.response).not.toBeNull();
      const typed = (await quay.trail()).toReversed().map((one) => [one.to, one.text]);
      expect(typed).toEqual([
        ["beta", "a first message"],
        ["agent-10", "still there?"],
      ]);
      const live = (await quay.agents()).filter((agent) => agent.kind === "demo" && agent.exit === null);
      expect(live.map((agent) => [agent.name, quay.received(agent.id)])).toEqual([
        ["alpha", ""],
        ["beta", "a first message\r"],
        ["agent-10", "still there?\r"],
      ]);
    },
    30_000,
  );
});
