/** How the doctor's findings are printed: one line of state before each sentence, its advice below, 80 columns. Pure. */
import { countOf, type Finding, type Section } from "../doctor/finding.js";
import { wrapTo } from "./screen.js";

const COLUMNS = 80;
const STATE_CELLS = 9;
const MARGIN = "  ";

const wordFinding = ({ state, what, advice }: Finding, columns: number): string => {
  const indent = MARGIN + " ".repeat(STATE_CELLS);
  const cells = columns - indent.length;
  const [head = "", ...rest] = wrapTo(what, cells);
  const advised =
    advice === null ? [] : wrapTo(advice, cells - 3).map((row, at) => `${at === 0 ? "-> " : "   "}${row}`);
  return [`${MARGIN}${state.padEnd(STATE_CELLS)}${head}`, ...[...rest, ...advised].map((row) => indent + row), ""].join(
    "\n",
  );
};

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** @param columns of the terminal; never more than 80 are used. */
export const wordSections = (sections: readonly Section[], columns: number): string => {
  const width = Math.max(40, Math.min(COLUMNS, columns));
  const body = sections
    .filter(({ findings }) => findings.length > 0)
    .map(({ title, findings }) => `${title}\n${findings.map((finding) => wordFinding(finding, width)).join("")}`)
    .join("\n");
  const [problems, warnings] = [countOf(sections, "problem"), countOf(sections, "warning")];
  const sum =
    problems === 0 && warnings === 0
      ? "All is well."
      : `${counted(problems, "problem")}, ${counted(warnings, "warning")}.`;
  return `${body}\n${sum}\n`;
};

/** For programs: the findings in order, each with its section, and the counts. */
export const jsonOf = (sections: readonly Section[]): unknown => ({
  findings: sections.flatMap(({ title, findings }) => findings.map((finding) => ({ section: title, ...finding }))),
  problems: countOf(sections, "problem"),
  warnings: countOf(sections, "warning"),
});
