import { expect } from "vitest";
import { deliveryId } from "../../../src/bus/ids.js";
import { MAX_HOPS } from "../../../src/bus/limits.js";
import { given, idOf, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

let count = 0;
const mailCame = (world: World, terminal: string, sender: string | null = null): void => {
  count += 1;
  world.take({
    kind: "mailCame",
    delivery: deliveryId(`mail-${count}`),
    terminal: idOf(terminal),
    from: "lead",
    sender: sender === null ? null : idOf(sender),
  });
};
const LINE = "[Mailbox]: New mail from lead. Read it with get_mailbox.";

verifies("mailbox:notify", "a notice is typed between turns, and stands on the trail", () => {
  const world = given("worker");
  world.idle("worker");
  mailCame(world, "worker");
  expect(world.pastes("worker")).toEqual([LINE]);
  expect(world.trail()[0]).toMatchObject({ from: "Mailbox", to: "worker", tag: "Mailbox", status: "Queued" });
});

verifies(
  "mailbox:notify",
  "one that waits is enough, and nothing is typed into a shell, an exited one or the sender",
  () => {
    const world = given("worker", "gone", { name: "shell", like: "shell" });
    world.idle("worker");
    world.exits("gone");
    for (const name of ["gone", "shell"]) mailCame(world, name);
    mailCame(world, "worker", "worker");
    expect(world.trail()).toEqual([]);
    for (let n = 0; n < 3; n += 1) mailCame(world, "worker");
    // The first is being typed, the second waits for it, the third adds nothing.
    expect(world.trail()).toHaveLength(2);
    expect(world.pastes("worker")).toEqual([LINE]);
  },
);

verifies("mailbox:notify:hops", "a notice counts as a hand-off of the sender's turn", () => {
  const world = given("lead", "worker");
  world.idle("lead", "worker");
  const hops: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    const [to, from] = n % 2 === 0 ? ["worker", "lead"] : ["lead", "worker"];
    const before = world.state().deliveries.size;
    mailCame(world, to!, from!);
    if (world.state().deliveries.size === before) break;
    const delivery = [...world.state().deliveries.values()].at(-1)!;
    hops.push(delivery.hops);
    world.typed(to!);
    world.answers(to!, `turn-${n}`, "read");
  }
  expect(hops).toEqual(Array.from({ length: MAX_HOPS }, (_, n) => n));
});
