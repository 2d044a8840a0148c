/** What the command line reads without an engine: the stored state, and the presets. It locks nothing and starts nothing. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { levelChoices, runKinds } from "../adapters/registry.js";
import type { PresetView, Snapshot } from "../bus/views.js";
import { statePaths } from "../lib/paths.js";
import { projectOf } from "../lib/project.js";
import { createPresetShelf } from "../store/presets.js";
import { settingsReader, usualSettings } from "../store/settings.js";
import { openSettingsFile, type SettingsFile } from "../store/settings-file.js";
import { readJournal, readStoredValue } from "../store/store.js";
import type { Settings } from "./ports.js";
import { storedSnapshot } from "./stored.js";

type Env = NodeJS.ProcessEnv;

/** For `quay ls`, `trail` and `status`; null when there never was an engine in this state folder. */
export const readStoredSnapshot = async (env: Env): Promise<Snapshot | null> => {
  const paths = statePaths(env);
  return storedSnapshot(readJournal(paths.database), paths.home, Date.now());
};

/** For `quay doctor`: the settings as they stand, and the port that an engine here takes (null: any free one). */
export const readPlace = (env: Env): { readonly settings: Settings; readonly port: number | null } => {
  const paths = statePaths(env);
  // Asking makes no folder.
  const settings = existsSync(paths.settings) ? settingsReader(paths, runKinds, levelChoices)() : usualSettings;
  const stored = readStoredValue(paths.database, "port");
  return { settings, port: settings.port ?? (stored === null ? null : Number(stored)) };
};

/** For `quay config`: the settings of this state folder, to read and to change. */
export const openSettings = (env: Env): SettingsFile => openSettingsFile(statePaths(env), runKinds, levelChoices);

/** For `quay presets`: the package's, the user's, and those of this folder's project. */
export const readPresets = async (env: Env, cwd: string): Promise<readonly PresetView[]> => {
  const builtIn = fileURLToPath(new URL("../../presets", import.meta.url));
  const shelf = createPresetShelf({ builtIn, user: statePaths(env).presets, kinds: runKinds });
  try {
    return shelf.list(await projectOf(cwd));
  } finally {
    await shelf.close();
  }
};
