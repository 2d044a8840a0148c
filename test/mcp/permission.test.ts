import { expect } from "vitest";
import { agent, secretOf, tokenOf } from "../support/fake-engine.js";
import { askOnce, startBridge } from "../support/loopback.js";
import { verifies } from "../support/verifies.js";

verifies(
  ["approve:only-own-cli", "approve:no-rule-no-answer"],
  "a hook hears the answer to its own file, or nothing",
  async () => {
    const { port, engine } = await startBridge([agent("term-1"), agent("term-2")]);
    engine.answers.set("term-1/1-2.event", { yes: true });
    const ask = (token: string, body: string) => askOnce(port, { path: "/events", method: "POST", token, body });
    expect(await ask(secretOf("term-1"), "1-2.event")).toMatchObject({ status: 200, text: '{"yes":true}' });
    expect(await ask(secretOf("term-1"), "9-9.event")).toMatchObject({ status: 204, text: "" });
    expect(await ask(secretOf("term-1"), "")).toMatchObject({ status: 204, text: "" });
    expect(await ask(secretOf("term-2"), "1-2.event")).toMatchObject({ status: 204, text: "" });
    expect((await ask(tokenOf("term-1"), "1-2.event")).status).toBe(401);
    expect(engine.poked).toEqual(["term-1", "term-1", "term-1", "term-2"]);
  },
);
