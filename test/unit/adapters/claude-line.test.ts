import { describe, expect, it } from "vitest";
import type { Screen } from "../../../src/adapters/adapter.js";
import { claudeLine } from "../../../src/adapters/claude-line.js";
import { drawFrame } from "../../../src/drill/frame.js";
import { labelledScreens } from "../../support/labelled-screens.js";

const labelled = labelledScreens("claude");

/** Our own texts that stand behind a draft or an earlier paste. */
const MIXED = /^(draft\+paste|paste-l10\+p20)$/;

describe("real screens of Claude Code", () => {
  it("are all there", () => {
    expect(labelled).toHaveLength(309);
  });

  it.each(labelled.map((row, index) => [`${index} ${row.label} ${row.cols}x${row.rows}`, row] as const))(
    "%s",
    (_, row) => {
      const { screen } = row;
      expect({ line: claudeLine.line(screen), dialog: claudeLine.dialog(screen) }).toEqual({
        line: row.state,
        dialog: row.dialog,
      });
      if (row.pasted !== undefined)
        expect(claudeLine.echo(screen, row.pasted)).toBe(MIXED.test(row.label) ? "mixed" : "ours");
      if (row.notPasted !== undefined) expect(claudeLine.echo(screen, row.notPasted)).toBe("none");
    },
  );
});

const COLS = 60;
const RULE = "─".repeat(COLS);
const FOOT = "  ⏸ manual mode on";

/** A screen as Claude draws it: transcript rows, then the box. `cursor` counts from the box's first row. */
const draw = (
  transcript: readonly string[],
  box: readonly string[],
  cursor: readonly [x: number, y: number],
  { upper = RULE, foot = [FOOT] }: { readonly upper?: string; readonly foot?: readonly string[] } = {},
): Screen => {
  const rows = [...transcript, upper, ...box, RULE, ...foot];
  return {
    ansi: rows.join("\n"),
    cursor: { x: cursor[0], y: transcript.length + 1 + cursor[1], visible: false },
    cols: COLS,
    rows: rows.length,
  };
};

const EMPTY = "❯\u00a0\x1b[7m \x1b[0m";
const GHOST = "❯\u00a0\x1b[7mT\x1b[0;2mry it\x1b[0m";
const QUOTED_DIALOG = ["  Do you want to proceed?", "  ❯ 1. Yes", "    2. No", "", "  Esc to cancel · Tab to amend"];

describe("the line", () => {
  it.each<[string, Screen, "empty" | "occupied" | "unknown"]>([
    ["nothing in the box", draw([], [EMPTY], [2, 0]), "empty"],
    ["a ghost", draw([], [GHOST], [2, 0]), "empty"],
    ["a ghost of two rows", draw([], [`${GHOST}\x1b[2m and`, "  then that\x1b[0m"], [2, 0]), "empty"],
    ["the ghost's words, typed", draw([], ["❯\u00a0\x1b[7mT\x1b[0mry it"], [2, 0]), "occupied"],
    ["a ghost with one letter that is not dim", draw([], ["❯\u00a0\x1b[7mT\x1b[0;2mry i\x1b[0mt"], [2, 0]), "occupied"],
    ["a ghost, but the cursor behind it", draw([], [GHOST], [8, 0]), "occupied"],
    ["one letter with the cursor on it", draw([], ["❯\u00a0\x1b[7mx\x1b[0m"], [2, 0]), "occupied"],
    [
      "a double underline that tmux writes as 4:2",
      draw([], ["❯\u00a0\x1b[7ma\x1b[0;4:2mbc\x1b[0m"], [2, 0]),
      "occupied",
    ],
    ["blanks", draw([], ["❯\u00a0   "], [5, 0]), "occupied"],
    ["a newline", draw([], ["❯\u00a0", "   "], [2, 0]), "occupied"],
    ["shell mode with nothing typed", draw([], ["!\u00a0\x1b[7m \x1b[0m"], [2, 0]), "occupied"],
    [
      "a draft whose first rows are out of sight",
      draw([], ["  b", "  c"], [3, 1], { upper: `─── ↑ 2 more ${"─".repeat(47)}` }),
      "occupied",
    ],
    ["a session name of 64 characters", draw([], [EMPTY], [2, 0], { upper: `── ${"n".repeat(54)} ─` }), "empty"],
    ["the cursor in the footer", draw([], [EMPTY], [2, 2]), "unknown"],
    ["the cursor on the sign", draw([], [EMPTY], [0, 0]), "unknown"],
    ["the cursor above the box", draw(["  text"], [EMPTY], [2, -2]), "unknown"],
    ["no sign", draw([], ["  text"], [2, 0]), "unknown"],
    ["text right behind the sign", draw([], ["❯x"], [2, 0]), "unknown"],
    ["rules with nothing between", draw([], [], [2, 0]), "unknown"],
  ])("%s: %s", (_, screen, expected) => {
    expect(claudeLine.line(screen)).toBe(expected);
  });

  it("is not the box that a model printed, wherever the cursor is", () => {
    const fake = [`  ${RULE.slice(2)}`, `  ${EMPTY}`, `  ${RULE.slice(2)}`, FOOT];
    expect(claudeLine.line(draw(fake, ["❯\u00a0draft"], [7, 0]))).toBe("occupied");
    const alone: Screen = { ansi: fake.join("\n"), cursor: { x: 4, y: 1, visible: false }, cols: COLS, rows: 4 };
    expect(claudeLine.line(alone)).toBe("unknown");
  });

  it("is not the box of a program that has ended, with a shell prompt below", () => {
    const screen = draw(["  bye"], [EMPTY], [2, 3], { foot: [FOOT, "user@host:~$ "] });
    expect(claudeLine.line(screen)).toBe("unknown");
    expect(claudeLine.dialog(screen)).toBeNull();
  });

  it.each(["", "\n\n\n", "user@host:~$ ", "\x1b[", RULE, `${RULE}\n${RULE}`])("claims nothing of %j", (ansi) => {
    const screen: Screen = { ansi, cursor: { x: 2, y: 0, visible: true }, cols: COLS, rows: 24 };
    expect([claudeLine.line(screen), claudeLine.echo(screen, "text"), claudeLine.dialog(screen)]).toEqual([
      "unknown",
      "none",
      null,
    ]);
  });
});

