/**
 * What a benchmark reports: a figure with the baselines of the same run and its aim, as a JSON line and as a row of a
 * table. It measures nothing.
 */
export type Unit = "ms" | "/s" | "MB/s" | "% of a core" | "bytes" | "MB";

export type Summary = {
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly worst: number;
};

export type Aim = { readonly text: string; readonly isMet: boolean };

export type Figure = {
  /** The letter of the benchmark, and a number when it has several figures. */
  readonly id: string;
  readonly name: string;
  readonly unit: Unit;
  readonly measured: Summary;
  readonly baselines: readonly { readonly name: string; readonly unit?: Unit; readonly measured: Summary }[];
  readonly aims: readonly Aim[];
};

export type Report = (figure: Figure) => void;

/** p95 is the value that 95 % are no worse than: of times the high end, of `rates` the low one. */
export const summarize = (values: readonly number[], of: "times" | "rates" = "times"): Summary => {
  if (values.length === 0) throw new RangeError("a figure of no values");
  const sorted = [...values].sort((a, b) => (of === "times" ? a - b : b - a));
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { n: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: sorted.at(-1)! };
};

export const single = (value: number): Summary => summarize([value]);

export const aim = (text: string, isMet: boolean): Aim => ({ text, isMet });

const rounded = (value: number): number => (value >= 1000 ? Math.round(value) : Number(value.toPrecision(3)));

const shown = ({ n, p50, p95, p99 }: Summary, unit: Unit): string =>
  n === 1 ? `${rounded(p50)} ${unit}` : `${rounded(p50)} / ${rounded(p95)} / ${rounded(p99)} ${unit}`;

export const jsonLine = (figure: Figure): string =>
  JSON.stringify(figure, (_key, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(5)) : value));

/** Rows of a Markdown table; several values of one figure are p50 / p95 / p99. */
export const tableOf = (figures: readonly Figure[]): string => {
  const rows = figures.map(({ id, name, unit, measured, baselines, aims }) => {
    const beside = baselines.map((one) => {
      const ratio =
        (one.unit ?? unit) === unit && one.measured.p50 > 0 ? ` (${rounded(measured.p50 / one.measured.p50)}x)` : "";
      return `${one.name}: ${shown(one.measured, one.unit ?? unit)}${ratio}`;
    });
    const wanted = aims.map(({ text, isMet }) => `${text}: ${isMet ? "met" : "**missed**"}`);
    const cells = [id, name, String(measured.n), shown(measured, unit), beside.join("<br>"), wanted.join("<br>")];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| | figure | n | measured | baseline (ratio) | aim |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
};
