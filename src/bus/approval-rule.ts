/**
 * Rules by which Quay answers a CLI's permission request in a person's place: `TOOL` or `TOOL(PATTERN)`.
 * Pure, and careful to a fault: what a rule does not plainly cover is not approved, and the CLI's own dialog decides.
 * Nothing is normalised: a blank, a line break or a quote more than the rule says is another request.
 */

/** What the pattern is held against; null: the tool has no argument that Quay knows. */
export type ApprovalArgument = {
  /** command: a shell would run it. path: an absolute file path. address: a URL. text: words, such as a search. */
  readonly kind: "command" | "path" | "address" | "text";
  readonly value: string;
};

export type ApprovalRequest = { readonly tool: string; readonly argument: ApprovalArgument | null };

export type ApprovalRule = { readonly text: string; readonly tool: string; readonly pattern: string | null };

/** Characters of a rule; longer ones are a mistake. */
const LONGEST_RULE = 512;
/** Characters of an argument that a rule may cover: what nobody can read at a glance a person decides. */
const LONGEST_ARGUMENT = 4_096;

const TOOL = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;
const ALL_OF_SERVER = /^mcp__[A-Za-z0-9_-]+__\*$/;
/** Without a pattern these would be approved for every command, file or address. */
const NEEDS_PATTERN =
  /^(?:bash|shell|local_shell|exec|exec_command|run_shell_command|read|write|edit|multiedit|notebookedit|patch|apply_patch|webfetch)$/i;
/** They ask the person for something that no rule can know. */
const FOR_THE_PERSON = /^(?:askuserquestion|exitplanmode|question)$/i;
const CONTROL = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u;

export type ParsedRule =
  | { readonly kind: "rule"; readonly rule: ApprovalRule }
  | { readonly kind: "fault"; readonly why: string };

const fault = (why: string): ParsedRule => ({ kind: "fault", why });

const faultOfPattern = (pattern: string): string | null => {
  if (pattern.trim() === "") return "its pattern is empty";
  if (pattern.startsWith("~")) return "a pattern knows no ~: write the folder out";
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return "a pattern has no .. in it";
  return null;
};

/** The rule, or what is wrong with its text, in words that go behind it. */
export const parseRule = (text: string): ParsedRule => {
  if (text.length > LONGEST_RULE) return fault(`longer than ${LONGEST_RULE} characters`);
  if (CONTROL.test(text)) return fault("it holds a line break or a character that nobody sees");
  const open = text.indexOf("(");
  const tool = open < 0 ? text : text.slice(0, open);
  if (!TOOL.test(tool) && !ALL_OF_SERVER.test(tool)) {
    return fault("write TOOL or TOOL(PATTERN), such as Bash(git status) or mcp__github__*");
  }
  if (FOR_THE_PERSON.test(tool)) return fault(`${tool} asks the person; no rule can answer it`);
  if (open < 0) {
    if (NEEDS_PATTERN.test(tool)) return fault(`${tool} alone would approve all of it; say what, as in ${tool}(…)`);
    return { kind: "rule", rule: { text, tool, pattern: null } };
  }
  if (!text.endsWith(")")) return fault("its last character is not the closing parenthesis");
  if (ALL_OF_SERVER.test(tool)) return fault("all tools of a server take no pattern");
  const pattern = text.slice(open + 1, -1);
  const why = faultOfPattern(pattern);
  return why === null ? { kind: "rule", rule: { text, tool, pattern } } : fault(why);
};

/** One step of a value: a character, or in a command a whole quoted word. `covered`: which stars may stand for it. */
type Unit = { readonly text: string; readonly covered: "none" | "double star" | "any star" };
type Token = { readonly kind: "literal"; readonly text: string } | { readonly kind: "star"; readonly double: boolean };

const tokensOf = (pattern: string): readonly Token[] =>
  [...pattern.matchAll(/\*+|[^*]/gsu)].map(([part]) =>
    part.startsWith("*") ? { kind: "star", double: part.length > 1 } : { kind: "literal", text: part },
  );