describe("the echo", () => {
  const echoIn = (text: string, rows: readonly string[], options?: { readonly upper?: string }) =>
    claudeLine.echo(draw([], rows, [2, rows.length - 1], options), text);

  it.each<[string, readonly string[], string, "ours" | "mixed" | "none"]>([
    ["in full", ["❯\u00a0check the build"], "check the build", "ours"],
    ["wrapped within a word", ["❯\u00a0check the bu", "  ild now"], "check the build now", "ours"],
    ["with its line feeds", ["❯\u00a0one", "", "  two"], "one\n\ntwo\n", "ours"],
    ["with a draft before it", ["❯\u00a0dear check the build"], "check the build", "mixed"],
    [
      "with more behind it",
      ["❯\u00a0please check that the build is green now"],
      "please check that the build is green",
      "mixed",
    ],
    ["in part", ["❯\u00a0check the"], "check the build", "none"],
    ["another text", ["❯\u00a0check the tests"], "check the build", "none"],
    ["as part of another text", ["❯\u00a0looking"], "ok", "none"],
    ["an empty text", ["❯\u00a0x"], " ", "none"],
    ["as its chip", ["❯\u00a0[Pasted text #3 +4 lines]"], "a\nb\nc\nd\ne", "ours"],
    ["as its chip behind a draft", ["❯\u00a0see [Pasted text #3 +4 lines]"], "a\nb\nc\nd\ne", "mixed"],
    ["as its chip with a draft behind it", ["❯\u00a0[Pasted text #3 +4 lines]see"], "a\nb\nc\nd\ne", "mixed"],
    ["as a chip without lines and a draft", ["❯\u00a0[Pasted text #3] see"], "x".repeat(801), "mixed"],
    ["behind another chip", ["❯\u00a0[Pasted text #2 +4 lines][Pasted text #3 +4 lines]"], "a\nb\nc\nd\ne", "mixed"],
    ["as a chip of other size", ["❯\u00a0[Pasted text #3 +14 lines]"], "a\nb\nc\nd\ne", "none"],
    ["as a chip without lines", ["❯\u00a0[Pasted text #3]"], "x".repeat(801), "ours"],
    ["as a chip, though it is short", ["❯\u00a0[Pasted text #3]"], "x".repeat(800), "none"],
    ["as a chip that is our very text", ["❯\u00a0[Pasted text #3]"], "[Pasted text #3]", "ours"],
  ])("%s", (_, rows, text, expected) => {
    expect(echoIn(text, rows)).toBe(expected);
  });

  it("is none in shell mode, in a ghost, and behind a dialog", () => {
    expect(echoIn("ls", ["!\u00a0ls"])).toBe("none");
    expect(claudeLine.echo(draw([], [GHOST], [2, 0]), "Try it")).toBe("none");
    expect(claudeLine.echo(draw([], ["❯\u00a0ls"], [2, 4]), "ls")).toBe("none");
  });

  it("is not found in the transcript above the box", () => {
    expect(
      claudeLine.echo(draw(["❯ check the build", "", "  check the build"], ["❯\u00a0x"], [3, 0]), "check the build"),
    ).toBe("none");
  });

  it("is looked for inside tmux too when it shows in full, and not when a chip stands for it", () => {
    expect(claudeLine.gate("one\ntwo\nthree")).toBe("one\ntwo\nthree");
    expect(claudeLine.gate("one\ntwo\nthree\n")).toBeNull();
    expect([claudeLine.gate("🎉".repeat(400)), claudeLine.gate(`${"🎉".repeat(400)}x`)]).toEqual([
      "🎉".repeat(400),
      null,
    ]);
  });

  describe("of a text whose first rows are scrolled away", () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
    const text = words.join(" ");
    const wrapped = (full: string) => {
      const rows = [""];
      for (const word of full.split(" ")) {
        const last = rows.length - 1;
        if (rows[last] !== "" && `${rows[last]} ${word}`.length > COLS - 5) rows.push(word);
        else rows[last] = rows[last] === "" ? word : `${rows[last]} ${word}`;
      }
      return rows.map((row) => `  ${row}`);
    };
    const upper = (hidden: number) => {
      const start = `─── ↑ ${hidden} more `;
      return start + "─".repeat(COLS - start.length);
    };
    const rows = wrapped(text);

    it("is ours when the rest fills just the hidden rows", () => {
      expect(echoIn(text, rows.slice(4), { upper: upper(4) })).toBe("ours");
    });

    it("is mixed when more or fewer rows are hidden than that", () => {
      expect(echoIn(text, rows.slice(4), { upper: upper(5) })).toBe("mixed");
      expect(echoIn(text, rows.slice(4), { upper: upper(3) })).toBe("mixed");
    });

    it("is mixed when a draft of one row stands before it, or moved the row breaks", () => {
      const behind = wrapped(`${"draft ".repeat(10).trim()} ${text}`);
      expect(echoIn(text, behind.slice(5), { upper: upper(5) })).toBe("mixed");
    });

    it("is none for another text", () => {
      expect(echoIn("something quite different from all these words", rows.slice(4), { upper: upper(4) })).toBe("none");
    });

    it("is none in shell mode", () => {
      const screen = draw([], rows.slice(4), [2, 1], { upper: upper(4), foot: ["  ! for shell mode"] });
      expect([claudeLine.echo(screen, text), claudeLine.dialog(screen)]).toEqual(["none", "mode"]);
    });
  });
});

