// Features without a value in the column that a style follows: their look, how a style says it, and what styles that were saved earlier meant.
// A class is for features that have a number; null is in none of them. Pure.

import { groupOf, VALUE } from './group.ts';
import type { Json, StyleLayer } from './style-layer.ts';

/** A neutral grey that is told from light and from dark land, and from the colours of classes. */
export const NO_VALUE = '#b0b0b0';
/** Instead of a colour: features without a value are not drawn. */
export const HIDDEN = 'hidden';
/** Radius of a point whose size is not known. */
export const NO_VALUE_RADIUS = 3;

/** The number in a column. What no double holds exactly comes as text in tiles. */
export const numberIn = (column: string): Json => ['to-number', ['get', column]];

export const hasValue = (column: string): Json => ['has', column];

/** `look` of features with a value in the column, `none` of the others. */
export function orNone(column: string, look: Json, none: Json): Json {
  return ['case', hasValue(column), look, none];
}

/** What `orNone` wrote, or the same in other words; undefined: it is something else. */
export function readOrNone(
  value: unknown,
): { readonly column: string; readonly look: unknown; readonly none: unknown } | undefined {
  if (!Array.isArray(value) || value[0] !== 'case' || value.length !== 4) return undefined;
  const [, condition, first, second] = value as readonly unknown[];
  const present = valueColumn(condition);
  if (present !== undefined) return { column: present, look: first, none: second };
  const missing = missingColumn(condition);
  return missing === undefined ? undefined : { column: missing, look: second, none: first };
}

/** The column that a condition wants a value in. */
export function valueColumn(condition: unknown): string | undefined {
  const [operator, a, b] = listOf(condition);
  if (operator === 'has') return typeof a === 'string' ? a : undefined;
  if (operator === '!=' && b === null) return columnIn(a);
  return operator === '!' ? missingColumn(a) : undefined;
}

/** The column that a condition wants no value in. */
export function missingColumn(condition: unknown): string | undefined {
  const [operator, a, b] = listOf(condition);
  if (operator === '!has') return typeof a === 'string' ? a : undefined;
  if (operator === '==' && b === null) return columnIn(a);
  return operator === '!' ? valueColumn(a) : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function columnIn(value: unknown): string | undefined {
  const [operator, name] = listOf(value);
  return operator === 'get' && typeof name === 'string' ? name : undefined;
}

/** Columns in which a style has a look for features without a value. */
export function noValueColumns(layers: readonly StyleLayer[]): readonly string[] {
  const found = new Set<string>();
  for (const layer of layers) {
    const looks = Object.values(layer.paint ?? {}).map((value) => readOrNone(value)?.column);
    for (const column of [missingColumn(layer.filter), ...looks])
      if (column !== undefined) found.add(columnMeant(layer, column));
  }
  return [...found];
}

/** Groups have the value of their features under a name of its own. */
export function columnMeant(layer: Pick<StyleLayer, 'metadata'>, column: string): string {
  return column === VALUE ? (groupOf(layer)?.value?.column ?? column) : column;
}

type Painted = { readonly paint?: Readonly<Record<string, unknown>> | undefined };

/**
 * A stored style as it was meant. Styles that were saved earlier count a missing number as 0, in classes as in sizes, and so put features without a
 * value into the lowest class; and to a heatmap what has no weight weighs 1, as MapLibre has it.
 */
export function withNoValue<L extends Painted>(layers: readonly L[]): readonly L[] {
  return layers.map((layer) => {
    if (layer.paint === undefined) return layer;
    const size = earlierSize(layer.paint['circle-radius']);
    let isSame = size === undefined;
    const paint = Object.entries(layer.paint).map(([name, value]): readonly [string, unknown] => {
      const meant = asMeant(name, value, size?.column);
      if (meant !== value) isSame = false;
      return [name, name === 'circle-radius' && size !== undefined ? size.meant : meant];
    });
    return isSame ? layer : { ...layer, paint: Object.fromEntries(paint) };
  });
}

function asMeant(name: string, value: unknown, sizeColumn: string | undefined): unknown {
  if (name === 'heatmap-weight') return weightAsMeant(value);
  if (!name.endsWith('-color')) return value;
  if (typeof value === 'string')
    return name === 'circle-color' && sizeColumn !== undefined ? orNone(sizeColumn, value, NO_VALUE) : value;
  const [operator, input, ...classes] = listOf(value);
  const column = operator === 'step' ? earlierNumber(input) : undefined;
  return column === undefined ? value : orNone(column, ['step', numberIn(column), ...(classes as Json[])], NO_VALUE);
}

/** `["to-number", ["get", column], 0]`, as classes and sizes of earlier versions have it. */
function earlierNumber(value: unknown): string | undefined {
  const [operator, held, otherwise] = listOf(value);
  return operator === 'to-number' && otherwise === 0 ? columnIn(held) : undefined;
}

/** `["*", radius, ["sqrt", ["/", ["max", 0, number], most]]]` */
function earlierSize(value: unknown): { readonly column: string; readonly meant: Json } | undefined {
  const [times, radius, root] = listOf(value);
  const [, share] = listOf(root);
  const [, least, most] = listOf(share);
  const [, zero, number] = listOf(least);
  const column = earlierNumber(number);
  if (column === undefined || times !== '*' || typeof radius !== 'number' || typeof most !== 'number') return undefined;
  const expected = ['*', radius, ['sqrt', ['/', ['max', 0, number], most]]];
  if (zero !== 0 || JSON.stringify(expected) !== JSON.stringify(value)) return undefined;
  const size: Json = ['*', radius, ['sqrt', ['/', ['max', 0, numberIn(column)], most]]];
  return { column, meant: orNone(column, size, Math.min(NO_VALUE_RADIUS, radius)) };
}

/** Operators by which a style itself says what a missing number counts. */
const DECIDED: ReadonlySet<unknown> = new Set(['case', 'coalesce', 'has', 'to-number']);

function weightAsMeant(weight: unknown): unknown {
  const columns = new Set<string>();
  let isDecided = false;
  const look = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    if (DECIDED.has(value[0])) isDecided = true;
    const column = columnIn(value);
    if (column !== undefined) columns.add(column);
    value.forEach(look);
  };
  look(weight);
  if (isDecided || columns.size === 0) return weight;
  return ['case', ['all', ...[...columns].map(hasValue)], weight, 0];
}
