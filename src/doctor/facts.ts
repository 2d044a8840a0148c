/** What the probes bring home, as plain data: everything that the checks judge by. Types only. */
import type { AgentView } from "../bus/views.js";

export type TmuxFacts =
  | { readonly kind: "missing"; readonly why: string }
  | {
      readonly kind: "there";
      readonly path: string;
      /** As `tmux -V` prints it. */
      readonly version: string;
      /** Linked with libutempter, as Debian and its children build it. */
      readonly hasUtempter: boolean;
    };

export type Hook = { readonly name: string; readonly command: string };

/** A tmux server that is there now, and on which terminals of Quay are or would be. */
export type ServerFacts =
  | { readonly kind: "silent"; readonly whose: Whose; readonly socket: string; readonly why: string }
  | AnsweringServer;

export type Whose = "own" | "user";

export type AnsweringServer = {
  readonly kind: "answers";
  readonly whose: Whose;
  readonly socket: string;
  /** The server's own version: it may be older than the program. */
  readonly version: string;
  readonly windowSize: string;
  readonly exitUnattached: string;
  readonly hooks: readonly Hook[];
};

export type MachineFacts = {
  readonly platform: string;
  readonly node: string;
  /** The first of LC_ALL, LC_CTYPE and LANG that says anything; null: none does. */
  readonly locale: string | null;
  readonly curl: boolean;
  /** Null: there is no logind here, or it does not say. */
  readonly logout: { readonly killsProcesses: boolean | null; readonly lingers: boolean | null } | null;
};

export type OpenPath = { readonly path: string; readonly mode: number; readonly isFolder: boolean };

export type StateFacts = {
  readonly home: string;
  readonly exists: boolean;
  /** Belongs to another user. */
  readonly isForeign: boolean;
  /** Folders and files that group or others may use, at most a few. */
  readonly open: readonly OpenPath[];
  readonly freeBytes: number | null;
  readonly isNetwork: boolean;
  /** Why settings.json cannot be used; null when it can, or is not there. */
  readonly settingsFault: string | null;
};

export type CliFacts = {
  readonly kind: string;
  readonly title: string;
  readonly program: string;
  /** A setting of the person names the program. */
  readonly isNamed: boolean;
  /** Null: not found. */
  readonly path: string | null;
  /** As `--version` says it; null: it did not within its time. */
  readonly version: string | null;
  /** The version that Quay's own tests drive. */
  readonly tested: string;
  /** The setting that keeps the event bridge silent, and its file; null: none. */
  readonly switchedOffBy: string | null;
};

export type EngineFacts =
  | { readonly kind: "none" }
  /** Its file is there; its process is not. */
  | { readonly kind: "left over"; readonly pid: number }
  | { readonly kind: "silent"; readonly pid: number | null; readonly why: string }
  | {
      readonly kind: "running";
      readonly pid: number;
      readonly url: string;
      readonly stopped: string | null;
      readonly agents: readonly AgentView[];
    };

export type PortFacts = {
  /** The port that an engine here takes; null: any free one. */
  readonly port: number | null;
  /** Somebody listens there. */
  readonly isTaken: boolean;
};

export type Facts = {
  readonly tmux: TmuxFacts;
  readonly servers: readonly ServerFacts[];
  readonly machine: MachineFacts;
  readonly state: StateFacts;
  readonly clis: readonly CliFacts[];
  readonly engine: EngineFacts;
  readonly port: PortFacts;
};
