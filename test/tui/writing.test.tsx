import { describe, expect, test } from "vitest";
import { agentView, START, snapshotOf, trailView } from "../support/fake-client.js";
import { showMissionControl } from "../support/mission-control.js";
import { verifies } from "../support/verifies.js";

const pair = snapshotOf([
  agentView({ name: "architect" }),
  agentView({ name: "reviewer", level: "listener", status: "unknown" }),
  agentView({ name: "elsewhere", project: "/work/other" }),
]);

const asked = <T,>(): { readonly answer: Promise<T>; readonly settle: (value: T) => void } => {
  let settle: (value: T) => void = () => {};
  const answer = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { answer, settle };
};

describe("a message as You", () => {
  verifies("mission-control:send-as-you", "is dispatched to the chosen agent, and the trail shows it", async () => {
    const { terminal, client, press, change } = await showMissionControl(pair);
    const open = asked<unknown>();
    client.answer = () => open.answer;
    await press("m", "\t", "Please look", "\x1b\r", "at \u4f60\u597d");
    expect(await terminal.text()).toContain(" Message  to reviewer [Listener], as You\n> Please look\n  at 你好");
    expect(terminal.isCursorShown()).toBe(true);
    await press("\r");
    expect(client.commands).toEqual([
      {
        kind: "send",
        caller: { kind: "person", as: null, project: "/work/shop" },
        target: "term-reviewer",
        text: "Please look\nat 你好",
        wait: true,
        raw: false,
      },
    ]);
    expect(await terminal.text()).toContain("Waiting for reviewer's reply…");
    expect(terminal.isCursorShown()).toBe(false);
    // The screen is not blocked meanwhile.
    await change({
      ...pair,
      trail: [trailView({ id: "d1", from: "You", to: "reviewer", text: "Please look\nat 你好" })],
    });
    expect(await terminal.text()).toContain("You → reviewer  Please look↵at 你好");
    await press("?");
    expect(await terminal.text()).toContain("Show this list");
    await press("?", "q".repeat(0), "\x1b[B");
    open.settle({ ok: true, delivery: "d1", outcome: { kind: "reply", to: "reviewer", text: "fine" } });
    await press("\x1b[A");
    expect(await terminal.text()).toContain("reviewer replied. The trail has the answer.");
    expect(await terminal.text()).not.toContain("Waiting for");
  });

  for (const sign of ["/", "!", "#", "@"]) {
    verifies(
      "person:command-sign-refused",
      `a leading ${sign} shows the engine's sentence, and the text is kept`,
      async () => {
        const { terminal, client, press } = await showMissionControl(pair);
        client.answer = () => ({
          ok: true,
          delivery: "",
          outcome: { kind: "refused", refusal: { kind: "leadingCommandSign", sign } },
        });
        await press("m", `${sign}clear`, "\r");
        const text = await terminal.text();
        expect(text.replace(/\s+/g, " ")).toContain(
          `The message starts with '${sign}', which the agent's CLI takes as a command.`,
        );
        expect(text).toContain(`> ${sign}clear`);
      },
    );
  }

  test("a plain failure is shown, and so is an engine that throws", async () => {
    const { terminal, client, press } = await showMissionControl(pair);
    client.answer = () => ({ ok: false, code: "stopped", message: "The engine is stopping; try again." });
    await press("m", "a", "\r");
    expect(await terminal.text()).toContain("The engine is stopping; try again.");
    client.answer = () => Promise.reject(new Error("socket hang up"));
    await press("\r");
    expect(await terminal.text()).toContain("socket hang up");
  });

  test("a paste in brackets keeps its line breaks, and its escape sequences are inert", async () => {
    const { terminal, client, press } = await showMissionControl(pair);
    client.answer = () => ({ ok: true, delivery: "d", outcome: { kind: "dispatched", to: "architect" } });
    await press("m", "\x1b[200~one\r\ntwo\x1b[2Jthree\r\x1b[201~");
    expect(client.commands).toEqual([]);
    expect(await terminal.text()).toContain("> one\n  two␛[2Jthree");
    await press("\r");
    expect(client.commands).toMatchObject([{ text: "one\ntwo\x1b[2Jthree\n" }]);
  });

  test("a long text scrolls in its box, with the cursor in view", async () => {
    const { terminal, press } = await showMissionControl(pair, [40, 20]);
    await press("m", `\x1b[200~${Array.from({ length: 30 }, (_, row) => `row ${row}`).join("\n")}\x1b[201~`);
    const text = await terminal.text();
    expect(text).toContain("row 29");
    expect(text).not.toContain("row 1\n");
    const { row, column } = await terminal.cursor();
    expect((await terminal.rows())[row]?.slice(0, column)).toBe("  row 29");
  });

  test("leaving ends our wait, not the message", async () => {
    const { client, press, screen } = await showMissionControl(pair);
    client.answer = () => new Promise(() => {});
    await press("m", "a", "\r", "q");
    expect(await screen.done).toBe("quit");
    expect(client.signals[0]?.aborted).toBe(true);
  });
});

