// The query of `/collections/{layer}/items` → which features are asked for. What is not known is refused: a filter that is passed over
// would give an answer to another question.

import type { Box } from '../../geo/bbox.ts';
import type { Filter, When } from '../../geo/cql/cql.ts';
import { isMoment } from '../../geo/cql/cql.ts';
import { parseDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { columnClass } from '../columns/column-class.ts';
import { parseFilter } from '../parse-filter.ts';
import { propertiesOf, type SortKey } from '../query/feature-query.ts';

export type ItemsRequest = {
  /** Undefined: all of them. */
  readonly limit: number | undefined;
  readonly offset: number;
  readonly after: string | undefined;
  readonly bbox: Box | undefined;
  readonly bboxCrs: string | undefined;
  readonly crs: string | undefined;
  readonly when: When | undefined;
  readonly filter: Filter | undefined;
  readonly filterCrs: string | undefined;
  /** By name; undefined: all. */
  readonly properties: readonly string[] | undefined;
  readonly hasGeometry: boolean;
  readonly order: readonly SortKey[];
};

export type RequestError = { readonly kind: 'bad-request'; readonly detail: string };

export const DEFAULT_LIMIT = 1000;
/** Large layers in few requests: they are streamed. */
export const MAX_LIMIT = 100_000;

/** Besides the names of properties. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'f',
  'limit',
  'offset',
  'after',
  'bbox',
  'bbox-crs',
  'crs',
  'datetime',
  'filter',
  'filter-lang',
  'filter-crs',
  'properties',
  'skipGeometry',
  'sortby',
]);

export type Query = Readonly<Record<string, unknown>>;

export function parseItemsRequest(
  query: Query,
  layer: VectorLayer,
  /** `all`: there is no limit but the one that is asked for. */
  defaultLimit: number | 'all' = DEFAULT_LIMIT,
): Result<ItemsRequest, RequestError> {
  const refuse = (detail: string): Result<never, RequestError> => err({ kind: 'bad-request', detail });
  const equals: Filter[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') return refuse(`The parameter ${shown(name)} is given more than once.`);
    if (PARAMETERS.has(name)) continue;
    const column = layer.columns.find((one) => one.name === name);
    if (column === undefined || columnClass(column.type) === 'bytes')
      return refuse(`The parameter ${shown(name)} is not known here.`);
    equals.push({ kind: 'compare', op: '=', left: { kind: 'property', name }, right: { kind: 'text', value } });
  }
  const of = (name: string): string | undefined => query[name] as string | undefined;

  const wanted = of('limit') ?? (defaultLimit === 'all' ? undefined : String(defaultLimit));
  const limit = wanted === undefined ? undefined : wholeNumber(wanted);
  if (wanted !== undefined && (limit === undefined || limit < 1)) return refuse('limit is a whole number from 1 on.');
  const offset = wholeNumber(of('offset') ?? '0');
  if (offset === undefined) return refuse('offset is a whole number from 0 on.');
  const box = of('bbox');
  const bbox = box === undefined ? undefined : parseBbox(box);
  if (box !== undefined && bbox === undefined) return refuse('bbox is four or six numbers, lower before upper.');
  const datetime = of('datetime');
  const when = datetime === undefined ? undefined : parseWhen(datetime);
  if (datetime !== undefined && when === undefined)
    return refuse('datetime is a date, a time in RFC 3339, or an interval of two of them: 2020-01-01/.. for example.');
  const properties = of('properties') === undefined ? undefined : (of('properties') ?? '').split(',').filter(Boolean);
  const known = new Set(propertiesOf(layer).map(({ name }) => name));
  const strange = properties?.find((name) => !known.has(name) && name !== layer.primaryKey);
  if (strange !== undefined) return refuse(`There is no property ${shown(strange)}.`);
  const order = parseSort(of('sortby'), layer);
  if (!order.ok) return order;
  const filter = parseFilter(of('filter'), of('filter-lang'));
  if (!filter.ok) return filter;
  const all = [...equals, ...(filter.value === undefined ? [] : [filter.value])];
  const after = of('after');
  if (after !== undefined && (order.value.length > 0 || offset > 0 || after.includes('\0')))
    return refuse('after goes with neither sortby nor offset.');
  const skip = of('skipGeometry');
  if (skip !== undefined && skip !== 'true' && skip !== 'false') return refuse('skipGeometry is true or false.');
  return ok({
    limit: defaultLimit === 'all' || limit === undefined ? limit : Math.min(limit, MAX_LIMIT),
    offset,
    after,
    bbox,
    bboxCrs: of('bbox-crs'),
    crs: of('crs'),
    when,
    filter: all.length > 1 ? { kind: 'and', parts: all } : all[0],
    filterCrs: of('filter-crs'),
    properties,
    hasGeometry: skip !== 'true',
    order: order.value,
  });
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function parseBbox(text: string): Box | undefined {
  const parts = text.split(',');
  if (parts.length !== 4 && parts.length !== 6) return undefined;
  const numbers = parts.map((part) => parseDecimal(part.trim()) ?? Number.NaN);
  const [a, b, c, d] = numbers.length === 6 ? numbers.filter((_, i) => i !== 2 && i !== 5) : numbers;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  // From east to west is over the edge of the world; from north to south is nowhere.
  return [a, b, c, d].every(Number.isFinite) && b <= d ? [a, b, c, d] : undefined;
}

export function parseWhen(text: string): When | undefined {
  const [from = '', to, ...more] = text.split('/', 3);
  if (more.length > 0) return undefined;
  if (to === undefined) {
    const one = spanOf(from);
    if (one === undefined) return undefined;
    return one.first === one.last
      ? { kind: 'instant', at: one.first }
      : { kind: 'interval', from: one.first, to: one.last };
  }
  const isOpen = (end: string): boolean => end === '' || end === '..';
  const [start, end] = [isOpen(from) ? undefined : spanOf(from), isOpen(to) ? undefined : spanOf(to)];
  if ((start === undefined && !isOpen(from)) || (end === undefined && !isOpen(to))) return undefined;
  if (start === undefined && end === undefined) return undefined;
  if (start !== undefined && end !== undefined && Date.parse(start.first) > Date.parse(end.last)) return undefined;
  return { kind: 'interval', from: start?.first, to: end?.last };
}

/**
 * First and last moment of what was written: the same text for a date and for a moment. GDAL up to 3.6 writes `2020-05-01T` for a date, and
 * leaves out minutes and seconds that it does not know.
 */
function spanOf(text: string): { readonly first: string; readonly last: string } | undefined {
  if (text.length > MAX_MOMENT) return undefined;
  const [, date = '', time, minute, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)T(?:(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  const [first, last] =
    date === ''
      ? [text, text]
      : time === undefined
        ? [date, date]
        : [`${date}T${time}:${minute ?? '00'}:00${zone}`, `${date}T${time}:${minute ?? '59'}:59.999999${zone}`];
  return isMoment(first) && isMoment(last) ? { first, last } : undefined;
}

const MAX_MOMENT = 40;

function parseSort(text: string | undefined, layer: VectorLayer): Result<readonly SortKey[], RequestError> {
  const keys: SortKey[] = [];
  for (const part of text === undefined ? [] : text.split(',')) {
    // A plus in an address is a blank to those who read it as a form.
    const isDown = part.startsWith('-');
    const name = part.replace(/^[+\- ]/, '');
    const column = layer.columns.find((one) => one.name === name);
    if (column === undefined || columnClass(column.type) === 'bytes' || columnClass(column.type) === 'json')
      return err({ kind: 'bad-request', detail: `There is no property ${shown(name)} to sort by.` });
    keys.push({ column: name, isDown });
  }
  return keys.length > 20 ? err({ kind: 'bad-request', detail: 'sortby has too many properties.' }) : ok(keys);
}

function shown(name: string): string {
  return `"${name.slice(0, 100)}"`;
}
