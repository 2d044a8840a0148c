/**
 * A refusal is an expected no: a value, worded here and nowhere else. Each sentence names what to do.
 * Source: "How a Target Is Matched" and "How a Message Is Delivered" of the bus's product text; DECISIONS A1, A6-A9.
 */
import { assertNever } from "./ids.js";
import type { Level, Status } from "./terminal.js";

/** A live peer, as a refusal lists it. */
export type PeerLine = {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly level: Level;
  readonly status: Status;
};

export type Refusal =
  | { readonly kind: "unknownTarget"; readonly target: string; readonly peers: readonly PeerLine[] }
  | { readonly kind: "ambiguousTarget"; readonly target: string; readonly matches: readonly PeerLine[] }
  | { readonly kind: "nameExited"; readonly target: string; readonly peers: readonly PeerLine[] }
  | { readonly kind: "terminalExited"; readonly target: string; readonly name: string }
  | { readonly kind: "self"; readonly name: string }
  | { readonly kind: "notAPeer"; readonly name: string; readonly runKind: string }
  | { readonly kind: "emptyText"; readonly field: "message" | "text" }
  | { readonly kind: "textTooLong"; readonly field: "message" | "text"; readonly bytes: number; readonly limit: number }
  | { readonly kind: "tooManyHops"; readonly limit: number }
  | { readonly kind: "leadingCommandSign"; readonly sign: string }
  | { readonly kind: "callerExited" }
  | { readonly kind: "unknownDelivery"; readonly delivery: string }
  | { readonly kind: "notCancellable"; readonly delivery: string; readonly state: string }
  | { readonly kind: "notHeld"; readonly delivery: string; readonly state: string }
  | { readonly kind: "fencedOut"; readonly holder: string };

const line = (peer: PeerLine): string => `- ${peer.name} (${peer.id}): ${peer.level}, ${peer.status}, ${peer.project}`;

const listed = (peers: readonly PeerLine[]): string =>
  peers.length === 0 ? "There is no live peer." : `Live peers:\n${peers.map(line).join("\n")}`;

export const wordRefusal = (refusal: Refusal): string => {
  switch (refusal.kind) {
    case "unknownTarget":
      return `No agent has the terminal ID or session name '${refusal.target}'. Pass one exactly as quay_list_agents lists it. ${listed(refusal.peers)}`;
    case "ambiguousTarget":
      return `The session name '${refusal.target}' is ambiguous: ${refusal.matches.length} live terminals have it. Pass the terminal ID instead.\n${refusal.matches.map(line).join("\n")}`;
    case "nameExited":
      return `The only terminal named '${refusal.target}' has exited, so no agent is running to read the message. ${listed(refusal.peers)}`;
    case "terminalExited":
      return `Terminal ${refusal.target} ('${refusal.name}') has exited, so no agent is running to read the message.`;
    case "self":
      return `'${refusal.name}' is your own terminal; a message to yourself is refused. Pick another peer from quay_list_agents.`;
    case "notAPeer":
      return `'${refusal.name}' is a ${refusal.runKind} terminal, not a peer: it would run the message instead of reading it. Pick a peer from quay_list_agents.`;
    case "emptyText":
      return `The ${refusal.field} is empty. Say what the peer should do.`;
    case "textTooLong":
      return `The ${refusal.field} is ${refusal.bytes} bytes of UTF-8; the limit is ${refusal.limit}. Write it to a file in the project and send the file's path.`;
    case "tooManyHops":
      return `This message is ${refusal.limit} hand-offs away from the last prompt of a person; the limit is ${refusal.limit}. A person has to prompt one of the agents to go on.`;
    case "leadingCommandSign":
      return `The message starts with '${refusal.sign}', which the agent's CLI takes as a command. Put a word before it, or ask for raw typing if that is what you mean.`;
    case "callerExited":
      return "The calling terminal has exited.";
    case "unknownDelivery":
      return `There is no message ${refusal.delivery} on the trail.`;
    case "notCancellable":
      return `Message ${refusal.delivery} is ${refusal.state}; only a queued message can be cancelled.`;
    case "notHeld":
      return refusal.state === "queued"
        ? `Message ${refusal.delivery} is not held by its line; it is typed when the turn before it ends.`
        : `Message ${refusal.delivery} is ${refusal.state}; only a queued message can be typed.`;
    case "fencedOut":
      return `Another Quay engine (${refusal.holder}) has taken over this tmux server; this one types nothing any more. Stop one of the two.`;
    default:
      return assertNever(refusal);
  }
};
