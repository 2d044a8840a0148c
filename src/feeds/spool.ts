/**
 * The folder in which hooks leave their events: one private folder per terminal, one file per event, oldest first.
 * A file goes only when the engine says that its facts are durable; a bad one is moved aside and never blocks the rest.
 * It must not judge an event: secrets, panes and processes are checked by the engine.
 */
import { chmodSync, constants, type FSWatcher, mkdirSync, readdirSync, watch } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSafeId, type TerminalId } from "../bus/ids.js";
import type { Spool, SpooledEvent } from "../engine/ports.js";
import { messageOf } from "../lib/errors.js";
import { createEmptyFolders } from "./empty-folders.js";
import { isEventName, MAX_EVENT_BYTES, parseEvent, timeOf } from "./spool-file.js";

/** fs.watch may miss or be refused (inotify limits): the folders are read this often in any case. */
const SWEEP_MS = 1000;
/** One drain takes about this much, so that a long absence does not fill the memory; the sweep brings the rest. */
const DRAIN_BYTES = 64 * 1024 * 1024;
/** A hook that was killed leaves its half file; none lives this long. */
const STALE_PART_MS = 10 * 60 * 1000;
const KEEP_REJECTED = 50;

type Waiting = { readonly file: string; readonly name: string; readonly terminal: TerminalId };
type Dated = Waiting & { readonly mtimeNs: bigint; readonly size: number };

const isGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "ENOTDIR";

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
};

const byTime = (a: Dated, b: Dated): number => {
  const [left, right] = [timeOf(a.name), timeOf(b.name)];
  if (left !== right) return left < right ? -1 : 1;
  if (a.mtimeNs !== b.mtimeNs) return a.mtimeNs < b.mtimeNs ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
};

/** Reads at most the cap, never through a link; the caller rejects what is too long or no plain file. */
const readEvent = async (file: string): Promise<string> => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error("not a plain file");
    if (found.size > MAX_EVENT_BYTES) throw new Error(`larger than ${MAX_EVENT_BYTES} bytes (${found.size})`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
};

/**
 * Opens the spool below `root` (made 0700) with what a predecessor left there.
 * `on` may call at any time while undrained files exist, also more than once for the same file.
 */
