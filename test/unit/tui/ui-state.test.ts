import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../../src/bus/views.js";
import { contextOf, firstUi, type Request, selectedAgent, type Ui } from "../../../src/tui/ui.js";
import { step } from "../../../src/tui/ui-state.js";
import { agentView, snapshotOf, trailView } from "../../support/fake-client.js";
import { verifies } from "../../support/verifies.js";

const snapshot = snapshotOf(
  [
    agentView({ name: "architect" }),
    agentView({ name: "impl", project: "/work/other" }),
    agentView({ name: "shell", level: "not a peer" }),
  ],
  [trailView({ id: "d3" }), trailView({ id: "d2" }), trailView({ id: "d1" })],
);

const reach = { page: 10, end: 5 };

const press = (
  ui: Ui,
  keys: readonly string[],
  shown: Snapshot = snapshot,
): { ui: Ui; requests: readonly Request[] } => {
  const requests: Request[] = [];
  let next = ui;
  for (const key of keys) {
    const done = step(next, { kind: "input", input: { kind: "key", key }, reach }, shown);
    next = done.ui;
    requests.push(...done.requests);
  }
  return { ui: next, requests };
};

const letters = (text: string): readonly string[] => Array.from(text);
const start = firstUi("mission");

describe("moving about", () => {
  test("down and up choose an agent, and stop at the ends", () => {
    expect(press(start, ["down"]).ui.agent).toBe("term-impl");
    expect(press(start, ["down", "down", "down", "down"]).ui.agent).toBe("term-shell");
    expect(press(start, ["down", "up", "up"]).ui.agent).toBe("term-architect");
  });

  test("the choice is of an agent, not of a row", () => {
    const { ui } = press(start, ["down"]);
    const reordered = { ...snapshot, agents: [...snapshot.agents].reverse() };
    expect(selectedAgent(ui, reordered)?.name).toBe("impl");
  });

  test("on the trail the newest is followed until another is chosen", () => {
    const { ui } = press(start, ["tab"]);
    expect(ui.entry).toBeNull();
    expect(press(ui, ["down"]).ui.entry).toBe("d2");
    expect(press(ui, ["down", "up"]).ui.entry).toBeNull();
    expect(press(ui, ["end"]).ui.entry).toBe("d1");
    expect(press(ui, ["end", "home"]).ui.entry).toBeNull();
  });

  test("Enter shows the entry, Esc goes back", () => {
    const { ui } = press(start, ["tab", "down", "enter"]);
    expect(ui.overlay).toEqual({ kind: "entry", id: "d2", scroll: 0, proof: null });
    expect(contextOf(ui)).toBe("entry");
    expect(press(ui, ["escape"]).ui.overlay.kind).toBe("none");
  });

  test("a text scrolls no further than its end, and comes back at once", () => {
    const { ui } = press(start, ["tab", "enter", "end"]);
    expect(ui.overlay).toMatchObject({ scroll: 5 });
    expect(press(ui, ["up"]).ui.overlay).toMatchObject({ scroll: 4 });
  });

  test("help lies over what was open", () => {
    const { ui } = press(start, ["tab", "enter", "?"]);
    expect(contextOf(ui)).toBe("help");
    expect(contextOf(press(ui, ["escape"]).ui)).toBe("entry");
  });

  test("Enter and o open the agent's terminal", () => {
    for (const key of ["enter", "o"]) {
      expect(press(start, ["down", key]).requests).toEqual([{ kind: "open", target: "term-impl", name: "impl" }]);
    }
  });

  test("q leaves; in the text box it is a letter", () => {
    expect(press(start, ["q"]).requests).toEqual([{ kind: "leave" }]);
    expect(press(start, ["m", "q"]).requests).toEqual([]);
    expect(press(start, ["m", "q"]).ui.drafts.message.text).toBe("q");
  });

  verifies("mission-control:closed-by-esc", "Esc leaves what tmux's key opened, once nothing else is open", () => {
    const opened = firstUi("mission", "/", true);
    expect(press(opened, ["escape"]).requests).toEqual([{ kind: "leave" }]);
    expect(press(opened, ["tab", "down", "escape"])).toEqual({ ui: opened, requests: [{ kind: "leave" }] });
    for (const keys of [["?"], ["m", "x"], ["/", "a"], ["tab", "enter"], ["i"], ["ctrl+k"]]) {
      const back = press(press(opened, keys).ui, ["escape"]);
      expect([keys, back.requests, back.ui.overlay.kind, back.ui.composer]).toEqual([keys, [], "none", null]);
    }
    // What was said is read before it goes.
    expect(press({ ...opened, notice: { text: "no", isGood: false } }, ["escape"]).requests).toEqual([]);
    expect(press(start, ["escape"]).requests).toEqual([]);
  });

  test("an unknown key does nothing", () =>
    expect(press(start, ["f13", "ctrl+z", "z"])).toEqual({ ui: start, requests: [] }));

  test("the trail pane has no composer", () => {
    const trail = firstUi("trail");
    expect(press(trail, ["m", "b", "tab"]).ui).toEqual(trail);
  });
});

