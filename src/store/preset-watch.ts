/**
 * Says when a preset file comes, changes or goes, also in folders that are made later. Watches the folders of the way
 * there and the presets in them, and nothing else of a project.
 */
import { dirname, relative, resolve, sep } from "node:path";
import { type FSWatcher, watch } from "chokidar";

export type PresetWatch = {
  /** `base` has to exist; the folder may come later. */
  add(base: string, folder: string): void;
  close(): Promise<void>;
};

const wayFrom = (base: string, folder: string): readonly string[] => {
  const steps = relative(base, folder).split(sep);
  return [base, ...steps.map((_, at) => resolve(base, ...steps.slice(0, at + 1)))];
};

export const watchPresets = (changed: () => void): PresetWatch => {
  const ways = new Set<string>();
  const folders = new Set<string>();
  let watcher: FSWatcher | null = null;

  const isPreset = (path: string): boolean => folders.has(dirname(path)) && path.endsWith(".json");

  return {
    add: (base, folder) => {
      if (folders.has(folder)) return;
      folders.add(folder);
      for (const step of wayFrom(base, folder)) ways.add(step);
      if (watcher !== null) {
        watcher.add(base);
        return;
      }
      watcher = watch(base, { ignoreInitial: true, ignored: (path) => !ways.has(path) && !isPreset(path) });
      // A folder that comes may bring its files before it is watched.
      watcher.on("all", (_event, path) => {
        if (isPreset(path) || folders.has(path)) changed();
      });
      // What cannot be watched is still read on each call.
      watcher.on("error", () => undefined);
    },
    close: async () => {
      await watcher?.close();
    },
  };
};
