import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  envName,
  fmt,
  fmtTime,
  paneId,
  paneNumber,
  q,
  qBytes,
  sessionId,
  windowId,
  word,
} from "../../../src/tmux/quote.js";

/** What tmux reads between double quotes: octal escapes, and any other character after a backslash as itself. */
const unquote = (quoted: string): string => {
  expect(quoted).toMatch(/^".*"$/s);
  return quoted
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/gsu, (_, what: string) =>
      /^[0-7]{3}$/.test(what) ? String.fromCharCode(Number.parseInt(what, 8)) : what,
    );
};

describe("q", () => {
  it("gives back every text without NUL", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        fc.pre(!text.includes("\0"));
        expect(unquote(q(text))).toBe(text);
      }),
    );
  });

  it("leaves nothing that ends the argument, the line, or is expanded", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."\\\"$~;{}'#%\n\r\t\x1b\x7fa -") }), (text) => {
        const inside = q(text)
          .slice(1, -1)
          .replace(/\\(?:[0-7]{3}|.)/gs, "");
        expect(inside).not.toMatch(/[\x00-\x1f\x7f"\\$~]/);
      }),
    );
  });

  it("refuses NUL", () => {
    expect(() => q("a\0b")).toThrow(RangeError);
  });
});

describe("qBytes", () => {
  it("gives back every byte from 1 to 255, in plain ASCII", () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 1 }), (bytes) => {
        const quoted = qBytes(bytes);
        expect(quoted).toMatch(/^[\x20-\x7e]*$/);
        expect([...unquote(quoted)].map((ch) => ch.charCodeAt(0))).toEqual([...bytes]);
      }),
    );
  });

  it("refuses NUL", () => {
    expect(() => qBytes(Uint8Array.of(0))).toThrow(RangeError);
  });
});

describe("formats", () => {
  it("doubles what tmux would expand", () => {
    expect(fmt("#{pid} #(date) 100%")).toBe("##{pid} ##(date) 100%");
    expect(fmtTime("#H %H")).toBe("##H %%H");
  });
});

describe("ids", () => {
  it.each([
    [paneId, "%7", ["7", "%", "%7 ", "%7;", "=quay", "%-1"]],
    [windowId, "@12", ["12", "@", "@1.0"]],
    [sessionId, "$0", ["0", "quay", "$0:"]],
    [word, "d_1-X", ["", "a b", "a'b", "#{pid}", "ä", "x".repeat(65)]],
    [envName, "QUAY_TOKEN", ["", "1A", "A B", "A=B", "A-B"]],
  ] as const)("takes only what fits: %o", (check, good, bad) => {
    expect(check(good)).toBe(good);
    for (const text of bad) expect(() => check(text)).toThrow(RangeError);
  });

  it("numbers a pane", () => {
    expect(paneNumber("%42")).toBe("42");
  });
});
