/**
 * What is known to go wrong in which tmux, and with which options of a person's. Pure. Quay guards against each of
 * these where it can; the doctor says what is left. Faults were measured on 3.1c to 3.8: the figures are in docs/doctor.md.
 */
import { hasManualSizeCrash, isAtLeast, parseVersion, type Version } from "../tmux/version.js";
import type { AnsweringServer, Hook, ServerFacts, TmuxFacts } from "./facts.js";
import { type Finding, ok, problem, warning } from "./finding.js";

const UPGRADE = "Upgrade to tmux 3.7 or later when you can, and restart the tmux server then.";

type Tmux = { readonly version: Version; readonly hasUtempter: boolean };

/** Known faults of this version, each with what Quay does about it. */
const faultsOf = ({ version, hasUtempter }: Tmux): readonly Finding[] => {
  const found: Finding[] = [];
  if (!isAtLeast(version, 3, 7)) {
    found.push(
      warning(
        "tmux.attach-crash",
        `tmux ${version.text} can crash, with every program in it, when a client attaches in the very instant in which another one leaves. Quay attaches rarely and one client at a time; what you do in that instant it cannot exclude.`,
        UPGRADE,
      ),
    );
  }
  if (!isAtLeast(version, 3, 4)) {
    found.push(
      warning(
        "tmux.dead-paste-crash",
        `tmux ${version.text} crashes when something is pasted into a pane whose program has ended. Quay never does; another program's paste-buffer can.`,
        UPGRADE,
      ),
    );
  }
  if (hasUtempter && !isAtLeast(version, 3, 6)) {
    found.push(
      warning(
        "tmux.lost-exit",
        `This build of tmux ${version.text} misses the end of a program now and then. Quay asks it again, so an exit shows a little later and may have no exit status.`,
        UPGRADE,
      ),
    );
  }
  return found;
};

export const checkTmux = (tmux: TmuxFacts): readonly Finding[] => {
  if (tmux.kind === "missing") {
    return [problem("tmux.installed", `tmux cannot be run: ${tmux.why}.`, "Install tmux 3.2 or later; 3.7 is best.")];
  }
  const version = parseVersion(tmux.version);
  if (!isAtLeast(version, 3, 2)) {
    return [
      problem(
        "tmux.installed",
        `tmux ${version.text} (${tmux.path}) is too old.`,
        "Install tmux 3.2 or later; 3.7 is best.",
      ),
    ];
  }
  return [ok("tmux.installed", `tmux ${version.text} is installed (${tmux.path}).`), ...faultsOf({ ...tmux, version })];
};

/** Commands after which a client's later ones wait: for a program, a person or another client. */
const WAITING =
  /(?:^|[;{"'\s])(?:(?:run-shell|run|if-shell|if)(?![^;}]*\s-[A-Za-z]*b)(?![^;}]*\s-[A-Za-z]*F)|wait-for|wait|display-popup|popup|command-prompt|confirm-before|confirm)\s/;

const runsProgramInFront = ({ name, command }: Hook): boolean =>
  name.startsWith("after-") && WAITING.test(` ${command} `);

const nameOf = ({ whose, socket }: ServerFacts): string =>
  whose === "own" ? `Quay's own tmux server (${socket})` : `your tmux server (${socket})`;

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const checkHooks = (server: AnsweringServer): readonly Finding[] => {
  const waiting = server.hooks.filter(runsProgramInFront);
  if (waiting.length === 0) return [];
  const names = [...new Set(waiting.map(({ name }) => name.replace(/\[\d+\]$/, "")))];
  return [
    warning(
      "tmux.waiting-hooks",
      `On ${nameOf(server)} ${names.length === 1 ? "a hook waits" : "hooks wait"} for a program: ${names.join(", ")}. Each step that Quay takes there then waits too, and a message is typed late.`,
      "Run the program in the background: run-shell -b, in place of run-shell.",
    ),
  ];
};

const checkSize = (server: AnsweringServer): readonly Finding[] => {
  if (server.windowSize !== "manual") return [];
  const version = parseVersion(server.version);
  if (!hasManualSizeCrash(version)) return [];
  return [
    problem(
      "tmux.window-size-manual",
      `On ${nameOf(server)} the global option window-size is manual: a new window then crashes tmux ${version.text} and every program in it. Quay refuses to start an agent there.`,
      "Run `tmux set-option -gw window-size latest` and change it in your tmux.conf, or upgrade to tmux 3.7.",
    ),
  ];
};

const checkEnd = (server: AnsweringServer): readonly Finding[] =>
  server.exitUnattached === "on"
    ? [
        problem(
          "tmux.exit-unattached",
          `On ${nameOf(server)} the option exit-unattached is on: the server ends, with all agents, as soon as nobody is attached.`,
          "Run `tmux set-option -s exit-unattached off` and change it in your tmux.conf.",
        ),
      ]
    : [];

const checkAge = (server: AnsweringServer, tmux: TmuxFacts): readonly Finding[] => {
  if (tmux.kind === "missing") return [];
  const [runs, installed] = [parseVersion(server.version), parseVersion(tmux.version)];
  if (runs.text === installed.text) return [];
  const what = `${capital(nameOf(server))} still is tmux ${runs.text}, while ${installed.text} is installed.`;
  const advice = "End the server when no program in it is needed any more: `tmux kill-server`. The next one is new.";
  return isAtLeast(runs, 3, 2)
    ? [warning("tmux.old-server", what, advice)]
    : [problem("tmux.old-server", `${what} Quay needs 3.2 or later.`, advice)];
};

/** One server: what its options and hooks do to Quay; an `ok` when nothing does. */
export const checkServer = (server: ServerFacts, tmux: TmuxFacts): readonly Finding[] => {
  if (server.kind === "silent") {
    return [
      problem(
        "tmux.silent",
        `${capital(nameOf(server))} does not answer: ${server.why}.`,
        "Wait a little; a server that is stopped (`kill -STOP`) or swapped out comes back with its programs.",
      ),
    ];
  }
  const found = [checkAge(server, tmux), checkSize(server), checkEnd(server), checkHooks(server)].flat();
  return found.length > 0
    ? found
    : [ok("tmux.options", `No option or hook of ${nameOf(server)} stands in Quay's way.`)];
};
