// The query of `/collections/{layer}/aggregates` → which groups and which measure are asked for. What is not known is refused. Pure.

import type { Box } from '../../geo/bbox.ts';
import type { Filter } from '../../geo/cql/cql.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerColumn, LayerTable } from '../../layer-ports/layer.ts';
import { columnClass } from '../columns/column-class.ts';
import { parseFilter } from '../parse-filter.ts';
import {
  type AggregateRequest,
  type Grouping,
  isMoment,
  isNumber,
  MEASURES,
  TIME_UNITS,
} from '../query/aggregate-sql.ts';
import { parseBbox, type Query, type RequestError } from './items-request.ts';

export type AskedAggregate = AggregateRequest & { readonly bbox: Box | undefined; readonly filter: Filter | undefined };

export const AGGREGATE_PARAMETERS: readonly string[] = [
  'f',
  'group',
  'bins',
  'unit',
  'across',
  'measure',
  'of',
  'limit',
  'sortby',
  'bbox',
  'filter',
  'filter-lang',
];

const MAX_VALUES = 100;
export const MAX_BINS = 100;
const MAX_CELLS = 40;
export const MAX_TIMES = 1000;
const USUAL_VALUES = 20;
const USUAL_BINS = 20;
const USUAL_TIMES = 200;

const bad = (detail: string): Result<never, RequestError> => err({ kind: 'bad-request', detail });

export function parseAggregate(query: Query, table: LayerTable): Result<AskedAggregate, RequestError> {
  for (const [name, value] of Object.entries(query))
    if (typeof value !== 'string') return bad(`The parameter "${name.slice(0, 100)}" is given more than once.`);
  const of = (name: string): string | undefined => query[name] as string | undefined;
  const grouping = parseGrouping(of, table);
  if (!grouping.ok) return grouping;
  const measure = parseMeasure(of, table);
  if (!measure.ok) return measure;
  const kind = grouping.value?.kind;
  const isTimes = kind === 'times';
  const limit =
    kind === 'bins' || kind === 'cells'
      ? MAX_CELLS * MAX_CELLS
      : wholeNumber(of('limit'), isTimes ? USUAL_TIMES : USUAL_VALUES, isTimes ? MAX_TIMES : MAX_VALUES);
  if (limit === undefined) return bad(`limit: a number from 1 to ${isTimes ? MAX_TIMES : MAX_VALUES}.`);
  const sortby = of('sortby') ?? 'measure';
  if (sortby !== 'measure' && sortby !== 'group') return bad('sortby: measure or group.');
  const box = of('bbox');
  const bbox = box === undefined ? undefined : parseBbox(box);
  if (box !== undefined && bbox === undefined) return bad('bbox is four or six numbers, lower before upper.');
  if (bbox !== undefined && table.geometry === undefined) return bad('bbox: the rows of this table have no places.');
  const filter = parseFilter(of('filter'), of('filter-lang'));
  if (!filter.ok) return filter;
  // Classes are told in their own order, whatever they measure.
  const order = kind === 'bins' || kind === 'cells' ? 'group' : sortby;
  return ok({ grouping: grouping.value, measure: measure.value, limit, order, bbox, filter: filter.value });
}

type Of = (name: string) => string | undefined;

function columnIn(of: Of, name: string, table: LayerTable): Result<LayerColumn | undefined, RequestError> {
  const wanted = of(name);
  if (wanted === undefined) return ok(undefined);
  const column = table.columns.find((one) => one.name === wanted);
  if (column === undefined) return bad(`${name}: there is no column "${wanted.slice(0, 100)}".`);
  const kind = columnClass(column.type);
  return kind === 'bytes' || kind === 'json' ? bad(`${name}: a column of ${kind} cannot be counted.`) : ok(column);
}

function parseGrouping(of: Of, table: LayerTable): Result<Grouping | undefined, RequestError> {
  const group = columnIn(of, 'group', table);
  if (!group.ok) return group;
  const across = columnIn(of, 'across', table);
  if (!across.ok) return across;
  const column = group.value;
  const [bins, unit] = [of('bins'), of('unit')];
  if (column === undefined) {
    return bins === undefined && unit === undefined && across.value === undefined
      ? ok(undefined)
      : bad('bins, unit and across go with group.');
  }
  if (bins !== undefined && unit !== undefined) return bad('bins are for numbers and unit for dates: one of both.');
  if (unit !== undefined) {
    const found = ['auto' as const, ...TIME_UNITS].find((one) => one === unit);
    if (found === undefined) return bad(`unit: auto, ${TIME_UNITS.join(', ')}.`);
    if (!isMoment(column)) return bad('unit: the column holds neither dates nor times.');
    return across.value === undefined ? ok({ kind: 'times', column, unit: found }) : bad('across goes with bins.');
  }
  if (across.value !== undefined) {
    const n = wholeNumber(bins, USUAL_BINS, MAX_CELLS);
    if (n === undefined) return bad(`bins: a number from 1 to ${MAX_CELLS}.`);
    if (!isNumber(column) || !isNumber(across.value)) return bad('across: both columns have to hold numbers.');
    return ok({ kind: 'cells', column, across: across.value, bins: n });
  }
  if (bins === undefined) return ok({ kind: 'values', column });
  const n = wholeNumber(bins, USUAL_BINS, MAX_BINS);
  if (n === undefined) return bad(`bins: a number from 1 to ${MAX_BINS}.`);
  return isNumber(column) ? ok({ kind: 'bins', column, bins: n }) : bad('bins: the column holds no numbers.');
}

function parseMeasure(of: Of, table: LayerTable): Result<AggregateRequest['measure'], RequestError> {
  const wanted = of('measure') ?? 'count';
  const name = MEASURES.find((one) => one === wanted);
  if (name === undefined) return bad(`measure: ${MEASURES.join(', ')}.`);
  const column = columnIn(of, 'of', table);
  if (!column.ok) return column;
  if (name === 'count')
    return column.value === undefined ? ok({ name, column: undefined }) : bad('of: count is of all rows.');
  if (column.value === undefined) return bad(`of: ${name} needs a column.`);
  if (name === 'distinct' || isNumber(column.value)) return ok({ name, column: column.value });
  if ((name === 'min' || name === 'max') && isMoment(column.value)) return ok({ name, column: column.value });
  return bad(`of: ${name} needs a column of numbers.`);
}

function wholeNumber(given: string | undefined, otherwise: number, most: number): number | undefined {
  if (given === undefined) return otherwise;
  const n = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  return n >= 1 && n <= most ? n : undefined;
}
