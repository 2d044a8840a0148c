/**
 * What docs/cli-flags.md and the README say of each run kind: how it is wired, what it tells, and what is lost when it
 * does not. Level and typing come from the registry itself, so the page cannot say anything else. Pure.
 */
import type { RunKind, Traits } from "../bus/terminal.js";
import type { Adapter } from "./adapter.js";
import { adapterOf, runKinds } from "./registry.js";
import { testedVersions } from "./tested-versions.js";

type About = {
  /** What the launch adds to the person's own command line, for that session only. */
  readonly wiring: string;
  /** What Quay hears of it. */
  readonly signals: string;
  /** What it is when its reporter is not heard. */
  readonly unheard: string;
  /** What is said in the place of a tested version; left out where there is one. */
  readonly unpinned?: string;
};

const NO_WIRING = "nothing";
const NO_SIGNALS = "only its exit";
const UNTESTED = "none: not on npm";
const EVERY_RUN = "every test run";

const ABOUT: Readonly<Record<RunKind, About>> = {
  claude: {
    wiring:
      "`--mcp-config` with the tools, `--allowedTools` for them, `--plugin-dir` with the event bridge, a session id",
    signals: "hooks of the event bridge; OSC 7501; its registry and transcript after a gap",
    unheard: "listener after 30 s; the advice is `quay relaunch NAME`",
  },
  codex: {
    wiring: "`-c` overrides: the tools with a token by variable, a tool time-out of 120 s, the turn-end helper",
    signals: "the turn-end helper; OSC 7501; its rollout file",
    unheard: "listener after 30 s",
  },
  opencode: {
    wiring: "`OPENCODE_CONFIG_CONTENT` with the tools; a port of its own with a password",
    signals: "the server that its TUI runs: turns, answers, dialogs",
    unheard: "listener after 30 s, or once its server cannot be reached",
  },
  pig: {
    wiring: "`-e` with the extension, a session id",
    signals: "the extension, which also registers the tools: turns, answers, dialogs; OSC 7501",
    unheard: "listener after 30 s; the advice is to compare `pig --version`",
    unpinned: UNTESTED,
  },
  antigravity: {
    wiring: NO_WIRING,
    signals: "OSC 7501: status, and answers of at most 199 characters",
    unheard: "listener after 30 s",
    unpinned: UNTESTED,
  },
  pi: {
    wiring: `${NO_WIRING}; as a full peer (setting \`adapters.pi.level\`) what PiG gets`,
    signals: `${NO_SIGNALS}; as a full peer what PiG tells`,
    unheard: "the same; as a full peer listener after 30 s, and the advice is to compare `pi --version`",
  },
  copilot: {
    wiring: NO_WIRING,
    signals: `${NO_SIGNALS} (its own hooks could tell turns; it stays a listener)`,
    unheard: "the same",
  },
  kiro: { wiring: "`chat` before your arguments", signals: NO_SIGNALS, unheard: "the same", unpinned: UNTESTED },
  gemini: {
    wiring: NO_WIRING,
    signals: `${NO_SIGNALS} (its own hooks could tell turns and answers; it stays a listener)`,
    unheard: "the same",
  },
  grok: { wiring: NO_WIRING, signals: NO_SIGNALS, unheard: "the same", unpinned: UNTESTED },
  aider: { wiring: NO_WIRING, signals: NO_SIGNALS, unheard: "the same", unpinned: UNTESTED },
  shell: { wiring: "your `$SHELL`", signals: NO_SIGNALS, unheard: "the same", unpinned: EVERY_RUN },
  custom: { wiring: "your command", signals: NO_SIGNALS, unheard: "the same", unpinned: EVERY_RUN },
  archon: { wiring: NO_WIRING, signals: NO_SIGNALS, unheard: "the same", unpinned: UNTESTED },
  demo: {
    wiring: "a program of Quay's own",
    signals: "events in the form of Claude Code's hooks; OSC 7501",
    unheard: "listener after 30 s; the advice is `quay relaunch NAME`",
    unpinned: EVERY_RUN,
  },
};

const TYPING: Readonly<Record<Traits["typing"], string>> = {
  "between turns": "between its turns, from a queue",
  "at once": "at once",
  never: "never, not even by you",
};

const testedOf = (kind: RunKind): string => testedVersions[kind] ?? ABOUT[kind].unpinned ?? "";

const adapters = (): readonly Adapter[] => runKinds.flatMap((kind) => adapterOf(kind) ?? []);

const table = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
};

/** The long table of docs/cli-flags.md. */
export const kindsPage = (): string =>
  table([
    [
      "run kind",
      "CLI",
      "level",
      "is typed on",
      "its launch adds",
      "what Quay hears",
      "unheard it is",
      "tested version",
    ],
    ...adapters().map(({ kind, title, traits }) => {
      const { wiring, signals, unheard } = ABOUT[kind];
      return [`\`${kind}\``, title, traits.level, TYPING[traits.typing], wiring, signals, unheard, testedOf(kind)];
    }),
  ]);

const canBeWaitedFor = ({ level }: Traits): string => (level === "full peer" || level === "responder" ? "yes" : "no");

/** The short one of the README. */
export const levelsPage = (): string =>
  table([
    ["run kind", "CLI", "level", "gets messages", "can be waited for", "tested version"],
    ...adapters().map(({ kind, title, traits }) => [
      `\`${kind}\``,
      title,
      traits.level,
      TYPING[traits.typing],
      canBeWaitedFor(traits),
      testedOf(kind),
    ]),
  ]);
