// Which columns the tiles of an overview have. Those that styles use come first, then those that fit for classes: few different values, or
// numbers. What is different in every feature (names, descriptions) would be most of a tile, and nobody reads it of thousands. Pure.

import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import { columnClass } from '../layers/column-class.ts';

const MAX_COLUMNS = 12;
/** Numbers that no style uses so far. */
const MAX_NUMBERS = 2;
/** Different values among some thousand rows from which on a column is none of classes. */
const FEW_VALUES = 100;
const MAX_STRINGS = 10_000;

export type OverviewColumns = { readonly columns: readonly string[]; readonly needed: number };

/**
 * `styles`: MapLibre layers of the layer's own styles, and of those that maps have for it, which come behind them; `variety`: how many different values a
 * column has in a sample.
 */
export function overviewColumns(
  layer: VectorLayer,
  styles: { readonly own: readonly unknown[]; readonly ofMaps: readonly unknown[] },
  variety: ReadonlyMap<string, number>,
): OverviewColumns {
  const shown = layer.columns.filter(({ type, name }) => columnClass(type) !== 'bytes' && name !== layer.primaryKey);
  const usedBy = (some: readonly unknown[]): readonly LayerColumn[] => {
    const words = stringsOf(some);
    return shown.filter(({ name }) => words.has(name) || [...words].some((word) => word.includes(`{${name}}`)));
  };
  const used = [...new Set([...usedBy(styles.own), ...usedBy(styles.ofMaps)])].slice(0, MAX_COLUMNS);
  const others = shown.filter((column) => !used.includes(column));
  const few = others.filter(({ name }) => (variety.get(name) ?? Infinity) <= FEW_VALUES);
  const numbers = others
    .filter((column) => !few.includes(column) && ['integer', 'number'].includes(columnClass(column.type)))
    .slice(0, MAX_NUMBERS);
  const columns = [...used, ...few, ...numbers].slice(0, MAX_COLUMNS).map(({ name }) => name);
  return { columns, needed: Math.min(columns.length, used.length + few.length) };
}

/** Every text in styles: names of columns are among them. */
function stringsOf(styles: readonly unknown[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open: unknown[] = [...styles];
  while (open.length > 0 && found.size < MAX_STRINGS) {
    const one = open.pop();
    if (typeof one === 'string') found.add(one);
    else if (Array.isArray(one)) for (const each of one) open.push(each);
    else if (typeof one === 'object' && one !== null) for (const each of Object.values(one)) open.push(each);
  }
  return found;
}
