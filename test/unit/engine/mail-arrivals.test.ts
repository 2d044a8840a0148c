import { expect } from "vitest";
import { deliveryId, terminalId } from "../../../src/bus/ids.js";
import type { Input } from "../../../src/bus/protocol.js";
import type { Engine } from "../../../src/engine/engine.js";
import { createMailArrivals } from "../../../src/engine/mail-arrivals.js";
import type { Ids, Settings } from "../../../src/engine/ports.js";
import { given, idOf } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const arrange = (settings: () => Pick<Settings, "mailbox">) => {
  const world = given("worker", "gone", "lead");
  world.exits("gone");
  const [toasts, inputs]: [string[], Input[]] = [[], []];
  const engine = { state: world.state, now: world.now, submit: async (input: Input) => void inputs.push(input) };
  const arrived = createMailArrivals({
    engine: engine as unknown as Engine,
    ids: { delivery: () => deliveryId("msg-1") } as Ids,
    settings: settings as () => Settings,
    toast: ({ text }) => void toasts.push(text),
  });
  return { arrived, toasts, inputs };
};
const mail = { from: "lead", to: "worker", sender: idOf("lead"), terminal: idOf("worker") };

verifies("mailbox:arrival:shown", "mail for a running agent is shown, and nothing is typed", () => {
  const { arrived, toasts, inputs } = arrange(() => ({ mailbox: { notify: false } }));
  arrived(mail);
  arrived({ ...mail, to: "recon" });
  arrived({ ...mail, terminal: idOf("gone") });
  arrived({ ...mail, terminal: "term-forgotten" });
  arrived({ ...mail, terminal: null });
  expect(toasts).toEqual(["Mail for worker from lead", "Mail for recon (worker) from lead"]);
  expect(inputs).toEqual([]);
});

verifies("mailbox:notify", "with the setting the bus is told; settings that cannot be read ask for nothing", () => {
  const { arrived, inputs } = arrange(() => ({ mailbox: { notify: true } }));
  arrived(mail);
  arrived({ ...mail, terminal: idOf("gone") });
  expect(inputs).toEqual([
    {
      kind: "mailCame",
      delivery: "msg-1",
      terminal: terminalId("term-worker"),
      from: "lead",
      sender: terminalId("term-lead"),
    },
  ]);
  const broken = arrange(() => {
    throw new Error("not JSON");
  });
  broken.arrived(mail);
  expect([broken.toasts.length, broken.inputs]).toEqual([1, []]);
});
