/**
 * Every key of Mission Control, as data: the help on the screen, the hints at its foot and docs/keys.md are made from
 * this table, and nothing else decides what a key does. No key may stand twice in one context.
 */

export type Context =
  | "agents"
  | "trail"
  | "entry"
  | "composer"
  | "help"
  | "filter"
  | "confirm"
  | "palette"
  | "naming"
  | "look"
  | "mailbox";

export type Action =
  | "previous"
  | "next"
  | "pageUp"
  | "pageDown"
  | "first"
  | "last"
  | "switchPane"
  | "openTerminal"
  | "showEntry"
  | "writeMessage"
  | "writeBroadcast"
  | "showHelp"
  | "showMailbox"
  | "showThread"
  | "back"
  | "leave"
  | "redraw"
  | "send"
  | "newLine"
  | "nextTarget"
  | "previousTarget"
  | "cursorLeft"
  | "cursorRight"
  | "cursorStart"
  | "cursorEnd"
  | "eraseBack"
  | "eraseForward"
  | "eraseWord"
  | "eraseToStart"
  | "changeSender"
  | "recallOlder"
  | "recallNewer"
  | "openWaiting"
  | "endAgent"
  | "relaunchAgent"
  | "forgetAgent"
  | "cancelMessage"
  | "typeNow"
  | "copyText"
  | "search"
  | "openPalette"
  | "accept"
  | "look";

export type Binding = {
  readonly keys: readonly string[];
  readonly contexts: readonly Context[];
  readonly action: Action;
  /** What it does, for people. */
  readonly does: string;
  /** Two or three words for the foot of the screen; null: not shown there. */
  readonly hint: string | null;
};

const panes: readonly Context[] = ["agents", "trail"];
const scrolled: readonly Context[] = ["agents", "trail", "entry", "help", "mailbox"];
const everywhere: readonly Context[] = [
  "agents",
  "trail",
  "entry",
  "help",
  "composer",
  "filter",
  "confirm",
  "palette",
  "naming",
  "mailbox",
  "look",
];

const bind = (
  keys: readonly string[],
  contexts: readonly Context[],
  action: Action,
  does: string,
  hint: string | null = null,
): Binding => ({ keys, contexts, action, does, hint });

export const bindings: readonly Binding[] = [
  bind(["?"], ["agents", "trail", "entry", "mailbox"], "showHelp", "Show this list", "keys"),
  bind(
    ["w"],
    ["agents", "trail", "entry"],
    "openWaiting",
    "Open the terminal of the agent that has waited on you the longest; leave tmux with its prefix and d to come back",
    "who waits",
  ),
  bind(["m"], panes, "writeMessage", "Write a message to an agent, as You", "message"),
  bind(["b"], panes, "writeBroadcast", "Write a notice to every running peer of the active project", "broadcast"),
  bind(["o", "enter"], ["agents"], "openTerminal", "Open the agent's terminal", "open terminal"),
  bind(["i"], panes, "showMailbox", "Show the mailbox: agents, threads and what is unread", "mailbox"),
  bind(["enter"], ["mailbox"], "showThread", "Show the whole thread", "whole thread"),
  bind(["enter"], ["trail"], "showEntry", "Show the whole entry: message, response, notes", "whole entry"),
  bind(["p"], ["agents"], "look", "See the agent's screen, live, without opening it", "preview"),
  bind(["p", "q", "ctrl+c"], ["look"], "back", "Leave the preview"),
  bind(["tab"], panes, "switchPane", "Go to the other pane: agents or trail", "other pane"),
  bind(["ctrl+k"], panes, "openPalette", "Open the palette: every action, presets and agents to launch", "palette"),
  bind(["/"], panes, "search", "Search the pane: agents or trail", "search"),
  bind(["x"], ["agents"], "endAgent", "End the agent's program, after a question", "end"),
  bind(["r"], ["agents"], "relaunchAgent", "Start the agent again, resuming its session; asks when it still runs"),
  bind(["f"], ["agents"], "forgetAgent", "Drop an exited agent from the list"),
  bind(["c"], ["trail", "entry"], "cancelMessage", "Cancel a queued message"),
  bind(["n"], ["agents", "trail", "entry"], "typeNow", "Type a held message now, when its line is free"),
  bind(["y"], ["trail", "entry"], "copyText", "Copy the response, or the message when there is none", "copy"),
  bind(["up"], [...scrolled, "palette"], "previous", "Up: the agent, entry or row above"),
  bind(["down"], [...scrolled, "palette"], "next", "Down: the agent, entry or row below"),
  bind(["pageup"], [...scrolled, "palette"], "pageUp", "A page up"),
  bind(["pagedown"], [...scrolled, "palette"], "pageDown", "A page down"),
  bind(["home"], scrolled, "first", "To the top; on the trail, follow the newest entry again"),
  bind(["end"], scrolled, "last", "To the end"),
  bind(
    ["escape"],
    everywhere,
    "back",
    "Go back; what you have written is kept. Out of a screen that prefix M opened, too",
    "back",
  ),
  bind(
    ["q", "ctrl+c"],
    scrolled,
    "leave",
    "Leave the screen; the agents and the engine go on, and so does a screen that prefix M opened",
    "leave",
  ),
  bind(["ctrl+l"], everywhere, "redraw", "Draw the screen anew"),
  bind(["enter"], ["composer"], "send", "Send", "send"),
  bind(["alt+enter", "shift+enter", "ctrl+j"], ["composer"], "newLine", "Begin a new line", "new line"),
  bind(["tab", "down"], ["composer"], "nextTarget", "Write to the next agent", "next agent"),
  bind(["shift+tab", "up"], ["composer"], "previousTarget", "Write to the agent before"),
  bind(["left"], ["composer"], "cursorLeft", "A character to the left"),
  bind(["right"], ["composer"], "cursorRight", "A character to the right"),
  bind(["home", "ctrl+a"], ["composer"], "cursorStart", "To the start of the line"),
  bind(["end", "ctrl+e"], ["composer"], "cursorEnd", "To the end of the line"),
  bind(["backspace"], ["composer"], "eraseBack", "Erase the character before the cursor"),
  bind(["delete", "ctrl+d"], ["composer"], "eraseForward", "Erase the character under the cursor"),
  bind(["ctrl+w", "alt+backspace"], ["composer"], "eraseWord", "Erase the word before the cursor"),
  bind(["ctrl+u"], ["composer"], "eraseToStart", "Erase the line before the cursor"),
  bind(["ctrl+f"], ["composer"], "changeSender", "Send in the name of the next agent, or as You again", "from"),
  bind(["ctrl+p"], ["composer"], "recallOlder", "The text sent before"),
  bind(["ctrl+n"], ["composer"], "recallNewer", "The text sent after it, and back to what you were writing"),
  bind(["ctrl+c"], ["composer", "filter", "confirm", "palette", "naming"], "back", "Go back, as Esc does"),
  bind(
    ["enter"],
    ["filter", "palette", "naming"],
    "accept",
    "Take it: keep the search, run the chosen row, launch",
    "take",
  ),
  bind(["y"], ["confirm"], "accept", "Yes, do it", "yes"),
  bind(["n", "q"], ["confirm"], "back", "No, go back", "no"),
  bind(["backspace"], ["filter", "palette", "naming"], "eraseBack", "Erase the last character"),
  bind(["ctrl+u"], ["filter", "palette", "naming"], "eraseToStart", "Erase all of it"),
];

