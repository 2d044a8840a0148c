/** The real CLIs that test/e2e/run.mjs installed, handed on by variables. A CLI that cannot be had skips its tests. */
import { beforeEach } from "vitest";

type Had = { readonly argv: readonly string[] } | { readonly why: string };

const found = (kind: string): Had => {
  const value = process.env[`QUAY_E2E_${kind.toUpperCase()}`];
  if (value === undefined) {
    throw new Error(`QUAY_E2E_${kind.toUpperCase()} is not set: run these tests by \`npm run test:e2e\``);
  }
  return JSON.parse(value) as Had;
};

/** The command line that starts this CLI. Throws when it cannot be had. */
export const programOf = (kind: string): readonly string[] => {
  const had = found(kind);
  if ("why" in had) throw new Error(had.why);
  return had.argv;
};

/** Skips every test of the file that calls this, with the reason, when one of these CLIs cannot be had. */
export const needs = (...kinds: readonly string[]): void => {
  beforeEach((context) => {
    for (const kind of kinds) {
      const had = found(kind);
      if ("why" in had) context.skip(`${kind} cannot be had: ${had.why}`);
    }
  });
};
