import { describe, expect, it } from "vitest";
import { terminalId } from "../../../src/bus/ids.js";
import { createPaneTable, signalNumber } from "../../../src/tmux/panes.js";
import type { PaneRow } from "../../../src/tmux/replies.js";

const row = (terminal: string, change: Partial<PaneRow> = {}): PaneRow => ({
  ...{ pane: `%${terminal.slice(1)}`, terminal, pid: 5, dead: false, inputOff: false, inMode: false, epoch: "1-a" },
  ...{ pasted: null, entered: null, enteredTwice: false, status: null, signal: null, session: "$0", window: "@1" },
  ...change,
});
const T1 = terminalId("t1");

describe("pane table", () => {
  it("tells an end once, with its status", () => {
    const table = createPaneTable();
    expect(table.take(table.nextListing(), [row("t1")]).exits).toEqual([]);
    const dead = [row("t1", { dead: true, status: 3 })];
    expect(table.take(table.nextListing(), dead).exits).toMatchObject([{ terminal: T1, status: 3, signal: null }]);
    expect(table.take(table.nextListing(), dead).exits).toEqual([]);
  });

  it("waits for a status that tmux has lost, but not for ever", () => {
    const table = createPaneTable();
    const lost = [row("t1", { dead: true })];
    for (let tries = 0; tries < 5; tries++) {
      expect(table.take(table.nextListing(), lost)).toEqual({ exits: [], unsettled: true });
    }
    expect(table.take(table.nextListing(), lost).exits).toMatchObject([{ status: null, signal: null }]);
  });

  it("tells the signal that ended a program", () => {
    const table = createPaneTable();
    const { exits } = table.take(table.nextListing(), [row("t1", { dead: true, signal: "9" })]);
    expect(exits).toMatchObject([{ status: null, signal: 9, why: "its program was ended by signal 9" }]);
  });

  it("tells that a pane vanished", () => {
    const table = createPaneTable();
    table.take(table.nextListing(), [row("t1"), row("t2")]);
    expect(table.take(table.nextListing(), [row("t2")]).exits).toMatchObject([
      { terminal: T1, why: "its pane was closed" },
    ]);
    expect(table.find(T1)).toBeNull();
  });

  it("does not miss a pane in a listing that was asked for before it was made", () => {
    const table = createPaneTable();
    const early = table.nextListing();
    table.add(row("t1"));
    expect(table.take(early, []).exits).toEqual([]);
    expect(table.take(table.nextListing(), []).exits).toHaveLength(1);
  });

  it("does not bring back a pane that was removed", () => {
    const table = createPaneTable();
    table.take(table.nextListing(), [row("t1")]);
    const early = table.nextListing();
    expect(table.remove(T1, "Quay ended it")).toMatchObject({ kind: "exited", why: "Quay ended it" });
    expect(table.take(early, [row("t1")]).exits).toEqual([]);
    expect(table.find(T1)).toBeNull();
    expect(table.remove(T1, "again")).toBeNull();
  });

  it("keeps a terminal to its pane when another pane claims its id", () => {
    const table = createPaneTable();
    table.take(table.nextListing(), [row("t1")]);
    table.take(table.nextListing(), [row("t1", { pane: "%99" }), row("t1")]);
    expect(table.find(T1)?.pane).toBe("%1");
    expect(table.terminalOf("%99")).toBeNull();
    expect(table.terminalOf("%1")).toBe(T1);
  });

  it("ends all that lived when the server is gone", () => {
    const table = createPaneTable();
    table.take(table.nextListing(), [row("t1"), row("t2", { dead: true, status: 0 })]);
    expect(table.clear("its tmux server ended")).toMatchObject([{ terminal: T1, why: "its tmux server ended" }]);
    expect(table.all()).toEqual([]);
  });
});

describe("signalNumber", () => {
  it("reads numbers and names", () => {
    expect(signalNumber("15")).toBe(15);
    expect(signalNumber("KILL")).toBe(9);
    expect(signalNumber("sigterm")).toBe(15);
    expect(signalNumber("nonsense")).toBeNull();
    expect(signalNumber(null)).toBeNull();
  });
});