/** Characters that no shell gives a meaning to: nothing is run, joined, expanded or redirected by them. */
const PLAIN = /[\p{L}\p{N} _./:=@%+,-]/u;
/** Words whose quotes end where they seem to: no expansion, no escape, no line break. */
const QUOTED = /'[^'\p{Cc}]*'|"[^"$`\\!\p{Cc}]*"/u;
const WORDS = new RegExp(`${QUOTED.source}|[\\s\\S]`, "gu");

/** A star never covers what a shell obeys. Quoted words only where the rule's own text cannot open or close a quote. */
const commandUnits = (value: string, pattern: string): readonly Unit[] => {
  const isPlain = [...pattern].every((char) => char === "*" || PLAIN.test(char));
  const parts = isPlain ? (value.match(WORDS) ?? []) : [...value];
  return parts.map((text) => ({
    text,
    covered: ([...text].length === 1 ? PLAIN.test(text) : isPlain) ? "any star" : "none",
  }));
};

const CLEAN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/u;

/** One star stays in its folder; no star covers a hidden file or folder. */
const pathUnits = (value: string): readonly Unit[] => {
  const chars = [...value];
  return chars.map((text, at) => {
    const isHidden = text === "." && chars[at - 1] === "/";
    return { text, covered: isHidden ? "none" : text === "/" ? "double star" : "any star" };
  });
};

/** One star covers no part of an address that could move it to another host. */
const addressUnits = (value: string): readonly Unit[] =>
  [...value].map((text) => ({
    text,
    covered: /[\s\\]/u.test(text) ? "none" : /[/?#@:]/u.test(text) ? "double star" : "any star",
  }));

const unitsOf = ({ kind, value }: ApprovalArgument, pattern: string): readonly Unit[] => {
  switch (kind) {
    case "command":
      return commandUnits(value, pattern);
    case "path":
      return pathUnits(value);
    case "address":
      return addressUnits(value);
    case "text":
      return [...value].map((text) => ({ text, covered: "any star" }));
  }
};

/** All places of the pattern at once, so that no value can make it slow: its length times the rule's. */
const covers = (tokens: readonly Token[], units: readonly Unit[]): boolean => {
  const withEmptyStars = (places: ReadonlySet<number>): ReadonlySet<number> => {
    const all = new Set(places);
    for (const place of all) if (tokens[place]?.kind === "star") all.add(place + 1);
    return all;
  };
  let places = withEmptyStars(new Set([0]));
  for (const unit of units) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === undefined) continue;
      if (token.kind === "literal") {
        if (token.text === unit.text) next.add(place + 1);
      } else if (unit.covered === "any star" || (token.double && unit.covered === "double star")) next.add(place);
    }
    if (next.size === 0) return false;
    places = withEmptyStars(next);
  }
  return places.has(tokens.length);
};

const isOfTool = (rule: ApprovalRule, tool: string): boolean => {
  if (!rule.tool.endsWith("*")) return rule.tool === tool;
  const server = rule.tool.slice(0, -1);
  const name = tool.slice(server.length);
  return tool.startsWith(server) && TOOL.test(name) && !name.includes("__");
};

const literal = (text: string): readonly Token[] => [...text].map((char) => ({ kind: "literal", text: char }));

/** @param cwd absolute: what a path pattern that does not begin with / is below. */
export const ruleCovers = (rule: ApprovalRule, { tool, argument }: ApprovalRequest, cwd: string): boolean => {
  if (!isOfTool(rule, tool) || FOR_THE_PERSON.test(tool)) return false;
  if (argument === null || rule.pattern === null) return argument === null && rule.pattern === null;
  if (argument.value.length > LONGEST_ARGUMENT || CONTROL.test(argument.value)) return false;
  const { pattern } = rule;
  const tokens = tokensOf(pattern);
  if (argument.kind !== "path") return covers(tokens, unitsOf(argument, pattern));
  if (!CLEAN_PATH.test(argument.value)) return false;
  const isBelow = !pattern.startsWith("/");
  const way = isBelow ? [...literal(`${cwd === "/" ? "" : cwd}/`), ...tokensOf(pattern.replace(/^\.\//, ""))] : tokens;
  // What hides above the rule's own folder is not the rule's affair: only its own text has to name hidden parts.
  return covers(way, unitsOf(argument, pattern));
};
