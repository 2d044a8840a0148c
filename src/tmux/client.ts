/**
 * One `tmux -C` child: a queue of lines and their answers, notifications, output. Each line is followed by a nonce,
 * because the number of its blocks is not known beforehand. It knows nothing of panes or engines, and never
 * reconnects; when it ends, everything unanswered is `unknown`. Why so: facts/tmux.md sections 0.9 and 1.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { deferred } from "../lib/deferred.js";
import { QuayError } from "../lib/errors.js";
import { type Block, isNonce, type ParserState, readChunk, startParser } from "./protocol.js";
import { textOf } from "./replies.js";

export type Answer =
  | { readonly kind: "answered"; readonly blocks: readonly Block[] }
  /** The line may or may not have run. */
  | { readonly kind: "unknown"; readonly why: string };

export type ControlClient = {
  readonly pid: number;
  /** One line, not empty, no line end. Lines run in the order of the calls. */
  request(line: string): Promise<Answer>;
  /** Holds back later lines; resolves once none is in flight. */
  quiet(): Promise<void>;
  resume(): void;
  /** Resolves when the child has ended and everything it wrote is read. */
  readonly ended: Promise<{ readonly why: string; readonly timedOut: boolean }>;
  /** Detaches, drains, and ends the child by signal when it does not go. */
  end(): Promise<void>;
};

export type ClientOptions = {
  readonly tmux: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long an answer may take before the child is ended, in ms; null for a client whose answers queue behind output. */
  readonly timeoutMs: number | null;
  readonly onOutput?: (pane: string, bytes: Buffer) => void;
  readonly onNotify?: (name: string, rest: string) => void;
};

const ATTACH_MS = 5_000;
const DETACH_MS = 500;
const TERM_MS = 1_000;
const DRAIN_MS = 100;

type Pending = {
  readonly line: string;
  readonly nonce: string;
  readonly blocks: Block[];
  readonly settle: (answer: Answer) => void;
  timer: NodeJS.Timeout | null;
};

/** Resolves when the attach block has ended. Throws QuayError `tmux-attach` when tmux says no or nothing. */
export const openClient = async (options: ClientOptions): Promise<ControlClient> => {
  const child = spawn(options.tmux, options.args, { env: options.env as NodeJS.ProcessEnv, stdio: "pipe" });
  const client = drive(child, options);
  await client.attached;
  return client;
};

const drive = (
  child: ChildProcessWithoutNullStreams,
  options: ClientOptions,
): ControlClient & { readonly attached: Promise<void> } => {
  const nonceBase = `quay-nonce-${randomBytes(12).toString("hex")}`;
  let serial = 0;
  let state: ParserState = startParser;
  const waiting: Pending[] = [];
  const flying: Pending[] = [];
  const idlers: (() => void)[] = [];
  let held = false;
  let over: string | null = null;
  let timedOut = false;
  let stderr = "";
  let reason = "";

  const attached = deferred<void>();
  const ended = deferred<{ why: string; timedOut: boolean }>();

  const signal = (name: NodeJS.Signals): void => {
    if (over === null) child.kill(name);
  };

  const endBySignal = (): void => {
    signal("SIGTERM");
    // A client whose server is stopped waits for it even after SIGTERM.
    setTimeout(() => signal("SIGKILL"), TERM_MS).unref();
  };
  const expire = (why: string): void => {
    timedOut = true;
    reason ||= why;
    endBySignal();
  };

  const fly = (): void => {
    while (!held && over === null && waiting.length > 0) {
      const request = waiting.shift()!;
      flying.push(request);
      if (options.timeoutMs !== null) {
        // A turn later: after a standstill of ours (SIGSTOP, a closed laptop) the answer lies ready, unread.
        request.timer = setTimeout(() => {
          setImmediate(() => {
            if (flying.includes(request)) expire("tmux did not answer");
          });
        }, options.timeoutMs);
      }
      child.stdin.write(`${request.line}\ndisplay-message -p ${request.nonce}\n`);
    }
  };
  const rest = (): void => {
    if (flying.length === 0) for (const idle of idlers.splice(0)) idle();
  };

  const takeBlock = (block: Block): void => {
    if (!block.ours) {
      if (block.ok) attached.resolve();
      else attached.reject(new QuayError("tmux-attach", `tmux refused to attach: ${textOf([block]).join(" ")}`));
      return;
    }
    const request = flying[0];
    if (!request) return;
    if (!isNonce(block, request.nonce)) {
      request.blocks.push(block);
      return;
    }
    flying.shift();
    if (request.timer) clearTimeout(request.timer);
    request.settle({ kind: "answered", blocks: request.blocks });
    rest();
  };

  child.stdout.on("data", (chunk: Buffer) => {
    try {
      const step = readChunk(state, chunk);
      state = step.state;
      for (const event of step.events) {
        if (event.kind === "block") takeBlock(event.block);
        else if (event.kind === "output") options.onOutput?.(event.pane, event.bytes);
        else {
          if (event.name === "%exit") reason ||= event.rest === "" ? "tmux ended the client" : event.rest;
          options.onNotify?.(event.name, event.rest);
        }
      }
    } catch (error) {
      reason ||= String(error);
      state = startParser;
      endBySignal();
    }
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-2_000);
  });
  child.stdin.on("error", () => {});

  const finish = (why: string): void => {
    if (over !== null) return;
    over = why;
    clearTimeout(attachTimer);
    for (const request of [...flying.splice(0), ...waiting.splice(0)]) {
      if (request.timer) clearTimeout(request.timer);
      request.settle({ kind: "unknown", why });
    }
    rest();
    attached.reject(new QuayError("tmux-attach", `tmux did not let us attach: ${why}`, { facts: { timedOut } }));
    ended.resolve({ why, timedOut });
  };
  child.on("error", (error) => finish(error.message));
  // tmux's server holds the child's stdout as well: after the child is gone, the pipe may stay open, and even silent.
  child.on("exit", (code, sig) => {
    const conclude = (): void => {
      child.stdout.destroy();
      finish(reason || stderr.trim() || `its client ended (${sig ?? code})`);
    };
    const timer = setTimeout(conclude, DRAIN_MS);
    child.stdout.on("close", () => {
      clearTimeout(timer);
      conclude();
    });
  });

  const attachTimer = setTimeout(() => expire("tmux did not answer the attach"), ATTACH_MS);
  attached.promise.then(
    () => clearTimeout(attachTimer),
    () => endBySignal(),
  );

  return {
    attached: attached.promise,
    pid: child.pid ?? -1,
    request: (line) => {
      if (line === "" || line.includes("\n")) throw new RangeError("a control line is one line and not empty");
      if (over !== null) return Promise.resolve({ kind: "unknown", why: over });
      return new Promise((settle) => {
        waiting.push({ line, nonce: `${nonceBase}-${++serial}`, blocks: [], settle, timer: null });
        fly();
      });
    },
    quiet: () => {
      held = true;
      return flying.length === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve));
    },
    resume: () => {
      held = false;
      fly();
    },
    ended: ended.promise,
    end: async () => {
      if (over === null) {
        reason ||= "closed by us";
        child.stdin.write("detach-client\n");
        const timer = setTimeout(endBySignal, DETACH_MS);
        await ended.promise;
        clearTimeout(timer);
      }
    },
  };
};
