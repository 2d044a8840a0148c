/**
 * The lines that type, probe and fence, as pure builders. Their shape is proven on seven tmux versions
 * (facts/typing.md section 1): one comparison of facts, closed on failure, and the marker before the paste.
 * Changed here only by the instance: epoch option, buffer names and the pane's owner carry it, so that engines with
 * different state folders can share a server.
 */
import { paneId, paneNumber, q, qBytes, windowId, word } from "./quote.js";

/** One terminal's pane, as an engine believes it to be. */
export type Place = {
  readonly pane: string;
  readonly terminal: string;
  readonly instance: string;
  readonly epoch: string;
};

export const epochOption = (instance: string): string => `@quay_epoch_${word(instance)}`;
export const bufferPrefix = (instance: string): string => `quay-${word(instance)}-`;
const pasteMarker = (pane: string): string => `QUAY_PASTE_${paneNumber(pane)}`;
const enterMarker = (pane: string): string => `QUAY_ENTER_${paneNumber(pane)}`;

const checked = (place: Place): Place => ({
  pane: paneId(place.pane),
  terminal: word(place.terminal),
  instance: word(place.instance),
  epoch: word(place.epoch),
});

/** The guard: all facts as one text, compared with what they must be. A fact that expands to nothing is unequal. */
const sameFacts = (place: Place, facts: readonly (readonly [string, string])[]): string => {
  const { pane, terminal, instance, epoch } = place;
  const all = [
    [epochOption(instance), epoch],
    ["pane_id", pane],
    ["@quay_id", terminal],
    ["@quay_instance", instance],
    ...facts,
  ] as const;
  return `#{==:${all.map(([name]) => `#{${name}}`).join("/")},${all.map(([, value]) => value).join("/")}}`;
};

const LIVE = [
  ["pane_dead", "0"],
  ["pane_input_off", "0"],
] as const;
const NO_MODE = ["pane_in_mode", "0"] as const;

/** The reasons that both refusals share, in the order in which they decide. */
const commonReasons = ({ pane, terminal, instance, epoch }: Place): string =>
  `#{?#{!=:#{${epochOption(instance)}},${epoch}},STALE-EPOCH ,}` +
  `#{?#{!=:#{s/[^0-9]//:pane_id},${paneNumber(pane)}},MISSING ,}` +
  `#{?#{!=:#{@quay_id}/#{@quay_instance},${terminal}/${instance}},OTHER-TERMINAL ,}` +
  "#{?#{==:#{pane_dead},1},DEAD ,}#{?#{==:#{pane_input_off},1},INPUT-OFF ,}";

/** Text must not be empty (no buffer would be made) and already be sanitised. */
export const pasteLine = (at: Place, delivery: string, text: string): string => {
  if (text === "") throw new RangeError("an empty text cannot be pasted");
  const place = checked(at);
  const { pane, instance } = place;
  const d = word(delivery);
  const buffer = `${bufferPrefix(instance)}${d}`;
  const marker = pasteMarker(pane);
  const guard = `#{&&:${sameFacts(place, [...LIVE, NO_MODE])},#{!=:#{${marker}},${d}}}`;
  const run = `set-environment -g -h ${marker} ${d} ; paste-buffer -p -r -t ${pane} -b ${buffer} ; display-message -p -t ${pane} 'quay ${d} PASTED'`;
  const refuse = `display-message -p -t ${pane} 'quay ${d} REFUSED ${commonReasons(place)}#{?#{==:#{${marker}},${d}},ALREADY ,}#{?#{!=:#{pane_in_mode},0},MODE ,}'`;
  return `set-buffer -b ${buffer} -- ${q(text)} ; if-shell -F -t ${pane} "${guard}" "${run}" "${refuse}" ; delete-buffer -b ${buffer}`;
};

/** Behind a delivery's id in the enter marker: its Enter was pressed a second time. No id can end so. */
export const AGAIN = "+2";

