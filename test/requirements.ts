/**
 * Every promise that a test must hold: id, where it is made, and the behaviour in a sentence. Tests cite the ids through
 * `verifies` (support/verifies.ts); coverage.test.ts fails for a promise without a test. New work adds its own.
 */
import { approvals } from "./requirements/approvals.js";
import { codex } from "./requirements/codex.js";
import { commandLine } from "./requirements/command-line.js";
import { contract } from "./requirements/contract.js";
import { decisions } from "./requirements/decisions.js";
import { hazards } from "./requirements/hazards.js";
import { listeners } from "./requirements/listeners.js";
import { mailbox } from "./requirements/mailbox.js";
import { opencode } from "./requirements/opencode.js";
import { piAntigravity } from "./requirements/pi-antigravity.js";
import { productText } from "./requirements/product-text.js";
import { screen } from "./requirements/screen.js";

type IdsOf<T> = { [Heading in keyof T]: keyof T[Heading] }[keyof T];
export type RequirementId =
  | IdsOf<typeof productText>
  | IdsOf<typeof screen>
  | IdsOf<typeof codex>
  | IdsOf<typeof contract>
  | IdsOf<typeof decisions>
  | IdsOf<typeof hazards>
  | IdsOf<typeof listeners>
  | IdsOf<typeof approvals>
  | IdsOf<typeof commandLine>
  | IdsOf<typeof mailbox>
  | IdsOf<typeof opencode>
  | IdsOf<typeof piAntigravity>;

export type Requirement = {
  readonly id: RequirementId;
  /** File and heading that promise it. */
  readonly source: string;
  readonly behaviour: string;
};

const listed = (headings: Readonly<Record<string, Readonly<Record<string, string>>>>): readonly Requirement[] =>
  Object.entries(headings).flatMap(([source, promises]) =>
    Object.entries(promises).map(([id, behaviour]) => ({ id: id as RequirementId, source, behaviour })),
  );

export const requirements: readonly Requirement[] = [
  ...listed(productText),
  ...listed(screen),
  ...listed(codex),
  ...listed(contract),
  ...listed(decisions),
  ...listed(hazards),
  ...listed(listeners),
  ...listed(approvals),
  ...listed(commandLine),
  ...listed(mailbox),
  ...listed(opencode),
  ...listed(piAntigravity),
];