/** What needs more than the trail alone: the side pane has none of it. */
export const MISSION_ONLY: ReadonlySet<Action> = new Set([
  "switchPane",
  "writeMessage",
  "writeBroadcast",
  "openPalette",
  "openWaiting",
  "showMailbox",
]);

/** What a key does in a context; null: nothing (in the composer a character is then typed). */
export const actionOf = (context: Context, key: string): Action | null =>
  bindings.find((binding) => binding.contexts.includes(context) && binding.keys.includes(key))?.action ?? null;

const SHOWN: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  enter: "Enter",
  escape: "Esc",
  tab: "Tab",
  backspace: "Backspace",
  delete: "Delete",
  home: "Home",
  end: "End",
  pageup: "Page Up",
  pagedown: "Page Down",
  ctrl: "Ctrl",
  alt: "Alt",
  shift: "Shift",
};

/** A key as people write it: `ctrl+j` is Ctrl+J. */
export const wordKey = (key: string): string =>
  key
    .split("+")
    .map((part, index, parts) => SHOWN[part] ?? (parts.length > 1 && index > 0 ? part.toUpperCase() : part))
    .join("+");

export const wordKeys = (keys: readonly string[]): string => keys.map(wordKey).join(", ");

export type HelpGroup = {
  readonly title: string;
  readonly rows: readonly { readonly keys: string; readonly does: string }[];
};

const isInput = (context: Context): boolean => ["composer", "filter", "confirm", "palette", "naming"].includes(context);

const GROUPS: readonly { readonly title: string; readonly holds: (contexts: readonly Context[]) => boolean }[] = [
  { title: "Agents and trail", holds: (contexts) => !contexts.every(isInput) },
  { title: "Writing", holds: (contexts) => contexts.every(isInput) && contexts.includes("composer") },
  {
    title: "Search, palette and questions",
    holds: (contexts) => contexts.every(isInput) && !contexts.includes("composer"),
  },
];

/** The table in the order of reading; each binding stands in exactly one group. */
export const helpGroups = (): readonly HelpGroup[] =>
  GROUPS.map(({ title, holds }) => ({
    title,
    rows: bindings
      .filter((binding) => holds(binding.contexts))
      .map((binding) => ({ keys: wordKeys(binding.keys), does: binding.does })),
  }));

const WHERE: Readonly<Record<Context, string>> = {
  agents: "agents",
  trail: "trail",
  entry: "whole entry",
  composer: "writing",
  help: "help",
  mailbox: "mailbox",
  filter: "search",
  confirm: "question",
  palette: "palette",
  naming: "name",
  look: "preview",
};

const tableRow = (cells: readonly string[], widths: readonly number[], filler: string): string =>
  `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(" | ")} |`;

/** The text of docs/keys.md, with its columns lined up as the formatter of this project wants them. */
export const keysPage = (): string => {
  const head = ["Key", "Where", "What it does"];
  const rows = bindings.map((binding) => [
    binding.keys.map((key) => `\`${wordKey(key)}\``).join(" "),
    binding.contexts === everywhere ? "everywhere" : binding.contexts.map((one) => WHERE[one]).join(", "),
    binding.does,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)));
  return [
    "# Keys of Mission Control",
    "",
    "Made from the table in `src/tui/keymap.ts` by `npm run docs`. On the screen, `?` shows the same list.",
    "",
    tableRow(head, widths, " "),
    tableRow(["", "", ""], widths, "-"),
    ...rows.map((row) => tableRow(row, widths, " ")),
    "",
    "While writing, any other character is typed. A paste keeps its line breaks and is never sent by itself.",
    "",
  ].join("\n");
};
