/**
 * What OSC 7501 reports mean, whatever the CLI: the root record is the program's status; any record that is blocked
 * means that something waits on a person. It opens and closes no turn: that is the bus's judgement.
 */
import type { Observation } from "../bus/protocol.js";
import type { ProgramStatusSignal } from "./adapter.js";

/** The blocked records by id, with what each says. Null: not known (a fresh memory), so a prompt may be open. */
export type Blocked = Readonly<Record<string, string>> | null;

type StatusMeaning = { readonly blocked: Blocked; readonly observations: readonly Observation[] };

/** `clear` takes the record and all below it; without an id, all. `build` does not take `builder`. */
const cleared = (blocked: Readonly<Record<string, string>>, id: string): Readonly<Record<string, string>> =>
  id === "" ? {} : Object.fromEntries(Object.entries(blocked).filter(([k]) => k !== id && !k.startsWith(`${id}/`)));

export const interpretProgramStatus = (before: Blocked, signal: ProgramStatusSignal): StatusMeaning => {
  const { state, id } = signal;
  const about = state === "blocked" ? (signal.about ?? "dialog") : null;
  const status: readonly Observation[] =
    id === "" ? [{ kind: "programStatus", state: state === "clear" ? "cleared" : state, about, text: signal.msg }] : [];

  if (about !== null) {
    const said = `${about}\n${signal.msg}`;
    const blocked = { ...(before ?? {}), [id]: said };
    if (before?.[id] === said) return { blocked, observations: status };
    return {
      blocked,
      observations: [...status, { kind: "promptRaised", prompt: { about, text: signal.msg, source: "osc" } }],
    };
  }

  const known = before ?? {};
  const { [id]: _ended, ...others } = known;
  const blocked = state === "clear" ? cleared(known, id) : others;
  // A root report after a fresh memory takes back what an earlier engine may have seen raised.
  const wasOpen = before === null ? id === "" : Object.keys(known).length > 0;
  const closes = wasOpen && Object.keys(blocked).length === 0;
  return {
    blocked: before === null && id !== "" ? null : blocked,
    observations: closes ? [...status, { kind: "promptClosed", source: "osc" }] : status,
  };
};
