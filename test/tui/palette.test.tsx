import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/bus/views.js";
import { agentView, snapshotOf, trailView } from "../support/fake-client.js";
import { atEachSize, flat, showMissionControl } from "../support/mission-control.js";
import { verifies } from "../support/verifies.js";

const preset = {
  name: "tdd-swarm",
  description: "tests first, 测试",
  origin: "built in" as const,
  path: "/p/tdd-swarm.json",
  seats: [
    { name: "architect", kind: "claude" },
    { name: "impl", kind: "codex" },
  ],
  error: null,
};
const bad = {
  ...preset,
  name: "broken",
  origin: "user" as const,
  seats: [],
  error: "/q/broken.json: unknown key 'sets'",
};
const empty: Snapshot = { ...snapshotOf([]), presets: [preset, bad] };
const pair = snapshotOf(
  [agentView({ name: "architect" }), agentView({ name: "reviewer", kind: "codex" })],
  [
    trailView({
      id: "d2",
      from: "You",
      to: "reviewer",
      text: "check the parser",
      status: "Completed",
      response: "fine",
    }),
    trailView({ id: "d1", text: "write the lexer" }),
  ],
);

atEachSize((size) => {
  verifies(
    ["screen:palette", "screen:launch-preset"],
    "a preset is launched with its progress and the result of each seat",
    async () => {
      const { terminal, client, press, change } = await showMissionControl(empty, size, { cwd: "/work/shop" });
      expect(flat(await terminal.text())).toContain("No agent yet. Ctrl+K launches a preset");
      await press("\x0b");
      const text = await terminal.text();
      expect(flat(text)).toContain("Launch tdd-swarm: tests first, 测试");
      expect(flat(text)).toContain("built in; 2 seats: architect (claude), impl (codex)");
      expect(text).toContain("/work/shop");
      let settle: (value: unknown) => void = () => {};
      client.answer = () => new Promise((resolve) => (settle = resolve));
      await press("tdd", "\r");
      expect(client.commands).toEqual([{ kind: "up", preset: "tdd-swarm", cwd: "/work/shop" }]);
      await change({ ...empty, agents: [agentView({ name: "architect", preset: "tdd-swarm" })] });
      expect(flat(await terminal.text())).toContain("Launching tdd-swarm… 1 of 2 seats");
      const seat = { name: "architect", kind: "claude", result: "started", id: "t", why: null };
      settle({ ok: true, seats: [seat, { ...seat, name: "impl", result: "failed", why: "codex is not installed" }] });
      await press("\x1b[B");
      expect(flat(await terminal.text())).toContain("architect: started; impl: failed (codex is not installed)");
      expect(await terminal.text()).not.toContain("Launching");
    },
  );

  verifies("screen:bad-preset", "a bad file is listed with its error", async () => {
    const { terminal, client, press } = await showMissionControl(empty, size);
    await press("\x0b", "broken");
    expect(flat(await terminal.text())).toContain("Preset broken cannot be used");
    expect(flat(await terminal.text())).toContain("unknown key 'sets'");
    await press("\r");
    expect(client.commands).toEqual([]);
  });

  verifies("screen:launch-one", "a single agent gets its name, in the person's folder", async () => {
    const { terminal, client, press } = await showMissionControl(empty, size, { cwd: "/work/shop" });
    await press("\x0b", "one agent: claude", "\r");
    expect(flat(await terminal.text())).toContain("Name of the claude");
    await press("\r");
    expect(flat(await terminal.text())).toContain("Type a name for the agent first.");
    client.answer = () => ({
      ok: true,
      seat: { name: "docs", kind: "claude", result: "started", id: "t", why: null },
    });
    await press("docz", "\x7f", "s", "\r");
    expect(client.commands).toEqual([
      {
        kind: "launch",
        seat: { name: "docs", kind: "claude", cwd: "/work/shop", args: [], env: {}, prompt: null, preset: null },
      },
    ]);
    expect(await terminal.text()).toContain("Started docs.");
  });

  verifies("screen:search", "agents and trail are searched, and Esc shows all", async () => {
    const { terminal, press } = await showMissionControl(pair, size);
    await press("/", "codex");
    expect(await terminal.text()).toContain("Agents 1");
    await press("\r", "\t", "/", "PARSER");
    const text = await terminal.text();
    expect(text).toContain("Trail 1");
    expect(text).toContain("check the parser");
    expect(text).not.toContain("write the lexer");
    await press(" nowhere");
    expect(flat(await terminal.text())).toContain("No entry is found. Esc shows all.");
    await press("\x1b");
    await press("x");
    expect(await terminal.text()).toContain("Trail 2");
  });

  verifies("screen:proof", "an entry opens with its proof", async () => {
    const { terminal, client, press } = await showMissionControl(pair, size);
    const proof = {
      entry: pair.trail[0],
      state: "completed",
      typed: { bytes: 17, sha256: "abc123", lines: 1 },
      pane: "%7",
      markers: "entered",
      hops: 1,
      turn: "t1",
      times: [{ at: pair.now, what: "accepted, durable" }],
      screen: "what it \x1b[2J showed",
    };
    client.answer = () => ({ ok: true, proof });
    await press("\t", "\r", "\x1b[F");
    expect(client.commands).toEqual([{ kind: "explain", delivery: "d2" }]);
    const text = flat(await terminal.text());
    expect(text).toContain("pane %7: the pane's markers say: entered");
    expect(text).toContain("what it ␛[2J showed");
    expect(terminal.written()).not.toContain("\x1b[2J");
  });
});

