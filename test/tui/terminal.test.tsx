import { describe, expect, test } from "vitest";
import { QuayError } from "../../src/lib/errors.js";
import { runMissionControl } from "../../src/tui/render.js";
import { agentView, fakeClient, START, snapshotOf, trailView } from "../support/fake-client.js";
import { settled } from "../support/manual-timing.js";
import { showMissionControl } from "../support/mission-control.js";
import { verifies } from "../support/verifies.js";
import { virtualTerminal } from "../support/virtual-terminal.js";

const agents = [agentView({ name: "architect", status: "working" }), agentView({ name: "impl" })];
const still = snapshotOf(agents, [trailView({ id: "d1", status: "Completed", timer: { kind: "took", ms: 4200 } })]);
const counting = snapshotOf(
  agents,
  Array.from({ length: 20 }, (_, index) =>
    trailView({
      id: `d${index}`,
      text: "你好 long text ".repeat(20),
      timer: index === 3 ? { kind: "counting", since: START } : { kind: "took", ms: 61_000 },
    }),
  ),
);

describe("bytes", () => {
  verifies(
    "hazard:still-screen-no-bytes",
    "nothing changes, no timer is seen: no byte and no timer in an hour",
    async () => {
      const { terminal, timing, change } = await showMissionControl(still, [200, 50]);
      terminal.takeBytes();
      for (let minute = 0; minute < 60; minute += 1) await timing.advance(60_000);
      expect(terminal.takeBytes()).toBe(0);
      expect(timing.waiting()).toBe(0);
      await change(still);
      expect(terminal.takeBytes()).toBe(0);
    },
  );

  verifies(
    ["hazard:still-screen-no-bytes", "trail:timer-counts-from-delivery"],
    "a timer that is seen costs at most 200 bytes a second",
    async () => {
      for (const size of [
        [200, 50],
        [80, 24],
      ] as const) {
        const { terminal, timing } = await showMissionControl(counting, size);
        terminal.takeBytes();
        const before = terminal.pieces();
        await timing.advance(10_000);
        expect(await terminal.text()).toContain("Dispatched   0:10");
        expect(terminal.pieces() - before).toBe(10);
        const bytes = terminal.takeBytes();
        expect(bytes).toBeGreaterThan(0);
        expect(bytes / 10).toBeLessThanOrEqual(200);
      }
    },
  );

  test("a counting timer that is scrolled away needs no tick", async () => {
    const { terminal, timing, press } = await showMissionControl(counting, [80, 24]);
    await press("\t", "\x1b[F");
    terminal.takeBytes();
    await timing.advance(10_000);
    expect(terminal.takeBytes()).toBe(0);
    expect(timing.waiting()).toBe(0);
  });

  test("no key press costs 4 KB at 200x50", async () => {
    const { terminal, press } = await showMissionControl(counting, [200, 50]);
    for (const key of ["\x1b[B", "\t", "\x1b[B", "\x1b[6~", "m", "x", "\t", "\x1b", "?", "\x1b[B"]) {
      terminal.takeBytes();
      await press(key);
      expect(terminal.takeBytes(), JSON.stringify(key)).toBeLessThan(4096);
    }
  });

  test("changes are drawn at most ten times a second, the last one always", async () => {
    const { terminal, client, timing } = await showMissionControl(still, [120, 40]);
    await timing.advance(1000);
    const before = terminal.pieces();
    const reads = client.reads();
    for (let change = 0; change < 100; change += 1) {
      client.show({ ...still, trail: [trailView({ id: "x", text: `change ${change}` })] });
      await timing.advance(10);
    }
    await timing.advance(300);
    expect(terminal.pieces() - before).toBeLessThanOrEqual(12);
    expect(client.reads() - reads).toBeLessThanOrEqual(12);
    expect(await terminal.text()).toContain("change 99");
  });
});

