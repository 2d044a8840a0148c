import { describe, expect, it } from "vitest";
import type { Screen } from "../../../src/adapters/adapter.js";
import { codexLine } from "../../../src/adapters/codex-line.js";
import { labelledScreens } from "../../support/labelled-screens.js";

const labelled = labelledScreens("codex");

/** Our own texts that stand behind a draft or an earlier paste. */
const MIXED = /^(draft\+paste|paste-l10\+p20)$/;

describe("real screens of Codex", () => {
  it("are all there", () => {
    expect(labelled).toHaveLength(264);
  });

  it.each(labelled.map((row, index) => [`${index} ${row.label} ${row.cols}x${row.rows}`, row] as const))(
    "%s",
    (_, row) => {
      const { screen } = row;
      expect({ line: codexLine.line(screen), dialog: codexLine.dialog(screen) }).toEqual({
        line: row.state,
        dialog: row.dialog,
      });
      if (row.pasted !== undefined)
        expect(codexLine.echo(screen, row.pasted)).toBe(MIXED.test(row.label) ? "mixed" : "ours");
      if (row.notPasted !== undefined) expect(codexLine.echo(screen, row.notPasted)).toBe("none");
    },
  );
});

const COLS = 60;
const FOOT = ["", "  gpt default · ~/app", "  \x1b[1m←\x1b[0m for agents · \x1b[1m?\x1b[0m for shortcuts"];
const SIGN = "\x1b[1m›\x1b[0m ";
const GHOST = `${SIGN}\x1b[2mAsk Codex to do anything\x1b[0m`;

/** A screen as Codex draws it: transcript rows, then the line. `cursor` counts from the line's first row. */
const draw = (
  transcript: readonly string[],
  line: readonly string[],
  cursor: readonly [x: number, y: number, visible?: boolean],
  foot: readonly string[] = FOOT,
): Screen => {
  const rows = [...transcript, ...line, ...foot];
  return {
    ansi: rows.join("\n"),
    cursor: { x: cursor[0], y: transcript.length + cursor[1], visible: cursor[2] ?? true },
    cols: COLS,
    rows: rows.length,
  };
};

describe("the line", () => {
  it.each<[string, Screen, "empty" | "occupied" | "unknown"]>([
    ["the ghost", draw([], [GHOST], [2, 0]), "empty"],
    ["the ghost's words, typed", draw([], [`${SIGN}Ask Codex to do anything`], [2, 0]), "occupied"],
    ["a ghost with one letter that is not dim", draw([], [`${GHOST}x`], [2, 0]), "occupied"],
    ["a ghost, but the cursor behind it", draw([], [GHOST], [8, 0]), "occupied"],
    ["no ghost and no text", draw([], [SIGN], [2, 0]), "unknown"],
    ["blanks", draw([], [`${SIGN}  `], [4, 0]), "occupied"],
    ["a newline", draw([], [SIGN, "  "], [2, 1]), "occupied"],
    ["shell mode with nothing typed", draw([], ["\x1b[1m!\x1b[0m "], [2, 0]), "occupied"],
    ["a hidden cursor", draw([], [GHOST], [2, 0, false]), "unknown"],
    ["the cursor in the footer", draw([], [GHOST], [20, 3]), "unknown"],
    ["a prompt of the transcript", draw(["\x1b[1;2m›\x1b[0m hello"], [], [2, -1]), "unknown"],
    ["a shell's prompt below", draw([GHOST, ...FOOT], ["user@host:~$ "], [13, 0], []), "unknown"],
  ])("%s: %s", (_, screen, expected) => {
    expect(codexLine.line(screen)).toBe(expected);
  });

  it.each(["", "\n\n\n", "user@host:~$ ", "\x1b[", SIGN])("claims nothing of %j", (ansi) => {
    const screen: Screen = { ansi, cursor: { x: 2, y: 0, visible: true }, cols: COLS, rows: 24 };
    expect([codexLine.line(screen), codexLine.echo(screen, "text"), codexLine.dialog(screen)]).toEqual([
      "unknown",
      "none",
      null,
    ]);
  });
});

