/** Real screens of a CLI with what they show, packed in test/fixtures/screens: one gzipped JSON line for each. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Screen } from "../../src/adapters/adapter.js";

export type LabelledScreen = {
  readonly label: string;
  readonly cols: number;
  readonly rows: number;
  readonly state: "empty" | "occupied" | "unknown";
  readonly dialog: string | null;
  readonly pasted: string | undefined;
  readonly notPasted: string | undefined;
  readonly screen: Screen;
};

type Row = Omit<LabelledScreen, "screen" | "dialog"> & {
  readonly dialog?: string;
  readonly screen: string;
  readonly cursor: readonly [number, number, boolean];
};

export const labelledScreens = (cli: string): readonly LabelledScreen[] =>
  gunzipSync(readFileSync(new URL(`../fixtures/screens/${cli}.jsonl.gz`, import.meta.url)))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const { screen, cursor, dialog, ...row } = JSON.parse(line) as Row;
      const [x, y, visible] = cursor;
      return {
        ...row,
        pasted: row.pasted,
        notPasted: row.notPasted,
        dialog: dialog ?? null,
        screen: { ansi: screen, cursor: { x, y, visible }, cols: row.cols, rows: row.rows },
      };
    });
