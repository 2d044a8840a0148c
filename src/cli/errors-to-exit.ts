/**
 * From what went wrong to what a person reads and the shell gets: one sentence on stderr that says what to do, and an
 * exit code. Nothing else in the command line prints an error or picks a code for one.
 */
import { messageOf, QuayError } from "../lib/errors.js";
import { EXIT, type ExitCode, type Sink } from "./cli.js";
import { inertText } from "./screen.js";

/** Codes of faults that mean: there is no engine at the other end. */
const UNREACHABLE: readonly string[] = ["no-engine", "engine-away"];

/** A wrong call of a verb: found after the flags were parsed. */
export const usageError = (message: string): QuayError => new QuayError("usage", message);

/** An expected no: refused by a rule, or by the engine. */
export const refused = (message: string): QuayError => new QuayError("refused", message);

export const noEngine = (message: string): QuayError => new QuayError("no-engine", message);

export const isUnreachable = (error: unknown): boolean =>
  error instanceof QuayError && UNREACHABLE.includes(error.code);

export const exitCodeOf = (error: unknown): ExitCode => {
  if (!(error instanceof QuayError)) return EXIT.failed;
  if (error.code === "usage") return EXIT.usage;
  if (error.code === "interrupted") return EXIT.interrupted;
  return UNREACHABLE.includes(error.code) ? EXIT.noEngine : EXIT.failed;
};

/**
 * Prints the error and returns its exit code. What is not a QuayError is a bug: its stack is shown, since nobody can
 * act on the message alone.
 */
export const reportError = (error: unknown, err: Sink): ExitCode => {
  if (error instanceof QuayError) err.write(`quay: ${inertText(error.message)}\n`);
  else {
    err.write(`quay: this is a bug in Quay: ${messageOf(error)}\n`);
    if (error instanceof Error && error.stack !== undefined) err.write(`${error.stack}\n`);
  }
  return exitCodeOf(error);
};
