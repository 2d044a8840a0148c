/**
 * The benchmark's fixture: a program with the line, the hooks and the OSC 7501 reports of Claude Code, and no model.
 * It tells its benchmark over a Unix socket when bytes of a paste and when an Enter arrived, by a clock that all
 * processes share, and ends a turn after a set time or when told to.
 */
import { connect } from "node:net";
import { bridgePlace, openEventBridge } from "../../src/demo/event-bridge.js";
import { programStatus } from "../../src/demo/program-status.js";
import type { AgentOrder, AgentReport } from "./agent-words.js";
import { monotonic } from "./clock.js";

const { stdin, stdout, env, pid } = process;
const name = env.QUAY_BENCH_NAME ?? "agent";
const link = connect(env.QUAY_BENCH_SOCKET ?? "");
const tell = (report: AgentReport): void => void link.write(`${JSON.stringify(report)}\n`);
const bridge = openEventBridge(bridgePlace(env, pid));
const base = { session_id: `bench-${pid}` };

let draft = "";
let turn = 0;
let working = false;
let order: AgentOrder = { kind: "turns", ms: 5 };
/** Off: a version of the CLI, or a tmux, without OSC 7501. */
const reportsStatus = env.QUAY_BENCH_REPORTS !== "off";
const report = (state: "idle" | "working" | "done"): void => {
  if (reportsStatus) stdout.write(programStatus(state));
};

const draw = (): void => {
  const [cols, rows] = [stdout.columns || 80, stdout.rows || 24];
  const width = cols - 7;
  const lines = draft === "" ? [""] : (draft.match(new RegExp(`.{1,${width}}`, "gsu")) ?? [""]);
  const top = rows - lines.length - 2;
  const rule = "─".repeat(cols);
  const inside = lines.map((line, index) => `${index === 0 ? "❯ " : "  "}${line}`);
  const all = ["", rule, ...inside, rule, "  ? for shortcuts"];
  const bytes = all.map((line, index) => `\x1b[${top - 1 + index};1H\x1b[2K${line}`).join("");
  const column = 3 + (lines.at(-1)?.length ?? 0);
  stdout.write(`\x1b[?25l${bytes}\x1b[${top + lines.length};${column}H\x1b[?25h`);
};

const endTurn = (): void => {
  if (!working) return;
  working = false;
  bridge.report("Stop", {
    ...base,
    prompt_id: `turn-${turn}`,
    stop_hook_active: false,
    last_assistant_message: `answer ${turn}`,
    background_tasks: [],
  });
  report("done");
  tell({ kind: "ended", at: monotonic(), name });
};

const submit = (): void => {
  const at = monotonic();
  const text = draft;
  if (text === "") return;
  draft = "";
  turn += 1;
  working = true;
  tell({ kind: "submitted", at, name, text });
  bridge.report("UserPromptSubmit", { ...base, prompt_id: `turn-${turn}`, prompt: text });
  report("working");
  draw();
  if (order.kind === "turns" && order.ms !== null) setTimeout(endTurn, order.ms);
};

let pending = "";
const read = (chunk: string): void => {
  pending += chunk;
  while (pending !== "") {
    const paste = /^\x1b\[200~([\s\S]*?)\x1b\[201~/.exec(pending);
    const reply = /^\x1b\]7501;\?(?:\x07|\x1b\\)/.exec(pending);
    if (paste !== null) {
      tell({ kind: "pasted", at: monotonic(), name });
      draft += paste[1] ?? "";
      draw();
      pending = pending.slice(paste[0].length);
    } else if (reply !== null) pending = pending.slice(reply[0].length);
    else if (pending.startsWith("\x1b")) return;
    else {
      if (pending[0] === "\r") submit();
      else {
        draft += pending[0];
        draw();
      }
      pending = pending.slice(1);
    }
  }
};

let orders = "";
link.setEncoding("utf8");
link.on("data", (chunk: string) => {
  orders += chunk;
  for (let end = orders.indexOf("\n"); end >= 0; end = orders.indexOf("\n")) {
    const next = JSON.parse(orders.slice(0, end)) as AgentOrder;
    orders = orders.slice(end + 1);
    if (next.kind === "end") endTurn();
    else order = next;
  }
});
link.on("error", () => process.exit(1));
link.on("close", () => process.exit(0));

stdin.setRawMode(true);
stdin.setEncoding("utf8");
stdin.on("data", (chunk) => read(String(chunk)));
stdout.on("resize", draw);
process.on("SIGHUP", () => process.exit(0));
stdout.write("\x1b[?2004h\x1b[2J");
report("idle");
draw();
bridge.report("SessionStart", { ...base, source: "startup" });
tell({ kind: "hello", at: monotonic(), name, url: env.QUAY_MCP_URL ?? "", token: env.QUAY_TOKEN ?? "" });
