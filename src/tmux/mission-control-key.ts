/**
 * `prefix M` opens Mission Control. On Quay's own server the key is ours; on a user's server it is taken only when
 * the user has not bound it, and given back only while it is still ours. The binding itself carries whose it is and
 * what stood there, so that an engine can give back what its killed predecessor took.
 */
import type { Ask } from "./fence.js";
import { q, word } from "./quote.js";
import { textOf } from "./replies.js";

const BINDING = /^bind-key\s+(?:-r\s+)?-T prefix\s+M\s+(.*)$/;
/** What tmux itself binds to M: it forgets the marked pane. Not a choice of the user's. */
const STOCK = "select-pane -M";

export type KeySpot = {
  readonly ask: Ask;
  readonly tmuxSession: string;
  readonly instance: string;
  readonly isOwnServer: boolean;
};

type Before = "stock" | "free";

/** In the environment of the screen that the key opened. */
export const CONTROL = "QUAY_CONTROL";

/** Option of our session, for each client that pressed the key: 1 when it was in our session then, 0 when in another. */
export const cameFrom = (clientPid: string): string => `@quay_from_${clientPid}`;

const mark = (instance: string, before: Before): string => `${CONTROL}=${word(instance)}-${before}`;

const WINDOW = "mission-control";
const IS_INSIDE = "#{==:#{client_session},#{session_name}}";
const IS_THERE = `#{&&:${IS_INSIDE},#{==:#{window_name},${WINDOW}}}`;

/** The window is selected when it is there, else made; the client that pressed the key comes to our session. */
const openCommand = (spot: KeySpot, argv: readonly string[], before: Before): string => {
  const target = q(`=${word(spot.tmuxSession)}:`);
  const program = ["/usr/bin/env", ...argv].map(q).join(" ");
  const note = `set-option -t ${target} -F ${q(cameFrom("#{client_pid}"))} ${q(IS_INSIDE)}`;
  // Pressed in the screen itself it says nothing of what was seen before.
  const noteWay = `if-shell -F -t ${target} ${q(`#{?${IS_THERE},,1}`)} ${q(note)}`;
  return `${noteWay} ; new-window -S -t ${target} -n ${WINDOW} -e ${mark(spot.instance, before)} -- ${program} ; switch-client -t ${target}`;
};

/** The command that is bound to the key; "" for none, null when tmux does not answer. */
const bound = async (ask: Ask): Promise<string | null> => {
  const answer = await ask("list-keys -T prefix");
  if (answer.kind === "unknown") return null;
  for (const line of textOf(answer.blocks)) {
    const found = BINDING.exec(line);
    if (found) return found[1]!;
  }
  return "";
};

const ours = (spot: KeySpot, command: string): Before | null => {
  if (command.includes(mark(spot.instance, "stock"))) return "stock";
  return command.includes(mark(spot.instance, "free")) ? "free" : null;
};

/** Returns whether the key is ours now. */
export const bindKey = async (spot: KeySpot, argv: readonly string[]): Promise<boolean> => {
  const now = await bound(spot.ask);
  if (now === null) return false;
  const isFree = now === "" || now === STOCK || ours(spot, now) !== null;
  if (!isFree && !spot.isOwnServer) return false;
  const before = ours(spot, now) ?? (now === "" ? "free" : "stock");
  const answer = await spot.ask(`bind-key -T prefix M ${q(openCommand(spot, argv, before))}`);
  return answer.kind === "answered" && answer.blocks.every((block) => block.ok);
};

export const unbindKey = async (spot: KeySpot): Promise<void> => {
  const now = await bound(spot.ask);
  const before = now === null ? null : ours(spot, now);
  if (before === "stock") await spot.ask(`bind-key -T prefix M ${STOCK}`);
  if (before === "free") await spot.ask("unbind-key -T prefix M");
};
