// The mean of a column, by its histogram: near enough to weigh by. Pure.

type Bins = readonly { readonly from: number; readonly to: number; readonly count: number }[];

/** Of what is above nought; undefined: nothing is. */
export function meanOf(bins: Bins): number | undefined {
  let [sum, count] = [0, 0];
  for (const bin of bins) {
    sum += Math.max(0, (bin.from + bin.to) / 2) * bin.count;
    count += bin.count;
  }
  return count === 0 || sum <= 0 ? undefined : Number((sum / count).toPrecision(3));
}
