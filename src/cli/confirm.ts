/** The question that a person answers before something that cannot be taken back. */
import type { Cli } from "./cli.js";
import { usageError } from "./errors-to-exit.js";

/** Whether the person said yes; Enter alone is no. Throws "usage" with `unasked` where nobody can be asked. */
export const confirmed = async (cli: Cli, question: string, unasked: string): Promise<boolean> => {
  if (!cli.inputIsTerminal) throw usageError(unasked);
  const said = await cli.ask(`${question} [y/N] `);
  return /^y(es)?$/iu.test(said.trim());
};
