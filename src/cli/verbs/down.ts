/** `quay down PRESET|NAME|--all`: ends agents, after a person said yes. */
import type { Command } from "commander";
import type { AgentView } from "../../bus/views.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { confirmed } from "../confirm.js";
import { ask, requireEngine, withEngine } from "../connect.js";
import { refused, usageError } from "../errors-to-exit.js";
import { refuseInside } from "../inside.js";
import { jsonBlock } from "../output.js";
import { inertLine } from "../screen.js";
import { type Act, examples } from "../verb.js";

type DownOptions = {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly project?: string;
  readonly json?: boolean;
};

export const addDown = (program: Command, act: Act): void => {
  program
    .command("down")
    .summary("end agents: a preset's, one, or all")
    .description(
      "End the agents of a preset, one agent by its name or id, or all of them. Asks first. The engine goes on; quay stop ends it.",
    )
    .argument("[target]", "name of a preset, session name, or id")
    .option("--all", "every agent, in every project unless --project is given")
    .option("--yes", "do not ask")
    .option(
      "--project <dir>",
      "only agents of this project; default for a preset or name: this folder's, if it has one",
    )
    .option("--json", "print the ids that ended as JSON")
    .addHelpText(
      "after",
      examples(
        ["quay down tdd-swarm", "end the agents of the preset"],
        ["quay down --all --yes", "end every agent without asking"],
      ),
    )
    .action(async (target: string | undefined, options: DownOptions) => {
      await act((cli) => down(cli, target ?? null, options));
    });
};

const down = async (cli: Cli, target: string | null, options: DownOptions): Promise<ExitCode> => {
  refuseInside(cli.env, "quay down");
  const all = options.all === true;
  if (all === (target !== null))
    throw usageError("Name a preset or an agent, or pass --all (not both). See quay down --help.");
  const here = await cli.doors.projectOf(options.project ?? cli.cwd);
  const reached = await requireEngine(cli);
  return await withEngine(reached, async (client) => {
    const live = client.snapshot().agents.filter((agent) => agent.exit === null);
    const only = options.project !== undefined;
    const { agents, project } = all ? allOf(live, only ? here : null) : chosen(live, target ?? "", here, only);
    if (agents.length === 0) throw refused(nothingToEnd(target));
    if (options.yes !== true) await confirm(cli, agents);
    const { ended } = await ask(client, { kind: "down", target, project });
    cli.out.write(options.json === true ? jsonBlock(ended) : wordEnded(agents, ended));
    return EXIT.ok;
  });
};

type Chosen = { readonly agents: readonly AgentView[]; readonly project: string | null };

const allOf = (live: readonly AgentView[], project: string | null): Chosen => ({
  agents: project === null ? live : live.filter((agent) => agent.project === project),
  project,
});

/** Those of this project; those of other projects only when this one has none and was not asked for. */
const chosen = (live: readonly AgentView[], target: string, here: string, onlyHere: boolean): Chosen => {
  const matches = live.filter((agent) => agent.preset === target || agent.name === target || agent.id === target);
  const mine = matches.filter((agent) => agent.project === here);
  return mine.length > 0 || onlyHere ? { agents: mine, project: here } : { agents: matches, project: null };
};

const nothingToEnd = (target: string | null): string =>
  target === null
    ? "No agent runs, so there is nothing to end."
    : `No running agent is named '${target}' or was launched by a preset of that name. See quay ls.`;

const count = (agents: number): string => (agents === 1 ? "1 agent" : `${agents} agents`);

const confirm = async (cli: Cli, agents: readonly AgentView[]): Promise<void> => {
  const list = agents.map((agent) => inertLine(agent.name)).join(", ");
  const isMeant = await confirmed(
    cli,
    `End ${count(agents.length)} (${list})? Their work on disk stays.`,
    `This would end ${count(agents.length)} (${list}), and nobody can be asked here. Pass --yes if you mean it.`,
  );
  if (!isMeant) throw refused("Nothing was ended.");
};

const wordEnded = (agents: readonly AgentView[], ended: readonly string[]): string => {
  const named = ended.map((id) => inertLine(agents.find((agent) => agent.id === id)?.name ?? id));
  return `Ended ${count(ended.length)}${named.length === 0 ? "" : `: ${named.join(", ")}`}. The engine goes on; end it with: quay stop\n`;
};
