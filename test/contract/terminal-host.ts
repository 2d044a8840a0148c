/**
 * What every TerminalHost promises, run on real tmux and on the in-memory twin. A world brings the programs: one
 * that receives input, one that ends with a status.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliveryId, terminalId } from "../../src/bus/ids.js";
import type { HostEvent, PaneLaunch, TerminalHost } from "../../src/engine/ports.js";
import { until } from "../support/until.js";

export type HostWorld = {
  /** A host that has not started; all of one world belong to one instance on one server. */
  host(): TerminalHost;
  /** A program that stays, takes input and shows it. `cwd` and `program` replace what is right. */
  receiver(terminal: string, change?: Partial<PaneLaunch>): PaneLaunch;
  /** A program that ends at once with this status. */
  ending(terminal: string, status: number): PaneLaunch;
  readonly missingFolder: string;
  readonly missingProgram: string;
  /** All input that the receiver got, without the brackets of a paste. */
  received(terminal: string): string;
  /** Resolves once the receiver of this terminal can take input. */
  ready(terminal: string): Promise<unknown>;
  end(): Promise<void>;
};

const T1 = terminalId("term-1");
const T2 = terminalId("term-2");
const D1 = deliveryId("d_1");
const D2 = deliveryId("d_2");
const NOBODY = terminalId("nobody");

