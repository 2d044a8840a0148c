/** TypeScript's own parser for the tests that read sources: comments and strings can then fool nobody. */
import ts from "typescript";

export { ts };

export const parseSource = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.ES2023,
    true,
    path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

/** The node and all below it, in the order of the source. */
export const nodesOf = (node: ts.Node): readonly ts.Node[] => {
  const found: ts.Node[] = [];
  const visit = (next: ts.Node): void => {
    found.push(next);
    next.forEachChild(visit);
  };
  visit(node);
  return found;
};
