/** What the contract needs to know of one CLI, beyond how it is set up: its keys, its dialog, its way to call tools. */
import type { CliSetUp, Permissions } from "../../support/clis/room.js";
import type { Reply } from "../../support/model-server.js";
import type { QuayStage } from "../quay-stage.js";

export type Reporter = "on" | "off";

export type ContractCli = {
  readonly kind: string;
  readonly title: string;
  readonly setUp: (options: { readonly permissions: Permissions; readonly reporter: Reporter }) => CliSetUp;
  /** The model's call of a tool of Quay, by the name that this CLI gives it. */
  readonly quayTool: (name: string, input: Readonly<Record<string, unknown>>) => Reply;
  /** A call that opens the approval dialog, when permissions are asked for. */
  readonly asksFirst: Reply;
  /** What the screen shows while that dialog is open. */
  readonly dialog: RegExp;
  /** The part of a screen that is the dialog, without what moves by itself such as a spinner. */
  readonly dialogPart: (screen: string) => string;
  /** The keys that allow it once. */
  readonly approve: readonly string[];
  /** The keys by which a person interrupts a turn; what to do, where the CLI asks first. */
  readonly interrupt: readonly string[] | ((stage: QuayStage, name: string) => Promise<void>);
  /** Ends the idle CLI as a person would. */
  readonly quit: (stage: QuayStage, name: string) => Promise<void>;
  /** The text of a prompt as the model heard it, without what the CLI puts around it. */
  readonly heard?: (prompt: string) => string;
  /** On the screen once a person may type, where the CLI may be idle before that. */
  readonly typable?: RegExp;
  /** false: a turn that the person starts is not seen, so a message may join it. */
  readonly seesOwnTurns?: boolean;
  /** What it is with its reporter off, and how a wait on it ends. */
  readonly unreported: { readonly level: string; readonly status: string; readonly outcome: string };
};
