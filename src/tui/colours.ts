/**
 * How many colours the person's terminal has, and the colours of a foreign screen brought down to them. Quay's own are of
 * the 16 that every terminal has. Pure; it knows codes as sgr.ts passes them, and no text.
 */

import { isBack } from "./sgr.js";

/** No colour, the terminal's own 16, xterm's 256, or every one of 24 bits. */
export type Depth = "none" | "16" | "256" | "all";

const TRUE_COLOUR = /^(?:xterm-(?:kitty|ghostty)|alacritty|foot|wezterm)|-direct$/;

/** By NO_COLOR (no-color.org), COLORTERM and TERM. tmux itself reduces what its own terminal lacks. */
export const depthOf = (env: Readonly<Record<string, string | undefined>>): Depth => {
  const { NO_COLOR = "", COLORTERM = "", TERM = "" } = env;
  if (NO_COLOR !== "" || TERM === "dumb") return "none";
  if (COLORTERM === "truecolor" || COLORTERM === "24bit" || TRUE_COLOUR.test(TERM)) return "all";
  return TERM.includes("256color") ? "256" : "16";
};

type Rgb = readonly [red: number, green: number, blue: number];

/** xterm's cube of six levels behind the first 16, then 24 greys. */
const LEVELS = [0, 95, 135, 175, 215, 255] as const;
const CUBE = 16;
const GREYS = 232;

const rgbOf = (index: number): Rgb => {
  if (index >= GREYS) {
    const grey = 8 + (index - GREYS) * 10;
    return [grey, grey, grey];
  }
  const at = index - CUBE;
  const level = (step: number): number => LEVELS[step % 6] ?? 0;
  return [level(Math.floor(at / 36)), level(Math.floor(at / 6)), level(at)];
};

const distance = (a: Rgb, b: Rgb): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/** The nearest of the cube and the greys. The first 16 are the person's own, so nobody knows what they look like. */
const to256 = (rgb: Rgb): number => {
  const step = (part: number): number => (part < 48 ? 0 : part < 115 ? 1 : Math.floor((part - 35) / 40));
  const cube = CUBE + 36 * step(rgb[0]) + 6 * step(rgb[1]) + step(rgb[2]);
  const mean = (rgb[0] + rgb[1] + rgb[2]) / 3;
  const grey = GREYS + Math.min(23, Math.max(0, Math.round((mean - 8) / 10)));
  return distance(rgbOf(grey), rgb) < distance(rgbOf(cube), rgb) ? grey : cube;
};

/** A hue stays that hue, since it carries the meaning; what has hardly any becomes black, one of two greys or white. */
const to16 = (rgb: Rgb): number => {
  const most = Math.max(...rgb);
  const least = Math.min(...rgb);
  const middle = (most + least) / 2;
  if (most - least < Math.max(40, most / 4)) return middle < 64 ? 0 : middle < 178 ? 8 : middle < 242 ? 7 : 15;
  const hue = rgb.reduce((bits, part, at) => (part > middle ? bits | (1 << at) : bits), 0);
  return most > 230 ? hue + 8 : hue;
};

/** One of the 16 as its own code. */
const plain = (index: number, isBack: boolean): string =>
  String((index < 8 ? 30 + index : 82 + index) + (isBack ? 10 : 0));

const EXTENDED = /^([34])8;(?:5;(\d+)|2;(\d+);(\d+);(\d+))$/;

/** Null for a colour that there is not. */
const fitOne = (code: string, depth: "16" | "256"): string | null => {
  const found = EXTENDED.exec(code);
  if (found === null) return code;
  const [, layer, index, ...parts] = found;
  const numbers = (index === undefined ? parts : [index]).map(Number);
  if (numbers.some((number) => number > 255)) return null;
  const known = index === undefined ? null : Number(index);
  if (depth === "256") return known === null ? `${layer}8;5;${to256(numbers as unknown as Rgb)}` : code;
  const nearest = known === null ? to16(numbers as unknown as Rgb) : known < CUBE ? known : to16(rgbOf(known));
  return plain(nearest, layer === "4");
};

/** Codes of one text and its ground, as this terminal can show them: both when both are given, and still apart. */
export const fitColours = (codes: readonly string[], depth: Depth): readonly string[] => {
  if (depth === "none") return [];
  if (depth === "all") return codes;
  const fitted = codes.flatMap((code) => fitOne(code, depth) ?? []);
  const [text, ground] = [codes.find((code) => !isBack(code)), codes.find(isBack)];
  const [textNow, groundNow] = [fitted.find((code) => !isBack(code)), fitted.find(isBack)];
  const isSame = text?.slice(1) === ground?.slice(1) || fitted.join() === codes.join();
  if (isSame || textNow === undefined || Number(groundNow) !== Number(textNow) + 10) return fitted;
  const isLight = groundNow === "47" || groundNow === "107";
  return fitted.map((code) => (isBack(code) ? code : plain(isLight ? 0 : 15, false)));
};