describe("a stuck terminal", () => {
  verifies(
    "hazard:lost-client-ends-nothing",
    "drops frames instead of piling them up, and shows the newest when it takes again",
    async () => {
      const { terminal, client, timing } = await showMissionControl(still, [120, 40]);
      await timing.advance(1000);
      terminal.stick();
      for (let change = 0; change < 50; change += 1) {
        client.show({ ...still, trail: [trailView({ id: "x", text: `change ${change} ${"x".repeat(60)}` })] });
        await timing.advance(200);
      }
      const before = terminal.pieces();
      terminal.unstick();
      await timing.advance(200);
      // The one that was on its way, and the newest.
      expect(terminal.pieces() - before).toBe(2);
      expect(await terminal.text()).toContain("change 49");
      expect(await terminal.text()).not.toContain("change 48");
    },
  );

  test("is left in bounded time", async () => {
    const { terminal, screen, timing, client } = await showMissionControl(still);
    terminal.stick();
    client.show({ ...still, trail: [] });
    await timing.advance(200);
    screen.stop();
    await timing.advance(600);
    expect(await screen.done).toBe("quit");
  });
});

describe("resize", () => {
  for (const size of [
    [40, 20],
    [200, 50],
    [81, 25],
    [80, 23],
  ] as const) {
    test(`80x24 becomes ${size.join("x")}: the screen is that of a start in this size`, async () => {
      const { terminal, timing, press } = await showMissionControl(counting, [80, 24]);
      await press("\x1b[B");
      terminal.resize(size[0], size[1]);
      await timing.advance(200);
      const fresh = await showMissionControl(counting, size);
      await fresh.press("\x1b[B");
      const timers = /\d:\d\d/g;
      expect((await terminal.text()).replace(timers, "0:00")).toBe(
        (await fresh.terminal.text()).replace(timers, "0:00"),
      );
      expect(terminal.written()).not.toContain("\x1b[2J");
      expect(terminal.written()).not.toContain("\x1b[3J");
    });
  }

  test("many resizes in a row end in the right size", async () => {
    const { terminal, timing } = await showMissionControl(still, [80, 24]);
    for (const [columns, rows] of [
      [100, 30],
      [30, 10],
      [120, 40],
      [20, 7],
      [90, 28],
    ] as const) {
      terminal.resize(columns, rows);
      await settled();
    }
    await timing.advance(500);
    const rows = await terminal.rows();
    expect(rows[0]).toMatch(/^Quay Mission Control/);
    expect(rows.at(-2)).toMatch(/^\? keys/);
    expect(rows.at(-1)).toBe("");
  });
});

