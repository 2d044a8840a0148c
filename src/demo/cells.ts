/**
 * Where a text wraps on a terminal, and what of a foreign text may be shown at all. Pure; a sequence that a terminal
 * joins into one picture counts as its parts.
 */
import { cellWidth } from "../adapters/screen.js";

export const columnsOf = (text: string): number =>
  [...text].reduce((columns, character) => columns + cellWidth(character), 0);

/** One line without line feeds, cut into rows of at most `width` columns; words are kept whole when they fit. */
export const wrapCells = (line: string, width: number): readonly string[] => {
  const rows: string[] = [];
  let row = "";
  let columns = 0;
  const breakRow = (): void => {
    rows.push(row);
    row = "";
    columns = 0;
  };
  for (const piece of line.match(/ +|[^ ]+/g) ?? []) {
    const pieceColumns = columnsOf(piece);
    if (columns > 0 && columns + pieceColumns > width && pieceColumns <= width && !piece.startsWith(" ")) breakRow();
    for (const character of piece) {
      if (columns + cellWidth(character) > width) breakRow();
      row += character;
      columns += cellWidth(character);
    }
  }
  return [...rows, row];
};

/** Text from outside, made safe to show: no control or direction characters, tabs as two blanks. Line feeds stay. */
export const showable = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
