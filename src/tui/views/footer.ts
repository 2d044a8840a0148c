/** The last rows: what was said last (a refusal in full), what is still pending, the toast, and the keys. Pure. */
import type { Snapshot } from "../../bus/views.js";
import { bindings, type Context, MISSION_ONLY, wordKey } from "../keymap.js";
import { type Line, line, lineWidth, type Span, span, spread } from "../line.js";
import { glimpse, wrap } from "../text.js";
import type { Doing, Notice, Pending, Ui } from "../ui.js";

const NOTICE_ROWS = 6;

export const noticeView = (notice: Notice | null, width: number, maxRows: number): readonly Line[] => {
  if (notice === null) return [];
  const rows = wrap(notice.text, width);
  const limit = Math.max(1, Math.min(NOTICE_ROWS, maxRows));
  return rows
    .slice(0, limit)
    .map((row, index) =>
      line(
        index === limit - 1 && rows.length > limit ? glimpse(`${row} …`, width) : row,
        notice.isGood ? "plain" : "bad",
      ),
    );
};

/** What the engine is at for us; a preset's seats are counted as they come. */
const wordDoing = (doing: readonly Doing[], snapshot: Snapshot, width: number): string => {
  const last = doing.at(-1);
  if (last === undefined) return "";
  const seats = snapshot.presets.find((one) => one.name === last.preset)?.seats.length;
  const live = snapshot.agents.filter((one) => one.exit === null && one.preset === last.preset).length;
  return glimpse(seats === undefined ? last.text : `${last.text} ${live} of ${seats} seats are there.`, width);
};

const wordPending = (pending: readonly Pending[], width: number): string => {
  const last = pending.at(-1);
  if (last === undefined) return "";
  if (pending.length > 1) return `${pending.length} of your messages are waiting for replies…`;
  return glimpse(last.form === "message" ? `Waiting for ${last.to}'s reply…` : "Sending your notice…", width);
};

/** Always one row, so that a toast moves nothing. */
export const statusRow = (ui: Ui, snapshot: Snapshot, width: number): Line => {
  const toast = ui.toasts.at(-1);
  const toastSpan = toast === undefined ? [] : [span(` ${glimpse(toast, Math.max(8, width - 4))} `, "chosen")];
  const text =
    ui.gone === null
      ? wordDoing(ui.doing, snapshot, width) || wordPending(ui.pending, width)
      : glimpse(`The engine is gone: ${ui.gone}. Waiting for it.`, width);
  const left: Line = text === "" ? [] : line(text, ui.gone === null ? "note" : "bad");
  if (toastSpan.length === 0) return left;
  return lineWidth(left) + lineWidth(toastSpan) + 1 <= width ? spread(left, toastSpan, width) : toastSpan;
};

/** The keys of this context, as many as fit; the help key comes first so that it is always seen. */
export const keysRow = (context: Context, screen: Ui["screen"], width: number): Line => {
  const known = bindings.filter(
    (binding) =>
      binding.hint !== null &&
      binding.contexts.includes(context) &&
      (screen === "mission" || !MISSION_ONLY.has(binding.action)),
  );
  const first = known.filter((binding) => binding.action === "showHelp");
  const shown: Span[] = [];
  for (const binding of [...first, ...known.filter((one) => !first.includes(one))]) {
    const next = [
      span(shown.length === 0 ? "" : "  "),
      span(wordKey(binding.keys[0] as string), "strong"),
      span(` ${binding.hint}`, "faint"),
    ];
    if (lineWidth([...shown, ...next]) > width) break;
    shown.push(...next);
  }
  return shown;
};
