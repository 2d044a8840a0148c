#!/usr/bin/env node
/** The program `quay`: binds the command line to this process. Nothing imports it. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import type { Cli, Sink } from "./cli.js";
import { realDoors } from "./doors.js";
import { type GlobalFlags, runProgram } from "./program.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Writes that find nobody are dropped: a closed pipe or a lost terminal must not end an engine. */
const sinkOf = (stream: NodeJS.WriteStream): Sink => {
  const gone = new AbortController();
  stream.on("error", () => gone.abort());
  return {
    write: (written) => {
      if (!gone.signal.aborted) stream.write(written);
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
    closed: gone.signal,
  };
};

const out = sinkOf(process.stdout);
const err = sinkOf(process.stderr);

const makeCli = (flags: GlobalFlags): Cli => ({
  env: flags.home === null ? process.env : { ...process.env, QUAY_HOME: resolve(flags.home) },
  cwd: process.cwd(),
  socket: flags.socket,
  out,
  err,
  inputIsTerminal: process.stdin.isTTY === true,
  readInput: () => text(process.stdin),
  ask: async (question) => {
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await prompt.question(question);
    } finally {
      prompt.close();
    }
  },
  onSignal: (listener) => {
    const wires = SIGNALS.map((signal) => ({ signal, wire: () => listener(signal) }));
    for (const { signal, wire } of wires) process.on(signal, wire);
    return () => {
      for (const { signal, wire } of wires) process.off(signal, wire);
    };
  },
  doors: realDoors,
  now: () => Date.now(),
});

const packageFile = new URL("../../package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };

process.exitCode = await runProgram(process.argv.slice(2), {
  version,
  columns: out.columns,
  write: out.write,
  writeError: err.write,
  makeCli,
});

// What still holds this process (an engine's last handles) may do so for a moment, not for ever.
setTimeout(() => process.exit(), 2_000).unref();
