import { describe, expect, test } from "vitest";
import type { KnownTurns, ServerEvent } from "../../../src/adapters/adapter.js";
import { interpretOpencode } from "../../../src/adapters/opencode-interpret.js";
import type { Observation } from "../../../src/bus/protocol.js";
import { opencodeServer, recordedEvents, UNKNOWN } from "../../support/opencode-server.js";
import { verifies } from "../../support/verifies.js";

const queued = recordedEvents("opencode-queued");
const dialogs = recordedEvents("opencode-dialogs");
const endings = recordedEvents("opencode-endings");

const play = (events: readonly ServerEvent[]): readonly Observation[] => opencodeServer().play(events);
const of = <K extends Observation["kind"]>(list: readonly Observation[], kind: K) =>
  list.filter((one): one is Extract<Observation, { readonly kind: K }> => one.kind === kind);
const line = (text: string): string => text.split("\n")[0]!.slice(0, 24);
/** Turns as a reader sees them: `> prompt`, `< answer`, `! failed: why`, `x`. */
const turnsOf = (list: readonly Observation[]): readonly string[] =>
  list.flatMap((one) => {
    if (one.kind === "turnStarted") return [`> ${line(one.prompt)}`];
    if (one.kind !== "turnStopped") return [];
    const { end } = one;
    return [
      end.kind === "answered" ? `< ${line(end.text)}` : end.kind === "failed" ? `! ${line(end.text)}` : `x ${end.kind}`,
    ];
  });
const idOf = (events: readonly ServerEvent[], prompt: string): string => {
  const parts = events.map(
    ({ properties }) => properties.part as { readonly text?: string; readonly messageID: string },
  );
  return parts.find((part) => part?.text?.startsWith(prompt))!.messageID;
};
const sessionOf = (events: readonly ServerEvent[]): string =>
  (events.find(({ type }) => type === "session.created")!.properties.info as { readonly id: string }).id;

/** Up to and with the first event that fits. */
const upTo = (events: readonly ServerEvent[], fits: (event: ServerEvent) => boolean): number =>
  events.findIndex(fits) + 1;
const isIdle = ({ type }: ServerEvent): boolean => type === "session.idle";

