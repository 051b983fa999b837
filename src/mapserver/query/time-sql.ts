// Conditions on the columns that say when features are. A date is a whole day, a timestamp without a zone is one of UTC, and nothing
// depends on the time zone that the database happens to have. Pure.

import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import { sql } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import { timeColumnsOf } from '../columns/time-columns.ts';
import { columnOf } from './layer-sql.ts';
import { type Sql, value } from './value.ts';

/** From one moment to another, both in text that PostgreSQL reads. */
export type TimeSpan = { readonly from: string; readonly to: string };

type Timed = Pick<LayerColumn, 'name' | 'type'>;

/** A moment as text that PostgreSQL reads. */
export function moment(at: string): Sql {
  return sql`${value(at)}::timestamptz`;
}

/** Does the column, in whatever type it is, meet a span of moments (of type timestamptz)? An index on it is of use. */
export function meetsSpan({ name, type }: Timed, from: Sql, to: Sql): Sql {
  const column = columnOf(name);
  const bound = (at: Sql): Sql => {
    if (columnClass(type) === 'date') return sql`(${at} at time zone 'UTC')::date`;
    return isZoned(type) ? at : sql`(${at} at time zone 'UTC')`;
  };
  return sql`(${column} >= ${bound(from)} and ${column} <= ${bound(to)})`;
}

/** The features of a span, where the layer's time column is declared; undefined: all of them are meant. */
export function inSpan(layer: VectorLayer, time: TimeSpan | undefined): Sql | undefined {
  const [column] = time === undefined || layer.timeColumn === undefined ? [] : timeColumnsOf(layer);
  return column === undefined || time === undefined ? undefined : meetsSpan(column, moment(time.from), moment(time.to));
}

/** The column as a moment (timestamptz), for comparisons with others; a date is its first one. */
export function momentOf({ name, type }: Timed): Sql {
  const column = columnOf(name);
  if (columnClass(type) === 'date') return sql`(${column}::timestamp at time zone 'UTC')`;
  if (columnClass(type) === 'time' && !isZoned(type)) return sql`(${column} at time zone 'UTC')`;
  return sql`${column}::timestamptz`;
}

function isZoned(type: string): boolean {
  return type.endsWith('with time zone');
}
