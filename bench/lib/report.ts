// Rows of a benchmark on the terminal: what was measured, against what, and whether the ratio is reached.

export type BenchRow = {
  readonly what: string;
  readonly measured: number;
  readonly reference: number;
  readonly unit: string;
  /** Ratio to reach; undefined: only to be seen. */
  readonly target?: number;
  /** The ratio in each round, whose spread says how far the figure can be trusted. */
  readonly rounds?: readonly number[];
};

export type BenchTable = { readonly title: string; readonly rows: readonly BenchRow[] };

/** What has been printed so far, for the file that keeps it. */
export const printed: BenchTable[] = [];

export function printRows(title: string, rows: readonly BenchRow[]): boolean {
  printed.push({ title, rows });
  const width = Math.max(...rows.map(({ what }) => what.length));
  console.log(`\n${title}`);
  let reached = true;
  for (const { what, measured, reference, unit, target, rounds } of rows) {
    const ratio = measured / reference;
    const fine = target === undefined || ratio >= target;
    reached &&= fine;
    const wanted =
      target === undefined ? '' : fine ? `  (at least ${target.toFixed(2)})` : `  BELOW ${target.toFixed(2)}`;
    console.log(
      `  ${what.padEnd(width)}  ${show(measured)} of ${show(reference)} ${unit}  ratio ${ratio.toFixed(2)}${spread(rounds)}${wanted}`,
    );
  }
  return reached;
}

function show(value: number): string {
  return Math.round(value).toLocaleString('en').padStart(8);
}

function spread(rounds: readonly number[] | undefined): string {
  if (rounds === undefined || rounds.length < 2) return '';
  return ` [${Math.min(...rounds).toFixed(2)}–${Math.max(...rounds).toFixed(2)}]`;
}