describe("turns as they were recorded", () => {
  verifies(
    ["peer:opencode-server-read", "opencode:answer-is-the-reply-to-it"],
    "each prompt has the answer that names it, also one that came during the turn before",
    () => {
      const seen = play(queued);
      expect(turnsOf(seen)).toEqual([
        "> hello there",
        "> line1",
        "< ECHO(11): hello there",
        "> line1",
        "< TOOL-RESULT: hi",
        '> #call quay-a2a_echo {"te',
        '< TOOL-RESULT: mcp-echo:{"',
        "> ",
        "x interrupted",
      ]);
      // The prompt that came during a turn is told to it first, then moves on to a turn of its own.
      const [first, second] = [idOf(queued, "hello"), idOf(queued, "line1")];
      expect(
        of(seen, "turnStarted")
          .map(({ cliTurn }) => cliTurn)
          .slice(0, 3),
      ).toEqual([first, first, second]);
      const own = seen.findIndex((one) => one.kind === "turnStarted" && one.cliTurn === second);
      expect(seen[own - 1]).toEqual({ kind: "turnContinued", cliTurn: second });
      expect(of(seen, "turnStarted").map(({ automatic }) => automatic)).toEqual([false, false, false, false, true]);
    },
  );

  test("a paste is told whole", () => {
    expect(of(play(queued), "turnStarted")[1]?.prompt).toMatch(/^line1\nline2\nline3\nline4 #call bash/);
  });

  test("the session is the terminal's from its first prompt on", () => {
    expect(play(queued)[0]).toEqual({ kind: "ready", cliSession: sessionOf(queued), cleared: false });
  });

  verifies("opencode:subagents-end-nothing", "a subagent's session begins and ends none", () => {
    const seen = play(dialogs);
    expect(turnsOf(seen).filter((turn) => /sub answer/.test(turn))).toEqual([]);
    const at = turnsOf(seen).findIndex((turn) => turn.startsWith("> #call task"));
    expect(turnsOf(seen)[at + 1]).toMatch(/^< TOOL-RESULT: <task/);
    expect(of(seen, "toolStarted").map(({ name }) => name)).toEqual(["bash", "bash", "question", "task"]);
  });

  verifies("opencode:subagents-end-nothing", "nor does one whose beginning was not heard", () => {
    const at = dialogs.findIndex(
      ({ type, properties }) =>
        type === "session.created" && (properties.info as { readonly parentID?: string }).parentID !== undefined,
    );
    const server = opencodeServer();
    const before = server.play(dialogs.slice(0, at));
    server.miss(dialogs.slice(at, at + 1));
    const seen = [...before, ...server.play(dialogs.slice(at + 1))];
    expect(turnsOf(seen)).toEqual(turnsOf(play(dialogs)));
    expect(of(seen, "ready")).toEqual(of(play(dialogs), "ready"));
  });

  verifies("opencode:new-session", "a prompt in a new session clears the old one", () => {
    const [first, second, ...more] = of(play(dialogs), "ready");
    expect([first?.cleared, second?.cleared, more]).toEqual([false, true, []]);
    expect(turnsOf(play(dialogs)).slice(-2)).toEqual(["> second session", "< ECHO(14): second session"]);
  });

  verifies("opencode:waiting", "approvals and questions stand until they are answered", () => {
    const seen = play(dialogs).filter(({ kind }) => kind === "promptRaised" || kind === "promptClosed");
    const raised = (about: "permission" | "question", text: string): Observation => ({
      kind: "promptRaised",
      prompt: { about, text, source: "hook" },
    });
    const closed: Observation = { kind: "promptClosed", source: "hook" };
    expect(seen).toEqual([
      raised("permission", "approve bash: sudo touch x"),
      closed,
      raised("permission", "approve bash: sudo touch y"),
      closed,
      raised("question", "answer: Which?"),
      closed,
    ]);
  });

  test("of two approvals the second stands when the first is answered", () => {
    const ask = (id: string, command: string): ServerEvent => ({
      type: "permission.asked",
      properties: { id, sessionID: "ses_1", permission: "bash", metadata: { command } },
    });
    const answered = (requestID: string): ServerEvent => ({ type: "permission.replied", properties: { requestID } });
    const seen = play([ask("per_1", "a"), ask("per_2", "b"), ask("per_2", "b"), answered("per_1"), answered("per_2")]);
    expect(seen.map((one) => (one.kind === "promptRaised" ? one.prompt.text : one.kind))).toEqual([
      "approve bash: a",
      "approve bash: b",
      "promptClosed",
    ]);
  });

  verifies("opencode:endings", "a refused approval, an interrupt and a model error are what they are", () => {
    expect(turnsOf(play(dialogs))[5]).toBe("x interrupted");
    expect(turnsOf(play(endings))).toEqual([
      "> #http 400",
      "! fake 400",
      "> #slow 20",
      "x interrupted",
      "> #drop",
      "x interrupted",
      "> ",
      "! fake 400",
      "> after compact",
      "! fake 400",
    ]);
  });

  test("only a tool of Quay's that nobody was asked for counts as approved by it", () => {
    const ended = of(play([...queued, ...dialogs]), "toolEnded");
    expect(ended.filter(({ autoApproved }) => autoApproved)).toHaveLength(1);
    const at = queued.findIndex(({ properties }) => (properties.part as { tool?: string })?.tool === "quay-a2a_echo");
    const { callID } = queued[at]!.properties.part as { readonly callID: string };
    const ask = { type: "permission.asked", properties: { id: "per_1", permission: "x", tool: { callID } } };
    const seen = of(play([...queued.slice(0, at), ask, ...queued.slice(at)]), "toolEnded");
    expect(seen.filter(({ autoApproved }) => autoApproved)).toEqual([]);
  });

  test("each event twice changes nothing", () => {
    const twice = (events: readonly ServerEvent[]) => events.flatMap((event) => [event, event]);
    for (const events of [queued, dialogs, endings]) expect(play(twice(events))).toEqual(play(events));
  });
});

describe("after a gap", () => {
  const idle = upTo(queued, isIdle);
  const session = sessionOf(queued);
  const [first, second] = [idOf(queued, "hello"), idOf(queued, "line1")];
  const known = (turns: KnownTurns["turns"], since = 0): KnownTurns => ({ cliSession: session, turns, since });

  verifies(
    "opencode:gap-made-good",
    "the open turn gets its own answer, and the prompt that came meanwhile one of its own",
    () => {
      const server = opencodeServer();
      server.miss(queued.slice(0, idle));
      const seen = server.resync(known([{ id: first, end: "open" }]));
      expect(turnsOf(seen)).toEqual(["< ECHO(11): hello there", "> line1", "< TOOL-RESULT: hi"]);
      expect(of(seen, "registryStatus")).toMatchObject([{ state: "idle" }]);
      expect(seen[0]).toEqual({ kind: "ready", cliSession: session, cleared: false });
      // What comes then goes on from there.
      expect(turnsOf(server.play(queued.slice(idle)))).toEqual(turnsOf(play(queued)).slice(5));
    },
  );

  verifies("opencode:gap-made-good", "a turn that still runs goes on, and ends with its answer", () => {
    for (let cut = 6; cut < idle; cut += 1) {
      const server = opencodeServer();
      server.miss(queued.slice(0, cut));
      const seen = [...server.resync(known([{ id: first, end: "open" }])), ...server.play(queued.slice(cut, idle))];
      const ends = of(seen, "turnStopped").map(({ cliTurn, end }) => [cliTurn, end.kind === "answered" && end.text]);
      expect({ cut, ends }).toEqual({
        cut,
        ends: [
          [first, "ECHO(11): hello there"],
          [second, "TOOL-RESULT: hi\n"],
        ],
      });
      // The one that waits does not begin before the other has ended.
      const own = seen.findIndex((one) => one.kind === "turnStarted" && one.cliTurn === second);
      const end = seen.findIndex((one) => one.kind === "turnStopped" && one.cliTurn === first);
      expect({ cut, isAfter: own > end }).toEqual({ cut, isAfter: true });
    }
  });

  test("what is known to be over is not told again", () => {
    const server = opencodeServer();
    server.miss(queued);
    const third = idOf(queued, "#call quay-a2a_echo");
    expect(turnsOf(server.resync(known([{ id: third, end: "answered" }])))).toEqual([]);
    expect(turnsOf(server.resync(known([{ id: third, end: "lost" }])))).toEqual(['< TOOL-RESULT: mcp-echo:{"']);
  });

  test("what the session was before this terminal is not this terminal's", () => {
    const server = opencodeServer();
    server.miss(queued);
    expect(turnsOf(server.resync(known([], Date.parse("2027-01-01"))))).toEqual([]);
    expect(turnsOf(server.resync(known([])))).toHaveLength(6);
  });

  verifies("opencode:waiting", "an approval that is open is seen", () => {
    const cut = upTo(dialogs, ({ type }) => type === "permission.asked");
    const server = opencodeServer();
    server.miss(dialogs.slice(0, cut));
    const seen = server.resync({ ...UNKNOWN, cliSession: sessionOf(dialogs) });
    expect(seen.at(-1)).toMatchObject({ kind: "promptRaised", prompt: { text: "approve bash: sudo touch x" } });
    expect(of(seen, "registryStatus")).toMatchObject([{ state: "busy" }]);
    expect(of(server.play(dialogs.slice(cut, cut + 1)), "promptClosed")).toHaveLength(1);
  });

  test("without a session the server alone is heard", () => {
    expect(opencodeServer().resync(UNKNOWN)).toEqual([
      { kind: "reporterHeard" },
      { kind: "registryStatus", state: "idle", text: "", lastEnd: { kind: "lost" } },
      { kind: "promptClosed", source: "hook" },
    ]);
  });
});

test("foreign and broken signals mean nothing", () => {
  for (const properties of [{}, { info: 1, part: null }, { sessionID: 5, status: [] }, { info: { role: "user" } }]) {
    const types = [...new Set([...queued, ...dialogs, ...endings].map(({ type }) => type))];
    expect(play(types.map((type) => ({ type, properties })))).toEqual([]);
  }
  expect(interpretOpencode({}, { kind: "gap" }).observations).toEqual([]);
  expect(interpretOpencode({}, { kind: "serverLost" }).observations).toEqual([{ kind: "reporterLost" }]);
});
