/** Finds bare sleeps in test sources: waits for time to pass instead of for something to happen. */
import { nodesOf, parseSource, ts } from "./syntax.js";

type Callback = ts.ArrowFunction | ts.FunctionExpression;
const isCallback = (node: ts.Node | undefined): node is Callback =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

const isCallOf = (node: ts.Node, name: RegExp): node is ts.CallExpression =>
  ts.isCallExpression(node) && name.test(node.expression.getText());

/** `resolve`, or a callback that calls nothing but `resolve`. */
const onlyResolves = (callback: ts.Expression | undefined, resolve: string): boolean => {
  if (callback === undefined) return false;
  if (ts.isIdentifier(callback)) return callback.text === resolve;
  if (!isCallback(callback)) return false;
  const calls = nodesOf(callback.body).filter(ts.isCallExpression);
  return calls.length > 0 && calls.every((call) => call.expression.getText() === resolve);
};

/** `new Promise((resolve) => setTimeout(resolve, ms))` with nothing else that could resolve it. */
const isSleepingPromise = (node: ts.Node): boolean => {
  if (!ts.isNewExpression(node) || node.expression.getText() !== "Promise") return false;
  const executor = node.arguments?.[0];
  if (!isCallback(executor)) return false;
  const resolve = executor.parameters[0]?.name.getText() ?? "";
  const inside = nodesOf(executor.body);
  const timers = inside.filter((inner) => isCallOf(inner, /^(globalThis\.)?setTimeout$/));
  const mentions = inside.filter((inner) => ts.isIdentifier(inner) && inner.text === resolve).length;
  return timers.length > 0 && mentions === timers.filter((timer) => onlyResolves(timer.arguments[0], resolve)).length;
};

const isTimersImport = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) && /^(node:)?timers\/promises$/.test((node.moduleSpecifier as ts.StringLiteral).text);

const isBlockingWait = (node: ts.Node): boolean =>
  isCallOf(node, /^Atomics\.wait$/) ||
  (isCallOf(node, /^(exec|execSync|execFile|execFileSync|spawn|spawnSync|execa|execaSync)$/) &&
    /^["'`]sleep\b/.test(node.arguments[0]?.getText() ?? "") &&
    !/^(spawn|exec|execFile|execa)$/.test(node.expression.getText()));

/** Lines, counted from 1, that sleep. */
export const sleepsIn = (file: string, text: string): readonly number[] => {
  if (!/setTimeout|timers\/promises|Atomics|sleep/.test(text)) return [];
  const tree = parseSource(file, text);
  return nodesOf(tree)
    .filter((node) => isSleepingPromise(node) || isTimersImport(node) || isBlockingWait(node))
    .map((node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1);
};
