/**
 * Sources for a child process of a test: transpiled to a folder outside the repository, so that a process that is
 * killed runs today's code and needs no build.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSources, repositoryRoot } from "./source-files.js";
import { ts } from "./syntax.js";

/** Writes these folders of src/ below `target`; `target/src/store/lock.js` can then be imported. */
export const writeChildSources = (target: string, folders: readonly string[]): void => {
  writeFileSync(join(target, "package.json"), '{ "type": "module" }');
  symlinkSync(join(repositoryRoot, "node_modules"), join(target, "node_modules"));
  for (const folder of folders) {
    for (const { path, text } of readSources(`src/${folder}`, /\.ts$/)) {
      const file = join(target, path.replace(/\.ts$/, ".js"));
      mkdirSync(dirname(file), { recursive: true });
      const { outputText } = ts.transpileModule(text, {
        compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
      });
      writeFileSync(file, outputText);
    }
  }
};
