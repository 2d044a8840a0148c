/**
 * SGR codes (colours and weights of a terminal's text) that are in force. Only codes of a list are taken over: whatever a
 * stranger's bytes ask for beyond it is dropped. Pure.
 */

const WEIGHTS = new Set(["1", "2", "3", "4", "7"]);
const COLOUR = /^(?:(?:3|4|9|10)[0-7]|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3})$/;
/** An extended colour (58: of the underline) is one code of several numbers, and so is the shape of an underline. */
const CODE = /[345]8[;:]5[;:]\d+|[345]8[;:]2[;:]:?\d+[;:]\d+[;:]\d+|4:\d+|\d+/g;
const NO_UNDERLINE = "24";

/** What switches a code off. */
const ENDS: Readonly<Record<string, (code: string) => boolean>> = {
  "0": () => true,
  "22": (code) => code === "1" || code === "2",
  "23": (code) => code === "3",
  [NO_UNDERLINE]: (code) => code === "4",
  "27": (code) => code === "7",
  "39": (code) => isColour(code) && !isBack(code),
  "49": (code) => isColour(code) && isBack(code),
};

/** Of two colours: of the ground, not of the text. */
export const isBack = (code: string): boolean => /^(?:4|10)\d/.test(code);

export const isColour = (code: string): boolean => COLOUR.test(code);

/** One code in the form of the list: semicolons, and an underline of any shape as an underline. */
const plainCode = (found: string): string => {
  if (found.startsWith("4:")) return found === "4:0" ? NO_UNDERLINE : "4";
  return found.replaceAll("::", ";").replaceAll(":", ";");
};

/** The codes in force after `parameters`, the part of a sequence between `ESC [` and `m`. */
export const applySgr = (active: readonly string[], parameters: string): readonly string[] => {
  let codes = active;
  for (const found of parameters === "" ? ["0"] : (parameters.match(CODE) ?? [])) {
    const code = plainCode(found);
    const ends = ENDS[code];
    if (ends !== undefined) codes = codes.filter((one) => !ends(one));
    else if (WEIGHTS.has(code)) codes = [...codes.filter((one) => one !== code), code];
    else if (isColour(code)) {
      codes = [...codes.filter((one) => !isColour(one) || isBack(one) !== isBack(code)), code];
    }
  }
  return codes;
};
