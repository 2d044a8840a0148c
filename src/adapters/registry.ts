/** The run kinds that Quay knows, and the adapter behind each. The only list of them. */
import type { Level, RunKind } from "../bus/terminal.js";
import type { Adapter } from "./adapter.js";
import { antigravity } from "./antigravity.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { demo } from "./demo.js";
import { aider, copilot, gemini, grok, kiro } from "./listeners.js";
import { opencode } from "./opencode.js";
import { pi, pig } from "./pi.js";
import { archon, custom, shell } from "./shell.js";

const ADAPTERS: Readonly<Record<RunKind, Adapter>> = {
  claude,
  codex,
  opencode,
  pig,
  antigravity,
  pi,
  copilot,
  kiro,
  gemini,
  grok,
  aider,
  shell,
  custom,
  archon,
  demo,
};

export const runKinds: readonly RunKind[] = Object.keys(ADAPTERS) as RunKind[];

const isRunKind = (kind: string): kind is RunKind => Object.hasOwn(ADAPTERS, kind);

/** Null: no such run kind. */
export const adapterOf = (kind: string): Adapter | null => (isRunKind(kind) ? ADAPTERS[kind] : null);

/** The run kinds that have a choice of level, the usual one first. */
export const levelChoices: Readonly<Record<string, readonly Level[]>> = Object.fromEntries(
  Object.values(ADAPTERS).flatMap(({ kind, traits, raised }) =>
    raised === undefined ? [] : [[kind, [traits.level, raised.level]]],
  ),
);
