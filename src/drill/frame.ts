/**
 * One picture of the agent's terminal: its honest title, the last of the conversation, and the box with the draft, or
 * a dialog in its place. Pure: rows, and where the cursor is parked. Drawn as Quay's Claude Code adapter reads it.
 */
import { columnsOf, showable, wrapCells } from "../demo/cells.js";

export const TITLE = "Quay drill agent – scripted, no model";

export type Size = { readonly columns: number; readonly rows: number };

export type Picture = {
  readonly conversation: readonly string[];
  readonly draft: string;
  readonly busy: boolean;
  /** What a dialog asks to run; null when none is open. */
  readonly dialog: string | null;
};

export type Frame = { readonly rows: readonly string[]; readonly cursor: { readonly x: number; readonly y: number } };

const INDENT = 2;
/** Claude Code wraps five columns short of its terminal. */
const wrapDraft = (draft: string, columns: number): readonly string[] =>
  showable(draft)
    .split("\n")
    .flatMap((line) => wrapCells(line, Math.max(10, columns - 5)));

const composer = (
  picture: Picture,
  { columns }: Size,
): { readonly rows: readonly string[]; readonly cursor: Frame["cursor"] } => {
  const rule = "─".repeat(columns);
  const lines = wrapDraft(picture.draft, columns);
  const shown = lines.map((line, index) => `${index === 0 ? "❯\u00a0" : "  "}${line}`);
  const hint = picture.busy ? "esc to interrupt" : "? for shortcuts";
  const footer = picture.draft === "" || picture.busy ? `  manual mode on · ${hint}` : "  manual mode on";
  return {
    rows: [rule, ...shown, rule, footer],
    cursor: { x: Math.min(columns - 1, INDENT + columnsOf(lines.at(-1) ?? "")), y: lines.length },
  };
};

const dialog = (command: string, { columns }: Size): ReturnType<typeof composer> => {
  const rows = [
    "─".repeat(columns),
    " Bash command",
    "",
    `   ${command}`,
    "",
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. No",
    "",
    " Esc to cancel · Tab to amend",
  ];
  return { rows, cursor: { x: 1, y: 6 } };
};

export const drawFrame = (picture: Picture, size: Size): Frame => {
  const block = picture.dialog === null ? composer(picture, size) : dialog(picture.dialog, size);
  const rows = block.rows.slice(-Math.max(1, size.rows - 1));
  const cut = block.rows.length - rows.length;
  const room = Math.max(0, size.rows - 1 - rows.length);
  const said =
    room === 0 ? [] : picture.conversation.flatMap((line) => wrapCells(showable(line), size.columns)).slice(-room);
  const blank = Array.from({ length: room - said.length }, () => "");
  return {
    rows: [TITLE, ...blank, ...said, ...rows],
    cursor: { x: block.cursor.x, y: 1 + room + block.cursor.y - cut },
  };
};

/** One write, so that a reader of the terminal seldom sees half of it. */
export const paint = ({ rows, cursor }: Frame): string =>
  `\u001b[?25l${rows.map((row, y) => `\u001b[${y + 1};1H\u001b[2K${row}`).join("")}\u001b[${cursor.y + 1};${cursor.x + 1}H`;
