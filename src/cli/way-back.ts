/**
 * The way back from the screen that tmux's prefix and M opened: what the person saw before, on their client alone. The
 * screen goes on in its window, where others may look at it.
 */
import { QuayError } from "../lib/errors.js";
import { CONTROL, cameFrom } from "../tmux/mission-control-key.js";
import type { Cli } from "./cli.js";

const nothing = (): QuayError =>
  new QuayError(
    "no-way-back",
    "There is nothing to go back to. Choose a window with your tmux prefix and w, or leave tmux with it and d.",
  );

/** @param socket of the tmux around the screen. Null when no key opened it: then leaving ends it. */
export const wayBack = (cli: Cli, socket: string | null): (() => Promise<void>) | null => {
  if (socket === null || (cli.env[CONTROL] ?? "") === "") return null;
  const tmux = async (...words: readonly string[]): Promise<string> =>
    (await cli.doors.feed(["tmux", "-S", socket, ...words], "", cli.env)).trim();
  return async () => {
    // The client of this session that pressed a key last.
    const [pid = "", name = ""] = (await tmux("display-message", "-p", "#{client_pid} #{client_name}")).split(" ");
    if (pid === "" || name === "") throw nothing();
    const isElsewhere = (await tmux("show-options", "-qv", cameFrom(pid))) === "0";
    // What it says is used up: the next time this client may come another way.
    await tmux("set-option", "-qu", cameFrom(pid));
    const toSession = () => tmux("switch-client", "-c", name, "-l");
    const toWindow = () => tmux("last-window");
    const [first, second] = isElsewhere ? [toSession, toWindow] : [toWindow, toSession];
    await first()
      .catch(second)
      .catch(() => {
        throw nothing();
      });
  };
};
