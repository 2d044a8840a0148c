// Gets the real CLIs from npm into the ignored folder .e2e, each into one of its own, once: the pins of clis.mjs into
// .e2e/<kind>, or the newest versions into .e2e/latest/<kind>. A CLI that cannot be had comes back with the reason.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLIS, NODE } from "./clis.mjs";

const ROOT = fileURLToPath(new URL("../../.e2e", import.meta.url));

const npm = (args, folder, env) =>
  spawnSync("npm", [...args, "--engine-strict=false"], { cwd: folder, env, encoding: "utf8", timeout: 5 * 60_000 });

/** The few lines of npm that say why. */
const reasonOf = (run) => {
  if (run.error) return `npm could not be started: ${run.error.message}`;
  const lines = run.stderr.split("\n").filter((line) => line.startsWith("npm error"));
  return lines.slice(0, 3).join(" ") || run.stderr.slice(-300);
};

/** The version that the program itself tells, asked in a home of its own. */
const tells = (argv, version) => {
  const home = mkdtempSync(join(tmpdir(), "quay-version-"));
  const asked = spawnSync(argv[0], [...argv.slice(1), "--version"], {
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: home, TERM: "dumb" },
    encoding: "utf8",
    timeout: 60_000,
  });
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return asked.status === 0 && asked.stdout.split(/[\s,]+/).some((word) => word.replace(/^v|\.$/g, "") === version);
};

/** @returns {{ argv: string[], version: string } | { why: string }} */
const install = (folder, wanted, { bin, env, runner = [] }) => {
  const name = wanted.package;
  const argv = [...runner, join(folder, "node_modules", ".bin", bin)];
  const manifest = join(folder, "node_modules", name, "package.json");
  const installed = () => existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version;
  let { version } = wanted;
  if (version === "latest") {
    const asked = npm(["view", name, "dist-tags.latest"], tmpdir(), env);
    if (asked.status !== 0) return { why: `npm view ${name} failed: ${reasonOf(asked)}` };
    version = asked.stdout.trim();
  }
  if (installed() === version && tells(argv, version)) return { argv, version };
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // A package of its own, so that npm does not look for ours above it.
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const run = npm(["install", "--no-audit", "--no-fund", "--save-exact", `${name}@${version}`], folder, env);
  if (run.status !== 0) return { why: `npm install ${name}@${version} failed: ${reasonOf(run)}` };
  if (!tells(argv, version)) return { why: `${argv.join(" ")} does not tell that it is version ${version}` };
  return { argv, version };
};

/**
 * @param {{ latest?: boolean, kinds?: readonly string[] }} options
 * @returns {Record<string, { argv: string[], version: string } | { why: string }>} by kind
 */
export const installClis = ({ latest = false, kinds = Object.keys(CLIS) } = {}) => {
  let node;
  const onNode = () => {
    node ??= install(join(ROOT, NODE.folder), NODE, { bin: "node", env: process.env });
    return node;
  };
  const one = (kind) => {
    const cli = CLIS[kind];
    const folder = latest ? join(ROOT, "latest", kind) : join(ROOT, kind);
    const wanted = { package: cli.package, version: latest ? "latest" : cli.version };
    if (!cli.node) return install(folder, wanted, { bin: cli.bin, env: process.env });
    const runner = onNode();
    if ("why" in runner) return { why: `it needs Node ${NODE.version}: ${runner.why}` };
    const path = [join(runner.argv[0], ".."), process.env.PATH].join(delimiter);
    return install(folder, wanted, { bin: cli.bin, env: { ...process.env, PATH: path }, runner: runner.argv });
  };
  return Object.fromEntries(kinds.map((kind) => [kind, one(kind)]));
};
