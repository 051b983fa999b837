// How a colour stands out from what lies below it: swatches of legends that do not have a quiet outline. Pure.

import { parseColor, type Rgba } from './color.ts';

/** Below it nobody sees where a swatch ends. */
const LEAST = 1.35;

/** Of a colour with an opacity over an opaque ground. What is no colour stands out. */
export function isFaint(colour: string, opacity: number, ground: string): boolean {
  const [above, below] = [parseColor(colour), parseColor(ground)];
  if (above === undefined || below === undefined) return false;
  return contrast(over(above, above[3] * opacity, below), below) < LEAST;
}

function over([r, g, b]: Rgba, alpha: number, [x, y, z]: Rgba): Rgba {
  const mixed = (one: number, other: number): number => one * alpha + other * (1 - alpha);
  return [mixed(r, x), mixed(g, y), mixed(b, z), 1];
}

/** As WCAG defines it: 1 to 21. */
function contrast(one: Rgba, other: Rgba): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance([r, g, b]: Rgba): number {
  const linear = (n: number): number => (n <= 10.31475 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
