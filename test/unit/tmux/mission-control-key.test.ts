import { describe, expect, it } from "vitest";
import type { Answer } from "../../../src/tmux/client.js";
import { bindKey, unbindKey } from "../../../src/tmux/mission-control-key.js";

const answer = (...lines: readonly string[]): Answer => ({
  kind: "answered",
  blocks: [{ ok: true, ours: true, lines: lines.map((line) => Buffer.from(line)) }],
});

const given = (isOwnServer: boolean, ...keys: readonly string[]) => {
  const lines: string[] = [];
  const ask = async (line: string): Promise<Answer> => {
    lines.push(line);
    return line === "list-keys -T prefix" ? answer(...keys) : answer();
  };
  return { lines, spot: { ask, tmuxSession: "quay", instance: "test", isOwnServer } };
};
const OURS = "bind-key    -T prefix M       new-window -S -e QUAY_CONTROL=test-stock -t =quay: -- /usr/bin/env quay";
const THEIRS = "bind-key -r -T prefix M       resize-pane -L";
const OTHER = "bind-key    -T prefix M       new-window -S -e QUAY_CONTROL=other-stock -t =quay: -- /usr/bin/env quay";
const STOCK = "bind-key    -T prefix M       select-pane -M";
const MOUSE = "bind-key    -T prefix M-1     select-layout even-horizontal";

describe("prefix M", () => {
  it.each([
    [false, [MOUSE], "test-free"],
    [false, [STOCK, MOUSE], "test-stock"],
    [false, [OURS], "test-stock"],
    [true, [THEIRS], "test-stock"],
  ])("is bound (own server %j) over %j", async (isOwn, keys, mark) => {
    const { lines, spot } = given(isOwn, ...keys);
    expect(await bindKey(spot, ["quay", "a b"])).toBe(true);
    expect(lines[1]).toContain(`-e QUAY_CONTROL=${mark} -- \\"/usr/bin/env\\" \\"quay\\" \\"a b\\"`);
  });

  it("notes for each client whether it came from another session", async () => {
    const { lines, spot } = given(true);
    await bindKey(spot, ["quay"]);
    expect(lines[1]).toContain("@quay_from_#{client_pid}");
    expect(lines[1]).toContain("#{==:#{client_session},#{session_name}}");
  });

  it.each([[THEIRS], [OTHER]])("is left alone on a user's server: %j", async (key) => {
    const { lines, spot } = given(false, key);
    expect(await bindKey(spot, ["quay"])).toBe(false);
    await unbindKey(spot);
    expect(lines.filter((line) => line !== "list-keys -T prefix")).toEqual([]);
  });

  it("is given back as it was", async () => {
    const stock = given(false, OURS);
    await unbindKey(stock.spot);
    expect(stock.lines[1]).toBe("bind-key -T prefix M select-pane -M");
    const free = given(false, OURS.replace("test-stock", "test-free"));
    await unbindKey(free.spot);
    expect(free.lines[1]).toBe("unbind-key -T prefix M");
  });
});
