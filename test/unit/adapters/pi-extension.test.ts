/** The extension that Pi loads, driven as Pi drives it, with a real spool folder. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import quayBridge, { type Pi } from "../../../src/adapters/assets/pi/quay-pig-bridge.js";
import { tempFolder } from "../../support/temp-folder.js";
import { verifies } from "../../support/verifies.js";

type Fields = Readonly<Record<string, unknown>>;
type Handler = Parameters<Pi["on"]>[1];

let spool: string;
beforeEach(() => {
  spool = join(tempFolder(), "spool");
  mkdirSync(spool);
  vi.stubEnv("QUAY_SPOOL", spool);
  vi.stubEnv("QUAY_EVENTS_SECRET", "event-secret");
  vi.stubEnv("QUAY_EVENTS_URL", undefined);
  vi.stubEnv("QUAY_MCP_URL", "http://127.0.0.1:1/mcp");
  vi.stubEnv("QUAY_TOKEN", "tool-secret");
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const load = () => {
  const handlers = new Map<string, Handler>();
  const servers: (readonly [string, Fields])[] = [];
  quayBridge({
    on: (event, handler) => void handlers.set(event, handler),
    registerMcpServer: (name, config) => void servers.push([name, config]),
  });
  const fire = (event: string, fields: Fields = {}): void =>
    handlers.get(event)?.(fields, { sessionManager: { getSessionId: () => "s1" } });
  return { handlers, servers, fire };
};

/** What lies in the spool, in its order: event and payload. */
const left = (): readonly (readonly [string, Fields])[] =>
  readdirSync(spool)
    .filter((name) => name.endsWith(".event"))
    .toSorted()
    .map((name) => {
      const [head = "", body = ""] = readFileSync(join(spool, name), "utf8").split("\n");
      return [head.split("\t")[1] ?? "", JSON.parse(body) as Fields];
    });
const names = (): readonly string[] => left().map(([event]) => event);

const answer = (text: string, more: Fields = {}): Fields => ({
  messages: [{ role: "user" }, { role: "assistant", stopReason: "stop", content: [{ type: "text", text }], ...more }],
});

verifies("peer:pig-extension", "registers the tools, and tells of a turn with its answer", () => {
  const { servers, fire } = load();
  expect(servers).toEqual([
    [
      "quay-a2a",
      {
        url: "http://127.0.0.1:1/mcp",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI expands it
        headers: { Authorization: "Bearer ${QUAY_TOKEN}" },
        exposure: "direct",
        timeout: 120,
      },
    ],
  ]);
  fire("session_start", { reason: "startup" });
  fire("input", { text: "hi", source: "interactive" });
  fire("agent_start");
  fire("agent_end", answer("Hello."));
  fire("agent_settled", { aborted: false });
  expect(names()).toEqual(["session_start", "turn_start", "turn_end"]);
  const [[, session], [, start], [, end]] = left() as readonly [
    readonly [string, Fields],
    readonly [string, Fields],
    readonly [string, Fields],
  ];
  expect(session).toEqual({ reason: "startup", session_id: "s1" });
  expect(start).toMatchObject({ prompt: "hi", automatic: false });
  expect(end).toEqual({ turn_id: start.turn_id, aborted: false, stop_reason: "stop", error: "", text: "Hello." });
});

verifies("pi:run-is-one-turn", "a retry and a prompt into the run belong to its turn", () => {
  const { fire } = load();
  fire("agent_start");
  fire("input", { text: "and this", source: "interactive" });
  fire("agent_end", answer("", { stopReason: "error", errorMessage: "503" }));
  fire("agent_start");
  fire("agent_end", answer("At last."));
  fire("agent_settled", { aborted: false });
  expect(names()).toEqual(["turn_start", "prompt", "turn_goes_on", "turn_end"]);
  expect(new Set(left().map(([, payload]) => payload.turn_id)).size).toBe(1);
  expect(left().at(-1)?.[1]).toMatchObject({ stop_reason: "stop", text: "At last." });
});

verifies("pi:state-told-again", "each minute while a run or a dialog is open, and not after", () => {
  const { fire } = load();
  fire("agent_start");
  fire("ui_prompt_start", { kind: "confirm", title: "Go?" });
  vi.advanceTimersByTime(60_000);
  expect(left().at(-1)).toMatchObject(["state", { dialog: { kind: "confirm", title: "Go?" } }]);
  fire("ui_prompt_end");
  fire("agent_settled", { aborted: true });
  const before = left().length;
  vi.advanceTimersByTime(300_000);
  expect(left()).toHaveLength(before);
});

verifies("pi:events-kept", "what cannot be written is written later, in order", () => {
  const { fire } = load();
  rmSync(spool, { recursive: true });
  fire("agent_start");
  fire("agent_settled", { aborted: true });
  mkdirSync(spool);
  expect(names()).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(names()).toEqual(["turn_start", "turn_end"]);
});

test("outside a terminal of Quay it does nothing", () => {
  vi.stubEnv("QUAY_SPOOL", undefined);
  const { handlers, servers } = load();
  expect(handlers.size).toBe(0);
  expect(servers).toEqual([]);
});
