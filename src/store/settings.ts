/**
 * The user's settings, kept by conf and checked here. Only settings: nothing that an engine writes by itself.
 * A file that is not there is the defaults.
 */
import { basename, dirname } from "node:path";
import Conf from "conf";
import { z } from "zod";
import type { Level } from "../bus/terminal.js";
import type { Settings } from "../engine/ports.js";
import { messageOf, QuayError } from "../lib/errors.js";
import { privateFolder } from "../lib/private-files.js";
import { approvalRules } from "./approval-rules.js";
import { checkOwn } from "./own-file.js";

const usual = {
  command: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "Program that is started for this kind; null: the CLI's usual name on the PATH, for a shell $SHELL. Read at each launch",
    ),
  bridge: z
    .boolean()
    .default(true)
    .describe("false: launched without the event bridge; such an agent becomes a listener. Read at each launch"),
  approve: approvalRules
    .optional()
    .describe(
      "Rules for permission requests that Quay answers with yes, for every agent of this kind (docs/approvals.md). Read at each request",
    ),
};

/** A CLI that can be more than one thing on the bus has a choice of level; unset: its usual one. */
const adapterSettings = (levels: readonly Level[] | undefined) =>
  levels === undefined
    ? z.strictObject(usual)
    : z.strictObject({
        ...usual,
        level: z
          .enum(levels)
          .optional()
          .describe(`What such an agent is on the bus; unset: ${levels[0]}. Read at each launch`),
      });

/** Run kinds with a choice of level, the usual one first. */
export type LevelChoices = Readonly<Record<string, readonly Level[]>>;

/** Every setting, with the meaning that `quay config list` and docs/settings.md give it. */
export const settingsFor = (kinds: readonly string[], levels: LevelChoices = {}) =>
  z.strictObject({
    adapters: z
      .strictObject(Object.fromEntries(kinds.map((kind) => [kind, adapterSettings(levels[kind]).optional()] as const)))
      .default({}),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .nullable()
      .default(null)
      .describe(
        "Port of the bridge on 127.0.0.1; null: chosen at the first start, then kept. A taken port is an error and never another port. Read at the engine's start; relaunch the agents after a change, they know the old one",
      ),
    mailbox: z
      .strictObject({
        notify: z
          .boolean()
          .default(false)
          .describe("true: a short line is typed between turns when mail comes for an agent that runs here"),
      })
      .default({ notify: false }),
  });

/** The file as conf keeps it; makes its folder. Throws when it holds no JSON. */
export const openConf = (path: string): Conf<Record<string, unknown>> =>
  new Conf<Record<string, unknown>>({
    cwd: privateFolder(dirname(path)),
    configName: basename(path, ".json"),
    configFileMode: 0o600,
    clearInvalidConfig: false,
  });

/** What the file holds, unchecked; an empty object when it is not there. Throws QuayError `file-invalid`. */
export const readStored = (path: string): Readonly<Record<string, unknown>> => {
  try {
    return { ...openConf(path).store };
  } catch (error) {
    throw new QuayError("file-invalid", `${path}: cannot be read as JSON: ${messageOf(error)}`, {
      facts: { path },
      cause: error,
    });
  }
};

const withoutUnset = ({ adapters, port, mailbox }: z.output<ReturnType<typeof settingsFor>>): Settings => {
  const set = Object.entries(adapters).flatMap(([kind, one]) => (one === undefined ? [] : [[kind, one] as const]));
  return { adapters: Object.fromEntries(set), port, mailbox };
};

/** What holds where no file says otherwise. */
export const usualSettings: Settings = withoutUnset(settingsFor([]).parse({}));

/**
 * Reads the file at each call, since a person may change it at any time; what is a setting is worked out once.
 * @param kinds the run kinds whose settings are known.
 * @param levels those of them that have a choice of level.
 * The reader throws QuayError `file-invalid` that names the file and each fault in it.
 */
export const settingsReader = (
  paths: { readonly settings: string },
  kinds: readonly string[],
  levels: LevelChoices = {},
): (() => Settings) => {
  const schema = settingsFor(kinds, levels);
  return () => withoutUnset(checkOwn(paths.settings, schema, readStored(paths.settings)));
};
