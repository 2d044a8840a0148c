/**
 * The contract of a full peer: what every CLI of that level shows with the real program, in a real Quay, against the
 * scripted model. One case per capability; each starts its own Quay, so that a case can be run and read alone.
 */
import { expect } from "vitest";
import { needs } from "../../support/clis/programs.js";
import type { Permissions } from "../../support/clis/room.js";
import { say } from "../../support/model-server.js";
import { until } from "../../support/until.js";
import { verifies } from "../../support/verifies.js";
import { type QuayStage, startQuayStage } from "../quay-stage.js";
import type { ContractCli, Reporter } from "./contract-cli.js";
import { typeByHand } from "./hands.js";
import { longText, manyLines } from "./texts.js";

/** Registers the cases; the title of each begins with the CLI's kind, which the matrix is made of. */
export const fullPeerContract = (cli: ContractCli): void => {
  needs(cli.kind);
  const heard = cli.heard ?? ((prompt: string) => prompt);

  const start = async (permissions: Permissions, reporter: Reporter, names: readonly string[]): Promise<QuayStage> => {
    const stage = await startQuayStage({ clis: [cli.setUp({ permissions, reporter })] });
    // One after the other: two first starts in one new home meet over its database, and OpenCode then hangs.
    for (const name of names) {
      await stage.launch(name);
      if (reporter === "on") await stage.untilStatus(name, "idle", 60_000);
    }
    return stage;
  };
  const ready = (...names: readonly string[]): Promise<QuayStage> => start("allow", "on", names);

  verifies(["contract:starts"], `${cli.kind}: starts unattended`, async () => {
    const stage = await ready("worker");
    expect(stage.agent("worker")).toMatchObject({ kind: cli.kind, level: "full peer", status: "idle", prompt: null });
  });

  verifies(["contract:states"], `${cli.kind}: idle, working and waiting are seen`, async () => {
    const stage = await start("ask", "on", ["worker"]);
    stage.model.when(/^Long work/, { kind: "hang", answer: "Work done." });
    stage.model.when(/^Touch it/, cli.asksFirst, say("Touched."));
    await stage.send("worker", "Long work");
    await stage.untilAsked("Long work");
    await stage.untilStatus("worker", "working");
    stage.model.release();
    await stage.untilStatus("worker", "idle");
    await stage.send("worker", "Touch it");
    await stage.untilStatus("worker", "waiting");
    expect(stage.agent("worker").prompt).toMatchObject({ about: "permission" });
  });

  verifies(
    ["contract:between-turns", "deliver:queued-while-working", "deliver:next-at-turn-end", "hazard:busy-is-no-failure"],
    `${cli.kind}: typed once between turns`,
    async () => {
      const stage = await ready("worker");
      stage.model.when(/^Long work/, { kind: "hang", answer: "Work done." });
      stage.model.when(/^Next thing/, say("Next done."));
      await stage.send("worker", "Long work");
      await stage.untilAsked("Long work");
      await stage.send("worker", "Next thing");
      expect(await stage.untilEntry("Next thing", "Queued")).toMatchObject({ timer: { kind: "none" } });
      expect(stage.screen("worker")).not.toContain("Next thing");
      stage.model.release();
      expect(await stage.untilEntry("Next thing", "Completed")).toMatchObject({ response: "Next done." });
      expect(stage.entry("Long work")).toMatchObject({ status: "Completed", response: "Work done." });
      const turns = stage.model.requests.filter(({ tools, step }) => tools.length > 0 && step === 0);
      expect(turns.map(({ prompt }) => heard(prompt))).toEqual(["Long work", "Next thing"]);
    },
  );

  verifies(
    [
      "contract:reply",
      "tool:send-message:waits-for-its-own-turn",
      "tool:send-message:reply-text",
      "file-mailbox:reply-is-the-result",
    ],
    `${cli.kind}: a waiting sender gets the reply`,
    async () => {
      const stage = await ready("asker", "answerer");
      const question = { target_terminal_id: "answerer", message: "What is 3 + 4?" };
      stage.model.when(/^Ask the answerer/, cli.quayTool("quay_send_message", question), say("It said so."));
      stage.model.when(/What is 3 \+ 4\?/, say("Seven.", 1_500));
      await stage.send("asker", "Ask the answerer.");
      expect(await stage.untilEntry("What is 3 + 4?", "Completed")).toMatchObject({
        from: "asker",
        to: "answerer",
        label: "Reply:",
        response: "Seven.",
      });
      expect(await stage.untilEntry("Ask the answerer.", "Completed")).toMatchObject({ response: "It said so." });
      const asked = stage.model.requests.findLast(({ prompt }) => heard(prompt).startsWith("Ask the answerer"));
      expect(asked?.results.join("\n")).toContain("Reply from answerer:\nSeven.");
    },
  );

  verifies(
    ["contract:late-answer"],
    `${cli.kind}: a late answer stands on the trail`,
    async () => {
      const stage = await ready("worker");
      stage.model.when(/^Slow work/, { kind: "hang", answer: "Done at last." });
      const answer = await stage.send("worker", "Slow work", { wait: true });
      expect(answer).toMatchObject({ ok: true, outcome: { kind: "stillWorking", to: "worker" } });
      const ranOut = (): boolean => stage.entry("Slow work")?.notes.join() === "No reply within 60s";
      await until(ranOut, 5_000, () => `the note of the wait: ${stage.story()}`);
      expect(stage.entry("Slow work")?.status).toBe("Dispatched");
      stage.model.release();
      const entry = await stage.untilEntry("Slow work", "Completed");
      expect(entry).toMatchObject({ response: "Done at last.", notes: ["No reply within 60s"] });
    },
    150_000,
  );

  verifies(
    ["contract:dialog-untouched", "deliver:queued-while-waiting", "hazard:dialog-untouched"],
    `${cli.kind}: an approval dialog is untouched`,
    async () => {
      const stage = await start("ask", "on", ["worker"]);
      stage.model.when(/^Touch it/, cli.asksFirst, say("Touched."));
      stage.model.when(/^And then/, say("Then this."));
      await stage.send("worker", "Touch it");
      await stage.untilStatus("worker", "waiting");
      await until(
        () => cli.dialog.test(stage.screen("worker")),
        10_000,
        () => `the dialog: ${stage.story()}`,
      );
      const part = (): string => cli.dialogPart(stage.screen("worker"));
      const before = part();
      await stage.send("worker", "And then");
      await stage.untilEntry("And then", "Queued");
      // Many looks of the engine long.
      const end = Date.now() + 3_000;
      await until(() => part() !== before || Date.now() > end, 5_000, "three quiet seconds");
      expect(part()).toBe(before);
      stage.press("worker", ...cli.approve);
      expect(await stage.untilEntry("Touch it", "Completed")).toMatchObject({ response: "Touched." });
      expect(await stage.untilEntry("And then", "Completed")).toMatchObject({ response: "Then this." });
    },
  );

  verifies(
    ["contract:interrupted", "ending:interrupted", "hazard:interrupt-without-hook"],
    `${cli.kind}: an interrupt is seen`,
    async () => {
      const stage = await ready("worker");
      stage.model.when(/^Long work/, { kind: "hang" });
      await stage.send("worker", "Long work");
      await stage.untilAsked("Long work");
      await stage.untilStatus("worker", "working");
      if (typeof cli.interrupt === "function") await cli.interrupt(stage, "worker");
      else stage.press("worker", ...cli.interrupt);
      expect(await stage.untilEntry("Long work", "Completed")).toMatchObject({
        response: null,
        notes: ["interrupted before it answered"],
      });
      await stage.untilStatus("worker", "idle");
    },
  );

  verifies(["contract:model-error", "ending:turn-failed"], `${cli.kind}: a model error is seen`, async () => {
    const stage = await ready("worker");
    stage.model.when(/^Fail/, { kind: "error", status: 400, message: "no such model" });
    const answer = await stage.send("worker", "Fail", { wait: true });
    expect(answer).toMatchObject({ ok: true, outcome: { kind: "endedWithoutAnswer", how: "failed" } });
    const entry = await stage.untilEntry("Fail", "Completed");
    expect(entry.notes.join()).toMatch(/^turn failed: .*no such model/);
  });

  verifies(["contract:text-exact"], `${cli.kind}: long and multi-line texts are exact`, async () => {
    const stage = await ready("worker");
    stage.model.when(/^Exact/, say("Heard."));
    for (const text of [longText, manyLines]) {
      await stage.send("worker", text);
      await stage.untilEntry(text, "Completed", 60_000);
      const prompts = stage.model.requests.filter(({ tools }) => tools.length > 0).map(({ prompt }) => heard(prompt));
      expect(prompts.at(-1)).toBe(text);
    }
  });

  verifies(["contract:own-turn"], `${cli.kind}: a person's own turn does not answer`, async () => {
    const stage = await ready("worker");
    stage.model.when(/^My own work/, { kind: "hang", answer: "Own done." });
    stage.model.when(/^The message/, say("Message done."));
    const { typable = /^/ } = cli;
    await until(() => typable.test(stage.screen("worker")), 20_000, "a line to type on");
    await typeByHand(stage, "worker", "My own work");
    await stage.send("worker", "The message");
    stage.model.release();
    const entry = await stage.untilEntry("The message", "Completed", 60_000);
    expect(entry.response).not.toBe("Own done.");
    if (cli.seesOwnTurns !== false) expect(entry.response).toBe("Message done.");
  });

  verifies(["contract:exit", "target:id-of-exited-status"], `${cli.kind}: its exit is noticed`, async () => {
    const stage = await ready("worker");
    await cli.quit(stage, "worker");
    await stage.untilStatus("worker", "exited");
    expect(stage.quay("status", stage.agent("worker").id)).toContain("exited");
    const late = await stage.send(stage.agent("worker").id, "Too late");
    expect(late).toMatchObject({ ok: true, outcome: { kind: "refused", refusal: { kind: "terminalExited" } } });
  });

  verifies(["contract:restart"], `${cli.kind}: Quay's restart in a turn is survived`, async () => {
    const stage = await ready("worker");
    stage.model.when(/^Long work/, { kind: "hang", answer: "Work done." });
    stage.model.when(/^After it/, say("After done."));
    await stage.send("worker", "Long work");
    await stage.untilAsked("Long work");
    await stage.killEngine();
    await stage.startEngine();
    stage.model.release();
    expect(await stage.untilEntry("Long work", "Completed")).toMatchObject({ response: "Work done." });
    await stage.send("worker", "After it");
    expect(await stage.untilEntry("After it", "Completed")).toMatchObject({ response: "After done." });
    expect(stage.model.requests.filter(({ prompt }) => heard(prompt) === "After it")).toHaveLength(1);
  });

  verifies(["contract:unreported"], `${cli.kind}: what it is without its reporter`, async () => {
    const stage = await start("allow", "off", ["worker"]);
    const { level, status, outcome } = cli.unreported;
    await until(
      () => stage.agent("worker").level === level && stage.agent("worker").status === status,
      60_000,
      () => `${level}, ${status}: ${stage.story()}`,
    );
    stage.model.when(/^Hello/, say("Hello to you."));
    expect(await stage.send("worker", "Hello", { wait: true })).toMatchObject({ ok: true, outcome: { kind: outcome } });
    await until(
      () => stage.screen("worker").includes("Hello to you."),
      20_000,
      () => `its answer: ${stage.story()}`,
    );
  });
};
