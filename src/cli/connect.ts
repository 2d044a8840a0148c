/**
 * From the environment to an engine: as a terminal inside Quay (its token), else as the person (endpoint file and owner
 * token of the state folder). It starts nothing; that is ensure-engine.ts.
 */
import { terminalId } from "../bus/ids.js";
import type { Caller } from "../bus/protocol.js";
import type { AgentView, Snapshot } from "../bus/views.js";
import type { Answer, Command, Endpoint, EngineClient, Failure } from "../engine/client.js";
import { QuayError } from "../lib/errors.js";
import type { Cli } from "./cli.js";
import { isUnreachable, noEngine, refused } from "./errors-to-exit.js";
import { type Inside, insideOf, requirePeer } from "./inside.js";

export type Reached = {
  readonly client: EngineClient;
  /** Null inside a terminal, which knows only the address. */
  readonly endpoint: Endpoint | null;
  readonly inside: Inside | null;
};

/**
 * The running engine, or null when none answers. Throws "refused" when one answers that is not the one asked for
 * (`--socket`), or that does not take our token.
 */
export const reach = async (cli: Cli): Promise<Reached | null> => {
  const inside = insideOf(cli.env);
  if (inside?.peer) {
    const client = await connectOrNull(cli, inside.peer);
    return client === null ? null : { client, endpoint: null, inside };
  }
  const found = await cli.doors.readEndpoint(cli.env);
  if (found === null || !cli.doors.isAlive(found.endpoint.pid)) return null;
  const client = await connectOrNull(cli, { url: found.endpoint.url, token: found.token });
  if (client === null) return null;
  if (cli.socket !== null && !sameSocket(cli.socket, found.endpoint.socket)) {
    await client.close();
    throw refused(
      `The engine of ${found.endpoint.home} (process ${found.endpoint.pid}) runs on the tmux server '${found.endpoint.socket}', not on '${cli.socket}'. Leave --socket out, end that engine with quay stop, or choose another state folder with --home DIR.`,
    );
  }
  return { client, endpoint: found.endpoint, inside };
};

/** A socket is named (`quay`) or given as a path that ends with its name. */
const sameSocket = (asked: string, used: string): boolean => asked === used || used.endsWith(`/${asked}`);

const connectOrNull = async (cli: Cli, address: { readonly url: string; readonly token: string }) => {
  try {
    return await cli.doors.connect(address);
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
  }
};

const wordNoEngine = (cli: Cli): string => {
  const inside = insideOf(cli.env);
  return inside?.peer
    ? `Quay's engine does not answer at ${inside.peer.url}. It may be restarting: try again in a few seconds, or ask the person to run quay.`
    : "No engine is running. Start one with: quay (with its screen) or quay serve (without).";
};

export const requireEngine = async (cli: Cli): Promise<Reached> => {
  const reached = await reach(cli);
  if (reached === null) throw noEngine(wordNoEngine(cli));
  return reached;
};

/** Runs the work on a running engine and closes the connection, whatever comes. */
export const withEngine = async <T>(reached: Reached, work: (client: EngineClient) => Promise<T>): Promise<T> => {
  try {
    return await work(reached.client);
  } finally {
    await reached.client.close();
  }
};

/** The answer, or the engine's refusal thrown with its sentence. */
export const ask = async <C extends Command>(
  client: EngineClient,
  command: C,
  signal?: AbortSignal,
): Promise<Exclude<Answer<C["kind"]>, Failure>> => {
  const answer: Answer<Command["kind"]> = await client.dispatch(command, signal === undefined ? {} : { signal });
  if (!answer.ok) throw new QuayError(answer.code === "usage" ? "refused" : answer.code, answer.message);
  return answer as Exclude<Answer<C["kind"]>, Failure>;
};

/** What a reading verb shows: the engine's snapshot, else the store's, which says so on stderr. */
export const readSnapshot = async (cli: Cli): Promise<Snapshot> => {
  const reached = await reach(cli);
  if (reached !== null) return await withEngine(reached, async (client) => client.snapshot());
  return await readStored(cli);
};

export const readStored = async (cli: Cli): Promise<Snapshot> => {
  const stored = insideOf(cli.env)?.peer ? null : await cli.doors.readStore(cli.env);
  if (stored === null) throw noEngine(`${wordNoEngine(cli)} There is no stored state either.`);
  cli.err.write("quay: no engine is running; this is the stored state, and a status in it may be old.\n");
  return stored;
};

/** Who a message is from: this terminal, the person, or an agent that the person names. */
export const callerFor = async (
  cli: Cli,
  reached: Reached,
  options: { readonly as: string | null; readonly project: string | null },
): Promise<Caller> => {
  if (reached.inside !== null) {
    requirePeer(reached.inside);
    if (options.as !== null)
      throw refused("--as is for people: a terminal of Quay always speaks under its own name. Leave --as out.");
    return { kind: "terminal", id: terminalId(reached.inside.terminal) };
  }
  const project = await cli.doors.projectOf(options.project ?? cli.cwd);
  if (options.as === null) return { kind: "person", as: null, project };
  const agent = findLive(reached.client.snapshot().agents, options.as, project);
  return { kind: "person", as: terminalId(agent.id), project };
};

/** A live agent by its exact id or name, this project first. Throws "refused" for none or more than one. */
const findLive = (agents: readonly AgentView[], target: string, project: string): AgentView => {
  const byId = agents.find((agent) => agent.id === target);
  if (byId !== undefined) return byId;
  const named = agents.filter((agent) => agent.name === target && agent.exit === null);
  const here = named.filter((agent) => agent.project === project);
  const matches = here.length > 0 ? here : named;
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only === undefined) throw refused(`No running agent is named '${target}'. See quay ls.`);
  throw refused(
    `'${target}' is ambiguous: ${matches.map((agent) => `${agent.id} in ${agent.project}`).join(", ")}. Pass the id instead.`,
  );
};