describe("writing", () => {
  verifies("mission-control:send-as-you", "a message goes to the chosen agent when Enter is pressed", () => {
    const { ui, requests } = press(start, ["down", "m", ...letters("hi there"), "enter"]);
    expect(requests).toEqual([{ kind: "send", request: 1, as: null, target: "term-impl", text: "hi there" }]);
    expect(ui.composer).toBeNull();
    expect(ui.pending).toMatchObject([{ request: 1, to: "impl" }]);
    expect(ui.drafts.message.text).toBe("");
  });

  test("Tab goes round the live peers, and leaves the shell out", () => {
    const { ui } = press(start, ["m", "tab"]);
    expect(ui.composer?.target).toBe("term-impl");
    expect(press(ui, ["tab"]).ui.composer?.target).toBe("term-architect");
    expect(press(ui, ["shift+tab"]).ui.composer?.target).toBe("term-architect");
  });

  test("a paste keeps its line breaks and is not sent", () => {
    const opened = press(start, ["m"]).ui;
    const pasted = step(opened, { kind: "input", input: { kind: "paste", text: "one\ntwo" }, reach }, snapshot);
    expect(pasted.requests).toEqual([]);
    expect(press(pasted.ui, ["ctrl+j", "x", "enter"]).requests).toMatchObject([{ text: "one\ntwo\nx" }]);
  });

  test("a paste outside the text box is dropped", () => {
    const pasted = step(start, { kind: "input", input: { kind: "paste", text: "q\nm" }, reach }, snapshot);
    expect(pasted).toEqual({ ui: start, requests: [] });
  });

  test("Esc keeps what was written", () => {
    const { ui } = press(start, ["m", "a", "b", "escape"]);
    expect(ui.composer).toBeNull();
    expect(press(ui, ["m"]).ui.drafts.message.text).toBe("ab");
  });

  test("an empty text is not sent, and says so", () => {
    const { ui, requests } = press(start, ["m", " ", "enter"]);
    expect(requests).toEqual([]);
    expect(ui.notice?.text).toContain("Nothing is written yet");
  });

  verifies("mission-control:broadcast-as-you", "a notice goes to the project of the chosen agent", () => {
    const { requests } = press(start, ["down", "b", ...letters("freeze"), "enter"]);
    expect(requests).toEqual([{ kind: "broadcast", request: 1, project: "/work/other", text: "freeze" }]);
  });

  test("without a live peer the box does not open", () => {
    const none = snapshotOf([agentView({ name: "shell", level: "not a peer" })]);
    const { ui } = press(start, ["m"], none);
    expect(ui.composer).toBeNull();
    expect(ui.notice?.text).toContain("quay up");
  });

  test("a refused text comes back, unless another was begun", () => {
    const refused = { kind: "answered", request: 1, notice: { text: "no", isGood: false }, refused: true } as const;
    const sent = press(start, ["m", "/", "x", "enter"]).ui;
    const back = step(sent, refused, snapshot).ui;
    expect(back.drafts.message.text).toBe("/x");
    expect(back.composer).toMatchObject({ form: "message", target: "term-architect" });
    expect(back.pending).toEqual([]);
    const other = press(sent, ["m", "y"]).ui;
    expect(step(other, refused, snapshot).ui.drafts.message.text).toBe("y");
  });

  test("a text that went out does not come back", () => {
    const sent = press(start, ["m", "x", "enter"]).ui;
    const fine = { kind: "answered", request: 1, notice: { text: "ok", isGood: true }, refused: false } as const;
    const { ui } = step(sent, fine, snapshot);
    expect(ui.drafts.message.text).toBe("");
    expect(ui.composer).toBeNull();
    expect(ui.notice).toEqual(fine.notice);
  });

  test("an answer to nothing changes nothing", () => {
    const stray = { kind: "answered", request: 9, notice: { text: "x", isGood: true }, refused: false } as const;
    expect(step(start, stray, snapshot).ui).toBe(start);
  });
});

describe("toasts", () => {
  test("come, are few, and fade oldest first", () => {
    let ui = start;
    for (const text of ["1", "2", "3", "4", "5"]) ui = step(ui, { kind: "toastRaised", text }, snapshot).ui;
    expect(ui.toasts).toEqual(["2", "3", "4", "5"]);
    expect(step(ui, { kind: "toastFaded" }, snapshot).ui.toasts).toEqual(["3", "4", "5"]);
  });
});

test("the engine's coming back takes its absence off the screen", () => {
  const gone = step(firstUi("trail"), { kind: "engineGone", why: "stopped" }, snapshot).ui;
  expect(gone.gone).toBe("stopped");
  expect(step(gone, { kind: "engineChanged" }, snapshot).ui.gone).toBeNull();
});