describe("the palette", () => {
  verifies("screen:palette", "runs an action of the pane, and goes to an agent", async () => {
    const { terminal, press } = await showMissionControl(pair);
    await press("\x0b", "show this list", "\r");
    expect(await terminal.text()).toContain("Agents and trail");
    await press("\x1b");
    await press("j", "\x0b", "go to reviewer", "\r");
    expect(await terminal.text()).toMatch(/› idle {5}reviewer/);
    await press("\x0b", "nothing like it", "\r");
    expect(await terminal.text()).toContain("Nothing is called that.");
  });

  test("no key in it costs 4 KB at 200x50", async () => {
    const agents = Array.from({ length: 20 }, (_, index) => agentView({ name: `agent-${index}` }));
    const { terminal, press } = await showMissionControl({ ...snapshotOf(agents), presets: [preset, bad] }, [200, 50]);
    for (const key of ["\x0b", "l", "\x1b[B", "\x1b[B", "\x7f"]) {
      terminal.takeBytes();
      await press(key);
      expect(terminal.takeBytes(), JSON.stringify(key)).toBeLessThan(4096);
    }
  });
});

describe("writing", () => {
  verifies("screen:from", "a message is sent in the name of a running agent", async () => {
    const { terminal, client, press } = await showMissionControl(pair);
    client.answer = () => ({ ok: true, delivery: "d", outcome: { kind: "dispatched", to: "architect" } });
    await press("m", "\x06");
    expect(await terminal.text()).toContain(" Message  to architect, as reviewer");
    await press("hi", "\r");
    expect(client.commands).toMatchObject([{ kind: "send", caller: { kind: "person", as: "term-reviewer" } }]);
  });

  verifies("screen:history", "what was sent comes back, and the new text is kept", async () => {
    const { terminal, client, press } = await showMissionControl(pair);
    client.answer = () => ({ ok: true, delivery: "d", outcome: { kind: "dispatched", to: "architect" } });
    await press("m", "first", "\r", "m", "second", "\r", "m", "new", "\x10", "\x10");
    expect(await terminal.text()).toContain("> first");
    await press("\x0e");
    expect(await terminal.text()).toContain("> second");
    await press("\x0e");
    expect(await terminal.text()).toContain("> new");
  });
});
