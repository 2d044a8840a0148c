/** `quay doctor`: looks at tmux, the CLIs, the engine and the machine, and says what to do. It changes nothing. */
import type { Command } from "commander";
import { diagnose } from "../../doctor/diagnose.js";
import type { EngineFacts } from "../../doctor/facts.js";
import { countOf } from "../../doctor/finding.js";
import { messageOf, QuayError } from "../../lib/errors.js";
import { statePaths } from "../../lib/paths.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { jsonOf, wordSections } from "../doctor-report.js";
import { insideOf } from "../inside.js";
import { columnsOf, jsonBlock } from "../output.js";
import { type Act, examples } from "../verb.js";

/** An engine that hangs must not make the doctor hang. */
const ANSWER_WITHIN_MS = 5_000;

export const addDoctor = (program: Command, act: Act): void => {
  program
    .command("doctor")
    .summary("look for what could go wrong here")
    .description(
      "Look at tmux, its options, the coding CLIs, the engine, the state folder and the machine, and say for each finding what to do. Needs no engine; asks one that runs. Changes nothing, and runs nothing of a coding CLI but --version. Exits 1 when there is a problem.",
    )
    .option("--json", "print the findings as JSON")
    .addHelpText(
      "after",
      examples(
        ["quay doctor", "look at this machine"],
        ["quay doctor --json | jq -r '.findings[] | select(.state != \"ok\") | .advice'", "only what to do"],
      ),
    )
    .action(async (options: { json?: boolean }) => {
      await act((cli) => doctor(cli, options.json === true));
    });
};

const within = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let alarm: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    alarm = setTimeout(() => fail(new QuayError("engine-away", `no answer within ${ms / 1_000} s.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(alarm);
  }
};

type Address = { readonly url: string; readonly token: string };

const askEngine = async (cli: Cli, pid: number | null, address: Address): Promise<EngineFacts> => {
  try {
    const client = await within(cli.doors.connect(address), ANSWER_WITHIN_MS);
    const { engine, agents } = client.snapshot();
    await client.close();
    return { kind: "running", pid: engine.pid, url: address.url, stopped: engine.stopped, agents };
  } catch (error) {
    return { kind: "silent", pid, why: messageOf(error) };
  }
};

type Seen = { readonly engine: EngineFacts; readonly socket: string | null };

/** As a terminal of Quay by its own token, else as the person. */
const lookAtEngine = async (cli: Cli): Promise<Seen> => {
  const peer = insideOf(cli.env)?.peer;
  if (peer) return { engine: await askEngine(cli, null, peer), socket: null };
  try {
    const found = await cli.doors.readEndpoint(cli.env);
    if (found === null) return { engine: { kind: "none" }, socket: null };
    const { pid, url, socket } = found.endpoint;
    if (!cli.doors.isAlive(pid)) return { engine: { kind: "left over", pid }, socket };
    return { engine: await askEngine(cli, pid, { url, token: found.token }), socket };
  } catch (error) {
    return { engine: { kind: "silent", pid: null, why: messageOf(error) }, socket: null };
  }
};

const doctor = async (cli: Cli, json: boolean): Promise<ExitCode> => {
  const { engine, socket } = await lookAtEngine(cli);
  const facts = await cli.doors.probe({
    env: cli.env,
    cwd: cli.cwd,
    socket: cli.socket ?? socket ?? statePaths(cli.env).tmuxSocket,
    engine,
    place: await cli.doors.readPlace(cli.env),
  });
  const sections = diagnose(facts);
  const columns = columnsOf(cli.out) ?? Number.POSITIVE_INFINITY;
  cli.out.write(json ? jsonBlock(jsonOf(sections)) : wordSections(sections, columns));
  return countOf(sections, "problem") === 0 ? EXIT.ok : EXIT.failed;
};
