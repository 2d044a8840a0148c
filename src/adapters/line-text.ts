/**
 * Is the text on a CLI's line the text that was pasted? Every CLI wraps in its own way, so white space never counts;
 * long pastes show as a chip that only tells their size. Pure; knows no CLI: the chip comes in as a pattern.
 */
import type { Echo } from "./adapter.js";
import { cellWidth } from "./screen.js";

/** Text as compared: no white space, no invisible characters, one normal form. */
export const squash = (text: string): string =>
  text.normalize("NFC").replace(/(?:[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Variation_Selector})+/gu, "");

/**
 * tmux keeps only some bytes per cell, so a joined emoji may lose parts and a letter marks, and it draws no character
 * that its system does not know: here both lose them all.
 */
const bare = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[\p{Mn}\p{Me}\p{Cn}]+/gu, "")
    .replace(
      /(\p{Extended_Pictographic})\p{Emoji_Modifier}?(?:\u200d(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?)?)+/gu,
      "$1",
    );

/** tmux draws no character that is newer than its system, and such ones are rare and high up: those on no row at all. */
const withoutUndrawn = (text: string, shown: string): string => {
  const drawn = new Set(shown);
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) => (drawn.has(character) ? character : ""));
};

/** This many squashed characters at the end of a text stand for the whole of it. */
const TAIL = 24;

/**
 * Compares the line with our text. `chip` matches the squashed chip that our text makes, unanchored; null when the
 * CLI shows it in full. `mixed` also when somebody typed on behind it.
 */
export const compareEcho = (shown: string, text: string, chip: RegExp | null): Echo => {
  const got = squash(shown);
  const want = squash(text);
  if (want === "" || got === "") return "none";
  if (got === want) return "ours";
  const [core, seen] = [squash(bare(text)), squash(bare(shown))];
  if (core !== "" && core === seen) return "ours";
  const drawn = withoutUndrawn(core, seen);
  if (drawn !== "" && drawn === seen) return "ours";
  if (chip !== null) {
    const found = chip.exec(got);
    if (found !== null) return found[0] === got ? "ours" : "mixed";
  }
  const tail = want.slice(-TAIL);
  if (got.endsWith(tail) || (tail.length === TAIL && got.includes(tail))) return "mixed";
  return "none";
};

/**
 * A line so tall that its first rows are scrolled away: the rows in sight must be the end of our text, and the rest
 * of it must fill exactly the hidden rows, at one of these widths. Anything typed before it moves the row breaks.
 * `hiddenRows` null: the CLI does not say how many there are, so any number of whole rows will do.
 */
export const compareScrolledEcho = (
  shown: readonly string[],
  text: string,
  hiddenRows: number | null,
  widths: readonly number[],
): Echo => {
  const got = squash(shown.join(""));
  const want = squash(text);
  if (got.length < TAIL || !want.endsWith(got))
    return compareEcho(shown.join(""), text, null) === "none" ? "none" : "mixed";
  const hidden = want.length - got.length;
  const fits = widths.some((width) => {
    const starts = wrapStarts(text, width);
    return hiddenRows === null ? starts.includes(hidden) : starts[hiddenRows] === hidden;
  });
  return fits ? "ours" : "mixed";
};

/** Where each row of the wrapped text starts, counted in squashed characters. Breaks at blanks; a longer word is cut. */
const wrapStarts = (text: string, width: number): readonly number[] => {
  const starts: number[] = [];
  let offset = 0;
  for (const line of text.normalize("NFC").split("\n")) {
    let used = 0;
    starts.push(offset);
    line.split(" ").forEach((word, index) => {
      if (index > 0 && used > 0) used++;
      const long = columnsOf(word);
      const breaksHere = Math.ceil((long - (width - used)) / width);
      const breaksBelow = Math.ceil((long - width) / width);
      // A word that fits no row starts where it makes fewer breaks; any other goes below when it does not fit here.
      if (used > 0 && used + long > width && long > 0 && (long <= width || breaksBelow < breaksHere)) {
        starts.push(offset);
        used = 0;
      }
      for (const character of word) {
        const columns = cellWidth(character);
        if (used + columns > width) {
          starts.push(offset);
          used = 0;
        }
        used += columns;
        offset += squash(character).length;
      }
    });
  }
  return starts;
};

const columnsOf = (word: string): number => [...word].reduce((sum, character) => sum + cellWidth(character), 0);
