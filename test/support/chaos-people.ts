/** People of a chaos scenario: at a terminal of their own they attach to the server, look and leave. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { until } from "./until.js";

export type Place = {
  readonly env: NodeJS.ProcessEnv;
  readonly socket: string;
};

/** A person attached to this server; `how` are words of attach-session, such as -d. */
export const attachPerson = ({ env, socket }: Place, ...how: readonly string[]): ChildProcess =>
  spawn(
    "script",
    ["-qec", `stty cols 100 rows 30; exec tmux -L ${socket} attach-session ${how.join(" ")} -t =quay`, "/dev/null"],
    {
      env: { ...env, TERM: "xterm-256color" },
      stdio: ["pipe", "ignore", "ignore"],
    },
  );

const tmux = ({ env, socket }: Place, ...args: readonly string[]): string => {
  try {
    return execFileSync("tmux", ["-N", "-L", socket, ...args], {
      env,
      encoding: "utf8",
      timeout: 10_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
};

/** Names of the clients at which a person sits. */
export const peopleOn = (place: Place): readonly string[] =>
  tmux(place, "list-clients", "-F", "#{client_control_mode} #{client_name}")
    .split("\n")
    .flatMap((line) => (line.startsWith("0 ") ? [line.slice(2)] : []));

const isGone = (person: ChildProcess): boolean => person.exitCode !== null || person.signalCode !== null;

/** One after the other; every other one leaves by losing their terminal. Gives how many were in. */
export const attachAndLeave = async (place: Place & { readonly times: number }): Promise<number> => {
  let seen = 0;
  for (let time = 0; time < place.times; time += 1) {
    const person = attachPerson(place);
    await until(() => peopleOn(place).length > 0 || isGone(person), 10_000, "a person to be in");
    if (!isGone(person)) seen += 1;
    if (time % 2 === 0) for (const name of peopleOn(place)) tmux(place, "detach-client", "-t", name);
    else person.kill("SIGKILL");
    await until(() => isGone(person) && peopleOn(place).length === 0, 10_000, "the person to be out");
  }
  return seen;
};
