// Points as large as a number says: the expression of their radius, what it was made of, and the sizes that a legend shows of it. Pure.

import { NO_VALUE_RADIUS, numberIn, orNone, readOrNone } from './no-value.ts';
import type { Json } from './style-layer.ts';

export type ProportionalSize = {
  /** Of the point with `most`, in pixels. */
  readonly radius: number;
  readonly attribute: string;
  readonly most: number;
};

/** The eye compares areas: twice the number is twice the area. `isHidden`: points without a number are not drawn, and need no size. */
export function sizeExpression({ radius, attribute, most }: ProportionalSize, isHidden = false): Json {
  const size: Json = ['*', radius, ['sqrt', ['/', ['max', 0, numberIn(attribute)], most]]];
  return isHidden ? size : orNone(attribute, size, Math.min(NO_VALUE_RADIUS, radius));
}

/** Undefined: it is another expression. */
export function readSize(value: unknown): ProportionalSize | undefined {
  const [times, radius, root] = listOf(readOrNone(value)?.look ?? value);
  const [, share] = listOf(root);
  const [, number, most] = listOf(share);
  const [, , held] = listOf(number);
  const [, name] = listOf(held);
  const [, attribute] = listOf(name);
  if (times !== '*' || typeof radius !== 'number' || typeof attribute !== 'string' || typeof most !== 'number')
    return undefined;
  const size = { radius, attribute, most };
  const isSize = [false, true].some(
    (isHidden) => JSON.stringify(sizeExpression(size, isHidden)) === JSON.stringify(value),
  );
  return isSize ? size : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Radii by halves: areas, and so numbers, by quarters. */
const LEGEND_SHARES = [1, 1 / 4, 1 / 16] as const;

/** What stands for how much: round numbers, and the share of the largest radius that each has. The largest comes first. */
export function legendSizes({ most }: ProportionalSize): readonly { readonly value: number; readonly share: number }[] {
  if (!(most > 0) || !Number.isFinite(most)) return [];
  return LEGEND_SHARES.map((part) => {
    const value = Number((most * part).toPrecision(2));
    return { value, share: Math.sqrt(value / most) };
  });
}
