#!/usr/bin/env node
/**
 * The drill agent: a scripted program that takes a coding CLI's place and misbehaves on purpose, so that it can be
 * seen what survives. It says on its first line what it is. Here its parts are put together; it calls no model.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../lib/errors.js";
import { type Behaviour, readBehaviour } from "./behaviour.js";
import { openDialogs } from "./dialogs.js";
import { addPaste, addText, cleared, draftShown, draftText, dropLast, emptyDraft, isEmpty, promptOf } from "./draft.js";
import { drawFrame, paint } from "./frame.js";
import { openHooks } from "./hooks.js";
import { emptyKeyStream, flushEscape, type Key, readKeys } from "./keys.js";
import { type AgentOptions, readOptions } from "./options.js";
import { openPlugin } from "./plugin.js";
import { END_BLOCK, QUESTION, report, START_BLOCK, type State } from "./program-status.js";
import { seeded } from "./random.js";
import { openRecord } from "./record.js";
import { openTurns } from "./turns.js";

/** The question comes this long after the start-up block, in ms; a lone Escape is a key after this. */
const ASK_MS = 50;
const ESCAPE_MS = 50;
const LINES_KEPT = 200;

const run = (behaviour: Behaviour, options: AgentOptions): void => {
  const { stdin, stdout, env, pid } = process;
  const record = openRecord(env.DRILL_LOG);
  const random = seeded(behaviour.seed);
  const cliSession = options.cliSession ?? randomUUID();
  const cwd = process.cwd();
  const plugin = openPlugin({ folder: options.pluginFolder, env, cliSession, cwd });
  const hooks = openHooks({ plugin, behaviour: behaviour.hooks, random, pid, record });

  let reports = behaviour.osc === "unasked";
  let draft = emptyDraft;
  let conversation: readonly string[] = [];
  let pastedAt = 0;

  const registry =
    env.DRILL_REGISTRY === "1" && env.CLAUDE_CONFIG_DIR ? join(env.CLAUDE_CONFIG_DIR, "sessions", `${pid}.json`) : null;
  const keepRegistry = (state: State): void => {
    if (registry === null) return;
    mkdirSync(join(registry, ".."), { recursive: true });
    const status = state === "working" ? "busy" : state === "blocked" ? "waiting" : "idle";
    writeFileSync(registry, JSON.stringify({ pid, sessionId: cliSession, cwd, status, waitingFor: "" }));
  };
  const status = (state: State, msg = ""): void => {
    if (reports) stdout.write(report(state, msg));
    keepRegistry(state);
  };
  const refresh = (): void => {
    const picture = { conversation, draft: draftShown(draft), busy: turns.isBusy(), dialog: dialogs.open() };
    stdout.write(paint(drawFrame(picture, { columns: stdout.columns || 80, rows: stdout.rows || 24 })));
  };
  const end = (why: string, code: number): void => {
    record.write({ kind: "ended", why });
    if (registry !== null) rmSync(registry, { force: true });
    process.exit(code);
  };
  const leave = (): void => {
    status("clear");
    stdout.write(END_BLOCK);
    void hooks.fire("SessionEnd", { reason: "prompt_input_exit" }).then(() => end("a person left", 0));
  };

  const turns = openTurns({
    behaviour,
    hooks,
    random,
    record,
    // A turn's report never takes back an open dialog's.
    status: (state, msg) => (dialogs.isTold() ? undefined : status(state, msg)),
    print: (bytes) => new Promise((resolve) => stdout.write(bytes, () => resolve())),
    say: (line) => {
      conversation = [...conversation, line].slice(-LINES_KEPT);
    },
    changed: () => refresh(),
    die: () => {
      record.write({ kind: "ended", why: "died in its turn" });
      process.kill(pid, "SIGKILL");
    },
  });
  const dialogs = openDialogs({
    behaviour: behaviour.dialogs,
    random,
    record,
    status,
    resting: () => (turns.isBusy() ? "working" : "idle"),
    changed: () => refresh(),
  });

  const submit = (): void => {
    if (Date.now() - pastedAt < behaviour.swallowMs) {
      record.write({ kind: "swallowed" });
      if (behaviour.swallowAs === "newline") draft = addText(draft, "\n");
      return;
    }
    const text = draftText(draft);
    if (text.trim() === "") return;
    if (text.trim() === "/exit") return leave();
    const prompt = { text, prompt: promptOf(draft) };
    draft = cleared(draft);
    record.write({ kind: "submitted", text, during: turns.phase() });
    turns.submit(prompt);
  };

  const edit = (key: Key): void => {
    switch (key.kind) {
      case "text":
        draft = addText(draft, key.text);
        return;
      case "newline":
        draft = addText(draft, "\n");
        return;
      case "paste":
        pastedAt = Date.now();
        draft = addPaste(draft, key.text);
        return;
      case "backspace":
        draft = dropLast(draft);
        return;
      case "clear":
        draft = cleared(draft);
        return;
      case "enter":
        return submit();
      case "escape":
        return turns.abort();
      case "interrupt":
      case "end":
        if (turns.isBusy() && key.kind === "interrupt") return turns.abort();
        if (isEmpty(draft)) return leave();
        draft = cleared(draft);
        return;
      case "statusReader":
        // As Claude Code does: an answer from its raw mode on counts, and not only one to its question.
        if (behaviour.osc === "ask" && !begun) reports = true;
        return;
      case "attributes":
        if (asking) begin();
        return;
    }
  };

  const isAnswer = (key: Key): boolean => key.kind === "statusReader" || key.kind === "attributes";
  const press = (key: Key): void => {
    if (!isAnswer(key) && dialogs.press(key)) return;
    if (!isAnswer(key) && turns.isBusy() && behaviour.busyInput === "abort") turns.abort();
    edit(key);
  };

  let asking = false;
  let begun = false;
  /** Ready: the prompt is up, and the hook that says so has run. */
  const begin = (): void => {
    if (begun) return;
    begun = true;
    asking = false;
    record.write({ kind: "started", pid, osc: reports });
    status("idle");
    void hooks.fire("SessionStart", { source: options.resumes ? "resume" : "startup", model: "none" }).then(() => {
      dialogs.start();
      if (options.prompt !== null) turns.submit({ text: options.prompt, prompt: options.prompt });
    });
  };

  stdin.setRawMode(true);
  stdin.setEncoding("latin1");
  let stream = emptyKeyStream;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let escapeTimer: NodeJS.Timeout | undefined;
  const hear = (chunk: unknown): void => {
    const bytes = Buffer.from(String(chunk), "latin1");
    record.write({ kind: "bytes", bytes: bytes.toString("base64") });
    clearTimeout(escapeTimer);
    const read = readKeys(stream, decoder.decode(bytes, { stream: true }));
    stream = read.stream;
    for (const key of read.keys) press(key);
    if (read.keys.length > 0) refresh();
    escapeTimer = setTimeout(() => {
      const flushed = flushEscape(stream);
      stream = flushed.stream;
      for (const key of flushed.keys) press(key);
    }, ESCAPE_MS);
  };
  const listen = (): void => void stdin.on("data", hear);

  stdout.on("resize", () => refresh());
  stdout.on("error", () => end("its terminal is gone", 129));
  process.on("SIGHUP", () => {
    record.write({ kind: "ended", why: "its terminal is gone" });
    process.removeAllListeners("SIGHUP");
    process.kill(pid, "SIGHUP");
  });

  if (behaviour.dies === "at once") {
    stdout.write("drill: I die at once\r\n");
    return end("died at once", 3);
  }
  stdout.write(START_BLOCK);
  refresh();
  if (behaviour.reads === "always") listen();
  else if (behaviour.reads !== "never") setTimeout(listen, behaviour.reads.afterMs);
  else setInterval(() => {}, 3_600_000);
  if (behaviour.osc !== "ask" || behaviour.reads !== "always") {
    begin();
    return;
  }
  setTimeout(() => {
    asking = true;
    stdout.write(QUESTION);
    // A terminal that answers nothing at all is no reason to wait for ever.
    setTimeout(begin, 1_000);
  }, ASK_MS);
};

try {
  const read = readOptions(process.argv.slice(2));
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Error("needs a terminal; quay drill starts it in one.");
  run(readBehaviour(process.env), read);
} catch (error) {
  process.stderr.write(`quay drill agent: ${messageOf(error)}\n`);
  process.exitCode = 2;
}
