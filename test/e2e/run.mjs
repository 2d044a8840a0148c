// npm run test:e2e: the tests with real CLIs. Installs them, then runs vitest again inside a network namespace that has
// nothing but loopback, with an environment of its own and a scratch home.
// A CLI that cannot be had is left out with the reason; with CI set that is a failure, as every skip is.
// `--latest` takes the newest versions instead of the pins. `--write` writes down what each CLI showed, for the matrix of
// docs/cli-flags.md (`npm run docs` renews the page); without it a difference is a failure.
// All other arguments are given on to vitest: `npm run test:e2e -- test/e2e/relay.test.ts`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLIS } from "./clis.mjs";
import { installClis } from "./install.mjs";
import { compareMatrix, writeMatrix } from "./matrix.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ci = Boolean(process.env.CI) && process.env.CI !== "false";

const skip = (why) => {
  console.log(`test:e2e skipped: ${why}`);
  console.log(ci ? "0 passed, 1 failed (a skip is a failure here)" : "0 passed, 0 failed, 1 skipped");
  process.exit(ci ? 1 : 0);
};

/** How this user may make a network namespace: as root, or as root of a user namespace. Null: not at all. */
const findUnshare = () => {
  for (const flags of [["-n"], ["-r", "-n"]]) {
    const tried = spawnSync("unshare", [...flags, "sh", "-c", "ip link set lo up && ip addr show lo"], {
      encoding: "utf8",
    });
    if (tried.status === 0 && tried.stdout.includes("127.0.0.1")) return flags;
  }
  return null;
};

const has = (program, ...args) => spawnSync(program, args).status === 0;

if (!has("tmux", "-V")) skip("tmux is not installed");
const flags = findUnshare();
if (flags === null) {
  skip(
    "a network namespace with loopback cannot be made here (unshare -n and `ip link set lo up`; iproute2, root or user namespaces)",
  );
}
const latest = process.argv.includes("--latest");
const writes = process.argv.includes("--write");
const given = process.argv.slice(2).filter((argument) => argument !== "--latest" && argument !== "--write");
const installed = installClis({ latest });
for (const [kind, had] of Object.entries(installed)) {
  const { title } = CLIS[kind];
  console.log("why" in had ? `${title} cannot be had: ${had.why}` : `${title} ${had.version}`);
}

const scratch = mkdtempSync(join(tmpdir(), "quay-e2e-"));
const report = join(scratch, "report.json");
const env = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: scratch,
  TMPDIR: tmpdir(),
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  SHELL: "/bin/sh",
  ...Object.fromEntries(
    Object.entries(installed).map(([kind, had]) => [`QUAY_E2E_${kind.toUpperCase()}`, JSON.stringify(had)]),
  ),
  ...(ci ? { CI: "true" } : {}),
};
const run = spawnSync(
  "unshare",
  [
    ...flags,
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
    "env",
    "-i",
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    process.execPath,
    join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--config",
    join(root, "test", "e2e", "vitest.e2e.config.ts"),
    "--reporter=verbose",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...given,
  ],
  { cwd: root, stdio: "inherit" },
);

let counts = null;
const differences = [];
try {
  const read = JSON.parse(readFileSync(report, "utf8"));
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = read;
  const whole = given.length === 0 && Object.values(installed).every((had) => !("why" in had));
  // Newer versions are tried, not written down.
  if (writes && !latest) writeMatrix(read, { whole });
  else if (!latest) differences.push(...compareMatrix(read, { whole }));
  counts = { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, suites: numFailedTestSuites };
} catch {
  // vitest did not come so far; its own words stand above
}
rmSync(scratch, { recursive: true, force: true });
if (counts === null) {
  console.log("0 passed, 1 failed (vitest gave no report)");
  process.exit(1);
}
for (const line of differences) console.log(`matrix: ${line}`);
if (differences.length > 0)
  console.log("matrix: `npm run test:e2e -- --write` and `npm run docs` write what was shown");
// A case that failed is counted already.
const unwritten = differences.some((line) => !line.endsWith("not shown")) ? 1 : 0;
const failed = counts.failed + unwritten + (ci ? counts.skipped : 0);
console.log(`${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`);
process.exit(run.status !== 0 || failed > 0 ? run.status || 1 : 0);