export const terminalHostContract = (title: string, createWorld: () => HostWorld): void => {
  describe(`terminal host: ${title}`, () => {
    let world: HostWorld;
    let host: TerminalHost;
    let events: HostEvent[];

    const started = async (): Promise<{ host: TerminalHost; events: HostEvent[] }> => {
      const made = world.host();
      const heard: HostEvent[] = [];
      made.on((event) => heard.push(event));
      await made.start();
      return { host: made, events: heard };
    };
    const exitOf = (terminal: string) => () =>
      events.find((event) => event.kind === "exited" && event.terminal === terminal);

    beforeEach(async () => {
      world = createWorld();
      ({ host, events } = await started());
    });
    afterEach(() => world.end());

    it("starts with nothing, and names its server", async () => {
      expect(await host.panes()).toEqual([]);
      expect(host.server().pid).toBeGreaterThan(0);
      expect(host.server().tmuxSession).toBe("quay");
    });

    it("launches a program, and lists it by its terminal", async () => {
      const { pid } = await host.launch(world.receiver(T1));
      expect(host.pidOf(T1)).toBe(pid);
      expect(host.paneOf(T1)).toMatch(/^%\d+$/);
      expect(await host.panes()).toEqual([
        {
          terminal: T1,
          pid,
          dead: false,
          status: null,
          signal: null,
          pastedMarker: null,
          enteredMarker: null,
          enteredTwice: false,
        },
      ]);
    });

    it("refuses a folder that is not there, and leaves no pane", async () => {
      const launch = host.launch(world.receiver(T1, { cwd: world.missingFolder }));
      await expect(launch).rejects.toMatchObject({
        code: "no-folder",
        message: expect.stringContaining(world.missingFolder),
      });
      expect(await host.panes()).toEqual([]);
    });

    it("refuses a program that is not there, and leaves no pane", async () => {
      const launch = host.launch(world.receiver(T1, { argv: [world.missingProgram] }));
      await expect(launch).rejects.toMatchObject({
        code: "no-program",
        message: expect.stringContaining(world.missingProgram),
      });
      expect(await host.panes()).toEqual([]);
    });

    it("pastes and enters, each once, and says so by its markers", async () => {
      await host.launch(world.receiver(T1));
      await world.ready(T1);
      expect(await host.enter(T1, D1, null)).toEqual({ kind: "refused", reason: "not pasted" });
      expect(await host.paste(T1, D1, "two lines\nof text")).toEqual({ kind: "pasted" });
      expect(await host.paste(T1, D1, "two lines\nof text")).toEqual({ kind: "refused", reason: "already pasted" });
      expect(await host.panes()).toMatchObject([{ pastedMarker: D1, enteredMarker: null }]);
      expect(await host.enter(T1, D1, null)).toEqual({ kind: "entered" });
      expect(await host.enter(T1, D1, null)).toEqual({ kind: "refused", reason: "already entered" });
      expect(await host.panes()).toMatchObject([{ pastedMarker: D1, enteredMarker: D1 }]);
      expect(await host.paste(T1, D2, "more")).toEqual({ kind: "pasted" });
      await until(
        () => world.received(T1) === "two lines\nof text\rmore",
        5_000,
        () => world.received(T1),
      );
    });

    it("presses Enter only while the tail of the text stands on the screen", async () => {
      await host.launch(world.receiver(T1));
      await world.ready(T1);
      await host.paste(T1, D1, "please run the parser tests");
      expect(await host.enter(T1, D1, { echoTail: "another sentence altogether", cursor: null })).toEqual({
        kind: "refused",
        reason: "no echo",
      });
      await until(
        async () =>
          (await host.enter(T1, D1, { echoTail: "please run the parser tests", cursor: null })).kind === "entered",
        5_000,
        "the echo",
      );
    });

    it("presses Enter only while the cursor stands where it was seen", async () => {
      await host.launch(world.receiver(T1));
      await world.ready(T1);
      await host.paste(T1, D1, "please run the parser tests");
      const { x, y } = await until(async () => {
        const screen = await host.screen(T1);
        return screen?.ansi.includes("parser tests") ? screen.cursor : null;
      });
      const elsewhere = { echoTail: null, cursor: { x: x + 1, y } };
      expect(await host.enter(T1, D1, elsewhere)).toEqual({ kind: "refused", reason: "no echo" });
      expect(await host.enter(T1, D1, { echoTail: null, cursor: { x, y } })).toEqual({ kind: "entered" });
    });

    it("presses Enter a second time only after the first, once, and says so by its marker", async () => {
      await host.launch(world.receiver(T1));
      await world.ready(T1);
      const open = { echoTail: null, cursor: null };
      expect(await host.enterAgain(T1, D1, open)).toEqual({ kind: "refused", reason: "not pasted" });
      await host.paste(T1, D1, "first");
      expect(await host.enterAgain(T1, D1, open)).toEqual({ kind: "refused", reason: "not entered" });
      await host.enter(T1, D1, null);
      const never = { echoTail: "another sentence altogether", cursor: null };
      expect(await host.enterAgain(T1, D1, never)).toEqual({ kind: "refused", reason: "no echo" });
      expect(await host.panes()).toMatchObject([{ enteredMarker: D1, enteredTwice: false }]);
      expect(await host.enterAgain(T1, D1, open)).toEqual({ kind: "entered" });
      expect(await host.enterAgain(T1, D1, open)).toEqual({ kind: "refused", reason: "already entered" });
      expect(await host.enter(T1, D1, null)).toEqual({ kind: "refused", reason: "already entered" });
      expect(await host.fence()).toMatchObject([{ pastedMarker: D1, enteredMarker: D1, enteredTwice: true }]);
      expect(await host.enterAgain(T1, D1, open)).toEqual({ kind: "refused", reason: "already entered" });
      await host.paste(T1, D2, "second");
      expect(await host.enterAgain(T1, D1, open)).toEqual({ kind: "refused", reason: "already entered" });
      expect(await host.enterAgain(T1, D2, open)).toEqual({ kind: "refused", reason: "not entered" });
      await host.enter(T1, D2, null);
      expect(await host.enterAgain(T1, D1, open)).toEqual({ kind: "refused", reason: "not pasted" });
      expect(await host.panes()).toMatchObject([{ enteredMarker: D2, enteredTwice: false }]);
      await until(
        () => world.received(T1) === "first\r\rsecond\r",
        5_000,
        () => world.received(T1),
      );
    });

    it("answers a query with raw bytes", async () => {
      await host.launch(world.receiver(T1));
      await world.ready(T1);
      await host.answerQuery(T1, Buffer.from("\x1b]7501;1\x1b\\", "latin1"));
      await until(
        () => world.received(T1) === "\x1b]7501;1\x1b\\",
        5_000,
        () => world.received(T1),
      );
    });

    it("shows what a program prints, and a screen of it", async () => {
      await host.launch(world.receiver(T1));
      await world.ready(T1);
      await host.paste(T1, D1, "seen on the screen");
      const screen = await until(async () => {
        const now = await host.screen(T1);
        return now?.ansi.includes("seen on the screen") ? now : null;
      });
      expect(screen.cols).toBe(120);
      expect(screen.cursor.x).toBeGreaterThan(0);
      expect(await host.screen(NOBODY)).toBeNull();
    });

    it("keeps a program that ends at once, with its status, until it is buried", async () => {
      await host.launch(world.ending(T1, 3));
      expect(await until(exitOf(T1), 5_000, "the exit")).toMatchObject({ status: 3, signal: null });
      expect(await host.panes()).toMatchObject([{ terminal: T1, dead: true, status: 3 }]);
      expect(host.pidOf(T1)).toBeNull();
      expect(await host.paste(T1, D1, "hello")).toEqual({ kind: "refused", reason: "gone" });
      await host.bury(T1);
      expect(await host.panes()).toEqual([]);
      expect(events.filter((event) => event.kind === "exited")).toHaveLength(1);
    });

    it("ends a terminal, and leaves the others", async () => {
      await host.launch(world.receiver(T1));
      await host.launch(world.receiver(T2));
      await host.kill(T1);
      await until(exitOf(T1), 5_000, "the exit");
      expect((await host.panes()).map((pane) => pane.terminal)).toEqual([T2]);
      expect(await host.paste(T1, D1, "hello")).toEqual({ kind: "refused", reason: "gone" });
    });

    it("does not bury a living terminal", async () => {
      await host.launch(world.receiver(T1));
      await host.bury(T1);
      expect(await host.panes()).toHaveLength(1);
    });

    it("says gone for a terminal that it never had", async () => {
      expect(host.pidOf(NOBODY)).toBeNull();
      expect(host.paneOf(NOBODY)).toBeNull();
      expect(await host.paste(NOBODY, D1, "hello")).toEqual({ kind: "refused", reason: "gone" });
      expect(await host.enter(NOBODY, D1, null)).toEqual({ kind: "refused", reason: "gone" });
      await host.kill(NOBODY);
      await host.bury(NOBODY);
      await host.answerQuery(NOBODY, Buffer.from("x"));
    });

    it("types on after its own fence, with the markers as they were", async () => {
      await host.launch(world.receiver(T1));
      await world.ready(T1);
      await host.paste(T1, D1, "before");
      expect(await host.fence()).toMatchObject([{ terminal: T1, pastedMarker: D1, enteredMarker: null }]);
      expect(await host.paste(T1, D1, "before")).toEqual({ kind: "refused", reason: "already pasted" });
      expect(await host.enter(T1, D1, null)).toEqual({ kind: "entered" });
      expect(world.received(T1)).toContain("before");
    });

    it("lets one engine type: the one that started last", async () => {
      await host.launch(world.receiver(T1));
      await world.ready(T1);
      await host.paste(T1, D1, "from the first");
      const second = await started();
      expect(await second.host.panes()).toMatchObject([{ terminal: T1, pastedMarker: D1 }]);
      const late = await host.paste(T1, D2, "too late");
      expect(late.kind === "refused" ? late.reason : late.kind).toMatch(/^(stale epoch|unknown)$/);
      await until(() => events.find((event) => event.kind === "fencedOut"), 5_000, "the news");
      await expect(host.fence()).rejects.toMatchObject({ code: "fenced-out" });
      expect(await second.host.paste(T1, D2, "from the second")).toEqual({ kind: "pasted" });
      await until(
        () => world.received(T1) === "from the firstfrom the second",
        5_000,
        () => world.received(T1),
      );
    });

    it("leaves its terminals running when it stops", async () => {
      const { pid } = await host.launch(world.receiver(T1));
      await host.stop();
      const next = await started();
      expect(await next.host.panes()).toMatchObject([{ terminal: T1, pid, dead: false }]);
    });
  });
};
