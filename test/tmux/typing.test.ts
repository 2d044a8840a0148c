import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliveryId, terminalId } from "../../src/bus/ids.js";
import type { TerminalHost } from "../../src/engine/ports.js";
import { createTmuxServer, type TmuxServer } from "../support/tmux-server.js";
import { createTmuxPrograms, type TmuxPrograms } from "../support/tmux-world.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const T1 = terminalId("term-1");
const START = "\x1b[200~";
const END = "\x1b[201~";

const HOSTILE: readonly string[] = [
  "ends with a semicolon ;",
  "ends with an escaped one \\;",
  "-t %0 leads with a dash",
  "--",
  "C-c",
  "Enter",
  `"double" 'single' \`back\` \\ \\\\ \\n`,
  "#(touch canary) #{pid} #{E:x} ##{y} #[fg=red]",
  `$(touch canary) $HOME $\{HOME} ~ ~root`,
  "%H %M %S %% %12 100%",
  "{ braces } } {",
  "a\tTAB\tand two\t\t",
  "one\ntwo\n\nfour\n",
  "\n",
  " ",
  "請檢查 日本語 한국어",
  "e\u0301 o\u0308 👩‍👩‍👧‍👦 ❤️ 🇨🇭",
  "עברית שלום مرحبا",
  "quay d1 PASTED\n%end 1 1 1\n%error 1 2 1\n%exit",
  '" ; kill-server ; display-message "',
  "' ; kill-server ; '",
  `${"x".repeat(256 * 1024 - 3)}語`,
];

describe("typing on tmux", () => {
  let server: TmuxServer;
  let programs: TmuxPrograms;
  let host: TerminalHost;

  beforeEach(async () => {
    server = createTmuxServer();
    programs = createTmuxPrograms(server);
    host = server.host();
    await host.start();
    await host.launch(programs.receiver(T1));
    await programs.ready(T1);
  });
  afterEach(() => server.end());

  verifies(
    ["hazard:text-is-data", "hazard:one-submission", "hazard:no-control-keys"],
    "delivers every class of text byte for byte, as one bracketed paste each",
    async () => {
      let wanted = "";
      for (const [at, text] of HOSTILE.entries()) {
        const delivery = deliveryId(`d${at}`);
        expect(await host.paste(T1, delivery, text)).toEqual({ kind: "pasted" });
        expect(await host.enter(T1, delivery, null)).toEqual({ kind: "entered" });
        wanted += `${START}${text}${END}\r`;
      }
      const bytes = Buffer.from(wanted, "utf8");
      await until(
        () => programs.bytes(T1).length >= bytes.length,
        10_000,
        () => `${programs.bytes(T1).length} bytes`,
      );
      expect(programs.bytes(T1).equals(bytes)).toBe(true);
      expect(server.run("list-buffers")).toBe("");
    },
  );

  it("refuses a paste into a pane whose program ended, and the server lives on", async () => {
    const pid = server.pid();
    process.kill(host.pidOf(T1)!, "SIGKILL");
    // Asked in the same moment: the pane may already be dead while the table still says alive.
    await until(async () => {
      const reply = await host.paste(T1, deliveryId("d1"), "too late");
      return reply.kind === "refused" && reply.reason === "gone";
    });
    expect(await host.paste(T1, deliveryId("d2"), "too late")).toEqual({ kind: "refused", reason: "gone" });
    expect(server.pid()).toBe(pid);
  });

  verifies("hazard:copy-mode", "refuses a paste while a person scrolls, and presses Enter all the same", async () => {
    const pane = host.paneOf(T1)!;
    await host.paste(T1, deliveryId("d1"), "before the mode");
    server.run("copy-mode", "-t", pane);
    expect(await host.paste(T1, deliveryId("d2"), "in\nmode")).toEqual({ kind: "refused", reason: "mode" });
    expect(await host.enter(T1, deliveryId("d1"), { echoTail: "before the mode", cursor: null })).toEqual({
      kind: "entered",
    });
    await host.answerQuery(T1, Buffer.from("dropped"));
    server.run("copy-mode", "-q", "-t", pane);
    expect(await host.paste(T1, deliveryId("d2"), "after")).toEqual({ kind: "pasted" });
    await until(
      () => programs.received(T1) === "before the mode\rafter",
      5_000,
      () => programs.received(T1),
    );
  });

  it("refuses while input is off", async () => {
    server.run("select-pane", "-d", "-t", host.paneOf(T1)!);
    expect(await host.paste(T1, deliveryId("d1"), "x")).toEqual({ kind: "refused", reason: "input off" });
    server.run("select-pane", "-e", "-t", host.paneOf(T1)!);
    expect(await host.paste(T1, deliveryId("d1"), "x")).toEqual({ kind: "pasted" });
  });

  verifies("hazard:targets-are-ids", "refuses when the pane belongs to another terminal by now", async () => {
    const pane = host.paneOf(T1)!;
    for (const option of ["@quay_id", "@quay_instance"]) {
      const right = server.run("show-options", "-pv", "-t", pane, option);
      server.run("set-option", "-p", "-t", pane, option, "another");
      expect(await host.paste(T1, deliveryId("d1"), "x")).toEqual({ kind: "refused", reason: "gone" });
      server.run("set-option", "-p", "-t", pane, option, right);
    }
    expect(programs.received(T1)).toBe("");
  });

  it("types into one pane only while panes are synchronised", async () => {
    server.run("split-window", "-d", "-t", host.paneOf(T1)!, "cat");
    server.run("set-option", "-w", "-t", host.paneOf(T1)!, "synchronize-panes", "on");
    await host.paste(T1, deliveryId("d1"), "only here");
    await host.enter(T1, deliveryId("d1"), null);
    await until(() => programs.received(T1) === "only here\r");
    const panes = server.run("list-panes", "-t", host.paneOf(T1)!, "-F", "#{pane_id}").split("\n");
    const sibling = panes.find((pane) => pane !== host.paneOf(T1))!;
    expect(server.run("capture-pane", "-p", "-t", sibling).trim()).toBe("");
  });

  verifies(
    "hazard:freeze-is-stale",
    "says unknown when tmux does not answer, and fence tells what was typed",
    async () => {
      const heard: boolean[] = [];
      host.on((event) => event.kind === "reachable" && heard.push(event.reachable));
      const pid = server.pid()!;
      process.kill(pid, "SIGSTOP");
      let reply: unknown;
      try {
        reply = await host.paste(T1, deliveryId("d1"), "into a frozen server");
      } finally {
        process.kill(pid, "SIGCONT");
      }
      expect(reply).toEqual({ kind: "unknown" });
      expect(heard[0]).toBe(false);
      const [seen] = await host.fence();
      await until(() => heard.at(-1) === true);
      const pasted = seen!.pastedMarker === "d1";
      expect(await host.paste(T1, deliveryId("d1"), "into a frozen server")).toEqual(
        pasted ? { kind: "refused", reason: "already pasted" } : { kind: "pasted" },
      );
      await until(
        () => programs.received(T1) === "into a frozen server",
        5_000,
        () => programs.received(T1),
      );
    },
  );

  it("takes empty text and NUL for bugs", async () => {
    await expect(host.paste(T1, deliveryId("d1"), "")).rejects.toThrow(RangeError);
    await expect(host.paste(T1, deliveryId("d1"), "a\0b")).rejects.toThrow(RangeError);
    await expect(host.answerQuery(T1, new Uint8Array(2_000))).rejects.toThrow(RangeError);
  });
});
