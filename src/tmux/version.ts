/** tmux's version words as numbers, and what follows from them. Pure. Floors and faults: facts/tmux.md sections 0 and 8. */
export type Version = { readonly text: string; readonly major: number; readonly minor: number };

/** "tmux 3.3a", "3.5a", "next-3.8"; a development build without a number counts as newer than all. */
export const parseVersion = (output: string): Version => {
  const text = output.trim().replace(/^tmux\s+/, "");
  const found = /(\d+)\.(\d+)/.exec(/^(openbsd|master)/.test(text) ? "" : text);
  return found
    ? { text, major: Number(found[1]), minor: Number(found[2]) }
    : { text, major: Number.POSITIVE_INFINITY, minor: 0 };
};

export const isAtLeast = (version: Version, major: number, minor: number): boolean =>
  version.major > major || (version.major === major && version.minor >= minor);

/** A new window crashes the server when `window-size` is `manual` (3.3 to 3.6). */
export const hasManualSizeCrash = (version: Version): boolean => isAtLeast(version, 3, 3) && !isAtLeast(version, 3, 7);

/** A paste needs -S to leave control bytes alone. */
export const rewritesPastes = (version: Version): boolean => isAtLeast(version, 3, 7);
