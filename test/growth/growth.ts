// How the work of a function grows with its input: the exponent, not the seconds. Linear work has 1, quadratic 2.

/** Shorter times tell more about the clock than about the function. */
const LEAST_MS = 10;
const SMALLEST = 4096;
/** A quadratic function takes tens of milliseconds at least for a text of this length; one that is through within the least time is none. */
const LARGEST = 32_768;
/** Nobody doubts that it is linear: most are found so by texts that are short, which spares four fifths of the time. */
const LINEAR = 1.3;
/** Nearer to quadratic than to linear: collecting garbage costs functions that make much of it up to 1.6. */
export const STEEPEST = 1.75;
/** Doubted results are looked at again on longer texts: there noise weighs less, and what is quadratic stays so. */
const SCALES = [1, 4, 8] as const;

/** `work`: a size → what is to be done with an input of that size, which is made before. */
export function growthOf(work: (size: number) => () => unknown): number {
  let size = SMALLEST;
  let first = timeOf(work(size), 1);
  if (first < LEAST_MS) {
    size = LARGEST;
    first = timeOf(work(size), 1);
  }
  if (first < LEAST_MS) return 0;
  const short = Math.log2(first / timeOf(work(size / 4), 2)) / 2;
  if (short <= LINEAR) return short;
  let least = Number.POSITIVE_INFINITY;
  for (const scale of SCALES) {
    least = Math.min(least, exponent(work, size * scale));
    if (least <= STEEPEST) break;
  }
  return least;
}

function exponent(work: (size: number) => () => unknown, size: number): number {
  return Math.log2(timeOf(work(size * 4), 2) / timeOf(work(size), 3)) / 2;
}

/** Processor time, so that a busy machine does not count; the least of several, for what else the process does only adds. */
function timeOf(work: () => unknown, times: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
