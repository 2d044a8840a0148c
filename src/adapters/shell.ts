/**
 * What stands beside the agents and is no peer: a plain shell, a command of the person's, Archon. Nothing is typed into
 * them, since a shell would run it; they get neither a token nor the address of the tools. Source: DECISIONS A1.
 */
import type { Adapter, LaunchInput } from "./adapter.js";
import { wireNoPeer } from "./launch-wiring.js";

type Beside = Pick<Adapter, "kind" | "title" | "program"> & {
  readonly argv: (input: LaunchInput) => readonly string[];
  readonly seatFault?: Adapter["seatFault"];
};

const notAPeer = ({ kind, title, program, argv, seatFault }: Beside): Adapter => ({
  kind,
  title,
  program,
  traits: { level: "not a peer", typing: "never", turns: "none", reporter: null },
  line: null,
  enterAfterMs: 0,
  programStatus: null,
  ...(seatFault === undefined ? {} : { seatFault }),
  // A prompt is not typed into it.
  launch: (input) => ({ argv: argv(input), ...wireNoPeer(input) }),
  interpret: (memory) => ({ memory, observations: [] }),
  bridgeSwitch: null,
  resync: null,
});

export const shell = notAPeer({
  kind: "shell",
  title: "Shell",
  program: null,
  // $SHELL is read where the shell will run.
  argv: ({ command, args }) =>
    command === null
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: the pane's shell expands it
        ["/bin/sh", "-c", 'exec "${SHELL:-/bin/sh}" "$@"', "sh", ...args]
      : [command, ...args],
});

export const custom = notAPeer({
  kind: "custom",
  title: "Custom command",
  program: null,
  argv: ({ command, args }) => (command === null ? args : [command, ...args]),
  seatFault: ({ command, args }) =>
    command === null && args.length === 0
      ? "A custom terminal needs its command: `quay new custom --name NAME -- COMMAND ARGS`, or `args` in a preset."
      : null,
});

/** An engine of workflows that drives agents of its own; its command line, such as `workflow list`, runs in the pane. */
export const archon = notAPeer({
  kind: "archon",
  title: "Archon",
  program: "archon",
  argv: ({ command, args }) => [command ?? "archon", ...args],
});
