/** What a person runs to see a terminal: words only, nothing is run here. */
import type { Attachment } from "./connection.js";
import { selectWindowWords } from "./lines.js";
import type { PaneRow } from "./replies.js";
import { addressArgs, type ServerSpot } from "./server.js";

/** Inside the same server the person's client comes over; anywhere else a new client is attached. */
export const attachCommand = (
  server: ServerSpot,
  place: Attachment,
  row: PaneRow | null,
  inside: string | null,
): { readonly argv: readonly string[]; readonly unsetEnv: readonly string[] } => {
  const target = row && row.session !== place.session ? row.session : `=${server.tmuxSession}`;
  const select = row ? [...selectWindowWords(row.window), ";"] : [];
  if (inside === place.life.socket) {
    return { argv: [server.tmux, "-S", inside, ...select, "switch-client", "-t", target], unsetEnv: [] };
  }
  // A socket folder of our environment may not be that of the person's shell.
  const at = process.env.TMUX_TMPDIR === undefined ? addressArgs(server.address) : (["-S", place.life.socket] as const);
  return { argv: [server.tmux, ...at, ...select, "attach-session", "-t", target], unsetEnv: ["TMUX", "TMUX_PANE"] };
};