describe("the end", () => {
  const isRestored = async (terminal: ReturnType<typeof virtualTerminal>): Promise<void> => {
    expect(await terminal.isAlternate()).toBe(false);
    expect(terminal.isCursorShown()).toBe(true);
    expect(terminal.isRaw()).toBe(false);
    const written = terminal.written();
    for (const mode of ["?7", "?2004", "?1049"]) {
      const [on, off] = mode === "?7" ? ["l", "h"] : ["h", "l"];
      expect(written.lastIndexOf(`\x1b[${mode}${off}`)).toBeGreaterThan(written.lastIndexOf(`\x1b[${mode}${on}`));
    }
  };

  verifies(
    ["hazard:terminal-sane", "hazard:lost-client-ends-nothing"],
    "q restores the terminal, and asks nothing of the engine",
    async () => {
      let quits = 0;
      const { terminal, screen, client, timing, press } = await showMissionControl(still, [80, 24], {
        onQuit: () => (quits += 1),
      });
      await press("q");
      expect(await screen.done).toBe("quit");
      await isRestored(terminal);
      expect(quits).toBe(1);
      expect(client.commands).toEqual([]);
      expect(client.listeners()).toBe(0);
      expect(timing.waiting()).toBe(0);
    },
  );

  test("Ctrl+C leaves too", async () => {
    const { screen, press } = await showMissionControl(still);
    await press("\x03");
    expect(await screen.done).toBe("quit");
  });

  verifies("hazard:terminal-sane", "an engine that is gone restores the terminal and says why", async () => {
    const { terminal, screen, client } = await showMissionControl(still);
    client.emit({ kind: "gone", why: "it was stopped" });
    expect(await screen.done).toBe("engine gone");
    await isRestored(terminal);
    expect(await terminal.text()).toContain("The engine is gone: it was stopped");
  });

  const losses: readonly (readonly [string, (terminal: ReturnType<typeof virtualTerminal>) => void])[] = [
    [
      "EIO on a write",
      (terminal) => terminal.stdout.emit("error", Object.assign(new Error("write EIO"), { code: "EIO" })),
    ],
    [
      "EIO on a read",
      (terminal) => terminal.stdin.emit("error", Object.assign(new Error("read EIO"), { code: "EIO" })),
    ],
    ["the end of the input", (terminal) => terminal.stdin.emit("end")],
    ["a closed output", (terminal) => terminal.stdout.emit("close")],
    ["SIGHUP", () => process.emit("SIGHUP", "SIGHUP")],
  ];
  for (const [title, lose] of losses) {
    verifies(
      "hazard:lost-client-ends-nothing",
      `${title}: the terminal is lost, nothing is thrown, later errors neither`,
      async () => {
        const { terminal, screen, client } = await showMissionControl(still);
        lose(terminal);
        expect(await screen.done).toBe("lost terminal");
        // The kernel's hang-up often comes after the first error.
        process.emit("SIGHUP", "SIGHUP");
        terminal.stdout.emit("error", new Error("write EIO"));
        terminal.stdin.emit("error", new Error("read EIO"));
        client.show(snapshotOf([]));
        await settled();
        expect(client.commands).toEqual([]);
      },
    );
  }

  test("SIGTERM restores the terminal when another listener sees to the process", async () => {
    const other = (): void => {};
    process.on("SIGTERM", other);
    try {
      const { terminal, screen } = await showMissionControl(still);
      process.emit("SIGTERM", "SIGTERM");
      expect(await screen.done).toBe("quit");
      await isRestored(terminal);
      // The screen asks, a turn after its end, whether anybody else listens; without one it ends the process.
      await settled();
    } finally {
      process.off("SIGTERM", other);
    }
  });

  test("no listener of ours stays on the process", async () => {
    const count = () => ["SIGHUP", "SIGTERM", "SIGINT", "SIGCONT", "exit"].map((name) => process.listenerCount(name));
    await (await showMissionControl(still)).press("q");
    await settled();
    const before = count();
    await (await showMissionControl(still)).press("q");
    expect(count()).toEqual(before);
  });

  test("a screen that throws restores the terminal and rejects with what happened", async () => {
    const { terminal, screen, client } = await showMissionControl(still);
    const failed = screen.done.catch((error: unknown) => error);
    client.show({ ...still, agents: null as never });
    const error = await failed;
    expect(error).toBeInstanceOf(QuayError);
    expect((error as QuayError).message).toContain("The engine goes on.");
    await isRestored(terminal);
  });

  test("streams that are no terminal are refused with advice", () => {
    const terminal = virtualTerminal(80, 24);
    Object.assign(terminal.stdout, { isTTY: false });
    const start = () =>
      runMissionControl({
        client: fakeClient(still),
        stdin: terminal.stdin,
        stdout: terminal.stdout,
        insideTmux: null,
      });
    expect(start).toThrow(/quay serve/);
  });
});

test("Ctrl+L draws the whole screen anew", async () => {
  const { terminal, press } = await showMissionControl(still);
  await press("\x1b[B");
  terminal.takeBytes();
  await press("\x0c");
  expect(terminal.takeBytes()).toBeGreaterThan(300);
});

describe("opened by tmux's key", () => {
  verifies("mission-control:closed-by-esc", "q and Esc show what was seen before, and the screen goes on", async () => {
    let back = 0;
    let fault: string | null = null;
    const { terminal, screen, press } = await showMissionControl(still, [80, 24], {
      goBack: async () => {
        back += 1;
        if (fault !== null) throw new Error(fault);
      },
    });
    let isOver = false;
    void screen.done.then(() => {
      isOver = true;
    });
    await press("q", "\x1b");
    await press("\x03");
    expect([back, isOver]).toEqual([3, false]);
    expect(await terminal.text()).toContain("Quay Mission Control");
    fault = "There is nothing to go back to.";
    await press("q");
    expect(await terminal.text()).toContain("There is nothing to go back to.");
    expect(isOver).toBe(false);
    screen.stop();
    expect(await screen.done).toBe("quit");
  });
});
