/**
 * The small project of the demo: its rules, its tests, its implementation, as the files that the scripted agents
 * really write. Text only; who writes them, and when, is the scripts' business.
 */
export const OUR_MARK = "Written by Quay's demo agent (scripted, no model).";

export const RULES_FILE = "AGENTS.md";
export const TEST_FILE = "tests/parseDuration.test.mjs";
export const SOURCE_FILE = "src/parseDuration.mjs";

export const RULES_TEXT = `# parseDuration

${OUR_MARK}

\`parseDuration(text)\` in ${SOURCE_FILE} turns a duration into milliseconds. Rules:

1. A number with a unit counts in that unit: ms, s, m, h or d.
2. Several parts add up: 1h30m.
3. Blanks around and between parts do not matter.
4. A number without a unit is milliseconds.
5. Fractions are allowed: 1.5h.
6. Empty text is a RangeError.
7. An unknown unit is a RangeError.
8. Units go from large to small, each at most once; anything else is a RangeError.
9. A negative duration is a RangeError.

Run the tests with \`node --test ${TEST_FILE}\`.
`;

export const TEST_TEXT = `// ${OUR_MARK}
// One test per rule of ${RULES_FILE}.
import assert from "node:assert/strict";
import test from "node:test";

const load = async () => (await import("../${SOURCE_FILE}")).parseDuration;

test("rule 1: a number with a unit counts in that unit", async () => {
  const parseDuration = await load();
  assert.equal(parseDuration("250ms"), 250);
  assert.equal(parseDuration("45s"), 45_000);
  assert.equal(parseDuration("2m"), 120_000);
  assert.equal(parseDuration("3h"), 10_800_000);
  assert.equal(parseDuration("1d"), 86_400_000);
});

test("rule 2: several parts add up", async () => {
  const parseDuration = await load();
  assert.equal(parseDuration("1h30m"), 5_400_000);
  assert.equal(parseDuration("1d2h3m4s5ms"), 93_784_005);
});

test("rule 3: blanks do not matter", async () => {
  const parseDuration = await load();
  assert.equal(parseDuration("  1h 30m "), 5_400_000);
});

test("rule 4: a number without a unit is milliseconds", async () => {
  const parseDuration = await load();
  assert.equal(parseDuration("1500"), 1_500);
});

test("rule 5: fractions are allowed", async () => {
  const parseDuration = await load();
  assert.equal(parseDuration("1.5h"), 5_400_000);
});

test("rule 6: empty text is a RangeError", async () => {
  const parseDuration = await load();
  assert.throws(() => parseDuration(""), RangeError);
  assert.throws(() => parseDuration("   "), RangeError);
});

test("rule 7: an unknown unit is a RangeError", async () => {
  const parseDuration = await load();
  assert.throws(() => parseDuration("3y"), RangeError);
});

test("rule 8: units go from large to small, each once", async () => {
  const parseDuration = await load();
  assert.throws(() => parseDuration("30m1h"), RangeError);
  assert.throws(() => parseDuration("1h1h"), RangeError);
});

test("rule 9: a negative duration is a RangeError", async () => {
  const parseDuration = await load();
  assert.throws(() => parseDuration("-5s"), RangeError);
});
`;

export const SOURCE_TEXT = `// ${OUR_MARK}
const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];
const PART = /^\\s*(\\d+(?:\\.\\d+)?)\\s*([a-z]+)\\s*/;

/** Milliseconds of a duration such as "1h 30m"; throws a RangeError that shows the text. The rules are in ${RULES_FILE}. */
export const parseDuration = (text) => {
  if (/^\\s*\\d+(?:\\.\\d+)?\\s*$/.test(text)) return Number(text);
  let rest = text;
  let total = 0;
  let next = 0;
  do {
    const part = PART.exec(rest);
    if (part === null) throw new RangeError(\`not a duration: \${JSON.stringify(text)}\`);
    const unit = UNITS.findIndex(([name], index) => name === part[2] && index >= next);
    if (unit < 0) throw new RangeError(\`unknown, repeated or misplaced unit "\${part[2]}" in \${JSON.stringify(text)}\`);
    total += Number(part[1]) * UNITS[unit][1];
    next = unit + 1;
    rest = rest.slice(part[0].length);
  } while (rest !== "");
  return total;
};
`;
