/**
 * The value of the bus and how a fact changes it. Nothing is mutated across this file's border: a draft copies
 * what it is about to change, once.
 */
import type { Approval } from "./approvals.js";
import type { Delivery } from "./delivery.js";
import { assertNever, type CallId, type DeliveryId, type TerminalId } from "./ids.js";
import type { Fact, TerminalPatch, Wait } from "./protocol.js";
import type { Terminal, TerminalRecord } from "./terminal.js";

export type State = {
  readonly terminals: ReadonlyMap<TerminalId, Terminal>;
  /** In the order of acceptance, the oldest first. */
  readonly deliveries: ReadonlyMap<DeliveryId, Delivery>;
  readonly waits: ReadonlyMap<CallId, Wait>;
  /** Requests that a rule answered, the oldest first. */
  readonly approvals: ReadonlyMap<string, Approval>;
  /** Another engine holds the tmux server: nothing is typed any more. */
  readonly stopped: string | null;
};

export const emptyState: State = {
  terminals: new Map(),
  deliveries: new Map(),
  waits: new Map(),
  approvals: new Map(),
  stopped: null,
};

/** A state under change, private to one step or one replay. */
export type Draft = {
  terminals: Map<TerminalId, Terminal>;
  deliveries: Map<DeliveryId, Delivery>;
  waits: Map<CallId, Wait>;
  approvals: Map<string, Approval>;
  stopped: string | null;
  readonly copied: Set<Part>;
};

type Part = "terminals" | "deliveries" | "waits" | "approvals";

export const openDraft = (state: State): Draft => ({
  terminals: state.terminals as Map<TerminalId, Terminal>,
  deliveries: state.deliveries as Map<DeliveryId, Delivery>,
  waits: state.waits as Map<CallId, Wait>,
  approvals: state.approvals as Map<string, Approval>,
  stopped: state.stopped,
  copied: new Set(),
});

export const closeDraft = (draft: Draft): State => ({
  terminals: draft.terminals,
  deliveries: draft.deliveries,
  waits: draft.waits,
  approvals: draft.approvals,
  stopped: draft.stopped,
});

const own = <K extends Part>(draft: Draft, key: K): Draft[K] => {
  if (!draft.copied.has(key)) {
    const copy = new Map<never, never>(draft[key] as unknown as Map<never, never>);
    draft[key] = copy as unknown as Draft[K];
    draft.copied.add(key);
  }
  return draft[key];
};

const begin = (record: TerminalRecord): Terminal => ({
  ...record,
  exit: null,
  firstOutputAt: null,
  reporter: "silent",
  graceEndsAt: null,
  ready: false,
  switchedOffBy: null,
  cliSession: null,
  turn: null,
  closing: [],
  prompt: null,
  program: { state: "unknown", since: record.launchedAt, covered: false },
  tools: [],
  endedTools: [],
  taskTitle: null,
  autoApproved: 0,
  line: "free",
  hold: null,
  held: null,
  queue: [],
  typing: null,
  unconfirmed: null,
  lastHops: null,
  stale: false,
  lastSignAt: record.launchedAt,
  doubtful: false,
});

const patchTerminal = (draft: Draft, id: TerminalId, patch: TerminalPatch): void => {
  const terminal = draft.terminals.get(id);
  if (terminal !== undefined) own(draft, "terminals").set(id, { ...terminal, ...patch });
};

export const applyFact = (draft: Draft, fact: Fact): void => {
  switch (fact.kind) {
    case "terminalAdded":
      own(draft, "terminals").set(fact.terminal.id, begin(fact.terminal));
      return;
    case "terminalEnded":
      patchTerminal(draft, fact.terminal, {
        exit: fact.exit,
        turn: null,
        prompt: null,
        tools: [],
        queue: [],
        typing: null,
        unconfirmed: null,
        hold: null,
      });
      return;
    case "terminalDropped":
      own(draft, "terminals").delete(fact.terminal);
      return;
    case "terminalChanged":
      patchTerminal(draft, fact.terminal, fact.patch);
      return;
    case "deliveryAccepted": {
      own(draft, "deliveries").set(fact.delivery.id, fact.delivery);
      // Said by the fact itself: a row with the whole queue for each message would grow with the queue.
      const terminal = draft.terminals.get(fact.delivery.to);
      if (terminal !== undefined) patchTerminal(draft, terminal.id, { queue: [...terminal.queue, fact.delivery.id] });
      return;
    }
    case "deliveryChanged": {
      const delivery = draft.deliveries.get(fact.delivery);
      if (delivery !== undefined) own(draft, "deliveries").set(fact.delivery, { ...delivery, ...fact.patch });
      return;
    }
    case "deliveryDropped":
      own(draft, "deliveries").delete(fact.delivery);
      return;
    case "waitOpened":
      own(draft, "waits").set(fact.wait.call, fact.wait);
      return;
    case "waitClosed":
      own(draft, "waits").delete(fact.call);
      return;
    case "approvalGiven": {
      own(draft, "approvals").set(fact.approval.id, fact.approval);
      const terminal = draft.terminals.get(fact.approval.terminal);
      if (terminal !== undefined) patchTerminal(draft, terminal.id, { autoApproved: terminal.autoApproved + 1 });
      return;
    }
    case "approvalsDropped":
      for (const id of fact.ids) own(draft, "approvals").delete(id);
      return;
    case "typingStopped":
      draft.stopped = fact.holder;
      return;
    default:
      assertNever(fact);
  }
};

export const evolve = (state: State, facts: readonly Fact[]): State => {
  if (facts.length === 0) return state;
  const draft = openDraft(state);
  for (const fact of facts) applyFact(draft, fact);
  return closeDraft(draft);
};

/** Parts of a terminal that a restart learns anew: a patch of these alone is not journaled. */
const PASSING: ReadonlySet<string> = new Set([
  "program",
  "tools",
  "endedTools",
  "autoApproved",
  "hold",
  "held",
  "stale",
  "lastSignAt",
  "doubtful",
]);

/** Waits belong to callers of this engine's life; tool and status noise is learned again. */
export const isDurable = (fact: Fact): boolean => {
  if (fact.kind === "waitOpened" || fact.kind === "waitClosed" || fact.kind === "typingStopped") return false;
  // Between paste and Enter the markers of the pane say more than a row that costs a write before each Enter.
  if (fact.kind === "deliveryChanged") return fact.patch.state !== "entering";
  if (fact.kind !== "terminalChanged") return true;
  return Object.keys(fact.patch).some((key) => !PASSING.has(key));
};

/** The state as plain JSON, for a checkpoint; waits are left out. */
export const toJson = (state: State): unknown => ({
  terminals: [...state.terminals.values()],
  deliveries: [...state.deliveries.values()],
  approvals: [...state.approvals.values()],
});

export const fromJson = (json: unknown): State => {
  const saved = json as {
    readonly terminals: readonly Terminal[];
    readonly deliveries: readonly Delivery[];
    /** Not in checkpoints from before there were rules. */
    readonly approvals?: readonly Approval[];
  };
  return {
    terminals: new Map(saved.terminals.map((terminal) => [terminal.id, terminal])),
    deliveries: new Map(saved.deliveries.map((delivery) => [delivery.id, delivery])),
    waits: new Map(),
    approvals: new Map((saved.approvals ?? []).map((approval) => [approval.id, approval])),
    stopped: null,
  };
};
