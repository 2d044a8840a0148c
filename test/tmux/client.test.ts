/** One control client on real tmux: what counts as no answer. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openClient } from "../../src/tmux/client.js";
import { controlEnv } from "../../src/tmux/connection.js";
import { createTmuxServer, type TmuxServer } from "../support/tmux-server.js";

let server: TmuxServer;
beforeEach(() => {
  server = createTmuxServer();
  server.startBare("quay");
});
afterEach(() => server.end());

test("an engine that stood still itself reads what has come before it calls tmux silent", async () => {
  const client = await openClient({
    tmux: "tmux",
    args: ["-N", "-u", "-L", server.name, "-C", "attach-session", "-E", "-t", "=quay", "-f", "no-output,ignore-size"],
    env: controlEnv("test"),
    timeoutMs: 200,
  });
  const answer = client.request("display-message -p here");
  // As after SIGSTOP and SIGCONT: the answer lies ready, and the time is over.
  for (const end = Date.now() + 600; Date.now() < end; );
  expect(await answer).toMatchObject({ kind: "answered" });
  expect(await client.request("display-message -p again")).toMatchObject({ kind: "answered" });
  await client.end();
});