describe("a notice as You", () => {
  verifies(
    ["mission-control:broadcast-as-you", "broadcast:toast"],
    "goes to the active project, and its toast is shown",
    async () => {
      const { terminal, client, timing, press } = await showMissionControl(pair);
      client.answer = () => ({
        ok: true,
        outcome: { kind: "broadcast", reached: ["architect", "reviewer"], holding: [], failed: [] },
      });
      await press("b", "freeze");
      expect(await terminal.text()).toContain(" Broadcast  to 2 running peers in shop, as You\n> freeze");
      await press("\r");
      expect(client.commands).toEqual([
        { kind: "broadcast", caller: { kind: "person", as: null, project: "/work/shop" }, text: "freeze" },
      ]);
      expect(await terminal.text()).toContain("Notice sent to 2 peers: architect, reviewer.");
      client.emit({ kind: "toast", toast: { at: START, text: "Swarm Broadcast from You" } });
      await timing.advance(200);
      expect(await terminal.text()).toContain("Swarm Broadcast from You");
      await timing.advance(7000);
      expect(await terminal.text()).not.toContain("Swarm Broadcast from You");
    },
  );

  test("the project is that of the chosen agent", async () => {
    const { client, press, terminal } = await showMissionControl(pair);
    client.answer = () => ({ ok: true, outcome: { kind: "broadcast", reached: [], holding: [], failed: [] } });
    await press("\x1b[F", "b", "x", "\r");
    expect(client.commands).toMatchObject([{ caller: { project: "/work/other" } }]);
    expect(await terminal.text()).toContain("nobody got the notice");
  });
});

describe("an agent's terminal", () => {
  const attach = { ok: true, argv: ["tmux", "-L", "quay", "attach", "-t", "=quay:@3"], unsetEnv: ["TMUX"] };

  test("gets the person's terminal, and gives it back", async () => {
    const open = asked<void>();
    const opened: unknown[] = [];
    const { terminal, client, press, timing, change } = await showMissionControl(pair, [80, 24], {
      insideTmux: "/tmp/tmux-0/default",
      openTerminal: (argv, unsetEnv) => {
        opened.push([argv, unsetEnv]);
        return open.answer;
      },
    });
    client.answer = () => attach;
    await press("\r");
    expect(client.commands).toEqual([{ kind: "attach", target: "term-architect", insideTmux: "/tmp/tmux-0/default" }]);
    expect(opened).toEqual([[attach.argv, attach.unsetEnv]]);
    expect(await terminal.isAlternate()).toBe(false);
    expect(terminal.isRaw()).toBe(false);
    expect(terminal.isCursorShown()).toBe(true);
    terminal.takeBytes();
    await change({ ...pair, trail: [trailView({ id: "d1", text: "while away" })] });
    expect(terminal.takeBytes()).toBe(0);
    open.settle();
    await timing.advance(200);
    expect(await terminal.isAlternate()).toBe(true);
    expect(terminal.isRaw()).toBe(true);
    expect(await terminal.text()).toContain("while away");
  });

  test("that cannot be opened says why", async () => {
    const { terminal, client, press } = await showMissionControl(pair, [80, 24], {
      openTerminal: () => Promise.reject(new Error("tmux is not there")),
    });
    client.answer = () => attach;
    await press("o");
    expect(await terminal.text()).toContain("architect could not be opened: tmux is not there");
    expect(await terminal.isAlternate()).toBe(true);
    client.answer = () => ({ ok: false, code: "x", message: "It has exited." });
    await press("o");
    expect(await terminal.text()).toContain("architect could not be opened: It has exited.");
  });

  test("without a way to open it the command is shown", async () => {
    const { terminal, client, press } = await showMissionControl(pair);
    client.answer = () => attach;
    await press("o");
    expect(await terminal.text()).toContain("Run: env -u TMUX tmux -L quay attach -t =quay:@3");
  });
});
