// Rows of a benchmark on the terminal: what was measured, against what, and whether the ratio is reached.

export type BenchRow = {
  readonly what: string;
  readonly measured: number;
  readonly reference: number;
  readonly unit: string;
  /** Ratio to reach; undefined: only to be seen. */
  readonly target?: number;
};

export function printRows(title: string, rows: readonly BenchRow[]): boolean {
  const width = Math.max(...rows.map(({ what }) => what.length));
  console.log(`\n${title}`);
  let reached = true;
  for (const { what, measured, reference, unit, target } of rows) {
    const ratio = measured / reference;
    const fine = target === undefined || ratio >= target;
    reached &&= fine;
    const wanted =
      target === undefined ? '' : fine ? `  (at least ${target.toFixed(2)})` : `  BELOW ${target.toFixed(2)}`;
    console.log(
      `  ${what.padEnd(width)}  ${show(measured)} of ${show(reference)} ${unit}  ratio ${ratio.toFixed(2)}${wanted}`,
    );
  }
  return reached;
}

function show(value: number): string {
  return Math.round(value).toLocaleString('en').padStart(8);
}
