/**
 * (f) How many bytes of output the OSC scanner reads in a second, by kind of output, in the chunks in which tmux hands
 * them over. Beside it two lower bounds of any scanner in this language: looking only for ESC, and touching each byte.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createOscScanner } from "../../src/tmux/osc-scanner.js";
import { monotonic } from "./clock.js";
import { aim, type Report, summarize } from "./figures.js";

const SIZE = 4 * 1024 * 1024;
const CHUNK = 4096;
const ROUNDS = 15;

const filled = (part: (index: number) => string): Buffer => {
  let text = "";
  for (let index = 0; text.length < SIZE; index += 1) text += part(index);
  return Buffer.from(text).subarray(0, SIZE);
};

const realScreens = (): Buffer => {
  const folder = fileURLToPath(new URL("../fixtures/screens/", import.meta.url));
  const screens = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl.gz"))
    .flatMap((name) =>
      gunzipSync(readFileSync(`${folder}${name}`))
        .toString("utf8")
        .trim()
        .split("\n"),
    )
    .map((line) => (JSON.parse(line) as { screen: string }).screen);
  return filled((index) => `\x1b[?25l\x1b[H${screens[index % screens.length]!.replaceAll("\n", "\r\n")}\x1b[?25h`);
};

const INPUTS: Readonly<Record<string, () => Buffer>> = {
  "real screens": realScreens,
  "plain text": () =>
    filled((index) => `line ${index}: the quick brown fox jumps over the lazy dog, again and again\r\n`),
  "dense colours": () => filled((index) => `\x1b[38;5;${index % 256}m${String.fromCharCode(97 + (index % 26))}\x1b[0m`),
  "mode switches": () => filled((index) => (index % 2 === 0 ? "\x1b[?25l\x1b[?2026h" : "\x1b[?2026l\x1b[?25h")),
  "OSC 7501 reports": () =>
    filled(
      (index) =>
        `\x1b]7501;state=working:app=claude-code:msg=${Buffer.from(`step ${index} of the plan`).toString("base64")}\x07`,
    ),
};

/** MB/s of each round. */
const speeds = (bytes: Buffer, read: (chunk: Uint8Array) => void): number[] => {
  const found: number[] = [];
  for (let round = -3; round < ROUNDS; round += 1) {
    const start = monotonic();
    for (let from = 0; from < bytes.length; from += CHUNK) read(bytes.subarray(from, from + CHUNK));
    if (round >= 0) found.push(bytes.length / 1e3 / (monotonic() - start));
  }
  return found;
};

let sink = 0;
const countEscapes = (chunk: Uint8Array): void => {
  for (let at = chunk.indexOf(0x1b); at >= 0; at = chunk.indexOf(0x1b, at + 1)) sink = (sink + 1) | 0;
};
const touchBytes = (chunk: Uint8Array): void => {
  let sum = 0;
  for (let at = 0; at < chunk.length; at += 1) sum = (sum + chunk[at]!) | 0;
  sink = (sink + sum) | 0;
};

export const measureScanner = async (report: Report): Promise<void> => {
  for (const [index, [name, make]] of Object.entries(INPUTS).entries()) {
    const bytes = make();
    const scanner = createOscScanner();
    const scan = (chunk: Uint8Array): void => {
      sink = (sink + scanner.feed(chunk).length) | 0;
    };
    const measured = summarize(speeds(bytes, scan), "rates");
    report({
      id: `f${index + 1}`,
      name: `OSC scanner, ${name}`,
      unit: "MB/s",
      measured,
      baselines: [
        { name: "looking for ESC only", measured: summarize(speeds(bytes, countEscapes), "rates") },
        { name: "touching each byte", measured: summarize(speeds(bytes, touchBytes), "rates") },
      ],
      aims: [aim(">= 100 MB/s", measured.p50 >= 100)],
    });
  }
};
