import { afterEach, describe, expect, it } from "vitest";
import type { HostEvent } from "../../../src/engine/ports.js";
import type { Answer } from "../../../src/tmux/client.js";
import { createPaneTable } from "../../../src/tmux/panes.js";
import { createTap } from "../../../src/tmux/tap.js";
import { createWatch, type Watch } from "../../../src/tmux/watch.js";
import { until } from "../../support/until.js";

const LIVE = "%3/0/0/0/1-a/t1///42///$0/@5";
const LOST = "%3/1/0/0/1-a/t1///42///$0/@5";
const ENDED = "%3/1/0/0/1-a/t1///42/7//$0/@5";

describe("watch", () => {
  let watch: Watch;
  afterEach(() => watch.stop());

  const given = (...listings: readonly (readonly string[])[]) => {
    const asked: string[] = [];
    const events: HostEvent[] = [];
    const left = [...listings];
    const emit = (event: HostEvent): void => {
      events.push(event);
    };
    const table = createPaneTable();
    const tap = createTap({ owner: () => null, listing: table.lastListing, emit, onStranger: () => {} });
    watch = createWatch({
      ask: async (line): Promise<Answer> => {
        asked.push(line);
        const rows = line.startsWith("list-panes") ? (left.length > 1 ? left.shift()! : left[0]!) : [];
        return { kind: "answered", blocks: [{ ok: true, ours: true, lines: rows.map((row) => Buffer.from(row)) }] };
      },
      ...{ instance: "inst", table, tap: () => tap, emit, isUp: () => true, log: () => {} },
      mainSession: () => "$0",
      serverPid: () => process.pid,
      turnOff: () => {},
      afterListing: () => {},
    });
    return { asked, events, table };
  };

  it("tells ends from its start on, and not what was so before", async () => {
    const { events } = given([ENDED], [ENDED], []);
    await watch.list();
    watch.start();
    await watch.list();
    await watch.list();
    expect(events).toEqual([]);
  });

  it("wakes a server that lost the end of a program, and tells the status that comes then", async () => {
    let woken = 0;
    const wake = (): void => {
      woken++;
    };
    process.on("SIGCHLD", wake);
    try {
      const { events } = given([LIVE], [LOST], [ENDED]);
      watch.start();
      await watch.list();
      await watch.list();
      expect(events).toEqual([]);
      await until(() => events.length > 0 && woken > 0, 900, "the status");
      expect(events).toMatchObject([{ kind: "exited", status: 7 }]);
    } finally {
      process.off("SIGCHLD", wake);
    }
  });

  it("removes the pane of a launch whose answer was lost, and never shows it", async () => {
    const { asked, events, table } = given([LIVE]);
    watch.start();
    watch.abandon("t1");
    await watch.list();
    expect(asked.find((line) => line.includes("kill-pane -t %3"))).toBeDefined();
    expect(table.all()).toEqual([]);
    expect(events).toEqual([]);
  });

  it("lists by itself, soon after a hint and every second", async () => {
    const { asked } = given([LIVE]);
    watch.listSoon();
    watch.listSoon();
    await until(() => asked.length === 1, 500, "the first listing");
    watch.start();
    await until(() => asked.length >= 2, 2_000, "the listing of the second");
  });
});
