/**
 * The extension that Pi and PiG load for one session in a terminal of Quay: it registers Quay's tools and leaves the
 * turns, tools and dialogs of that session as files in the spool. It runs inside the CLI, so it is one file that
 * imports only the platform, waits for nobody, and never throws. Outside a terminal of Quay it does nothing.
 * Events of Pi: its docs/extensions.md; measured on 1.6.0 (facts/other-clis.md).
 */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";

type Fields = Readonly<Record<string, unknown>>;
type Context = { readonly sessionManager?: { getSessionId?(): string | undefined } };

/** What this file uses of the CLI's extension interface. */
export type Pi = {
  on(event: string, handler: (event: Fields, context: Context) => void): void;
  registerMcpServer?(name: string, config: Fields): void;
};

/** While a turn runs or a dialog is open its state is told again this often, in ms: a sign of life. */
const RESEND_MS = 60_000;
/** How soon a file that could not be written is tried again, in ms, and how many may wait. */
const RETRY_MS = 5_000;
const MAX_UNWRITTEN = 500;
/** A tool call of Quay takes at most 58 s; Pi gives up on a server after this many seconds. */
const TOOL_TIMEOUT_S = 120;

type Written = (event: string, payload: Fields) => void;

/** Leaves events in the spool in order, and pokes Quay. The form is that of the other hooks: feeds/spool-file.ts. */
const createSpool = (env: NodeJS.ProcessEnv): Written => {
  const folder = env.QUAY_SPOOL ?? "";
  const secret = env.QUAY_EVENTS_SECRET ?? "";
  // An agent of its own: proxies are for other hosts than this one.
  const agent = new Agent();
  const unwritten: { readonly name: string; readonly text: string }[] = [];
  let last = 0n;
  let isRetrying = false;

  const nextName = (): string => {
    const now = BigInt(Date.now()) * 1_000_000n;
    last = now > last ? now : last + 1n;
    // Whole seconds are taken for a clock without nanoseconds.
    if (last % 1_000_000_000n === 0n) last += 1n;
    return `${last}-${process.pid}`;
  };

  const poke = (): void => {
    if (env.QUAY_EVENTS_URL === undefined) return;
    const headers = { authorization: `Bearer ${secret}`, "content-length": "0" };
    const call = request(env.QUAY_EVENTS_URL, { method: "POST", headers, agent, timeout: 2_000 }, (answer) =>
      answer.resume(),
    );
    call.on("timeout", () => call.destroy());
    // Quay sweeps the folder in any case.
    call.on("error", () => {});
    call.end();
  };

  const flush = (): void => {
    for (let next = unwritten[0]; next !== undefined; next = unwritten[0]) {
      const part = join(folder, `.${next.name}.part`);
      try {
        writeFileSync(part, next.text, { mode: 0o600, flag: "wx" });
        renameSync(part, join(folder, `${next.name}.event`));
      } catch {
        rmSync(part, { force: true });
        if (isRetrying) return;
        isRetrying = true;
        setTimeout(() => {
          isRetrying = false;
          flush();
        }, RETRY_MS).unref();
        return;
      }
      unwritten.shift();
    }
    poke();
  };

  return (event, payload) => {
    const header = ["quay1", event, secret, env.TMUX_PANE ?? "", String(process.pid)].join("\t");
    unwritten.push({ name: nextName(), text: `${header}\n${JSON.stringify(payload)}` });
    if (unwritten.length > MAX_UNWRITTEN) unwritten.shift();
    try {
      flush();
    } catch {
      // What goes wrong here is never the session's trouble.
    }
  };
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** How the last message of the model ended, and its text. */
const lastAnswer = (messages: unknown): Fields | null => {
  const last = (Array.isArray(messages) ? (messages as readonly Fields[]) : []).findLast(
    (message) => message?.role === "assistant",
  );
  if (last === undefined) return null;
  const content = Array.isArray(last.content) ? (last.content as readonly Fields[]) : [];
  return {
    stop_reason: textOf(last.stopReason),
    error: textOf(last.errorMessage),
    text: content.map((part) => (part?.type === "text" ? textOf(part.text) : "")).join(""),
  };
};

const reportSession = (pi: Pi, write: Written): void => {
  let turn: string | null = null;
  let answer: Fields | null = null;
  let dialog: Fields | null = null;
  /** What was submitted and has not begun a run. */
  let typed: { readonly prompt: string; readonly automatic: boolean } | null = null;
  let resend: NodeJS.Timeout | null = null;

  const keepTelling = (): void => {
    if (turn === null && dialog === null) {
      if (resend !== null) clearInterval(resend);
      resend = null;
      return;
    }
    resend ??= setInterval(() => write("state", { turn_id: turn, dialog }), RESEND_MS).unref();
  };

  pi.on("session_start", ({ reason }, context) =>
    write("session_start", { reason, session_id: context.sessionManager?.getSessionId?.() ?? "" }),
  );
  pi.on("session_shutdown", ({ reason }) => {
    turn = null;
    dialog = null;
    keepTelling();
    write("session_end", { reason });
  });

  pi.on("input", ({ text, source }) => {
    const prompt = { prompt: textOf(text), automatic: source === "extension" };
    // Into a run that goes on: it belongs to that run.
    if (turn !== null) write("prompt", { turn_id: turn, ...prompt });
    else typed = prompt;
  });
  pi.on("agent_start", () => {
    if (turn !== null) return write("turn_goes_on", { turn_id: turn });
    turn = randomUUID();
    answer = null;
    write("turn_start", { turn_id: turn, ...(typed ?? { prompt: "", automatic: true }) });
    typed = null;
    keepTelling();
  });
  pi.on("agent_end", ({ messages }) => {
    answer = lastAnswer(messages) ?? answer;
  });
  pi.on("agent_settled", ({ aborted }) => {
    // A run that settled before it began has no turn of its own.
    if (turn !== null) write("turn_end", { turn_id: turn, aborted: aborted === true, ...(answer ?? {}) });
    turn = null;
    keepTelling();
  });

  pi.on("tool_execution_start", ({ toolCallId, toolName }) =>
    write("tool_start", { turn_id: turn, tool_id: toolCallId, tool_name: toolName }),
  );
  pi.on("tool_execution_end", ({ toolCallId, toolName }) =>
    write("tool_end", { turn_id: turn, tool_id: toolCallId, tool_name: toolName }),
  );
  pi.on("ui_prompt_start", ({ kind, title }) => {
    dialog = { kind, title: textOf(title) };
    write("dialog_open", dialog);
    keepTelling();
  });
  pi.on("ui_prompt_end", () => {
    dialog = null;
    write("dialog_closed", {});
    keepTelling();
  });
};

/** Tools are offered to the model directly: by default Pi would only let its code mode reach them. */
const registerTools = (pi: Pi, env: NodeJS.ProcessEnv): void =>
  pi.registerMcpServer?.("quay-a2a", {
    url: env.QUAY_MCP_URL,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI expands it, so that no listing shows the token
    headers: { Authorization: "Bearer ${QUAY_TOKEN}" },
    exposure: "direct",
    timeout: TOOL_TIMEOUT_S,
  });

// biome-ignore lint/style/noDefaultExport: the CLI calls the default export of an extension
export default function quayBridge(pi: Pi): void {
  const { env } = process;
  if (env.QUAY_SPOOL === undefined) return;
  reportSession(pi, createSpool(env));
  if (env.QUAY_MCP_URL !== undefined && env.QUAY_TOKEN !== undefined) registerTools(pi, env);
}
