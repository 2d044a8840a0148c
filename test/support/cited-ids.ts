/** Finds the requirement ids that test sources cite, without running them. Ids must be written out in the call. */
import { nodesOf, parseSource, ts } from "./syntax.js";

/** `id` is null when a call does not spell its ids out, so that nothing can be checked. */
export type Citation = { readonly file: string; readonly line: number; readonly id: string | null };

const idsOf = (argument: ts.Expression | undefined): readonly (string | null)[] => {
  if (argument === undefined) return [null];
  if (ts.isStringLiteralLike(argument)) return [argument.text];
  if (ts.isArrayLiteralExpression(argument)) return argument.elements.flatMap(idsOf);
  return [null];
};

export const citationsIn = (file: string, source: string): readonly Citation[] => {
  const tree = parseSource(file, source);
  return nodesOf(tree).flatMap((node) => {
    if (!ts.isCallExpression(node) || node.expression.getText(tree) !== "verifies") return [];
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    return idsOf(node.arguments[0]).map((id) => ({ file, line, id }));
  });
};