/** What the screen must still show, in the step that presses Enter. */
export type Gate = {
  /** From echoPatterns, letters and digits and `?` only; one of them must be there. Null: no such condition. */
  readonly patterns: readonly string[] | null;
  /** Where the cursor stood when the line was read, 0-based: a dialog that opened since has moved it. Null: anywhere. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
};

/** The first or the second Enter of a delivery, as its markers allow it: the first once, the second once after it. */
const returnLine = (at: Place, delivery: string, gate: Gate, press: "first" | "second"): string => {
  const place = checked(at);
  const { pane, instance } = place;
  const d = word(delivery);
  const buffer = `${bufferPrefix(instance)}${d}-cr`;
  const pasted = pasteMarker(pane);
  const entered = enterMarker(pane);
  const isOnce = `#{==:#{${entered}},${d}}`;
  const isTwice = `#{==:#{${entered}},${d}${AGAIN}}`;
  const conditions = conditionsOf(gate);
  const noEcho = conditions === "1" ? "" : `#{?${conditions},,NO-ECHO }`;
  const isFirst = press === "first";
  const markers = isFirst ? `#{==:#{${pasted}}/${isOnce}/${isTwice},${d}/0/0}` : `#{==:#{${pasted}}/${isOnce},${d}/1}`;
  const guard = `#{&&:${sameFacts(place, LIVE)},#{&&:${markers},${conditions}}}`;
  const run = `set-environment -g -h ${entered} ${d}${isFirst ? "" : AGAIN} ; paste-buffer -r -t ${pane} -b ${buffer} ; display-message -p 'quay ${d} ENTERED'`;
  const already = isFirst ? `#{?#{||:${isOnce},${isTwice}},ALREADY ,}` : `#{?${isTwice},ALREADY ,}`;
  const notEntered = isFirst ? "" : `#{?#{||:${isOnce},${isTwice}},,NOT-ENTERED }`;
  const refuse = `display-message -p -t ${pane} 'quay ${d} REFUSED ${commonReasons(place)}${already}#{?#{!=:#{${pasted}},${d}},NOT-PASTED ,}${notEntered}${noEcho}'`;
  return `set-buffer -b ${buffer} -- "\\015" ; if-shell -F -t ${pane} "${guard}" "${run}" "${refuse}" ; delete-buffer -b ${buffer}`;
};

export const enterLine = (at: Place, delivery: string, gate: Gate): string => returnLine(at, delivery, gate, "first");
/** Only after the first Enter, and once: a swallowed Enter is pressed again. */
export const enterAgainLine = (at: Place, delivery: string, gate: Gate): string =>
  returnLine(at, delivery, gate, "second");

const conditionsOf = ({ patterns, cursor }: Gate): string => {
  const echo = patterns === null ? null : gateOf(patterns);
  if (cursor === null) return echo ?? "1";
  const place = [cursor.x, cursor.y];
  if (!place.every((at) => Number.isSafeInteger(at) && at >= 0)) throw new RangeError(`no cursor: ${place.join("/")}`);
  const isThere = `#{==:#{cursor_x}/#{cursor_y},${place.join("/")}}`;
  return echo === null ? isThere : `#{&&:${isThere},${echo}}`;
};

const gateOf = (patterns: readonly string[]): string => {
  for (const pattern of patterns) {
    if (!/^[\p{L}0-9?]+$/u.test(pattern)) throw new RangeError(`not an echo pattern: ${JSON.stringify(pattern)}`);
  }
  const [first, second] = patterns.map((pattern) => `#{!=:#{C:${pattern}},0}`);
  if (first === undefined) throw new RangeError("an echo gate needs a pattern");
  return second === undefined ? first : `#{||:${first},${second}}`;
};

/** Raw bytes as the program's input, dropped in silence unless everything fits. `raw`: -S, for tmux that rewrites pastes. */
export const answerLine = (
  at: Place,
  serial: number,
  bytes: Uint8Array,
  options: { readonly raw: boolean },
): string => {
  const place = checked(at);
  const buffer = `${bufferPrefix(place.instance)}q${serial}`;
  const guard = sameFacts(place, [...LIVE, NO_MODE]);
  const flags = options.raw ? "-r -S" : "-r";
  return `set-buffer -b ${buffer} -- ${qBytes(bytes)} ; if-shell -F -t ${place.pane} "${guard}" "paste-buffer ${flags} -t ${place.pane} -b ${buffer}" ; delete-buffer -b ${buffer}`;
};

export const fenceLine = (instance: string, old: string, next: string): string => {
  const option = epochOption(instance);
  if (old !== "") word(old);
  return `if-shell -F "#{==:#{${option}},${old}}" "set-option -s ${option} ${word(next)} ; display-message -p 'quay fence WON'" "display-message -p 'quay fence LOST #{${option}}'"`;
};

/** Panes of this instance, one line each; linked windows list a pane more than once. Read by parsePaneRow. */
export const probeLine = (instance: string): string => {
  const marker = (name: string): string => `#{E:##{${name}_#{s/[^0-9]//:pane_id}#}}`;
  const fields = [
    ...["pane_id", "pane_dead", "pane_input_off", "pane_in_mode", epochOption(instance), "@quay_id"].map(
      (name) => `#{${name}}`,
    ),
    marker("QUAY_PASTE"),
    marker("QUAY_ENTER"),
    ...["pane_pid", "pane_dead_status", "pane_dead_signal", "session_id", "window_id"].map((name) => `#{${name}}`),
  ];
  const filter = `#{&&:#{!=:#{@quay_id},},#{==:#{@quay_instance},${word(instance)}}}`;
  return `list-panes -a -f "${filter}" -F "${fields.join("/")}"`;
};

const isOurs = (pane: string, terminal: string, instance: string): string =>
  `#{==:#{pane_id}/#{@quay_id}/#{@quay_instance},${paneId(pane)}/${word(terminal)}/${word(instance)}}`;

/** Ends the pane if it is still this terminal's (and, with `deadOnly`, its program has ended), and drops its markers. */
export const killLine = (pane: string, terminal: string, instance: string, deadOnly: boolean): string => {
  const ours = isOurs(pane, terminal, instance);
  const guard = deadOnly ? `#{&&:${ours},#{pane_dead}}` : ours;
  return `if-shell -F -t ${pane} "${guard}" "kill-pane -t ${pane}" ; set-environment -gu ${pasteMarker(pane)} ; set-environment -gu ${enterMarker(pane)}`;
};

export type WindowPlan = {
  readonly session: string;
  readonly terminal: string;
  readonly instance: string;
  /** Already safe for a format. */
  readonly name: string;
  readonly cwd: string;
  readonly argv: readonly string[];
};

/**
 * A new last window whose pane is marked before the server can see its program end: even one that dies at once is
 * kept, with its status. Answers `<pane> <pid> <window>`.
 */
export const windowLine = (plan: WindowPlan): string => {
  const end = q(`${plan.session}:{end}`);
  const argv = plan.argv.map(q).join(" ");
  return [
    `new-window -d -a -t ${end} -P -F "#{pane_id} #{pane_pid} #{window_id}" -n ${q(plan.name)} -c ${q(plan.cwd)} -- ${argv}`,
    `set-option -p -t ${end} remain-on-exit on`,
    `set-option -p -t ${end} @quay_instance ${word(plan.instance)}`,
    `set-option -p -t ${end} @quay_id ${word(plan.terminal)}`,
  ].join(" ; ");
};

/** One reading of the screen with its cursor: both commands run in one step of the server. */
export const screenLine = (pane: string): string =>
  `display-message -p -t ${paneId(pane)} "#{pane_id} #{cursor_x} #{cursor_y} #{cursor_flag} #{pane_width} #{pane_height}" ; capture-pane -p -e -t ${pane}`;

/** Every client: whether it is a control client, the second of its last key, and the pane that it shows. */
export const peopleLine = (): string => 'list-clients -F "#{client_control_mode} #{client_activity} #{pane_id}"';

export const selectWindowWords = (window: string): readonly string[] => ["select-window", "-t", windowId(window)];
