/**
 * The version of each CLI that Quay's end-to-end tests drive, by run kind: the one that its screens and signals were
 * measured on. Others of the same line mostly work. A kind that is not here could not be had, or has no version.
 */
export const testedVersions: Readonly<Record<string, string>> = {
  claude: "2.1.332",
  codex: "0.171.0",
  opencode: "1.18.33",
  pi: "1.6.0",
  copilot: "1.0.102",
  gemini: "0.61.0",
};
