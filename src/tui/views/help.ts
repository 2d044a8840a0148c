/** The list of keys, made from the key table. Pure. */
import { helpGroups } from "../keymap.js";
import { type Line, line, span } from "../line.js";
import { cellWidth, wrap } from "../text.js";

export const helpView = (width: number): readonly Line[] => {
  const groups = helpGroups();
  const keyWidth = Math.min(26, Math.max(8, Math.floor(width * 0.4)));
  return groups.flatMap((group): readonly Line[] => [
    line(group.title, "title"),
    ...group.rows.flatMap(({ keys, does }): readonly Line[] => {
      const texts = wrap(does, width - keyWidth - 1);
      const labels = wrap(keys, keyWidth);
      return Array.from({ length: Math.max(texts.length, labels.length) }, (_, row) => {
        const label = labels[row] ?? "";
        return [span(label, "strong"), span(" ".repeat(keyWidth + 1 - cellWidth(label))), span(texts[row] ?? "")];
      });
    }),
    [],
  ]);
};
