// Rows as a model is given them: long geometries and texts shortened, and no more rows than fit. Pure.

import { parseExact, writeExact } from '../kernel/exact-numbers.ts';

/** About 25,000 tokens. */
const MAX_TEXT = 100_000;
/** A point, or a box, is shown as it is. */
const MAX_GEOMETRY = 400;
const MAX_CELL = 4000;

export type ShownRows = {
  readonly text: string;
  readonly shown: number;
  /** How many there were. */
  readonly rows: number;
  readonly isShortened: boolean;
};

/** `json`: an array of rows. As many of the first as fit; numbers keep all their digits. */
export function showRows(json: string, isFull: boolean): ShownRows {
  const rows = parseExact(json) as readonly unknown[];
  const lines: string[] = [];
  let length = 0;
  let isShortened = false;
  for (const row of rows) {
    const whole = writeExact(row);
    const line = isFull ? whole : writeExact(shortened(row));
    if (length + line.length > MAX_TEXT) break;
    if (line !== whole) isShortened = true;
    lines.push(line);
    length += line.length + 2;
  }
  return { text: `[${lines.join(',\n')}]`, shown: lines.length, rows: rows.length, isShortened };
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= MAX_CELL ? value : `${value.slice(0, MAX_CELL)}… (shortened)`;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const { type, coordinates } = value as Record<string, unknown>;
  if (typeof type === 'string' && Array.isArray(coordinates) && JSON.stringify(coordinates).length > MAX_GEOMETRY)
    return { type, shortened: 'coordinates are left out; ask with full: true' };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}
