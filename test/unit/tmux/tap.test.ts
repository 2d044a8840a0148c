import { describe, expect, it } from "vitest";
import { terminalId } from "../../../src/bus/ids.js";
import type { HostEvent } from "../../../src/engine/ports.js";
import { createTap } from "../../../src/tmux/tap.js";

const T1 = terminalId("t1");

const given = () => {
  const heard: string[] = [];
  const owners = new Map<string, typeof T1 | "elsewhere">();
  let listing = 0;
  let strangers = 0;
  const tap = createTap({
    owner: (_session, pane) => owners.get(pane) ?? null,
    listing: () => listing,
    emit: (event: HostEvent) => heard.push(event.kind === "output" ? Buffer.from(event.bytes).toString() : event.kind),
    onStranger: () => strangers++,
  });
  return { tap, heard, owners, list: () => ++listing, strangers: () => strangers };
};

describe("tap", () => {
  it("passes on the bytes of our panes, and their gaps", () => {
    const { tap, heard, owners } = given();
    owners.set("%1", T1);
    tap.output("$0", "%1", Buffer.from("a"));
    tap.lost("$0", "%1");
    tap.output("$0", "%1", Buffer.from("b"));
    expect(heard).toEqual(["a", "gap", "b"]);
  });

  it("keeps the first bytes of a pane that is not known yet", () => {
    const { tap, heard, owners, strangers } = given();
    tap.output("$0", "%1", Buffer.from("query "));
    tap.output("$0", "%1", Buffer.from("more "));
    expect(strangers()).toBe(1);
    owners.set("%1", T1);
    tap.output("$0", "%1", Buffer.from("end"));
    expect(heard).toEqual(["query ", "more ", "end"]);
  });

  it("hands them out after a listing, and names panes that are not ours", () => {
    const { tap, heard, owners, list } = given();
    tap.output("$0", "%1", Buffer.from("ours"));
    tap.output("$0", "%2", Buffer.from("theirs"));
    expect(tap.sort(0)).toEqual([]);
    owners.set("%1", T1);
    expect(tap.sort(list())).toEqual([{ session: "$0", pane: "%2" }]);
    expect(heard).toEqual(["ours"]);
    expect(tap.sort(list())).toEqual([]);
  });

  it("says gap when more waited than it keeps", () => {
    const { tap, heard, owners } = given();
    tap.output("$0", "%1", Buffer.alloc(200 * 1024, 0x61));
    tap.output("$0", "%1", Buffer.alloc(200 * 1024, 0x62));
    owners.set("%1", T1);
    tap.output("$0", "%1", Buffer.from("end"));
    expect(heard.map((text) => text.length)).toEqual([200 * 1024, 3, 3]);
    expect(heard[1]).toBe("gap");
  });

  it("leaves a pane alone that another client brings", () => {
    const { tap, heard, owners, list } = given();
    owners.set("%1", "elsewhere");
    tap.output("$0", "%1", Buffer.from("a"));
    expect(tap.sort(list())).toEqual([]);
    expect(heard).toEqual([]);
  });
});
