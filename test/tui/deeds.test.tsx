import { describe, expect, test } from "vitest";
import { agentView, START, snapshotOf, trailView } from "../support/fake-client.js";
import { atEachSize, flat, showMissionControl } from "../support/mission-control.js";
import { verifies } from "../support/verifies.js";

const waits = (name: string, text: string, since: number) =>
  agentView({ name, status: "waiting", prompt: { about: "permission", text, since } });
const gone = agentView({ name: "tester", status: "exited", exit: { at: START, why: "ended with status 1" } });
const busy = snapshotOf(
  [
    agentView({ name: "architect", status: "working" }),
    waits("late", "Allow Bash: 你好 make?", START - 1_000),
    waits("early", "Allow Edit: a.ts?", START - 60_000),
    gone,
  ],
  [
    trailView({
      id: "d2",
      to: "architect",
      toId: "term-architect",
      status: "Queued",
      text: "later",
      notes: ["held: a person is typing"],
    }),
    trailView({ id: "d1", status: "Completed", text: "question", response: "the answer 你好" }),
  ],
);

atEachSize((size) => {
  verifies(
    ["screen:waiting-first", "screen:jump-to-waiting"],
    "who waits is counted, listed first with the prompt, and opened by one key",
    async () => {
      const opened: (readonly string[])[] = [];
      const { terminal, client, press } = await showMissionControl(busy, size, {
        openTerminal: async (argv) => void opened.push(argv),
      });
      const text = await terminal.text();
      expect(text.split("\n")[0]).toContain(" 2 waiting on you ");
      expect(flat(text)).toContain("WAITS ON YOU (permission): Allow Bash: 你好 make?");
      expect(text.search(/waiting +late/)).toBeLessThan(text.search(/working +architect/));
      expect(text).toMatch(/waiting +late/);
      client.answer = () => ({ ok: true, argv: ["tmux", "attach"], unsetEnv: [] });
      await press("w");
      expect(client.commands).toEqual([{ kind: "attach", target: "term-early", insideTmux: null }]);
      expect(opened).toEqual([["tmux", "attach"]]);
      expect(await terminal.text()).toContain("2 waiting on you");
    },
  );

  verifies("screen:end-asks", "ending asks, n changes nothing, y ends", async () => {
    const { terminal, client, press } = await showMissionControl(busy, size);
    await press("\x1b[B", "\x1b[B", "x");
    expect(flat(await terminal.text())).toContain(
      "End architect (claude, working)? Its program is closed. y: yes, n: no",
    );
    await press("n");
    expect(client.commands).toEqual([]);
    expect(await terminal.text()).not.toContain("y: yes");
    client.answer = () => ({ ok: true, ended: ["architect"] });
    await press("x", "y");
    expect(client.commands).toEqual([{ kind: "kill", target: "term-architect" }]);
    expect(await terminal.text()).toContain("Ended architect.");
    await press("r");
    expect(flat(await terminal.text())).toContain("End it and start it again? y: yes");
    await press("\x1b");
  });

  verifies("screen:relaunch", "an exited agent is started again, or dropped", async () => {
    const { terminal, client, press } = await showMissionControl(busy, size);
    const seat = { name: "tester", kind: "claude", result: "started", id: "term-new", why: null };
    client.answer = ({ kind }) => (kind === "relaunch" ? { ok: true, seat } : { ok: true, forgotten: [gone.id] });
    await press("\x1b[F", "\r");
    expect(flat(await terminal.text())).toContain("tester has exited. r starts it again");
    await press("r");
    expect(await terminal.text()).toContain("Started tester again.");
    await press("f");
    expect(await terminal.text()).toContain("Dropped from the list.");
    expect(client.commands.map((one) => one.kind)).toEqual(["relaunch", "forget"]);
  });

  verifies(
    ["screen:cancel-queued", "screen:type-now"],
    "a held message says why, is typed on demand, and cancelled",
    async () => {
      const { terminal, client, press } = await showMissionControl(busy, size);
      await press("\t");
      expect(await terminal.text()).toContain("held: a person is typing");
      client.answer = ({ kind }) => (kind === "typeNow" ? { ok: true, held: "a person is typing" } : { ok: true });
      await press("n");
      expect(flat(await terminal.text())).toContain("the message is typed when it is free");
      await press("c");
      expect(await terminal.text()).toContain("Cancelled.");
      await press("\x1b[B", "c");
      expect(flat(await terminal.text())).toContain("Only a queued message can be cancelled; this one is Completed.");
      expect(client.commands).toEqual([
        { kind: "typeNow", delivery: "d2" },
        { kind: "cancel", delivery: "d2" },
      ]);
    },
  );
});

describe("copying", () => {
  verifies("screen:copy", "gives the response to tmux, or to the terminal itself", async () => {
    const copied: string[] = [];
    const inside = await showMissionControl(busy, [80, 24], { copyText: async (text) => void copied.push(text) });
    await inside.press("\t", "\x1b[B", "y");
    expect(copied).toEqual(["the answer 你好"]);
    expect(await inside.terminal.text()).toContain("The response is copied.");
    const outside = await showMissionControl(busy);
    await outside.press("\t", "y");
    expect(outside.terminal.written()).toContain(`\x1b]52;c;${Buffer.from("later").toString("base64")}\x07`);
    expect(await outside.terminal.text()).toContain("The message is copied.");
  });

  test("a clipboard that cannot be had is told of", async () => {
    const { terminal, press } = await showMissionControl(busy, [80, 24], {
      copyText: async () => {
        throw new Error("no current client");
      },
    });
    await press("\t", "y");
    expect(await terminal.text()).toContain("It could not be copied: no current client");
  });
});

describe("the header", () => {
  test("counts a shell as a shell, and names the tmux server", async () => {
    const { terminal } = await showMissionControl(
      snapshotOf([agentView({ name: "a" }), agentView({ name: "sh", kind: "shell", level: "not a peer" })]),
      [120, 24],
    );
    expect((await terminal.rows())[0]).toMatch(/ 1 agent {2}1 shell /);
  });
});
