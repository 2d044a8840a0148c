// The matrix of docs/cli-flags.md: what each real CLI showed in the end-to-end tests. test/e2e/contract/matrix.json holds
// what was seen; `npm run test:e2e -- --write` renews it.
import { readFileSync } from "node:fs";
import { CLIS } from "../../test/e2e/clis.mjs";

export const readMatrix = () =>
  JSON.parse(readFileSync(new URL("../../test/e2e/contract/matrix.json", import.meta.url), "utf8"));

export const renderMatrix = (matrix) => {
  const kinds = Object.keys(CLIS).filter((kind) => matrix[kind] !== undefined);
  const capabilities = [...new Set(kinds.flatMap((kind) => matrix[kind]))];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [
    line(["shown by the real CLI", ...kinds.map((kind) => `${CLIS[kind].title} ${CLIS[kind].version}`)]),
    line(["---", ...kinds.map(() => "---")]),
    ...capabilities.map((one) => line([one, ...kinds.map((kind) => (matrix[kind].includes(one) ? "yes" : "–"))])),
  ].join("\n");
};
