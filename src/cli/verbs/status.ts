/** `quay status TARGET`: one terminal in full. Reads the store when no engine runs. */
import type { Command } from "commander";
import type { AgentView } from "../../bus/views.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, callerFor, reach, readStored, withEngine } from "../connect.js";
import { refused } from "../errors-to-exit.js";
import { insideOf } from "../inside.js";
import { jsonBlock, wordAgent } from "../output.js";
import { type Act, examples } from "../verb.js";

type StatusOptions = { readonly project?: string; readonly json?: boolean };

export const addStatus = (program: Command, act: Act): void => {
  program
    .command("status")
    .summary("show one terminal")
    .description(
      "Show one terminal: level, status, what it waits for, task and tool. Reads the stored state when no engine runs, and says so on stderr.",
    )
    .argument("<target>", "its id, or its exact session name")
    .option("--project <dir>", "project to look in first; default: this folder's")
    .option("--json", "print it as JSON")
    .addHelpText(
      "after",
      examples(
        ["quay status reviewer", "show the terminal named reviewer"],
        ["quay status term-a1b2c3 --json", "by its id, as JSON"],
      ),
    )
    .action(async (target: string, options: StatusOptions) => {
      await act((cli) => status(cli, target, options));
    });
};

const status = async (cli: Cli, target: string, options: StatusOptions): Promise<ExitCode> => {
  const agent = await lookUp(cli, target, options.project ?? null);
  cli.out.write(options.json === true ? jsonBlock(agent) : wordAgent(agent));
  return EXIT.ok;
};

const lookUp = async (cli: Cli, target: string, project: string | null): Promise<AgentView> => {
  const reached = await reach(cli);
  if (reached === null) return inStore((await readStored(cli)).agents, target);
  return await withEngine(reached, async (client) => {
    const inside = insideOf(cli.env);
    const speaker = inside !== null && inside.peer === null ? { ...reached, inside: null } : reached;
    const caller = await callerFor(cli, speaker, { as: null, project });
    return (await ask(client, { kind: "status", caller, target })).agent;
  });
};

const inStore = (agents: readonly AgentView[], target: string): AgentView => {
  const byId = agents.find((agent) => agent.id === target);
  if (byId !== undefined) return byId;
  const named = agents.filter((agent) => agent.name === target);
  const live = named.filter((agent) => agent.exit === null);
  const [only] = live.length > 0 ? live : named;
  if (only === undefined) throw refused(`No terminal has the id or session name '${target}'. See quay ls.`);
  if (live.length > 1)
    throw refused(
      `'${target}' is ambiguous: ${live.map((agent) => `${agent.id} in ${agent.project}`).join(", ")}. Pass the id instead.`,
    );
  return only;
};
