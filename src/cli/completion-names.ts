/** Names that only an engine, the store or a file knows, for the completion. Nothing is started, and a fault is no name. */
import type { Cli } from "./cli.js";
import type { Candidate, NamesOf } from "./complete.js";
import { reach, withEngine } from "./connect.js";

const agents = async (cli: Cli): Promise<readonly Candidate[]> => {
  const reached = await reach(cli);
  const seen =
    reached === null
      ? ((await cli.doors.readStore(cli.env))?.agents ?? [])
      : await withEngine(reached, async (client) => client.snapshot().agents);
  return seen.map((agent) => ({ text: agent.name, about: `${agent.kind}, ${agent.status}` }));
};

const presets = async (cli: Cli): Promise<readonly Candidate[]> =>
  (await cli.doors.readPresets(cli.env, cli.cwd))
    .filter((preset) => preset.error === null)
    .map((preset) => ({ text: preset.name, about: preset.description }));

const settings = async (cli: Cli): Promise<readonly Candidate[]> =>
  (await cli.doors.openSettings(cli.env)).known.map(({ key, about }) => ({ text: key, about }));

const kinds = async (cli: Cli): Promise<readonly Candidate[]> =>
  (await cli.doors.openSettings(cli.env)).kinds.map((kind) => ({ text: kind, about: "" }));

const READERS: Readonly<Record<NamesOf, (cli: Cli) => Promise<readonly Candidate[]>>> = {
  agents,
  presets,
  settings,
  kinds,
};

export const readNames = (cli: Cli, of: NamesOf): Promise<readonly Candidate[]> => READERS[of](cli).catch(() => []);
