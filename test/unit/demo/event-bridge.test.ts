import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bridgePlace, openEventBridge } from "../../../src/demo/event-bridge.js";
import { isEventName, parseEvent } from "../../../src/feeds/spool-file.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "quay-demo-spool-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the event bridge", () => {
  it("leaves files that the spool reads, in the order of the events, for the owner's eyes", async () => {
    const bridge = openEventBridge({ spoolDir: folder, secret: "s3cret", eventsUrl: null, pane: "%7", pid: 4321 });
    const turns = Array.from({ length: 40 }, (_, index) => `p${index}`);
    for (const prompt_id of turns) bridge.report("UserPromptSubmit", { prompt_id, prompt: "a\tb\nc" });
    const names = (await readdir(folder)).sort();
    expect(names.every(isEventName)).toBe(true);
    const events = await Promise.all(
      names.map(async (name) => parseEvent(name, await readFile(join(folder, name), "utf8"), 0n)),
    );
    expect(events.map((event) => event.payload.prompt_id)).toEqual(turns);
    expect(events[0]).toMatchObject({ event: "UserPromptSubmit", secret: "s3cret", pane: "%7", cliPid: 4321 });
    expect(Math.abs((events[0]?.writtenAt ?? 0) - Date.now())).toBeLessThan(5_000);
    expect((await stat(join(folder, names[0] ?? ""))).mode & 0o777).toBe(0o600);
  });

  it("pokes with the secret as bearer, and forgives an address that does not answer", async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push([request.method, request.url, request.headers.authorization]);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const eventsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    const place = { spoolDir: folder, secret: "s3cret", eventsUrl, pane: "", pid: 1 };
    const bridge = openEventBridge(place);
    bridge.report("Stop", {});
    await bridge.settled();
    expect(seen).toEqual([["POST", "/events", "Bearer s3cret"]]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    bridge.report("Stop", {});
    await bridge.settled();
    expect(await readdir(folder)).toHaveLength(2);
  });

  it("does nothing without a place, and does not fail when the folder is gone", async () => {
    expect(bridgePlace({}, 1)).toBeNull();
    expect(bridgePlace({ QUAY_SPOOL: folder, QUAY_EVENTS_SECRET: "" }, 1)).toBeNull();
    openEventBridge(null).report("Stop", {});
    openEventBridge({ spoolDir: join(folder, "gone"), secret: "s", eventsUrl: null, pane: "", pid: 1 }).report(
      "Stop",
      {},
    );
    expect(await readdir(folder)).toEqual([]);
  });
});
