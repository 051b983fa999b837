// A first dashboard of a layer: a map, how many there are, the best categories as bars, times or numbers as a plot, a table. Pure.

import type { Layer } from '../../api/types.ts';
import { type DataColumn, dataColumns, hasPlaces } from './columns.ts';
import { type Dashboard, newWidget, type Widget } from './dashboard.ts';

/** How many different values a column has. */
export type Distinct = ReadonlyMap<string, number>;

const FEW = 2;
const BEST = 12;
const MANY = 60;
/** Numbers that are names: ids, codes, coordinates say nothing in a histogram. */
const NAMES = /(?:^|_)(?:fid|id|gid|oid|ogc_fid|objectid|code|zip|plz|lat|lon|lng|latitude|longitude|x|y)$/i;

/** Columns whose values are worth counting before a dashboard is made, the likeliest first. */
export function likelyCategories(layer: Layer): readonly DataColumn[] {
  return dataColumns(layer).filter(({ kind, name }) => (kind === 'text' || kind === 'boolean') && !NAMES.test(name));
}

/** The column with a readable number of values; undefined: none has. */
function bestCategory(layer: Layer, distinct: Distinct): DataColumn | undefined {
  const scored = likelyCategories(layer).flatMap((column) => {
    const n = distinct.get(column.name) ?? 0;
    return n < FEW || n > MANY ? [] : [{ column, far: Math.abs(n - BEST) }];
  });
  return scored.sort((a, b) => a.far - b.far)[0]?.column;
}

export function dashboardOf(layer: Layer, distinct: Distinct, words: { readonly count: string }): Dashboard {
  const columns = dataColumns(layer);
  const pk = Number(layer.pk);
  const category = bestCategory(layer, distinct);
  const date = columns.find(({ kind }) => kind === 'date');
  const numbers = columns.filter(({ kind, name }) => kind === 'number' && !NAMES.test(name));
  const [size] = numbers;
  const hasSecond = date !== undefined || numbers.length > 1;
  const made: Omit<Widget, 'id'>[] = [];
  const add = (kind: Widget['kind'], members: Partial<Widget>): void => {
    made.push({ ...newWidget(kind, '', pk), ...members });
  };
  if (hasPlaces(layer)) add('map', { title: layer.title, width: 8, height: 5 });
  const beside = hasPlaces(layer) ? 4 : 6;
  add('counter', { title: words.count, width: beside, height: 2 });
  if (category !== undefined)
    add('bar', {
      title: category.label,
      column: category.name,
      groups: 20,
      width: beside,
      height: hasPlaces(layer) ? 3 : 4,
    });
  if (size !== undefined)
    add('histogram', { title: size.label, column: size.name, groups: 20, width: hasSecond ? 6 : 12, height: 4 });
  if (date !== undefined) add('line', { title: date.label, column: date.name, unit: 'auto', width: 6, height: 4 });
  else if (numbers[1] !== undefined && size !== undefined)
    add('scatter', {
      title: `${size.label} / ${numbers[1].label}`,
      column: size.name,
      across: numbers[1].name,
      groups: 20,
      width: 6,
      height: 4,
    });
  add('table', { title: layer.title, width: 12, height: 4 });
  return { widgets: made.map((widget, i) => ({ ...widget, id: `w${i + 1}` })) };
}
