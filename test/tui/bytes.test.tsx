import { expect } from "vitest";
import type { Snapshot } from "../../src/bus/views.js";
import { agentView, START, snapshotOf, trailView } from "../support/fake-client.js";
import { atEachSize, showMissionControl } from "../support/mission-control.js";
import { verifies } from "../support/verifies.js";

const SECOND = 1_000;

/** Twenty agents of which one works, on a message that counts; `now` is what its tool is at. */
const swarm = (tool: string): Snapshot =>
  snapshotOf(
    Array.from({ length: 20 }, (_, index) =>
      agentView(
        index === 7
          ? { name: `agent-${index}`, status: "working", currentTool: tool, taskTitle: "解析 the grammar" }
          : { name: `agent-${index}` },
      ),
    ),
    Array.from({ length: 60 }, (_, index) =>
      trailView({
        id: `d${60 - index}`,
        to: `agent-${index % 20}`,
        text: `Make test ${index} of the parser pass 你好, then hand over`,
        ...(index === 0
          ? { timer: { kind: "counting", since: START } as const }
          : { status: "Completed", timer: { kind: "took", ms: 42_000 } as const, response: "done" }),
      }),
    ),
  );

atEachSize((size) => {
  verifies(
    "screen:thrift",
    "its timer costs at most 200 bytes a second, a change of its tool little more",
    async () => {
      const { terminal, timing, change } = await showMissionControl(swarm("Bash"), size);
      terminal.takeBytes();
      await timing.advance(20 * SECOND);
      expect(await terminal.text()).toContain("0:20");
      const ticking = terminal.takeBytes();
      expect(ticking).toBeGreaterThan(0);
      expect(ticking / 20).toBeLessThanOrEqual(200);
      for (let second = 0; second < 20; second += 1) {
        await change(swarm(second % 2 === 0 ? "Edit" : "Grep"));
        await timing.advance(SECOND - 200);
      }
      expect(terminal.takeBytes() / 20).toBeLessThanOrEqual(400);
      expect(terminal.written()).not.toMatch(/\x1b\[[23]J/);
    },
  );

  verifies("screen:thrift", "no key press costs 4 KB, and one that changes every row of the trail 8 KB", async () => {
    const { terminal, press } = await showMissionControl(swarm("Bash"), size);
    const bytesOf = async (key: string): Promise<number> => {
      terminal.takeBytes();
      await press(key);
      return terminal.takeBytes();
    };
    for (const key of ["\x1b[B", "\x1b[6~", "\t", "\x1b[B", "\x1b[B", "/", "\x1b", "\x0b", "g", "\x1b[B"]) {
      expect(await bytesOf(key), JSON.stringify(key)).toBeLessThan(4_096);
    }
    // The palette goes, and the whole trail comes back; then it is turned to its end.
    for (const key of ["\x1b", "\x1b[F"]) expect(await bytesOf(key), JSON.stringify(key)).toBeLessThan(8_192);
    for (const key of ["\x1b", "m", "x", "\t", "\x7f"]) {
      if (key !== "\x1b") expect(await bytesOf(key), JSON.stringify(key)).toBeLessThan(4_096);
      else await press(key);
    }
    expect(terminal.written()).not.toMatch(/\x1b\[[23]J/);
  });
}, "twenty agents of which one works, ");
