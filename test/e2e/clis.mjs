// The real CLIs of the end-to-end tests, each pinned: the only table of them. `install.mjs` gets them from npm.

/** The Node that runs CLIs which need a newer one than Quay's own. Its npm package brings the binary. */
export const NODE = { folder: "node24", package: "node", version: "24.21.0" };

/** `node`: runs on NODE, and is installed by the npm that runs on it: another one may pick an older version silently. */
export const CLIS = {
  claude: { title: "Claude Code", package: "@anthropic-ai/claude-code", version: "2.1.332", bin: "claude" },
  codex: { title: "Codex", package: "@openai/codex", version: "0.171.0", bin: "codex" },
  opencode: { title: "OpenCode", package: "opencode-ai", version: "1.18.33", bin: "opencode" },
  pi: { title: "Pi", package: "@earendil-works/pi-coding-agent", version: "1.6.0", bin: "pi", node: true },
  gemini: { title: "Gemini CLI", package: "@google/gemini-cli", version: "0.61.0", bin: "gemini" },
  copilot: { title: "Copilot CLI", package: "@github/copilot", version: "1.0.102", bin: "copilot" },
};
