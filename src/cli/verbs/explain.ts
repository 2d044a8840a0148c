/** `quay explain [MESSAGE]`: the proof of one delivery, from the engine that typed it. */
import type { Command } from "commander";
import type { Answers } from "../../engine/client.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, requireEngine, withEngine } from "../connect.js";
import { jsonBlock } from "../output.js";
import { inertLine, inertText } from "../screen.js";
import { type Act, examples } from "../verb.js";

type Proof = Answers["explain"]["proof"];

const MARKERS: Readonly<Record<Proof["markers"], string>> = {
  nothing: "nothing of it was typed",
  pasted: "its text was pasted, Enter was not pressed",
  entered: "text and Enter were typed, once",
  "entered twice": "text and Enter were typed, and Enter once more: the first one only broke the line",
  later: "another message was typed there since",
  gone: "the pane is gone",
};

export const addExplain = (program: Command, act: Act): void => {
  program
    .command("explain")
    .summary("show the proof of a delivery")
    .description(
      "Show the proof of one message: what was typed (bytes, SHA-256), into which pane, what the pane's markers say, what was seen and when, and the screen when it failed.",
    )
    .argument("[message]", "its id, as quay trail --json prints it; default: the newest message")
    .option("--json", "print it as JSON")
    .addHelpText(
      "after",
      examples(["quay explain", "the newest message"], ["quay explain msg-a1b2c3 --json", "one message, as JSON"]),
    )
    .action(async (message: string | undefined, options: { readonly json?: boolean }) => {
      await act((cli) => explain(cli, message ?? null, options.json === true));
    });
};

const explain = async (cli: Cli, delivery: string | null, json: boolean): Promise<ExitCode> => {
  const { proof } = await withEngine(await requireEngine(cli), (client) => ask(client, { kind: "explain", delivery }));
  cli.out.write(json ? jsonBlock(proof) : wordProof(proof));
  return EXIT.ok;
};

const time = (at: number): string => new Date(at).toISOString().slice(11, 23);

export const wordProof = (proof: Proof): string => {
  const { entry, typed } = proof;
  const rows: readonly (readonly [string, string])[] = [
    ["message", `${entry.id}  ${inertLine(entry.from)} → ${inertLine(entry.to)} (${entry.toId})`],
    [
      "status",
      `${entry.status} (${proof.state})${entry.notes.length > 0 ? `: ${inertLine(entry.notes.join("; "))}` : ""}`,
    ],
    ["typed", `${typed.bytes} bytes, ${typed.lines} ${typed.lines === 1 ? "line" : "lines"}, SHA-256 ${typed.sha256}`],
    ["pane", proof.pane ?? "gone"],
    ["markers", MARKERS[proof.markers]],
    ["turn", proof.turn === null ? "none seen" : inertLine(proof.turn)],
    ["hand-offs", `${proof.hops} since a person's prompt`],
    ...proof.times.map(({ at, what }): readonly [string, string] => [time(at), what]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
  return proof.screen === null ? table : `${table}screen then:\n${inertText(proof.screen)}\n`;
};