describe("dialogs", () => {
  const panel = (
    rows: readonly string[],
    cursor: readonly [number, number],
    transcript: readonly string[] = [],
  ): Screen => ({
    ansi: [...transcript, ...rows].join("\n"),
    cursor: { x: cursor[0], y: transcript.length + cursor[1], visible: false },
    cols: COLS,
    rows: 40,
  });

  it("quoted in the transcript or in a draft are none", () => {
    expect(claudeLine.dialog(draw(QUOTED_DIALOG, [EMPTY], [2, 0]))).toBeNull();
    expect(
      claudeLine.dialog(draw(QUOTED_DIALOG, ["❯\u00a0Do you want to proceed?", "  ❯ 1. Yes"], [10, 1])),
    ).toBeNull();
    expect(claudeLine.dialog(panel([...QUOTED_DIALOG, "user@host:~$ "], [13, 5]))).toBeNull();
  });

  it("taller than the pane are known by the mark under the cursor", () => {
    const rows = [
      "  word word",
      " Do you want to proceed?",
      " ❯ 1. Yes",
      "   2. No",
      "",
      " Esc to cancel · Tab to amend",
    ];
    expect(claudeLine.dialog(panel(rows, [1, 2]))).toBe("permission");
    expect(claudeLine.dialog(panel(rows, [3, 0]))).toBeNull();
  });

  it("are named by their own title, not by what a model asks in them", () => {
    const question = [
      RULE,
      " ☐ Go",
      "",
      "Do you want to proceed?",
      "",
      "❯ 1. Yes",
      "  2. No",
      RULE,
      "  3. Chat about this",
      "",
      "Enter to select · ↑/↓ to navigate · Esc to cancel",
    ];
    expect(claudeLine.dialog(panel(question, [0, 5]))).toBe("question");
    expect(claudeLine.dialog(panel(question, [0, 5], ["  text"]))).toBe("question");
    const permission = [
      RULE,
      " Bash command",
      " echo",
      "   Yes, I trust this folder",
      "   Yes, I accept",
      " Do you want to proceed?",
      " ❯ 1. Yes",
      "   2. No",
      "",
      " Esc to cancel",
    ];
    expect(claudeLine.dialog(panel(permission, [1, 6]))).toBe("permission");
  });

  it("for a permission are known with a wrapped question and a question mark in a file's name", () => {
    const rows = [
      RULE,
      " Create file",
      " Do you want to create what is this?.txt in this",
      " folder?",
      " ❯ 1. Yes",
      "   2. No",
    ];
    expect(claudeLine.dialog(panel(rows, [1, 4]))).toBe("permission");
  });

  it("close with a rule of their own in a named session", () => {
    const rows = [
      RULE,
      " Bash command",
      " Do you want to proceed?",
      " ❯ 1. Yes",
      "   2. No",
      "",
      `${"─".repeat(48)} my name ──`,
    ];
    expect(claudeLine.dialog(panel(rows, [1, 3]))).toBe("permission");
    expect(claudeLine.line(panel(rows, [1, 3]))).toBe("unknown");
  });

  it("with unknown words are known by their foot, wrapped or not; without one they stay unnamed", () => {
    const rows = [
      "▔".repeat(COLS),
      "  Something new",
      "",
      "  ❯ One",
      "    Two",
      "",
      "  Press x · Enter to",
      "  confirm",
    ];
    expect(claudeLine.dialog(panel(rows, [2, 3]))).toBe("settings");
    expect(claudeLine.dialog(panel(rows.slice(0, 5), [2, 3]))).toBeNull();
    expect(claudeLine.line(panel(rows.slice(0, 5), [2, 3]))).toBe("unknown");
  });

  it("the limit menu is named", () => {
    const rows = [
      "▔".repeat(COLS),
      "  What do you want to do?",
      "",
      "  ❯ 1. Stop and wait for limit to reset",
      "  Esc to cancel",
    ];
    expect(claudeLine.dialog(panel(rows, [2, 3]))).toBe("limit");
  });

  it("a menu is open while a name is being typed, in our text too, and only directly above the box", () => {
    const files = ["  text", "", "    + src/a.ts", "    + src/b.ts"];
    expect(claudeLine.dialog(draw(files, ["❯\u00a0[Peer agent (a)]: look at @src"], [33, 0]))).toBe("menu");
    expect(claudeLine.dialog(draw(files, ["❯\u00a0look at @src now"], [18, 0]))).toBeNull();
    expect(claudeLine.dialog(draw([...files, ""], ["❯\u00a0@src"], [6, 0]))).toBeNull();
  });
});

