// When features are: the columns that say it, and conditions on them. A date is a whole day, a timestamp without a zone is one of
// UTC, and nothing depends on the time zone that the database happens to have. Pure.

import type { LayerColumn } from '../../layers/layer.ts';
import { quoteIdent } from '../../sql/index.ts';
import { columnClass } from '../layers/column-class.ts';

/** Does the column, in whatever type it is, meet a span of moments (SQL of type timestamptz)? An index on it is of use. */
export function meetsSpan({ name, type }: Pick<LayerColumn, 'name' | 'type'>, from: string, to: string): string {
  const column = `f.${quoteIdent(name)}`;
  const [first, last] = [from, to].map((bound) => {
    if (columnClass(type) === 'date') return `(${bound} at time zone 'UTC')::date`;
    return isZoned(type) ? bound : `(${bound} at time zone 'UTC')`;
  });
  return `(${column} >= ${first} and ${column} <= ${last})`;
}

/** The column as a moment (timestamptz), for comparisons with others; a date is its first one. */
export function momentOf({ name, type }: Pick<LayerColumn, 'name' | 'type'>): string {
  const column = `f.${quoteIdent(name)}`;
  if (columnClass(type) === 'date') return `(${column}::timestamp at time zone 'UTC')`;
  if (columnClass(type) === 'time' && !isZoned(type)) return `(${column} at time zone 'UTC')`;
  return `${column}::timestamptz`;
}

function isZoned(type: string): boolean {
  return type.endsWith('with time zone');
}
