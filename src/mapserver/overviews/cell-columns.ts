// Which columns the cells of an overview have, and how they are aggregated: those that styles use come first, then those that fit for classes. A
// number that a style compares with single values, or that has few values, is a category; any other has a mean. Pure.

import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import type { CellColumns } from '../cells/cell.ts';
import { columnClass } from '../columns/column-class.ts';

const MAX_COLUMNS = 12;
/** Numbers that no style uses so far. */
const MAX_NUMBERS = 2;
/** Different values among some thousand rows from which on a column is none of classes. */
const FEW_VALUES = 100;
/** The same of whole numbers, which are codes if they are few. */
const FEW_CODES = 12;
const MAX_NODES = 50_000;

/** Expressions of MapLibre that compare with single values. */
const COMPARING = new Set(['match', '==', '!=', 'in']);

export type StylesInUse = {
  /** MapLibre layers of the layer's own styles. */
  readonly own: readonly unknown[];
  /** Those that maps have for it, which come behind them. */
  readonly ofMaps: readonly unknown[];
};

/** `variety`: how many different values a column has in a sample. */
export function cellColumns(
  layer: VectorLayer,
  { own, ofMaps }: StylesInUse,
  variety: ReadonlyMap<string, number>,
): CellColumns {
  const shown = layer.columns.filter(({ type, name }) => columnClass(type) !== 'bytes' && name !== layer.primaryKey);
  const { words, compared } = namesIn([...own, ...ofMaps]);
  const ownWords = namesIn(own).words;
  const isUsed = ({ name }: LayerColumn, by: ReadonlySet<string>): boolean =>
    by.has(name) || [...by].some((word) => word.includes(`{${name}}`));
  const used = [
    ...shown.filter((column) => isUsed(column, ownWords)),
    ...shown.filter((column) => !isUsed(column, ownWords) && isUsed(column, words)),
  ].slice(0, MAX_COLUMNS);
  const others = shown.filter((column) => !used.includes(column));
  const few = others.filter(({ name }) => (variety.get(name) ?? Infinity) <= FEW_VALUES);
  const numbers = others.filter((column) => !few.includes(column) && isNumber(column)).slice(0, MAX_NUMBERS);
  const chosen = [...used, ...few, ...numbers].slice(0, MAX_COLUMNS);
  const isMean = (column: LayerColumn): boolean =>
    isNumber(column) &&
    !compared.has(column.name) &&
    !(columnClass(column.type) === 'integer' && (variety.get(column.name) ?? Infinity) <= FEW_CODES);
  return {
    numbers: chosen.filter(isMean).map(({ name }) => name),
    categories: chosen.filter((column) => !isMean(column)).map(({ name }) => name),
  };
}

function isNumber({ type }: LayerColumn): boolean {
  return ['integer', 'number'].includes(columnClass(type));
}

/** Every text in styles, since names of columns are among them; and the columns that are compared with single values. */
function namesIn(styles: readonly unknown[]): {
  readonly words: ReadonlySet<string>;
  readonly compared: ReadonlySet<string>;
} {
  const words = new Set<string>();
  const compared = new Set<string>();
  const open: unknown[] = [...styles];
  for (let nodes = 0; open.length > 0 && nodes < MAX_NODES; nodes++) {
    const one = open.pop();
    if (typeof one === 'string') words.add(one);
    else if (Array.isArray(one)) {
      const [verb, ...inputs] = one as readonly unknown[];
      if (typeof verb === 'string' && COMPARING.has(verb))
        for (const input of inputs)
          if (Array.isArray(input) && input[0] === 'get' && typeof input[1] === 'string') compared.add(input[1]);
      open.push(...one);
    } else if (typeof one === 'object' && one !== null) open.push(...Object.values(one));
  }
  return { words, compared };
}
