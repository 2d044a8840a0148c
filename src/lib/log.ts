/**
 * The log: JSON lines to a private file, never to stdout, which belongs to the screen. What people and agents say to
 * each other appears at level debug only, and secrets never: the log takes both out itself.
 */
import { renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { destination, type Level, pino } from "pino";
import { privateFile, privateFolder } from "./private-files.js";

export type LogLevel = Extract<Level, "debug" | "info" | "warn" | "error">;
type Facts = Readonly<Record<string, unknown>>;

export type Log = {
  debug(facts: Facts, message: string): void;
  info(facts: Facts, message: string): void;
  warn(facts: Facts, message: string): void;
  error(facts: Facts, message: string): void;
  /** One scope per folder of the sources: `log.child({ scope: "tmux" })`. */
  child(bindings: { readonly scope: string }): Log;
};

/** A log that grew past this is set aside at the next start, in place of the one set aside before; bytes. */
const SET_ASIDE_AT = 10 * 1024 * 1024;
const DEBUG = 20;

/** Fields that hold what was said. */
const SPOKEN = new Set(["text", "typed", "message", "prompt", "response", "screen", "payload", "body"]);
const SECRET = new Set(["token", "secret", "toolToken", "eventSecret", "authorization", "Authorization"]);

const isPlain = (value: unknown): value is Facts =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const cleaned = (facts: Facts, mayQuote: boolean): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([key, value]) => {
      if (SECRET.has(key)) return [key, "(secret)"];
      if (SPOKEN.has(key) && !mayQuote) return [key, "(at debug only)"];
      return [key, isPlain(value) ? cleaned(value, mayQuote) : value];
    }),
  );

const setAside = (file: string): void => {
  try {
    if (statSync(file).size > SET_ASIDE_AT) renameSync(file, `${file}.1`);
  } catch {
    // There is no log yet.
  }
};

/** Opens the log for appending, file and folder private. Lines are written before the call returns: a kill loses none. */
export const openLog = (file: string, level: LogLevel): Log => {
  privateFolder(dirname(file));
  setAside(file);
  privateFile(file);
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { cause: (cause: unknown) => (cause instanceof Error ? cause.message : cause) },
      hooks: {
        logMethod(args, method, number) {
          const [facts, ...rest] = args;
          const first = isPlain(facts) ? cleaned(facts, number <= DEBUG) : facts;
          method.apply(this, [first, ...rest] as typeof args);
        },
      },
    },
    destination({ dest: file, append: true, sync: true, mode: 0o600 }),
  );
};

/** For callers that have nowhere to log. */
export const silentLog = (): Log => pino({ enabled: false });
