/**
 * The drill agent's command line: Claude Code's words as Quay's launch gives them. Pure. What it needs not is let
 * pass, as the options of a CLI that it only looks like.
 */
export type AgentOptions = {
  readonly pluginFolder: string | null;
  readonly cliSession: string | null;
  readonly resumes: boolean;
  readonly prompt: string | null;
};

const optionValue = (words: readonly string[], name: string): string | null => {
  for (const [index, word] of words.entries()) {
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (word === name) return words[index + 1] ?? null;
  }
  return null;
};

export const readOptions = (words: readonly string[]): AgentOptions => {
  const end = words.indexOf("--");
  const options = end < 0 ? words : words.slice(0, end);
  const resumed = optionValue(options, "--resume");
  return {
    pluginFolder: optionValue(options, "--plugin-dir"),
    cliSession: resumed ?? optionValue(options, "--session-id"),
    resumes: resumed !== null,
    prompt: end < 0 ? null : (words[end + 1] ?? null),
  };
};
