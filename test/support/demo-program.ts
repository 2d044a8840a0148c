/**
 * The demo agent as a runnable program, made from the sources: a folder with the JavaScript of src/demo and of what
 * it imports, so that a test needs no build and never runs an old one.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PARTS = ["src/demo", "src/adapters", "src/lib"];

export type DemoProgram = { readonly agent: string; readonly remove: () => Promise<void> };

export const compileDemo = async (): Promise<DemoProgram> => {
  const folder = await mkdtemp(join(tmpdir(), "quay-demo-program-"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const part of PARTS) {
    const names = await readdir(join(ROOT, part), { recursive: true });
    for (const name of names.filter((one) => one.endsWith(".ts"))) {
      const text = await readFile(join(ROOT, part, name), "utf8");
      const target = join(folder, part, name.replace(/\.ts$/, ".js"));
      await mkdir(dirname(target), { recursive: true });
      const options = {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        verbatimModuleSyntax: true,
      };
      await writeFile(target, ts.transpileModule(text, { compilerOptions: options }).outputText);
    }
  }
  return {
    agent: join(folder, "src/demo/agent.js"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
