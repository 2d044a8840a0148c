// npm run bench [-- a b c …]: makes a copy of the sources as JavaScript in a scratch folder, so that what is measured
// is one state of the tree and plain Node runs it, and starts main.ts there. Figures: docs/performance.md.
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "quay-bench-")));
const compilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  jsx: ts.JsxEmit.ReactJSX,
  verbatimModuleSyntax: true,
};

for (const folder of ["src", "test/bench", "test/support"]) {
  for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name)) continue;
    const target = join(scratch, folder, name.replace(/\.tsx?$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(root, folder, name), "utf8");
    writeFileSync(target, ts.transpileModule(text, { compilerOptions, fileName: name }).outputText);
  }
}
for (const folder of ["src/adapters/assets", "presets", "test/fixtures/screens", "test/fixtures/osc"]) {
  cpSync(join(root, folder), join(scratch, folder), { recursive: true });
}
for (const name of ["idle-agent.sh", "printing-agent.sh"]) {
  cpSync(join(root, "test/bench", name), join(scratch, "test/bench", name));
  chmodSync(join(scratch, "test/bench", name), 0o755);
}
cpSync(join(root, "package.json"), join(scratch, "package.json"));
symlinkSync(join(root, "node_modules"), join(scratch, "node_modules"));

const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
const profile = process.env.BENCH_PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [];
const child = spawn(
  process.execPath,
  [...profile, "--expose-gc", join(scratch, "test/bench/main.js"), ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...env, QUAY_BENCH_SCRATCH: scratch } },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  process.exit(code ?? 1);
});
