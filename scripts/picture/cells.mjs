// A screen as tmux captures it (lines with colour sequences), read into cells by a terminal. Knows no picture.
import xterm from "@xterm/headless";

const colourOf = (cell, side) => {
  const [isDefault, isRgb, value] =
    side === "fg"
      ? [cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()]
      : [cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()];
  if (isDefault) return null;
  return isRgb ? { kind: "rgb", value } : { kind: "palette", value };
};

const styleOf = (cell) => ({
  fg: colourOf(cell, "fg"),
  bg: colourOf(cell, "bg"),
  bold: cell.isBold() !== 0,
  dim: cell.isDim() !== 0,
  italic: cell.isItalic() !== 0,
  underline: cell.isUnderline() !== 0,
  inverse: cell.isInverse() !== 0,
});

/** Rows of `{ text, width, style }`; the second half of a wide character is no cell of its own. */
export const readCells = async (screen, cols, rows) => {
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  await new Promise((resolve) => terminal.write(screen.replace(/\n$/, "").replaceAll("\n", "\r\n"), resolve));
  const buffer = terminal.buffer.active;
  const read = Array.from({ length: rows }, (_, y) => {
    const line = buffer.getLine(y);
    const cells = [];
    for (let x = 0; x < cols; x += 1) {
      const cell = line?.getCell(x);
      if (cell === undefined || cell.getWidth() === 0) continue;
      cells.push({ text: cell.getChars() || " ", width: cell.getWidth(), style: styleOf(cell) });
    }
    return cells;
  });
  terminal.dispose();
  return read;
};