describe("the echo", () => {
  const echoIn = (text: string, rows: readonly string[]) => codexLine.echo(draw([], rows, [2, rows.length - 1]), text);

  it.each<[string, readonly string[], string, "ours" | "mixed" | "none"]>([
    ["in full", [`${SIGN}check the build`], "check the build", "ours"],
    ["with its line feeds", [`${SIGN}one`, "", "  two"], "one\n\ntwo\n", "ours"],
    ["with a draft before it", [`${SIGN}dear check the build`], "check the build", "mixed"],
    ["in part", [`${SIGN}check the`], "check the build", "none"],
    ["as its chip", [`${SIGN}[Pasted Content 1001 chars]`], "x".repeat(1001), "ours"],
    ["as a second chip of that size", [`${SIGN}[Pasted Content 1001 chars] #2`], "x".repeat(1001), "ours"],
    ["as a chip of other size", [`${SIGN}[Pasted Content 1002 chars]`], "x".repeat(1001), "none"],
    ["as a chip, though it is short", [`${SIGN}[Pasted Content 1000 chars]`], "x".repeat(1000), "none"],
    ["as its chip with a draft behind it", [`${SIGN}[Pasted Content 1001 chars]see`], "x".repeat(1001), "mixed"],
    ["as a second chip with a draft", [`${SIGN}[Pasted Content 1001 chars] #2see`], "x".repeat(1001), "mixed"],
    ["as its chip behind a draft", [`${SIGN}see [Pasted Content 1001 chars]`], "x".repeat(1001), "mixed"],
    ["as a ghost", [GHOST], "Ask Codex to do anything", "none"],
    ["in shell mode", ["\x1b[1m!\x1b[0m ls"], "ls", "none"],
  ])("%s", (_, rows, text, expected) => {
    expect(echoIn(text, rows)).toBe(expected);
  });

  it.each(["see @src", "@", "a\nfor $5", "see @src/a.ts"])(
    "of %j is pasted with a blank that closes the menu",
    (text) => {
      expect(codexLine.pasted?.(text)).toBe(`${text} `);
      expect(echoIn(text, `${SIGN}${text.replace("\n", "\n  ")} `.split("\n"))).toBe("ours");
    },
  );

  it.each(["see @src now", "a@b", "five$", ""])("of %j is pasted as it is", (text) => {
    expect(codexLine.pasted?.(text)).toBe(text);
  });

  it("counts code points, and is looked for inside tmux when it shows in full", () => {
    expect([codexLine.gate("🎉".repeat(1000)), codexLine.gate("🎉".repeat(1001))]).toEqual(["🎉".repeat(1000), null]);
  });

  it("of a text whose first rows are out of sight is ours only when it fills whole ones", () => {
    const text = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    const rows = [""];
    for (const word of text.split(" ")) {
      const last = rows.length - 1;
      if (rows[last] !== "" && `${rows[last]} ${word}`.length > COLS - 3) rows.push(word);
      else rows[last] = rows[last] === "" ? word : `${rows[last]} ${word}`;
    }
    const shown = (from: number, first = rows[from]!): readonly string[] => [
      `${SIGN}${first.padEnd(COLS - 3)}↑`,
      ...rows.slice(from + 1).map((row) => `  ${row}`),
    ];
    expect(echoIn(text, shown(3))).toBe("ours");
    expect(echoIn(text, shown(3, rows[3]!.slice(1)))).toBe("mixed");
    expect(echoIn("something quite different from all these words", shown(3))).toBe("none");
  });
});

describe("dialogs", () => {
  it("quoted in the transcript or in a draft are none", () => {
    const quoted = [
      "  Would you like to run the following command?",
      "  › 1. Yes, proceed (y)",
      "  Press enter to confirm or esc to cancel",
    ];
    expect(codexLine.dialog(draw(quoted, [GHOST], [2, 0]))).toBeNull();
    expect(codexLine.dialog(draw([], [`${SIGN}Trust this folder?`], [20, 0]))).toBeNull();
    expect(codexLine.dialog(draw([...quoted, ""], ["user@host:~$ "], [13, 0], ["", "", ""]))).not.toBe("trust");
  });

  it("a menu above our own text is one, whatever it offers", () => {
    const menu = ["› Image Gen   [Skill] Generate", "", "  enter insert · esc close", ""];
    expect(codexLine.dialog(draw(menu, [`${SIGN}look at @src`], [14, 0]))).toBe("menu");
    expect(codexLine.dialog(draw(["  done", ""], [`${SIGN}look at @src now`], [18, 0]))).toBeNull();
  });
});
