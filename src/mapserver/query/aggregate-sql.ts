// Aggregates of a layer or plain table, grouped or not → one statement over the rows that the caller may see, whose one cell is JSON. The number of
// groups is bounded; what is beyond the bound is summed up as "others". Pure.

import { assertNever } from '../../kernel/assert-never.ts';
import type { LayerColumn, LayerTable } from '../../layer-ports/layer.ts';
import { empty, join, raw, sql, where } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import { columnOf, tableOf } from './layer-sql.ts';
import { momentOf } from './time-sql.ts';
import { number, type Sql, text, whole } from './value.ts';

export const MEASURES = ['count', 'sum', 'avg', 'min', 'max', 'median', 'distinct'] as const;
type MeasureName = (typeof MEASURES)[number];

/** The finest last; `auto` takes the finest that gives few enough groups. */
export const TIME_UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const;
type TimeUnit = (typeof TIME_UNITS)[number];

export type Grouping =
  /** A group for each value. */
  | { readonly kind: 'values'; readonly column: LayerColumn }
  /** Classes of one width between the smallest and the largest number. */
  | { readonly kind: 'bins'; readonly column: LayerColumn; readonly bins: number }
  | { readonly kind: 'times'; readonly column: LayerColumn; readonly unit: TimeUnit | 'auto' }
  /** Cells of two columns of numbers: a scatter plot that stays small whatever the number of rows. */
  | { readonly kind: 'cells'; readonly column: LayerColumn; readonly across: LayerColumn; readonly bins: number };

export type AggregateRequest = {
  readonly grouping: Grouping | undefined;
  readonly measure: { readonly name: MeasureName; readonly column: LayerColumn | undefined };
  /** Groups at most. */
  readonly limit: number;
  readonly order: 'measure' | 'group';
};

/** Sums stay numbers below this; it also leaves out NaN and the infinities. */
const MAX_NUMBER = 1e140;

export function isNumber({ type }: LayerColumn): boolean {
  return columnClass(type) === 'integer' || columnClass(type) === 'number';
}

export function isMoment({ type }: LayerColumn): boolean {
  return columnClass(type) === 'date' || columnClass(type) === 'time';
}

/** A number that can be counted with, else NULL. */
function numberOf({ name }: LayerColumn): Sql {
  const of = sql`${columnOf(name)}::double precision`;
  const most = number(MAX_NUMBER);
  return sql`case when ${of} between -${most} and ${most} then ${of} end`;
}

/** As a moment of UTC without a zone; NULL where it is infinite. */
function timeOf(column: LayerColumn): Sql {
  const at = momentOf(column);
  return sql`case when isfinite(${at}) then ${at} at time zone 'UTC' end`;
}

/** What a measure is of one group, and of several groups together; the second is NULL where it does not follow from the groups. */
type Parts = { readonly columns: Sql; readonly one: Sql; readonly all: Sql };

function measureParts({ name, column }: AggregateRequest['measure']): Parts {
  const x: Sql = column === undefined ? sql`null` : isNumber(column) ? numberOf(column) : columnOf(column.name);
  switch (name) {
    case 'count':
      return { columns: empty, one: sql`n`, all: sql`sum(n)` };
    case 'sum':
      return { columns: sql`, sum(${x}) as m`, one: sql`m`, all: sql`sum(m)` };
    case 'avg':
      return {
        columns: sql`, sum(${x}) as s, count(${x}) as c`,
        one: sql`s / nullif(c, 0)`,
        all: sql`sum(s) / nullif(sum(c), 0)`,
      };
    case 'min':
    case 'max':
      return { columns: sql`, ${raw(name)}(${x}) as m`, one: sql`m`, all: sql`${raw(name)}(m)` };
    case 'median':
      return {
        columns: sql`, percentile_cont(0.5) within group (order by ${x}) as m`,
        one: sql`m`,
        all: sql`max(null::double precision)`,
      };
    case 'distinct':
      return {
        columns: sql`, count(distinct ${column === undefined ? x : columnOf(column.name)}::text) as m`,
        one: sql`m`,
        all: sql`max(null::bigint)`,
      };
    default:
      return assertNever(name);
  }
}

/** `ranged`: the ends between which groups lie, as the row `r`. `keys`: what a group is known by, NULL where a row is in none. */
type Groups = { readonly ranged: Sql | undefined; readonly keys: readonly Sql[]; readonly ends: Sql };

const NO_ENDS: Sql = sql`'{}'::jsonb`;

