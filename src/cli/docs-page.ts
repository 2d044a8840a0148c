/** The generated part of docs/cli-flags.md: the command line's own help, so that the page cannot say anything else. Pure. */
import type { Command } from "commander";
import { buildProgram, EXIT_CODES_HELP, verbsBelow } from "./program.js";

const PAGE_COLUMNS = 100;

const FOOT = `## Exit codes and environment

\`\`\`text
${EXIT_CODES_HELP}

QUAY_HOME         one folder for state and settings, as --home
XDG_STATE_HOME    without QUAY_HOME: state is in its folder quay (default ~/.local/state/quay)
XDG_CONFIG_HOME   without QUAY_HOME: settings and presets are in its folder quay (default ~/.config/quay)
TMUX              set inside tmux: an engine that is started there uses that server

Set by Quay in each terminal:
QUAY_TERMINAL_ID  its id
QUAY_MCP_URL      a peer's: where its tools are
QUAY_TOKEN        a peer's: the token of this terminal alone
\`\`\`
`;

/** `quay complete` is for the scripts of the completion. */
const isShown = (verb: Command): boolean =>
  verb.parent?.createHelp().visibleCommands(verb.parent).includes(verb) === true;

export const cliPage = (): string => {
  let printed = "";
  const program = buildProgram({
    version: "",
    columns: PAGE_COLUMNS,
    write: (text) => {
      printed += text;
    },
    writeError: () => {},
    act: async () => {},
  });
  const helpOf = (command: Command): string => {
    printed = "";
    command.outputHelp();
    return `\`\`\`text\n${printed.trimEnd()}\n\`\`\``;
  };
  const pathOf = (verb: Command): string => (verb.parent === null ? "quay" : `${pathOf(verb.parent)} ${verb.name()}`);
  const verbs = verbsBelow(program)
    .filter(isShown)
    .map((verb) => `## ${pathOf(verb)}\n\n${helpOf(verb)}`);
  return [`## quay\n\n${helpOf(program)}`, ...verbs, FOOT].join("\n\n");
};
