/** The demo agent's command line. Pure: words in, options or a sentence for a person out. */
import { parseArgs } from "node:util";
import { messageOf } from "../lib/errors.js";

export const ROLES = ["test-architect", "feature-impl", "reviewer"] as const;
export type Role = (typeof ROLES)[number];

export type AgentOptions = {
  readonly role: Role;
  /** Name of the terminal that gets the hand-off. */
  readonly peer: string;
  readonly cliSession: string | null;
  readonly fast: boolean;
  readonly prompt: string | null;
};

export type OptionsRead =
  | { readonly kind: "options"; readonly options: AgentOptions }
  | { readonly kind: "wrong"; readonly why: string };

const USAGE = `usage: agent.js --role ${ROLES.join("|")} [--peer NAME] [--session-id ID] [--fast] [PROMPT]`;

const wrong = (why: string): OptionsRead => ({ kind: "wrong", why: `${why}\n${USAGE}` });

export const readOptions = (words: readonly string[]): OptionsRead => {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        role: { type: "string" },
        peer: { type: "string", default: "feature-impl" },
        "session-id": { type: "string" },
        fast: { type: "boolean", default: false },
      },
    });
    const role = ROLES.find((known) => known === values.role);
    if (role === undefined) return wrong(values.role === undefined ? "--role is missing." : `no role ${values.role}.`);
    if (positionals.length > 1) return wrong("more than one prompt; put it in quotes.");
    return {
      kind: "options",
      options: {
        role,
        peer: values.peer,
        cliSession: values["session-id"] ?? null,
        fast: values.fast,
        prompt: positionals[0] ?? null,
      },
    };
  } catch (error) {
    return wrong(messageOf(error));
  }
};