export const createSpool = (root: string): Spool => {
  const watchers = new Map<TerminalId, FSWatcher | null>();
  /** Handed out by `drain` and not yet taken: a second drain must not bring them again. */
  const handedOut = new Set<string>();
  /** Could neither be read nor moved aside: left alone, so that they cannot spin the sweep. */
  const stuck = new Set<string>();
  const empty = createEmptyFolders();
  const listeners: (() => void)[] = [];
  let told = false;
  let closed = false;

  const tell = (): void => {
    if (told || closed) return;
    told = true;
    setImmediate(() => {
      told = false;
      if (!closed) for (const listener of listeners) listener();
    });
  };

  const watchFolder = (terminal: TerminalId, folder: string): void => {
    if (watchers.get(terminal)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_change, name) => {
        if (name === null || isEventName(name)) tell();
      });
      watcher.on("error", () => {
        watcher.close();
        watchers.set(terminal, null);
      });
      watchers.set(terminal, watcher);
    } catch {
      watchers.set(terminal, null);
    }
  };

  const makePrivate = (folder: string): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  };

  makePrivate(root);
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.isDirectory() && isSafeId(entry.name)) watchFolder(entry.name as TerminalId, join(root, entry.name));
  }

  const waiting = async (): Promise<readonly Waiting[]> => {
    const found: Waiting[] = [];
    for (const terminal of watchers.keys()) {
      const folder = join(root, terminal);
      if (!empty.mayHold(folder)) continue;
      const wasEmpty = empty.beforeListing(folder);
      const names = (await namesIn(folder)).filter(isEventName);
      if (names.length === 0) wasEmpty();
      for (const name of names) {
        const file = join(folder, name);
        if (!handedOut.has(file) && !stuck.has(file)) found.push({ file, name, terminal });
      }
    }
    return found;
  };

  const dated = async (files: readonly Waiting[]): Promise<readonly Dated[]> => {
    const known = await Promise.all(
      files.map(async (one) => {
        try {
          const { mtimeNs, size } = await lstat(one.file, { bigint: true });
          return [{ ...one, mtimeNs, size: Number(size) }];
        } catch {
          return [];
        }
      }),
    );
    return known.flat().sort(byTime);
  };

  const reject = async (one: Waiting, reason: string): Promise<void> => {
    const aside = join(root, one.terminal, "rejected");
    try {
      await mkdir(aside, { recursive: true, mode: 0o700 });
      await rename(one.file, join(aside, one.name));
      await writeFile(join(aside, `${one.name}.reason`), `${reason}\n`, { mode: 0o600 });
      const kept = (await namesIn(aside)).filter((name) => !name.endsWith(".reason")).sort();
      for (const name of kept.slice(0, -KEEP_REJECTED)) {
        await rm(join(aside, name), { recursive: true, force: true });
        await rm(join(aside, `${name}.reason`), { force: true });
      }
    } catch (error) {
      if (!isGone(error)) stuck.add(one.file);
    }
  };

  const take = async (one: Dated): Promise<SpooledEvent | null> => {
    try {
      const text = await readEvent(one.file);
      return { file: one.file, terminal: one.terminal, ...parseEvent(one.name, text, one.mtimeNs) };
    } catch (error) {
      if (!isGone(error)) await reject(one, messageOf(error));
      return null;
    }
  };

  const dropStaleParts = async (): Promise<void> => {
    for (const terminal of watchers.keys()) {
      const folder = join(root, terminal);
      for (const name of await namesIn(folder)) {
        if (!name.startsWith(".") || !name.endsWith(".part")) continue;
        const age = await lstat(join(folder, name))
          .then((found) => Date.now() - found.mtimeMs)
          .catch(() => 0);
        if (age > STALE_PART_MS) await rm(join(folder, name), { force: true });
      }
    }
  };

  let sweeping = false;
  const sweep = setInterval(async () => {
    if (sweeping || closed) return;
    sweeping = true;
    for (const [terminal, watcher] of watchers) if (watcher === null) watchFolder(terminal, join(root, terminal));
    if ((await waiting()).length > 0) tell();
    sweeping = false;
  }, SWEEP_MS);
  sweep.unref();
  void dropStaleParts();

  let draining: Promise<unknown> = Promise.resolve();
  const drainNow = async (): Promise<readonly SpooledEvent[]> => {
    const events: SpooledEvent[] = [];
    let bytes = 0;
    for (const one of await dated(await waiting())) {
      if (bytes > DRAIN_BYTES) break;
      const event = await take(one);
      if (event === null) continue;
      bytes += one.size;
      handedOut.add(one.file);
      events.push(event);
    }
    return events;
  };

  return {
    on(arrived) {
      listeners.push(arrived);
      tell();
    },
    drain() {
      const next = draining.then(drainNow);
      draining = next.catch(() => undefined);
      return next;
    },
    async taken(events) {
      for (const event of events) {
        await unlink(event.file).catch((error: unknown) => {
          if (!isGone(error)) stuck.add(event.file);
        });
        handedOut.delete(event.file);
      }
    },
    prepare(terminal) {
      const folder = join(root, terminal);
      makePrivate(folder);
      watchFolder(terminal, folder);
      return folder;
    },
    async drop(terminal) {
      watchers.get(terminal)?.close();
      watchers.delete(terminal);
      await rm(join(root, terminal), { recursive: true, force: true });
    },
    async close() {
      closed = true;
      clearInterval(sweep);
      for (const watcher of watchers.values()) watcher?.close();
      watchers.clear();
      await draining;
    },
  };
};
