/** Which coding CLIs are there, whether their events can reach Quay, and how the running engine's terminals are. Pure. */
import type { AgentView } from "../bus/views.js";
import type { CliFacts, EngineFacts, PortFacts } from "./facts.js";
import { type Finding, ok, problem, warning } from "./finding.js";

const numberIn = (version: string): string | null => /\d+\.\d+(?:\.\d+)*/.exec(version)?.[0] ?? null;

const checkVersion = ({ kind, title, path, version, tested }: CliFacts): Finding => {
  const number = version === null ? null : numberIn(version);
  if (number === null) {
    return warning(
      `cli.${kind}`,
      `${title} is installed (${path}), but \`--version\` gave no answer within 5 s.`,
      "Run it once by hand and see what it says.",
    );
  }
  if (number === tested) return ok(`cli.${kind}`, `${title} ${number} is installed (${path}), a tested version.`);
  return warning(
    `cli.${kind}`,
    `${title} ${number} is installed (${path}), which is not tested; tested is ${tested}. What Quay does not understand of a CLI it shows as unknown, and types nothing then.`,
    "Run `quay drill`, and watch the first messages in Mission Control.",
  );
};

/** Nobody has all of them: a missing one is worth a word when no other is there, or when a setting names it. */
const checkMissing = ({ kind, title, program, isNamed }: CliFacts, hasOthers: boolean): Finding => {
  const what = `${title} is not there: no program \`${program}\` was found.`;
  if (hasOthers && !isNamed) return ok(`cli.${kind}`, what);
  return warning(
    `cli.${kind}`,
    what,
    `Install it, or name its file in settings.json (adapters.${kind}.command). \`quay demo\` works without.`,
  );
};

export const checkClis = (clis: readonly CliFacts[]): readonly Finding[] =>
  clis.flatMap((cli) => {
    if (cli.path === null)
      return [
        checkMissing(
          cli,
          clis.some(({ path }) => path !== null),
        ),
      ];
    const off = cli.switchedOffBy;
    return off === null
      ? [checkVersion(cli)]
      : [
          checkVersion(cli),
          warning(
            `cli.${cli.kind}.hooks`,
            `Hooks of ${cli.title} are switched off (${off}): Quay cannot see its turns, and it is a listener only.`,
            "Switch them on and relaunch the agent, if you want replies from it.",
          ),
        ];
  });

const isOver = (agent: AgentView): boolean => agent.exit !== null;

const checkReporters = (agents: readonly AgentView[]): readonly Finding[] => {
  const live = agents.filter((agent) => !isOver(agent));
  const stale = live.filter((agent) => agent.stale);
  const demoted = live.filter((agent) => agent.demoted !== null);
  const found = demoted.map((agent) =>
    warning(
      "engine.reporter",
      `${agent.name} (${agent.kind}) is a ${agent.level} and not a ${agent.fullLevel}: ${agent.demoted}.`,
      `Run \`quay relaunch ${agent.name}\`; look at its screen first with \`quay attach ${agent.name}\`.`,
    ),
  );
  if (stale.length > 0) {
    const names = stale.map((agent) => agent.name).join(", ");
    const advice = "Look what the tmux server does; nothing is lost while it lives, and nothing is typed meanwhile.";
    return [...found, problem("engine.tmux", `tmux does not answer for ${names}.`, advice)];
  }
  if (found.length > 0) return found;
  if (live.length === 0) return [ok("engine.reporter", "No terminal runs.")];
  return [
    ok(
      "engine.reporter",
      live.length === 1 ? "The one terminal that runs reports." : `All ${live.length} running terminals report.`,
    ),
  ];
};

const checkPort = ({ port, isTaken }: PortFacts): Finding => {
  if (port === null) return ok("engine.port", "The port is chosen when the first engine starts.");
  return isTaken
    ? problem(
        "engine.port",
        `Port ${port} of 127.0.0.1 is taken by another program, so no engine can start here.`,
        `End that program (\`ss -ltnp 'sport = :${port}'\` names it), or set another port (setting \`port\`) and relaunch the agents.`,
      )
    : ok("engine.port", `Port ${port} of 127.0.0.1 is free for the engine.`);
};

export const checkEngine = (engine: EngineFacts, port: PortFacts): readonly Finding[] => {
  switch (engine.kind) {
    case "none":
      return [ok("engine.running", "No engine is running; `quay` starts one."), checkPort(port)];
    case "left over":
      return [
        ok(
          "engine.running",
          `No engine is running: process ${engine.pid} has ended without a farewell. \`quay\` starts one.`,
        ),
        checkPort(port),
      ];
    case "silent":
      return [
        problem(
          "engine.running",
          `The engine${engine.pid === null ? "" : ` (process ${engine.pid})`} does not answer: ${engine.why}`,
          "Look into quay.log in the state folder. If its process hangs, end it with `kill`, and start `quay` again: agents go on.",
        ),
      ];
    case "running":
      return [
        engine.stopped === null
          ? ok("engine.running", `The engine runs (process ${engine.pid}) and answers at ${engine.url}.`)
          : problem(
              "engine.running",
              `The engine (process ${engine.pid}) types nothing any more: ${engine.stopped}.`,
              "Run `quay stop`, then `quay`: agents go on. Please report it with the end of quay.log.",
            ),
        ...checkReporters(engine.agents),
      ];
  }
};
