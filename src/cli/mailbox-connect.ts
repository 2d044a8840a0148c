/**
 * How a client outside Quay is connected: the lines that a person runs or puts into a file. The key stands in an environment
 * variable alone, never in an argument or a configuration file. Each form was tried with the real client, but for Cursor's.
 */
export const CLIENTS = ["claude", "codex", "opencode", "cursor"] as const;
export type MailboxClient = (typeof CLIENTS)[number];

export const KEY_VARIABLE = "QUAY_MAILBOX_KEY";
export const SERVER_NAME = "quay-mailbox";

const json = (value: unknown): string => JSON.stringify(value, null, 2);

type Step = { readonly what: string; readonly lines: string };

const stepsFor = (client: MailboxClient, url: string): readonly Step[] => {
  switch (client) {
    case "claude":
      return [
        {
          what: "Add the server (single quotes: Claude Code reads the variable itself):",
          lines: `claude mcp add --transport http ${SERVER_NAME} ${url} --header 'Authorization: Bearer \${${KEY_VARIABLE}}'`,
        },
      ];
    case "codex":
      return [
        {
          what: "Add the server:",
          lines: `codex mcp add ${SERVER_NAME} --url ${url} --bearer-token-env-var ${KEY_VARIABLE}`,
        },
      ];
    case "opencode":
      return [
        {
          what: "Put this into opencode.json of the project, or into ~/.config/opencode/opencode.json:",
          lines: json({
            mcp: {
              [SERVER_NAME]: {
                type: "remote",
                url,
                enabled: true,
                oauth: false,
                headers: { Authorization: `Bearer {env:${KEY_VARIABLE}}` },
              },
            },
          }),
        },
      ];
    case "cursor":
      return [
        {
          what: "Put this into .cursor/mcp.json of the project, or into ~/.cursor/mcp.json:",
          lines: json({
            mcpServers: { [SERVER_NAME]: { url, headers: { Authorization: `Bearer \${env:${KEY_VARIABLE}}` } } },
          }),
        },
      ];
  }
};

/** @param account null: the machine's own. */
export const wordConnect = (client: MailboxClient, url: string, account: string | null): string => {
  const forAccount = account === null ? "" : ` --account ${account}`;
  const steps: readonly Step[] = [
    {
      what: "Make a key, and put it where the client is started from:",
      lines: `quay mailbox key new${forAccount}\nexport ${KEY_VARIABLE}=KEY`,
    },
    ...stepsFor(client, url),
  ];
  const indented = (lines: string) => lines.replace(/^/gmu, "   ");
  return `${steps.map(({ what, lines }, at) => `${at + 1}. ${what}\n\n${indented(lines)}\n`).join("\n")}`;
};
