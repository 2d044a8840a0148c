/**
 * The shelf of presets: those of the package, the user's and a project's `.quay/presets/`; a later place wins by name.
 * Read on each call, so that nothing stale is launched; the watch only says that something changed.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { PresetView } from "../bus/views.js";
import type { SeatRequest } from "../engine/client.js";
import type { PresetShelf } from "../engine/ports.js";
import { QuayError } from "../lib/errors.js";
import { privateFolder } from "../lib/private-files.js";
import type { Preset } from "./preset-file.js";
import { readPresets, type Shelved } from "./preset-folder.js";
import { watchPresets } from "./preset-watch.js";

export type PresetPlaces = {
  readonly builtIn: string;
  readonly user: string;
  /** The run kinds that a seat may have. */
  readonly kinds: readonly string[];
};

const projectFolder = (project: string): string => join(project, ".quay", "presets");

/** The nearest folder with presets of its own, at most up to the root of the working tree. */
const projectOf = (cwd: string): string | null => {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(projectFolder(folder))) return folder;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return null;
  }
};

const viewOf = (entry: Shelved): PresetView => ({
  name: entry.name,
  description: entry.preset?.description ?? "",
  origin: entry.origin,
  path: entry.path,
  seats: entry.preset?.seats.map(({ name, kind }) => ({ name, kind })) ?? [],
  error: entry.error,
});

const seatOf = (preset: Preset, seat: Preset["seats"][number], cwd: string): SeatRequest => {
  const unsupported = (what: string): QuayError =>
    new QuayError(
      "preset-not-supported",
      `Seat "${seat.name}" of preset "${preset.name}" asks for ${what}, which is not supported yet. Remove it from the preset.`,
      { facts: { preset: preset.name, seat: seat.name } },
    );
  if (seat.worktree === true) throw unsupported("a git worktree of its own (worktree: true)");
  return {
    name: seat.name,
    kind: seat.kind,
    cwd: resolve(cwd, seat.cwd ?? "."),
    args: seat.args ?? [],
    env: seat.env ?? {},
    prompt: seat.prompt ?? null,
    preset: preset.name,
    ...(seat.approve === undefined ? {} : { approve: seat.approve }),
  };
};

export const createPresetShelf = (places: PresetPlaces): PresetShelf => {
  const listeners = new Set<() => void>();

  /** Later places first; of one name only the entries of the first place that has it. */
  const visible = (project: string | null): readonly Shelved[] => {
    const shelves = [
      project === null ? [] : readPresets(projectFolder(project), "project", places.kinds),
      readPresets(places.user, "user", places.kinds),
      readPresets(places.builtIn, "built in", places.kinds),
    ];
    return shelves.flatMap((shelf, at) => {
      const taken = new Set(shelves.slice(0, at).flatMap((earlier) => earlier.map((entry) => entry.name)));
      return shelf.filter((entry) => !taken.has(entry.name));
    });
  };

  const watcher = watchPresets(() => {
    for (const changed of listeners) changed();
  });
  watcher.add(places.builtIn, places.builtIn);
  // Made now: to wait for it, its parent would have to be watched, where the store may lie that each message is written to.
  watcher.add(privateFolder(places.user), places.user);

  return {
    list: (project) => visible(project).map(viewOf),
    seats: (name, cwd) => {
      const entries = visible(projectOf(resolve(cwd)));
      const found = entries.filter((entry) => entry.name === name);
      const good = found.find((entry) => entry.error === null);
      if (good !== undefined && good.preset !== null) {
        const { preset } = good;
        return preset.seats.map((seat) => seatOf(preset, seat, resolve(cwd)));
      }
      const bad = found[0];
      if (bad !== undefined) {
        throw new QuayError("preset-invalid", `Preset "${name}" cannot be used. ${bad.error}`, {
          facts: { name, path: bad.path },
        });
      }
      const names = entries.filter((entry) => entry.error === null).map((entry) => entry.name);
      throw new QuayError(
        "preset-unknown",
        `There is no preset "${name}". Presets here: ${names.join(", ") || "none"}.`,
        {
          facts: { name },
        },
      );
    },
    watchProject: (project) => watcher.add(project, projectFolder(project)),
    on: (changed) => {
      listeners.add(changed);
    },
    close: async () => {
      listeners.clear();
      await watcher.close();
    },
  };
};
