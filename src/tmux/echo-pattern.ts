/**
 * The tail of a text as search patterns for tmux's `#{C:…}`, so that Enter is pressed only while our own text stands
 * on the screen. Pure. Rules and hit rates: facts/typing.md section 4.
 */
const TAIL = 24;
const HALF = 12;
/** Fewer plain letters than this match by chance. */
const MIN_PLAIN = 6;
const MIN_PLAIN_OF_HALF = 3;

const isPlain = (ch: string): boolean => /^[A-Za-z0-9]$/.test(ch) || (ch >= "\u0100" && /^\p{L}$/u.test(ch));

const patternOf = (chars: readonly string[]): { readonly pattern: string; readonly plain: number } => ({
  pattern: chars.map((ch) => (isPlain(ch) ? ch : "?")).join(""),
  plain: chars.filter(isPlain).length,
});

/**
 * One or two patterns, either of which may match (a wrap cuts at most one); null when the tail is too poor to tell
 * anything, and the caller must read the screen instead. Only letters, digits and `?` can occur in a pattern.
 */
export const echoPatterns = (text: string): readonly string[] | null => {
  const line = text
    .trimEnd()
    .split(/[\t\n]/)
    .at(-1)!;
  const tail = [...line].slice(-TAIL);
  const halves = tail.length > HALF ? [tail.slice(0, tail.length - HALF), tail.slice(-HALF)] : [tail];
  const found = halves.map(patternOf);
  if (found.reduce((sum, half) => sum + half.plain, 0) < MIN_PLAIN) return null;
  return found.filter((half) => half.plain >= MIN_PLAIN_OF_HALF).map((half) => half.pattern);
};
