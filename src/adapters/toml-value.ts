/**
 * As much of TOML as it takes to find one key at the top of a file, or to read one value of a command line: strings,
 * and arrays of them. Everything else is stepped over. Pure; a text that is no TOML yields null, never an error.
 */

type Read = { readonly end: number; readonly value: unknown };

const SPACE = /(?:[\s]|#[^\n]*)*/y;
const KEY =
  /(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'))*/y;
const BASIC_LINES = /"""\n?((?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*)"""/y;
const LITERAL_LINES = /'''\n?([\s\S]*?)'''/y;
const BASIC = /"((?:[^"\\\n]|\\.)*)"/y;
const LITERAL = /'([^'\n]*)'/y;
/** Numbers, dates, true and false. */
const BARE = /[^\s,\]}#]+/y;

const at = (pattern: RegExp, text: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from;
  return pattern.exec(text);
};

const skip = (text: string, from: number): number => from + (at(SPACE, text, from)?.[0].length ?? 0);

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" };

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(\s*\n\s*)|([\s\S]))/g, (_all, short, long, fold, one) => {
    if (fold !== undefined) return "";
    if (one !== undefined) return ESCAPES[one as string] ?? (one as string);
    const point = Number.parseInt((short ?? long) as string, 16);
    return point > 0x10ffff ? "\ufffd" : String.fromCodePoint(point);
  });

/** Reads the value that begins here; null when there is none. */
const readValue = (text: string, from: number, depth = 0): Read | null => {
  if (depth > 32) return null;
  const basic = at(BASIC_LINES, text, from) ?? at(BASIC, text, from);
  if (basic !== null) return { end: from + basic[0].length, value: unescaped(basic[1] ?? "") };
  const literal = at(LITERAL_LINES, text, from) ?? at(LITERAL, text, from);
  if (literal !== null) return { end: from + literal[0].length, value: literal[1] ?? "" };
  if (text[from] === "[") return readArray(text, from, depth);
  if (text[from] === "{") return skipTable(text, from, depth);
  const bare = at(BARE, text, from);
  return bare === null ? null : { end: from + bare[0].length, value: null };
};

const readArray = (text: string, from: number, depth: number): Read | null => {
  const value: unknown[] = [];
  let place = skip(text, from + 1);
  while (text[place] !== "]") {
    const item = readValue(text, place, depth + 1);
    if (item === null) return null;
    value.push(item.value);
    place = skip(text, item.end);
    if (text[place] === ",") place = skip(text, place + 1);
    else if (text[place] !== "]") return null;
  }
  return { end: place + 1, value };
};

const skipTable = (text: string, from: number, depth: number): Read | null => {
  let place = skip(text, from + 1);
  while (text[place] !== "}") {
    const pair = readPair(text, place, depth + 1);
    if (pair === null) return null;
    place = skip(text, pair.end);
    if (text[place] === ",") place = skip(text, place + 1);
    else if (text[place] !== "}") return null;
  }
  return { end: place + 1, value: null };
};

const readPair = (text: string, from: number, depth: number): (Read & { readonly key: string }) | null => {
  const key = at(KEY, text, from);
  if (key === null) return null;
  const sign = skip(text, from + key[0].length);
  if (text[sign] !== "=") return null;
  const read = readValue(text, skip(text, sign + 1), depth);
  return read === null ? null : { ...read, key: key[0].replace(/^["']|["']$/g, "") };
};

const asStrings = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string") ? value : null;

/** The array of strings under this key at the top of the file, before its first table; null: none is there. */
export const stringsAtTop = (toml: string, key: string): readonly string[] | null => {
  let place = skip(toml, toml.startsWith("\ufeff") ? 1 : 0);
  while (place < toml.length && toml[place] !== "[") {
    const pair = readPair(toml, place, 0);
    if (pair === null) return null;
    if (pair.key === key) return asStrings(pair.value);
    place = skip(toml, pair.end);
  }
  return null;
};

/** A whole value as an array of strings; null when it is anything else. */
export const stringsOf = (value: string): readonly string[] | null => {
  const start = skip(value, 0);
  const read = readValue(value, start);
  return read !== null && skip(value, read.end) === value.length ? asStrings(read.value) : null;
};
