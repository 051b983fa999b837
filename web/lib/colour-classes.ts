// Colours of the classes of a number: as many as there are classes, between three. Pure.

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
