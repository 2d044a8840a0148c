/**
 * Text on its way into one line of tmux's control mode: quoting, formats, ids. Pure.
 * Rules measured on 3.1c to 3.8: facts/tmux.md section 3. A line built by hand, without these, is a bug.
 */
const NEEDS_ESCAPE = /[\x00-\x1f\x7f"\\$~]/g;
const PANE = /^%\d{1,9}$/;
const WINDOW = /^@\d{1,9}$/;
const SESSION = /^\$\d{1,9}$/;
const WORD = /^[A-Za-z0-9_-]{1,64}$/;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const octal = (code: number): string => `\\${code.toString(8).padStart(3, "0")}`;

const escaped = (ch: string): string => {
  const code = ch.charCodeAt(0);
  if (code === 0) throw new RangeError("NUL cannot stand in a tmux line");
  return code < 0x20 || code === 0x7f ? octal(code) : `\\${ch}`;
};

/** One argument for a control line. Lone surrogates become U+FFFD when the line is written. Throws on NUL. */
export const q = (text: string): string => `"${text.replace(NEEDS_ESCAPE, escaped)}"`;

/** Raw bytes as one argument: everything outside printable ASCII in octal, so that no encoding can touch it. */
export const qBytes = (bytes: Uint8Array): string => {
  let out = '"';
  for (const byte of bytes) {
    if (byte === 0) throw new RangeError("NUL cannot stand in a tmux line");
    const ch = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x7f) out += octal(byte);
    else out += ch === '"' || ch === "\\" || ch === "$" || ch === "~" ? `\\${ch}` : ch;
  }
  return `${out}"`;
};

/** Makes text inert where tmux expands formats (-c, -n, display-message): `#` is doubled. */
export const fmt = (text: string): string => text.replaceAll("#", "##");

/** As `fmt`, where tmux also runs strftime (display-message). */
export const fmtTime = (text: string): string => fmt(text).replaceAll("%", "%%");

const check = (pattern: RegExp, what: string) => (text: string) => {
  if (!pattern.test(text)) throw new RangeError(`not ${what}: ${JSON.stringify(text)}`);
  return text;
};

export const paneId = check(PANE, "a tmux pane id");
export const windowId = check(WINDOW, "a tmux window id");
export const sessionId = check(SESSION, "a tmux session id");
/** Ids, epochs, instances and session names of ours: safe unquoted, inside formats, and inside quotes. */
export const word = check(WORD, "a safe word");
export const envName = check(ENV_NAME, "a name of an environment variable");

/** The number in a pane id, which names its markers: ids are never reused while a server lives. */
export const paneNumber = (pane: string): string => paneId(pane).slice(1);
