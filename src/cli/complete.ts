/**
 * What may stand at the end of a command line of `quay`, read from the verb table itself, so that no list can be
 * forgotten. Pure: names that only an engine or a file knows are asked for by what they are of.
 */
import type { Argument, Command, Option } from "commander";

export type Candidate = { readonly text: string; readonly about: string };

export type NamesOf = "agents" | "presets" | "settings" | "kinds";

export type Wanted =
  | { readonly kind: "words"; readonly words: readonly Candidate[] }
  /** Names of all of these. */
  | { readonly kind: "names"; readonly of: readonly NamesOf[] }
  | { readonly kind: "folders" }
  | { readonly kind: "nothing" };

const nothing: Wanted = { kind: "nothing" };
const words = (list: readonly string[]): Wanted => ({
  kind: "words",
  words: list.map((text) => ({ text, about: "" })),
});

/** What a value is, by the name that the verb table gives it. */
const BY_NAME: Readonly<Record<string, readonly NamesOf[]>> = {
  target: ["agents"],
  agent: ["agents"],
  preset: ["presets"],
  key: ["settings"],
  kind: ["kinds"],
};

/** Where the name alone says too little. */
const BY_VERB: Readonly<Record<string, readonly NamesOf[]>> = { "down target": ["presets", "agents"] };

const valueNamed = (verb: string, name: string, choices: readonly string[] | undefined): Wanted => {
  if (choices !== undefined) return words(choices);
  if (name === "dir") return { kind: "folders" };
  const of = BY_VERB[`${verb} ${name}`] ?? (Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined);
  return of === undefined ? nothing : { kind: "names", of };
};

/** Of `--as <name>` the flag says more than its value. */
const optionValue = (verb: string, option: Option): Wanted => {
  const name = option.long === "--as" ? "agent" : (/[<[]([\w-]+)/.exec(option.flags)?.[1] ?? "");
  return valueNamed(verb, name, option.argChoices);
};

/** The verbs from the program down to this one, without the program. */
const pathOf = (command: Command): readonly string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];

const optionsOf = (command: Command): readonly Option[] => {
  const help = command.createHelp();
  return command.parent === null
    ? help.visibleOptions(command)
    : [...help.visibleOptions(command), ...optionsOf(command.parent)];
};

const flagsOf = (command: Command): Wanted => {
  const seen = new Map<string, Candidate>();
  for (const { long, description } of optionsOf(command)) {
    if (long != null && !seen.has(long)) seen.set(long, { text: long, about: description });
  }
  return { kind: "words", words: [...seen.values()] };
};

const verbsOf = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);

const argumentAt = (command: Command, place: number): Argument | undefined => {
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  return registeredArguments[place] ?? (last?.variadic === true ? last : undefined);
};

const takesValue = (option: Option | undefined): option is Option =>
  option !== undefined && (option.required || option.optional);

/** @param before the words before the one that is being written, without `quay` itself. */
export const complete = (program: Command, before: readonly string[], current: string): Wanted => {
  let command = program;
  let place = 0;
  let open: Option | null = null;
  for (const word of before) {
    if (open !== null) {
      open = null;
      continue;
    }
    // What follows is for another program.
    if (word === "--") return nothing;
    if (word.startsWith("-")) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      open = takesValue(option) ? option : null;
      continue;
    }
    if (command === program && word === "help") return completeVerbs(verbsOf(program));
    const verb = place === 0 ? verbsOf(command).find((below) => below.name() === word) : undefined;
    if (verb === undefined) place += 1;
    else command = verb;
  }
  const verb = pathOf(command).join(" ");
  if (open !== null) return optionValue(verb, open);
  if (current.startsWith("-")) return flagsOf(command);
  const below = place === 0 ? verbsOf(command) : [];
  if (below.length > 0) return completeVerbs(below);
  const argument = argumentAt(command, place);
  return argument === undefined ? nothing : valueNamed(verb, argument.name(), argument.argChoices);
};

const completeVerbs = (verbs: readonly Command[]): Wanted => ({
  kind: "words",
  words: verbs.map((verb) => ({ text: verb.name(), about: verb.summary() || verb.description() })),
});
