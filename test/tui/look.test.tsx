import { expect, test } from "vitest";
import { agentView, snapshotOf } from "../support/fake-client.js";
import { atEachSize, showMissionControl } from "../support/mission-control.js";
import { verifies } from "../support/verifies.js";

const pair = snapshotOf([agentView({ name: "architect" }), agentView({ name: "impl" })]);
const hostile =
  "\x1b[31mred\x1b[39m 你好 \x1b[38;5;208;1mamber\x1b[0m \x1b[48;2;1;2;3mdeep\x1b[m\n\x1b[2J\x1b]0;owned\x07\x9b5m\x1b[?1049l\x1b[999;5mend";

atEachSize((size) => {
  verifies("screen:preview", "the screen is seen live with its colours, and inert", async () => {
    const { terminal, client, timing, press } = await showMissionControl(pair, size);
    let ansi = hostile;
    client.answer = () => ({ ok: true, ansi });
    await press("\x1b[B", "p");
    expect(client.commands).toEqual([{ kind: "look", target: "term-impl" }]);
    expect(await terminal.text()).toContain("Screen of impl");
    expect(await terminal.text()).toContain("red 你好 amber deep");
    expect(await terminal.text()).toContain("␛[2J␛]0;owned␇");
    expect(terminal.written()).toContain("\x1b[31mred");
    expect(terminal.written()).toMatch(/\x1b\[[\d;]*38;5;208[\d;]*mamber/);
    expect(terminal.written()).toMatch(/\x1b\[[\d;]*48;2;1;2;3mdeep/);
    for (const bytes of ["\x1b[2J", "\x1b]0;", "\x1b[?1049l", "999"]) expect(terminal.written()).not.toContain(bytes);
    ansi = "next";
    await timing.advance(1_200);
    expect(await terminal.text()).toContain("next");
    terminal.takeBytes();
    await timing.advance(10_000);
    expect(terminal.takeBytes()).toBe(0);
    const asked = client.commands.length;
    await press("\x1b");
    await timing.advance(10_000);
    expect(client.commands).toHaveLength(asked);
    expect(timing.waiting()).toBe(0);
  });
});

verifies("screen:colours", "a terminal of 16 or 256 colours is sent no other", async () => {
  for (const depth of ["16", "256"] as const) {
    const { terminal, client, press } = await showMissionControl(pair, [80, 24], { depth });
    client.answer = () => ({ ok: true, ansi: hostile });
    await press("p");
    expect(await terminal.text()).toContain("amber deep");
    expect(terminal.written()).not.toMatch(/[34]8;2;/);
    expect(terminal.written()).toMatch(depth === "16" ? /\x1b\[[\d;]*93mamber/ : /\x1b\[[\d;]*38;5;208[\d;]*mamber/);
    expect(terminal.written()).toMatch(depth === "16" ? /\x1b\[[\d;]*40mdeep/ : /\x1b\[[\d;]*48;5;16mdeep/);
    if (depth === "16") expect(terminal.written()).not.toMatch(/[34]8;5;/);
  }
});

test("with NO_COLOR only its weights are left", async () => {
  const { terminal, client, press } = await showMissionControl(pair, [80, 24], { depth: "none" });
  client.answer = () => ({ ok: true, ansi: hostile });
  await press("p");
  expect(await terminal.text()).toContain("amber deep");
  expect(terminal.written()).not.toMatch(/[34]8;[25]|\x1b\[[\d;]*31m/);
});
