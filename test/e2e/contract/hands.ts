/** A person's hands on a CLI: what it takes to type a line or to leave, with each CLI's own questions between. */
import { until } from "../../support/until.js";
import type { QuayStage } from "../quay-stage.js";

/** A text that a person types by hand, with the Enter that submits it. */
export const typeByHand = async (stage: QuayStage, name: string, text: string): Promise<void> => {
  stage.press(name, text);
  await until(
    () => stage.screen(name).includes(text),
    10_000,
    () => `"${text}" on the line: ${stage.story()}`,
  );
  let pressedAt = 0;
  await until(
    () => {
      // A guard against pasted text may swallow the first one.
      if (Date.now() - pressedAt > 2_000) {
        stage.press(name, "Enter");
        pressedAt = Date.now();
      }
      return stage.model.requests.some(({ prompt, tools }) => tools.length > 0 && prompt.includes(text));
    },
    20_000,
    () => `the model to hear "${text}": ${stage.story()}`,
  );
};

/** Presses a key until the CLI is gone: one that it asks about at once again, any that was lost after a while. */
const pressUntilGone = async (stage: QuayStage, name: string, key: string, asks: RegExp | null): Promise<void> => {
  const isGone = (): boolean => stage.agent(name).status === "exited";
  let pressedAt = 0;
  await until(
    () => {
      if (isGone()) return true;
      const isAsked = asks?.test(stage.screen(name)) ?? false;
      if (Date.now() - pressedAt < (isAsked ? 300 : 2_000)) return false;
      stage.press(name, key);
      pressedAt = Date.now();
      return false;
    },
    30_000,
    () => `the CLI to leave: ${stage.story()}`,
  );
};

/** A key that the CLI wants twice before it leaves, with what it says after the first; one too early may be lost. */
export const pressTwice = (stage: QuayStage, name: string, key: string, says: RegExp): Promise<void> =>
  pressUntilGone(stage, name, key, says);

/** A key that ends the CLI at once; one too early may be lost, since a CLI draws its line before it listens. */
export const pressOnce = (stage: QuayStage, name: string, key: string): Promise<void> =>
  pressUntilGone(stage, name, key, null);
