import fc from "fast-check";
import { expect, test } from "vitest";
import type { Marks } from "../../../src/mailbox/rules/records.js";
import {
  advance,
  answerTo,
  dateAfter,
  isActive,
  isMatch,
  type MarkStatus,
  maySee,
} from "../../../src/mailbox/rules/thread.js";
import { verifies } from "../../support/verifies.js";

const message = { from: { id: "a", name: "lead" }, to: { id: "b", name: "worker" } };

verifies("mailbox:mark:forward", "whatever order and repeat, each mark is set once and ack implies read", () => {
  const statuses = fc.array(fc.constantFrom<MarkStatus>("read", "ack"), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(statuses, (order) => {
      let marks: Marks = { readAt: null, ackAt: null };
      order.forEach((status, at) => {
        marks = advance(marks, status, 100 + at);
      });
      const firstAck = order.indexOf("ack");
      expect(marks).toEqual({ readAt: 100, ackAt: firstAck < 0 ? null : 100 + firstAck });
    }),
  );
});

verifies("mailbox:visibility", "a message is its sender's and its recipient's", () => {
  expect(["a", "b", "c"].map((agent) => maySee(message, agent))).toEqual([true, true, false]);
});

verifies("mailbox:reply:to", "a reply goes to the other party, also when one answers oneself", () => {
  expect([answerTo(message, "a").id, answerTo(message, "b").id]).toEqual(["b", "a"]);
});

test("dates rise strictly within a thread, also when the clock stands still or goes back", () => {
  expect([dateAfter(null, 50), dateAfter(40, 50), dateAfter(50, 50), dateAfter(90, 50)]).toEqual([50, 50, 51, 91]);
});

verifies("mailbox:active:five-minutes", "active until 5 minutes have passed", () => {
  const at = (ms: number) => isActive({ activeAt: 1_000 }, 1_000 + ms);
  expect([at(0), at(299_999), at(300_000)]).toEqual([true, true, false]);
});

verifies("mailbox:list:narrow", "a query is found in name or description, in any case", () => {
  const agent = { name: "codex-recon", description: "Finds Hosts" };
  const found = ["", "recon", "RECON", "hosts", "s H", "q"].map((query) => isMatch(agent, query));
  expect(found).toEqual([true, true, true, true, true, false]);
  expect(isMatch({ name: "a", description: null }, "b")).toBe(false);
});