/** As the drill agent draws its composer, which is how Claude Code draws it. */
const drawn = (draft: string, dialog: string | null = null): Screen => {
  const { rows, cursor } = drawFrame({ conversation: [], draft, busy: false, dialog }, { columns: 80, rows: 24 });
  return { ansi: rows.join("\n"), cursor: { ...cursor, visible: true }, cols: 80, rows: 24 };
};

describe("a line break behind our text", () => {
  const LONG = "long text\n".repeat(5).trimEnd();
  const FULL = "x".repeat(75);

  it.each([
    ["short", "hello", "hello\n"],
    ["of several lines", "one\ntwo", "one\ntwo\n"],
    ["wrapped", "word ".repeat(40).trimEnd(), `${"word ".repeat(40).trimEnd()}\n`],
    ["behind a chip", LONG, "[Pasted text #1 +4 lines]\n"],
  ])("is seen: %s", (_name, text, draft) => {
    expect(claudeLine.brokenBehind?.(drawn(draft), text)).toBe(true);
    expect(claudeLine.brokenBehind?.(drawn(draft.slice(0, -1)), text)).toBe(false);
  });

  it.each([
    ["somebody's words in the new row", "hello", "hello\nand"],
    ["a blank typed in the new row", "hello", "hello\n "],
    ["another text", "hello", "good bye\n"],
    ["words before it", "hello", "wait, hello\n"],
    ["an empty line", "hello", ""],
    ["a row that is full: it may have wrapped", FULL, `${FULL}\n`],
  ])("is not seen: %s", (_name, text, draft) => {
    expect(claudeLine.brokenBehind?.(drawn(draft), text)).toBe(false);
  });

  it("is not seen behind a dialog", () => {
    expect(claudeLine.brokenBehind?.(drawn("hello\n", "touch x"), "hello")).toBe(false);
  });
});
