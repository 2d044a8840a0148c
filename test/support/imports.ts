/** Reads what a source file imports, and whether only types of it; and what it exports that the house style forbids. */
import { posix } from "node:path";
import { nodesOf, parseSource, ts } from "./syntax.js";

export type Import = {
  readonly file: string;
  readonly line: number;
  /** A file of ours as `src/…`, without its ending; a package's name otherwise; null when it is not written out. */
  readonly target: string | null;
  readonly isOurs: boolean;
  readonly typesOnly: boolean;
};

/** `a/b/c.js` → `a`, `@a/b/c.js` → `@a/b`, `node:fs/promises` → `node:fs/promises`. */
const packageOf = (specifier: string): string => {
  if (specifier.startsWith("node:")) return specifier;
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
};

const specifierOf = (node: ts.Node | undefined): string | null =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : null;

const bringsTypesOnly = (node: ts.ImportDeclaration): boolean => {
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined || ts.isNamespaceImport(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
};

type Found = { readonly specifier: string | null; readonly typesOnly: boolean };

const importOf = (node: ts.Node): Found | null => {
  if (ts.isImportDeclaration(node)) {
    return { specifier: specifierOf(node.moduleSpecifier), typesOnly: bringsTypesOnly(node) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: specifierOf(node.moduleSpecifier), typesOnly: node.isTypeOnly };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return { specifier: specifierOf(node.arguments[0]), typesOnly: false };
  }
  if (ts.isImportTypeNode(node)) {
    const argument = ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
    return { specifier: specifierOf(argument), typesOnly: true };
  }
  if (ts.isExternalModuleReference(node)) return { specifier: specifierOf(node.expression), typesOnly: false };
  return null;
};

export const importsIn = (file: string, text: string): readonly Import[] => {
  const tree = parseSource(file, text);
  return nodesOf(tree).flatMap((node) => {
    const found = importOf(node);
    if (found === null) return [];
    const { specifier, typesOnly } = found;
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    const isOurs = specifier?.startsWith(".") ?? false;
    const target =
      specifier === null
        ? null
        : isOurs
          ? posix.join(posix.dirname(file), specifier).replace(/\.(js|jsx|ts|tsx)$/, "")
          : packageOf(specifier);
    return [{ file, line, target, isOurs, typesOnly }];
  });
};

const isDefaultExport = (node: ts.Node): boolean =>
  ts.isExportAssignment(node) ||
  (ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) ?? false)) ||
  (ts.isExportSpecifier(node) && node.name.text === "default");

const isReExport = (node: ts.Node): boolean => ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined;

/** Each as a rule that was broken; the longest file has 300 lines. */
export const exportFaultsIn = (file: string, text: string): readonly string[] => {
  const tree = parseSource(file, text);
  const lines = text.replace(/\n$/, "").split("\n").length;
  const statements = tree.statements.filter((statement) => !ts.isImportDeclaration(statement));
  return [
    ...(lines > 300 ? [`has ${lines} lines; the limit is 300`] : []),
    ...(nodesOf(tree).some(isDefaultExport) ? ["has a default export"] : []),
    ...(statements.some((node) => isReExport(node) && (node as ts.ExportDeclaration).exportClause === undefined)
      ? ["exports everything of another file (export *)"]
      : []),
    ...(statements.length > 0 && statements.every(isReExport) ? ["is a barrel: it only re-exports"] : []),
  ];
};

const IMPURE = new Set([
  "process",
  "console",
  "performance",
  "crypto",
  "fetch",
  "require",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "Date",
  "globalThis",
]);

/** Uses of clocks, randomness, timers and the platform, which pure folders do not have. */
export const impuritiesIn = (file: string, text: string): readonly string[] => {
  const tree = parseSource(file, text);
  return nodesOf(tree).flatMap((node) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    if (ts.isPropertyAccessExpression(node) && node.getText(tree) === "Math.random") return [`${line}: Math.random`];
    if (!ts.isIdentifier(node) || !IMPURE.has(node.text)) return [];
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isName = "name" in parent && parent.name === node;
    return isMember || isName ? [] : [`${line}: ${node.text}`];
  });
};
