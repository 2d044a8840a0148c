#!/usr/bin/env node
/**
 * The demo agent: a scripted program that takes a coding CLI's place in a terminal of Quay, so that a relay can be
 * seen without an account and without a model. It says so on its first line. Here its parts are put together.
 */
import { randomUUID } from "node:crypto";
import { messageOf } from "../lib/errors.js";
import { openBusTools } from "./bus-tools.js";
import { openConversation } from "./conversation.js";
import { draftShown, draftText, editDraft, emptyDraft } from "./draft.js";
import { bridgePlace, openEventBridge } from "./event-bridge.js";
import { emptyKeyStream, flushEscape, type Key, readKeys } from "./keys.js";
import { type AgentOptions, type Role, readOptions } from "./options.js";
import { programStatus } from "./program-status.js";
import { openScreen } from "./screen.js";
import { featureImpl } from "./scripts/feature-impl.js";
import { reviewer } from "./scripts/reviewer.js";
import { testArchitect } from "./scripts/test-architect.js";
import type { Script } from "./stage.js";

export const TITLE = "Quay demo agent – scripted, no model";

const PAUSE_MS = 350;
/** A lone Escape is the key itself when nothing follows it this long, in ms. */
const ESCAPE_MS = 50;

const SCRIPTS: Readonly<Record<Role, Script>> = {
  "test-architect": testArchitect,
  "feature-impl": featureImpl,
  reviewer,
};

const run = (options: AgentOptions): void => {
  const { stdin, stdout, env, pid } = process;
  const url = env.QUAY_MCP_URL;
  const token = env.QUAY_TOKEN;
  const bridge = openEventBridge(bridgePlace(env, pid));
  const tools = openBusTools(url && token ? { url, token } : null);

  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  const screen = openScreen({
    write: (text) => stdout.write(text),
    get columns() {
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
  });

  let draft = emptyDraft;
  const refresh = (): void =>
    screen.compose(
      draftShown(draft),
      `${options.role} · scripted, no model · ${conversation.isWorking() ? "working, Esc interrupts" : "ready"}`,
    );
  const conversation = openConversation({
    script: SCRIPTS[options.role],
    cwd: process.cwd(),
    peer: options.peer,
    cliSession: options.cliSession ?? randomUUID(),
    pauseMs: options.fast ? 0 : PAUSE_MS,
    bridge,
    tools,
    show: (entry) => screen.print(entry),
    status: (state, about) => void stdout.write(programStatus(state, about)),
    changed: () => refresh(),
  });

  let leaving = false;
  /** `hungUp`: the terminal is gone. Node aborts when it resets one at exit, so the signal's own ending is taken. */
  const leave = (reason: string, status: number, hungUp = false): void => {
    if (leaving) return;
    leaving = true;
    conversation.end(reason);
    if (!hungUp) {
      screen.close();
      stdin.setRawMode(false);
    }
    void Promise.allSettled([bridge.settled(), tools.close()]).then(() => {
      if (!hungUp) process.exit(status);
      process.removeAllListeners("SIGHUP");
      process.kill(pid, "SIGHUP");
    });
  };
  const hangUp = (): void => leave("other", 129, true);

  const submit = (): void => {
    const text = draftText(draft);
    if (text.trim() === "") return;
    draft = emptyDraft;
    refresh();
    if (text.trim() === "/exit") leave("prompt_input_exit", 0);
    else conversation.submit(text);
  };

  const press = (key: Key): void => {
    switch (key.kind) {
      case "enter":
        submit();
        return;
      case "escape":
        conversation.interrupt();
        return;
      case "interrupt":
        if (conversation.interrupt()) return;
        if (draft.length === 0) {
          leave("prompt_input_exit", 0);
          return;
        }
        draft = emptyDraft;
        refresh();
        return;
      case "end":
        if (draft.length === 0) leave("prompt_input_exit", 0);
        return;
      default:
        draft = editDraft(draft, key);
        refresh();
    }
  };

  let stream = emptyKeyStream;
  let escapeTimer: NodeJS.Timeout | undefined;
  stdin.on("data", (chunk) => {
    clearTimeout(escapeTimer);
    const read = readKeys(stream, String(chunk));
    stream = read.stream;
    for (const key of read.keys) if (!leaving) press(key);
    escapeTimer = setTimeout(() => {
      const flushed = flushEscape(stream);
      stream = flushed.stream;
      for (const key of flushed.keys) if (!leaving) press(key);
    }, ESCAPE_MS);
  });
  stdin.on("end", hangUp);
  stdin.on("error", hangUp);
  stdout.on("resize", () => screen.repaint());
  stdout.on("error", hangUp);
  process.on("SIGTERM", () => leave("other", 143));
  process.on("SIGHUP", hangUp);

  screen.print({ mark: "■", text: TITLE, dim: false });
  screen.print({ mark: " ", text: `Role: ${options.role}. ${SCRIPTS[options.role].understands}`, dim: true });
  refresh();
  conversation.start();
  if (options.prompt !== null) conversation.submit(options.prompt);
};

const read = readOptions(process.argv.slice(2));
if (read.kind === "wrong") {
  process.stderr.write(`quay demo agent: ${read.why}\n`);
  process.exitCode = 2;
} else if (!process.stdin.isTTY || !process.stdout.isTTY) {
  process.stderr.write("quay demo agent: needs a terminal. Start it with quay new demo, or quay demo.\n");
  process.exitCode = 2;
} else {
  try {
    run(read.options);
  } catch (error) {
    process.stderr.write(`quay demo agent: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
