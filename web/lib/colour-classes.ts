// Classes of a number and their colours: where one class ends and the next begins, and colours between three. Pure.

export const RAMPS: Readonly<Record<string, readonly [string, string, string]>> = {
  green: ['#edf8e9', '#74c476', '#00592a'],
  blue: ['#eff3ff', '#6baed6', '#08306b'],
  heat: ['#ffffb2', '#fd8d3c', '#a50f15'],
  purple: ['#f6eff7', '#a78bc6', '#4d004b'],
  earth: ['#2166ac', '#f2efe6', '#8c510a'],
};

/** Colours between three, evenly. */
export function rampColours(ramp: readonly [string, string, string], n: number): readonly string[] {
  return Array.from({ length: n }, (_, i) => {
    const at = n === 1 ? 1 : (i / (n - 1)) * 2;
    const [from, to, share] = at <= 1 ? [ramp[0], ramp[1], at] : [ramp[1], ramp[2], at - 1];
    return mixed(from, to, share);
  });
}

function mixed(from: string, to: string, share: number): string {
  const part = (text: string, i: number): number => Number.parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
  const hex = (n: number): string => Math.round(n).toString(16).padStart(2, '0');
  return `#${[0, 1, 2].map((i) => hex(part(from, i) + (part(to, i) - part(from, i)) * share)).join('')}`;
}

/** Limits between classes that hold about as many values each. */
export function quantileBreaks(values: readonly number[], classes: number): readonly number[] {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return [];
  const limits = Array.from(
    { length: classes - 1 },
    (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / classes)] ?? 0,
  );
  const first = sorted[0] ?? 0;
  return [...new Set(limits.map(readable))].filter((limit) => limit > first);
}

export function equalBreaks(min: number, max: number, classes: number): readonly number[] {
  if (!(max > min)) return [];
  const limits = Array.from({ length: classes - 1 }, (_, i) => readable(min + ((max - min) * (i + 1)) / classes));
  return [...new Set(limits)];
}

/** Three digits that mean something: nobody reads 1234.5678 in a legend. */
function readable(n: number): number {
  return n === 0 ? 0 : Number(n.toPrecision(3));
}
