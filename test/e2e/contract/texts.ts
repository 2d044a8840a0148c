/** Texts that go wrong when they are typed carelessly. Both begin so that a script can know them. */

const WORDS = 'the quick brown fox jumps over the lazy dog; it\'s 5 > 4 & "so" on, $HOME stays #1 '.repeat(130);

/** 10,000 characters on one line. */
export const longText = `Exact one: ${WORDS}`.slice(0, 9_999).concat(".");

/** Lines of all sorts: empty, indented, with other scripts, quotes, signs that CLIs give a meaning to. */
export const manyLines = [
  "Exact two:",
  "",
  "  indented by two, and \"quoted\" 'twice' `thrice`",
  "/not a command, !not a shell, @not-a-file, #not a note",
  "Grüße, naïve café, 日本語のテキスト, Ελληνικά, emoji ✅ 🚀",
  "$(echo no) $HOME ~ %PATH% \\n \\t \\\\ stays",
  ...Array.from({ length: 40 }, (_, k) => `${k + 1}. a line of its own`),
  "",
  "The last line.",
].join("\n");
