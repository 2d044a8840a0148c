/**
 * What the bus keeps of each permission request that a rule answered: the fact, its count, its entry on the trail.
 * Who asks and which rule covers it is settled before (approval-rule.ts); nothing here approves anything.
 */
import type { TerminalId } from "./ids.js";
import { MAX_APPROVALS } from "./limits.js";
import type { Input, Millis } from "./protocol.js";
import { changeTerminal, record, type Step, terminalOf } from "./step.js";
import type { TrailView } from "./views.js";

export type Approval = {
  /** Made from the request, so that the same request counts once. Safe as an id. */
  readonly id: string;
  readonly at: Millis;
  readonly terminal: TerminalId;
  readonly name: string;
  readonly project: string;
  /** What was asked for, such as `Bash: git status`; cut by the adapter. */
  readonly what: string;
  readonly rule: string;
  /** Where the rule stands, such as `preset tdd-swarm` or `the settings`. */
  readonly source: string;
};

export const takeApproval = (step: Step, input: Extract<Input, { kind: "permissionAnswered" }>): void => {
  const terminal = terminalOf(step, input.terminal);
  if (terminal === undefined || terminal.exit !== null || step.draft.approvals.has(input.id)) return;
  const { id, what, rule, source } = input;
  const { name, project } = terminal;
  record(step, {
    kind: "approvalGiven",
    at: step.now,
    approval: { id, at: step.now, terminal: terminal.id, name, project, what, rule, source },
  });
  // The dialog that the hook announced is answered; another one that came meanwhile is not.
  const isItsDialog = terminal.prompt?.source === "hook" && terminal.prompt.text === input.dialog;
  changeTerminal(step, terminal.id, isItsDialog ? { prompt: null } : {});
  const oldest = [...step.draft.approvals.keys()];
  if (oldest.length <= MAX_APPROVALS * 1.1) return;
  record(step, { kind: "approvalsDropped", at: step.now, ids: oldest.slice(0, oldest.length - MAX_APPROVALS) });
};

/** An entry beside the messages: answered, so over at once. */
export const approvalView = (approval: Approval): TrailView => ({
  id: approval.id,
  from: "Quay",
  to: approval.name,
  toId: approval.terminal,
  project: approval.project,
  tag: "Approval",
  text: approval.what,
  status: "Completed",
  acceptedAt: approval.at,
  typedAt: null,
  endedAt: approval.at,
  timer: { kind: "none" },
  label: "Answer:",
  response: null,
  notes: [`approved by the rule ${approval.rule} of ${approval.source}`],
});
