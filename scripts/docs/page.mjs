// A generated part of a page: the lines between its two markers, or with part null all of them. Pure text in, text out;
// knows no tool and no file.

const opening = (part) => `<!-- generated: ${part} (npm run docs) -->`;
const closing = (part) => `<!-- end: ${part} -->`;

const split = (text, part) => {
  if (part === null) return { before: "", inside: text, after: "" };
  const from = text.indexOf(opening(part));
  const to = text.indexOf(closing(part), from);
  if (from === -1 || to === -1) return null;
  const start = from + opening(part).length;
  return { before: text.slice(0, start), inside: text.slice(start, to), after: text.slice(to) };
};

/** The page with this part replaced. Throws when the markers are missing. */
export const writePart = (text, part, content) => {
  if (part === null) return `${content.trim()}\n`;
  const found = split(text, part);
  if (found === null) {
    throw new Error(`the markers are missing: ${opening(part)} and ${closing(part)}`);
  }
  return `${found.before}\n\n${content.trim()}\n\n${found.after}`;
};

/** Lines that differ, in order: `-` stands in the page, `+` is what it should say. Longest common subsequence; parts are short. */
const differingLines = (page, wanted) => {
  const common = Array.from({ length: page.length + 1 }, () => new Array(wanted.length + 1).fill(0));
  for (let i = page.length - 1; i >= 0; i -= 1) {
    for (let j = wanted.length - 1; j >= 0; j -= 1) {
      common[i][j] = page[i] === wanted[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < page.length || j < wanted.length) {
    if (i < page.length && j < wanted.length && page[i] === wanted[j]) {
      i += 1;
      j += 1;
    } else if (j >= wanted.length || (i < page.length && common[i + 1][j] >= common[i][j + 1])) {
      lines.push(`- ${page[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${wanted[j]}`);
      j += 1;
    }
  }
  return lines;
};

/** How wide a table's columns are drawn says nothing: one longer cell would make every row differ. */
const withoutPadding = (line) => (line.startsWith("|") ? line.replace(/ +\|/g, " |").replace(/-{3,}/g, "---") : line);

const linesOf = (text) => text.trim().split("\n").map(withoutPadding);

/** What is wrong with this part of the page, as lines for people; empty when it is up to date. */
export const checkPart = (text, part, content) => {
  const found = split(text, part);
  if (found === null) return [`the markers are missing: ${opening(part)} and ${closing(part)}`];
  return differingLines(linesOf(found.inside), linesOf(content));
};
