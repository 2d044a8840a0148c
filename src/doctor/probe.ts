/** Brings all facts home at once. It reads, and runs nothing of a CLI but `--version`, for at most 5 s. */
import { adapterOf } from "../adapters/registry.js";
import { testedVersions } from "../adapters/tested-versions.js";
import { findBridgeSwitch } from "../feeds/bridge-switch.js";
import { statePaths } from "../lib/paths.js";
import type { CliFacts, EngineFacts, Facts } from "./facts.js";
import { isPortTaken, probeMachine, probeState } from "./probe-machine.js";
import { probeServers, probeTmux } from "./probe-tmux.js";
import { type Env, findProgram, runBriefly } from "./run-program.js";

const VERSION_WITHIN_MS = 5_000;

type CliSetting = { readonly command: string | null; readonly bridge: boolean };

/** What was read of settings and store; a fault when the settings cannot be used. */
export type Place =
  | {
      readonly kind: "read";
      readonly settings: { readonly adapters: Readonly<Record<string, CliSetting>> };
      readonly port: number | null;
    }
  | { readonly kind: "faulty"; readonly why: string };

export type ProbeInput = {
  readonly env: Env;
  readonly cwd: string;
  /** tmux server that terminals are on, or would be: a name or a path. */
  readonly socket: string;
  readonly place: Place;
  readonly engine: EngineFacts;
};

const probeCli = async (
  [kind, tested]: readonly [kind: string, tested: string],
  { env, cwd, place }: ProbeInput,
): Promise<readonly CliFacts[]> => {
  const adapter = adapterOf(kind);
  if (adapter === null || adapter.program === null) return [];
  const setting = place.kind === "read" ? place.settings.adapters[kind] : undefined;
  const program = setting?.command ?? adapter.program;
  const path = findProgram(program, env, cwd);
  const ran = path === null ? null : await runBriefly(path, ["--version"], env, VERSION_WITHIN_MS);
  const byPerson = adapter.bridgeSwitch === null ? null : await findBridgeSwitch(adapter.bridgeSwitch, env, cwd);
  const hasBridge = adapter.traits.reporter !== null || adapter.raised !== undefined;
  const byQuay = hasBridge && setting?.bridge === false ? `adapters.${kind}.bridge in settings.json` : null;
  return [
    {
      kind,
      title: adapter.title,
      program,
      isNamed: setting !== undefined && setting.command !== null,
      path,
      version: ran?.code === 0 ? ran.out.trim() : null,
      tested,
      switchedOffBy: byQuay ?? byPerson,
    },
  ];
};

/** One after the other: some take seconds of the machine to say their version, and each has its own time for it. */
const probeEach = async (input: ProbeInput): Promise<readonly CliFacts[]> => {
  const found: CliFacts[] = [];
  for (const cli of Object.entries(testedVersions)) found.push(...(await probeCli(cli, input)));
  return found;
};

const ownPort = async ({ place, engine }: ProbeInput): Promise<Facts["port"]> => {
  const port = place.kind === "read" ? place.port : null;
  const isFree = engine.kind === "none" || engine.kind === "left over";
  return { port, isTaken: port !== null && isFree && (await isPortTaken(port)) };
};

export const probe = async (input: ProbeInput): Promise<Facts> => {
  const { env, cwd, socket, place } = input;
  const paths = statePaths(env);
  const tmux = await probeTmux(env, cwd);
  const [servers, machine, clis, port] = await Promise.all([
    probeServers(tmux, socket, env),
    probeMachine(env, cwd),
    probeEach(input),
    ownPort(input),
  ]);
  const state = probeState(paths.home, paths.config, place.kind === "faulty" ? place.why : null);
  return { tmux, servers, machine, state, clis, engine: input.engine, port };
};
