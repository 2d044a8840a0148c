/**
 * A CLI's command line as words: which options stand in it, what they say, and the words without some of them.
 * Knows no CLI: the names of options that take a value are the caller's. Pure.
 */

/** `--port=1` is `--port`; a word that is no long option is itself. */
export const optionOf = (arg: string): string => (arg.startsWith("--") ? (arg.split("=", 1)[0] ?? arg) : arg);

export const hasOption = (args: readonly string[], names: readonly string[]): boolean =>
  args.some((arg) => names.includes(optionOf(arg)));

/** The value of the last of these options; null when none stands there, or none with a value. */
export const optionValue = (args: readonly string[], names: readonly string[]): string | null => {
  const at = args.findLastIndex((arg) => names.includes(optionOf(arg)));
  const arg = args[at];
  if (arg === undefined) return null;
  if (optionOf(arg) !== arg) return arg.slice(arg.indexOf("=") + 1);
  const next = args[at + 1];
  return next === undefined || next.startsWith("-") ? null : next;
};

/** The args without these options, and without the value that follows one that takes a value. */
export const withoutOptions = (
  args: readonly string[],
  takeValue: readonly string[],
  takeNone: readonly string[] = [],
): readonly string[] => {
  const kept: string[] = [];
  let valueMayFollow = false;
  for (const arg of args) {
    const option = optionOf(arg);
    const isValue = valueMayFollow && !arg.startsWith("-");
    valueMayFollow = takeValue.includes(option) && option === arg;
    const drops = isValue || valueMayFollow || takeValue.includes(option) || takeNone.includes(option);
    if (!drops) kept.push(arg);
  }
  return kept;
};