function groupsOf(grouping: Grouping, from: Sql, limit: number): Groups {
  switch (grouping.kind) {
    case 'values': {
      const of = columnOf(grouping.column.name);
      return { ranged: undefined, keys: [isNumber(grouping.column) ? of : sql`${of}::text`], ends: NO_ENDS };
    }
    case 'bins': {
      const x = numberOf(grouping.column);
      return {
        ranged: sql`select min(x) as low, max(x) as high from (select ${x} as x ${from}) v`,
        keys: [bucket(x, sql`r.low`, sql`r.high`, grouping.bins)],
        ends: sql`(select jsonb_build_object('low', r.low, 'high', r.high) from r)`,
      };
    }
    case 'cells': {
      const [x, y] = [numberOf(grouping.column), numberOf(grouping.across)];
      return {
        ranged: sql`select min(x) as low, max(x) as high, min(y) as low_across, max(y) as high_across from (select ${x} as x, ${y} as y ${from}) v where x is not null and y is not null`,
        keys: [
          bucket(x, sql`r.low`, sql`r.high`, grouping.bins, y),
          bucket(y, sql`r.low_across`, sql`r.high_across`, grouping.bins, x),
        ],
        ends: sql`(select jsonb_build_object('low', r.low, 'high', r.high, 'low_across', r.low_across, 'high_across', r.high_across) from r)`,
      };
    }
    case 'times': {
      const at = timeOf(grouping.column);
      const unit = grouping.unit === 'auto' ? autoUnit(grouping.column, limit) : text(grouping.unit);
      return {
        ranged: sql`select low, high, ${unit} as unit from (select min(x) as low, max(x) as high from (select ${at} as x ${from}) v) e`,
        keys: [sql`date_trunc(r.unit, ${at})`],
        ends: sql`(select jsonb_build_object('low', ${shownTime(sql`r.low`)}, 'high', ${shownTime(sql`r.high`)}, 'unit', r.unit) from r)`,
      };
    }
    default:
      return assertNever(grouping);
  }
}

/** The number of the class from 1 on. `other`: has to be there as well. */
function bucket(x: Sql, low: Sql, high: Sql, bins: number, other?: Sql): Sql {
  const isThere = other === undefined ? sql`${x} is not null` : sql`${x} is not null and ${other} is not null`;
  return sql`case when not (${isThere}) then null when ${low} < ${high} then least(width_bucket(${x}, ${low}, ${high}, ${whole(bins)}), ${whole(bins)}) else 1 end`;
}

const SECONDS: Readonly<Record<TimeUnit, number>> = {
  year: 31_556_952,
  quarter: 7_889_238,
  month: 2_629_746,
  week: 604_800,
  day: 86_400,
  hour: 3_600,
};

/** Dates have no hours. */
function autoUnit(column: LayerColumn, limit: number): Sql {
  const units = columnClass(column.type) === 'date' ? TIME_UNITS.filter((unit) => unit !== 'hour') : TIME_UNITS;
  const span: Sql = sql`extract(epoch from high - low)`;
  const few: readonly Sql[] = units
    .toReversed()
    .map((unit) => sql`when ${span} <= ${number(SECONDS[unit] * Math.max(1, limit - 2))} then ${text(unit)}`);
  return sql`case ${join(few, ' ')} else 'year' end`;
}

function shownTime(at: Sql): Sql {
  return sql`to_char(${at}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** One row, one cell: `{count, measure, groups, others, empty, ends}`. */
export function aggregateSql(table: LayerTable, request: AggregateRequest, conditions: readonly Sql[]): Sql {
  const { grouping, measure, limit, order } = request;
  const from: Sql = sql`from ${tableOf(table)} as f${where(conditions)}`;
  const { columns, one, all } = measureParts(measure);
  if (grouping === undefined) {
    return sql`select json_build_object('count', n, 'measure', ${one}, 'groups', json_build_array(), 'others', null, 'empty', 0, 'ends', json_build_object()) from (select count(*) as n${columns} ${from}) g`;
  }
  const { ranged, keys, ends } = groupsOf(grouping, from, limit);
  const names = keys.map((_, i) => raw(i === 0 ? 'k' : 'k2'));
  const selected: readonly Sql[] = keys.map((key, i) => sql`${key} as ${names[i] ?? raw('k')}`);
  const rows: Sql = sql`from ${tableOf(table)} as f${ranged === undefined ? empty : sql` cross join r`}${where(conditions)}`;
  // Groups of values are told with the one that has none; rows that are in no class or at no time are only counted.
  const isGroup: Sql = grouping.kind === 'values' ? sql`true` : sql`k is not null`;
  const first: Sql =
    grouping.kind === 'times'
      ? sql`k desc nulls last`
      : order === 'measure'
        ? sql`${one} desc nulls last, n desc, k`
        : sql`k nulls last${names.length > 1 ? sql`, k2` : empty}`;
  const shown: Sql = grouping.kind === 'times' ? shownTime(sql`k`) : sql`k`;
  const told: Sql = sql`json_build_object('value', ${shown}, ${names.length > 1 ? sql`'across', k2, ` : empty}'count', n, 'measure', ${one})`;
  const last: Sql = grouping.kind === 'times' ? sql`place desc` : sql`place`;
  return sql`with ${ranged === undefined ? empty : sql`r as materialized (${ranged}), `}g as materialized (
       select ${join(selected)}, count(*) as n${columns} ${rows} group by ${join(keys.map((_, i) => raw(String(i + 1))))}),
     p as materialized (select *, row_number() over (order by ${first}) as place from g where ${isGroup})
select json_build_object('count', (select coalesce(sum(n), 0) from g), 'measure', (select ${all} from g),
       'groups', (select coalesce(json_agg(${told} order by ${last}), '[]') from p where place <= ${whole(limit)}),
       'others', (select case when count(*) > 0 then json_build_object('groups', count(*), 'count', sum(n), 'measure', ${all}) end from p where place > ${whole(limit)}),
       'empty', (select coalesce(sum(n), 0) from g where not (${isGroup})), 'ends', ${ends})`;
}
