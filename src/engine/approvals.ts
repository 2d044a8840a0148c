/**
 * Answers a CLI's permission request by rule: its hook leaves the request in the spool and asks for the answer by the
 * file's name. The request is judged where every event is checked, in the drain, so that only the terminal's own CLI is
 * answered; it is recorded before the hook hears of it. No rule, no time, any fault: no answer, and the dialog decides.
 */
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Adapter, PermissionAsked } from "../adapters/adapter.js";
import { type ApprovalRule, parseRule, ruleCovers } from "../bus/approval-rule.js";
import type { TerminalId } from "../bus/ids.js";
import type { TerminalRecord } from "../bus/terminal.js";
import { messageOf } from "../lib/errors.js";
import type { Engine } from "./engine.js";
import type { Settings, SpooledEvent } from "./ports.js";

/** The hook waits for 4 s; an answer after that would be counted and not heard. */
const ANSWER_MS = 3_000;
/** Verdicts that no hook came for: its call was lost, or it was read after a restart. */
const KEEP_UNCLAIMED = 64;

export type ApprovalParts = {
  readonly engine: Pick<Engine, "state" | "submit">;
  readonly adapterFor: (terminal: TerminalId) => Adapter | null;
  readonly settings: () => Settings;
  /** Reads what hooks left. */
  readonly drain: () => Promise<void>;
  readonly note: (what: string, facts: Readonly<Record<string, unknown>>) => void;
};

export type Approvals = {
  /** An event that counts; it may be a request. */
  judge(event: SpooledEvent): Promise<void>;
  /** What the hook that left this file prints; null: nothing. Takes 3 s at most and never throws. */
  answer(terminal: TerminalId, file: string, signal: AbortSignal): Promise<unknown>;
};

type Given = { readonly rule: string; readonly source: string };
type Verdict = Given & { readonly asked: PermissionAsked };

/** Where a path leads: links of its nearest existing folder followed. Null: it cannot be told. */
const realPathOf = async (path: string): Promise<string | null> => {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) return null;
    const above = await realPathOf(dirname(path));
    return above === null ? null : join(above, basename(path));
  }
};

/** Resolves with the work, when the hook goes, or after the time that there is. */
const inTime = async (work: Promise<void>, gone: AbortSignal): Promise<void> => {
  let leave = (): void => {};
  const over = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const timer = setTimeout(leave, ANSWER_MS);
  gone.addEventListener("abort", leave, { once: true });
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    gone.removeEventListener("abort", leave);
  }
};

export const createApprovals = (parts: ApprovalParts): Approvals => {
  const { engine, note } = parts;
  const verdicts = new Map<string, Verdict>();
  const keyOf = (terminal: TerminalId, file: string): string => `${terminal}/${basename(file)}`;

  const rulesOf = (terminal: TerminalRecord): readonly Given[] => [
    ...(terminal.approve ?? []).map((rule) => ({
      rule,
      source: terminal.preset === null ? "its launch" : `preset ${terminal.preset}`,
    })),
    ...(parts.settings().adapters[terminal.kind]?.approve ?? []).map((rule) => ({ rule, source: "the settings" })),
  ];

  /** A path has to be covered as it is written, and where its links lead. */
  const covers = async (rule: ApprovalRule, asked: PermissionAsked, cwd: string): Promise<boolean> => {
    if (!ruleCovers(rule, asked, cwd)) return false;
    if (asked.argument?.kind !== "path") return true;
    const [value, realCwd] = await Promise.all([realPathOf(asked.argument.value), realPathOf(cwd)]);
    if (value === null || realCwd === null) return false;
    return ruleCovers(rule, { tool: asked.tool, argument: { kind: "path", value } }, realCwd);
  };

  const judge = async (event: SpooledEvent): Promise<void> => {
    const terminal = engine.state().terminals.get(event.terminal);
    const permission = parts.adapterFor(event.terminal)?.permission;
    if (terminal === undefined || permission === undefined) return;
    const { event: name, payload, cliPid } = event;
    const asked = permission.asked({ kind: "hook", event: name, payload, cliPid });
    if (asked === null) return;
    for (const { rule, source } of rulesOf(terminal)) {
      const parsed = parseRule(rule);
      if (parsed.kind === "fault" || !(await covers(parsed.rule, asked, terminal.cwd))) continue;
      verdicts.set(keyOf(event.terminal, event.file), { rule, source, asked });
      for (const key of [...verdicts.keys()].slice(0, -KEEP_UNCLAIMED)) verdicts.delete(key);
      return;
    }
  };

  const claim = (key: string): Verdict | null => {
    const verdict = verdicts.get(key) ?? null;
    verdicts.delete(key);
    return verdict;
  };

  const give = async (terminal: TerminalId, file: string, signal: AbortSignal): Promise<unknown> => {
    const known = engine.state().terminals.get(terminal);
    const permission = parts.adapterFor(terminal)?.permission;
    if (known === undefined || permission === undefined || rulesOf(known).length === 0) return null;
    const id = `ok-${basename(file, ".event")}`;
    const key = keyOf(terminal, file);
    if (engine.state().approvals.has(id)) return null;
    let verdict = claim(key);
    if (verdict === null) {
      await inTime(parts.drain(), signal);
      verdict = claim(key);
    }
    // Out of time, too: what is read later finds nobody.
    if (verdict === null || signal.aborted) return null;
    const { asked, rule, source } = verdict;
    await engine.submit({
      kind: "permissionAnswered",
      id,
      terminal,
      what: asked.what,
      dialog: asked.dialog,
      rule,
      source,
    });
    return engine.state().approvals.has(id) ? permission.yes : null;
  };

  return {
    judge: (event) =>
      judge(event).catch((error: unknown) =>
        note("a permission request was not judged", { terminal: event.terminal, error: messageOf(error) }),
      ),
    answer: async (terminal, file, signal) => {
      try {
        return await give(terminal, file, signal);
      } catch (error) {
        note("a permission request was not answered", { terminal, error: messageOf(error) });
        return null;
      }
    },
  };
};
