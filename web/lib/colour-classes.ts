// Colours of the classes of a number: as many as there are classes, between those of a ramp. Pure.

export const RAMPS: Readonly<Record<string, readonly string[]>> = {
  green: ['#edf8e9', '#74c476', '#00592a'],
  blue: ['#eff3ff', '#6baed6', '#08306b'],
  heat: ['#ffffb2', '#fd8d3c', '#a50f15'],
  purple: ['#f6eff7', '#a78bc6', '#4d004b'],
  earth: ['#2166ac', '#f2efe6', '#8c510a'],
  // Told apart by people who do not see red and green as others do, and in grey.
  viridis: ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'],
  cividis: ['#00224e', '#434e6c', '#7d7c78', '#bcaf6f', '#fee838'],
  magma: ['#000004', '#51127c', '#b73779', '#fc8961', '#fcfdbf'],
};

/** Colours between those of a ramp, evenly. */
export function rampColours(ramp: readonly string[], n: number): readonly string[] {
  return Array.from({ length: n }, (_, i) => {
    const at = n === 1 ? ramp.length - 1 : (i / (n - 1)) * (ramp.length - 1);
    const low = Math.min(Math.floor(at), Math.max(0, ramp.length - 2));
    const [from = '#888888', to = from] = ramp.slice(low, low + 2);
    return mixed(from, to, at - low);
  });
}

function mixed(from: string, to: string, share: number): string {
  const part = (text: string, i: number): number => Number.parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
  const hex = (n: number): string => Math.round(n).toString(16).padStart(2, '0');
  return `#${[0, 1, 2].map((i) => hex(part(from, i) + (part(to, i) - part(from, i)) * share)).join('')}`;
}
