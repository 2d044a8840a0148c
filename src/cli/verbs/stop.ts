/** `quay stop`: ends the engine and its screens; agents go on. */
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { QuayError } from "../../lib/errors.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, requireEngine, withEngine } from "../connect.js";
import { refuseInside } from "../inside.js";
import { jsonBlock, wordGoingOn } from "../output.js";
import { type Act, examples } from "../verb.js";

const ENDED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

export const addStop = (program: Command, act: Act): void => {
  program
    .command("stop")
    .summary("end the engine; agents go on")
    .description("End the engine and its screens. Agents go on in tmux, and the next engine takes them over.")
    .option("--json", "print what is left running as JSON")
    .addHelpText(
      "after",
      examples(["quay stop", "end the engine"], ["quay down --all --yes && quay stop", "end the agents too"]),
    )
    .action(async (options: { json?: boolean }) => {
      await act((cli) => stop(cli, options.json === true));
    });
};

const stop = async (cli: Cli, json: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay stop");
  const reached = await requireEngine(cli);
  const { agentsLeft } = await withEngine(reached, (client) => ask(client, { kind: "stop" }));
  await untilEnded(cli, reached.endpoint?.pid ?? null);
  cli.out.write(
    json ? jsonBlock({ agentsLeft }) : `The engine has ended. ${wordGoingOn(agentsLeft)} Come back with: quay\n`,
  );
  return EXIT.ok;
};

/** Whoever starts an engine right after this must not meet the old one's lock. */
const untilEnded = async (cli: Cli, pid: number | null): Promise<void> => {
  if (pid === null) return;
  const deadline = cli.now() + ENDED_WITHIN_MS;
  while (cli.doors.isAlive(pid) && (await endpointIsOf(cli, pid))) {
    if (cli.now() >= deadline)
      throw new QuayError(
        "stop-slow",
        `The engine (process ${pid}) was told to stop and still runs after ${ENDED_WITHIN_MS / 1000} s. Look at its log, or end it with: kill ${pid}`,
      );
    await delay(LOOK_EVERY_MS);
  }
};

/** An engine beside its screen lives on for a moment to restore the terminal; its endpoint file is gone before that. */
const endpointIsOf = async (cli: Cli, pid: number): Promise<boolean> =>
  (await cli.doors.readEndpoint(cli.env))?.endpoint.pid === pid;
