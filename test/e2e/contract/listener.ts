/**
 * The contract of a listener: what a CLI of that level shows with the real program. Its turns are not seen, so what
 * reached the model is what counts.
 */
import { expect } from "vitest";
import { needs } from "../../support/clis/programs.js";
import type { CliSetUp } from "../../support/clis/room.js";
import { say } from "../../support/model-server.js";
import { until } from "../../support/until.js";
import { verifies } from "../../support/verifies.js";
import { type QuayStage, startQuayStage } from "../quay-stage.js";
import { longText, manyLines } from "./texts.js";

export type ListenerCli = {
  readonly kind: string;
  readonly setUp: () => CliSetUp;
  /** What the screen shows when it takes text. */
  readonly ready: RegExp;
  /** Ends the idle CLI as a person would. */
  readonly quit: (stage: QuayStage, name: string) => Promise<void>;
  /** Its start shows now and then a screen that Quay must hold messages on: how often a case that types is tried again. */
  readonly startsAnew?: number;
  /** The text of a prompt as the model heard it, without what the CLI puts around it. */
  readonly heard?: (prompt: string) => string;
};

export const listenerContract = (cli: ListenerCli): void => {
  needs(cli.kind);
  const heard = cli.heard ?? ((prompt: string) => prompt);

  const again = cli.startsAnew === undefined ? {} : { retry: cli.startsAnew };

  const start = async (): Promise<QuayStage> => {
    const stage = await startQuayStage({ clis: [cli.setUp()] });
    await stage.launch("worker");
    return stage;
  };
  const ready = async (): Promise<QuayStage> => {
    const stage = await start();
    const isReady = (): boolean => cli.ready.test(stage.screen("worker"));
    await until(isReady, 60_000, () => `${cli.kind} to take text: ${stage.story()}`);
    return stage;
  };
  /** The prompts of turns, in the order in which the model first heard them. */
  const prompts = (stage: QuayStage): readonly string[] => [
    ...new Set(stage.model.requests.filter(({ tools }) => tools.length > 0).map(({ prompt }) => heard(prompt))),
  ];
  const untilHeard = (stage: QuayStage, text: string): Promise<boolean> =>
    until(
      () => prompts(stage).includes(text),
      30_000,
      () =>
        `the model to hear ${JSON.stringify(text.slice(0, 80))}; it heard ${JSON.stringify(prompts(stage))}: ${stage.story()}`,
    );

  verifies(["listener:starts", "peer:listener-limits"], `${cli.kind}: starts unattended`, async () => {
    const stage = await ready();
    expect(stage.agent("worker")).toMatchObject({ kind: cli.kind, level: "listener", status: "unknown", prompt: null });
  });

  verifies(["listener:wait-ends"], `${cli.kind}: a wait ends at once`, async () => {
    // Sent before it takes text: the message waits until then, and arrives whole.
    const stage = await start();
    stage.model.when(/^Hello/, say("Hello to you."));
    const answer = await stage.send("worker", "Hello, are you there?", { wait: true });
    expect(answer, stage.story()).toMatchObject({
      ok: true,
      outcome: { kind: "cannotReply", to: "worker", remedy: "file mailbox" },
    });
    await untilHeard(stage, "Hello, are you there?");
    expect(stage.entry("Hello")).toMatchObject({ status: "Dispatched", timer: { kind: "none" }, response: null });
    expect(stage.agent("worker").status).toBe("unknown");
  });

  verifies(
    ["listener:text-exact"],
    `${cli.kind}: long and multi-line texts are exact`,
    async () => {
      const stage = await ready();
      stage.model.when(/Exact/, say("Heard."));
      await stage.send("worker", longText);
      await untilHeard(stage, longText);
      await until(
        () => stage.screen("worker").includes("Heard."),
        20_000,
        () => `its answer: ${stage.story()}`,
      );
      await stage.send("worker", manyLines);
      await untilHeard(stage, manyLines);
      expect(prompts(stage)).toEqual([longText, manyLines]);
    },
    again,
  );

  verifies(["listener:at-once"], `${cli.kind}: typed at once while it works`, async () => {
    const stage = await ready();
    stage.model.when(/^Long work/, { kind: "hang", answer: "Work done." });
    stage.model.when(/^Next thing/, say("Next done."));
    await stage.send("worker", "Long work");
    await untilHeard(stage, "Long work");
    await stage.send("worker", "Next thing");
    await stage.untilEntry("Next thing", "Dispatched");
    stage.model.release();
    await untilHeard(stage, "Next thing");
  });

  verifies(["listener:exit"], `${cli.kind}: its exit is noticed`, async () => {
    const stage = await ready();
    await cli.quit(stage, "worker");
    await stage.untilStatus("worker", "exited");
    const late = await stage.send(stage.agent("worker").id, "Too late");
    expect(late).toMatchObject({ ok: true, outcome: { kind: "refused", refusal: { kind: "terminalExited" } } });
  });
};
