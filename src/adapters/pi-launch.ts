/**
 * How Pi and PiG are started: the user's own command line, with Quay's extension added for this session where the
 * terminal is a full peer. No file of the CLI is changed and no secret stands in the argv: the extension reads them
 * from its environment. Pure. Source: facts/other-clis.md section 1.
 */
import type { Level } from "../bus/terminal.js";
import type { LaunchInput, LaunchPlan } from "./adapter.js";
import { hasOption, withoutOptions } from "./launch-args.js";
import { wirePeer } from "./launch-wiring.js";

/** The options by which the user chooses the session. */
const TAKES_VALUE = ["--session", "--session-id", "--fork"];
const TAKES_NONE = ["--continue", "-c", "--resume", "-r", "--no-session"];

/** Opens the session of this id in the folder, or creates it. A relaunch goes on with the session that this terminal had. */
const sessionArgs = ({ args, resume, newSession }: LaunchInput): readonly string[] => {
  if (resume !== null) return ["--session-id", resume, ...withoutOptions(args, TAKES_VALUE, TAKES_NONE)];
  return hasOption(args, [...TAKES_VALUE, ...TAKES_NONE]) ? args : ["--session-id", newSession, ...args];
};

/** A prompt may begin with a dash: what follows -- is no option. One that begins with @ would be read as a file's name. */
const promptArgs = (prompt: string | null): readonly string[] =>
  prompt === null ? [] : ["--", prompt.startsWith("@") ? ` ${prompt}` : prompt];

/** @param program the name on PATH when no setting names another; @param usual the level without a setting. */
export const launchPi =
  (program: string, usual: Level) =>
  (input: LaunchInput): LaunchPlan => {
    const { wiring } = input;
    const isPeer = (input.level ?? usual) === "full peer";
    const hasBridge = isPeer && wiring.bridge;
    const wired = wirePeer(input, hasBridge);
    return {
      ...wired,
      argv: [
        input.command ?? program,
        ...(hasBridge ? ["-e", `${wiring.assetsDir}/pi/quay-pig-bridge.js`] : []),
        ...(isPeer ? sessionArgs(input) : input.args),
        ...promptArgs(input.prompt),
      ],
      // Inside tmux its question is answered by tmux, too early: it is told to report without asking.
      env: hasBridge ? { ...wired.env, PI_PROGRAM_STATUS: "1" } : wired.env,
    };
  };
