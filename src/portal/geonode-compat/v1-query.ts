// The query of a list of API v1 (`title__icontains=…&limit=30&offset=60&order_by=-date`) → the query that lists of ours take, and the
// window. Pure. Names that no field has are ignored, as GeoNode does, and told.

import type { RecordType } from '../fields/field.ts';
import type { QueryParams } from '../query/query-params.ts';

export type V1Query = {
  /** As `GET /api/v2/…/?` takes it. */
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly ignored: readonly string[];
};

const USUAL_LIMIT = 20;
const MAX_LIMIT = 1000;
const MAX_OFFSET = 1_000_000_000;
const MAX_IGNORED = 20;

/** Said of how the answer is wanted, or who asks; nothing to filter by. */
const ASIDE: ReadonlySet<string> = new Set(['format', 'full', 'username', 'api_key', 'apikey', 'callback', '_']);

/** What fields were called. */
const RENAMED: Readonly<Record<string, string>> = {
  id: 'pk',
  store_type: 'storeType',
  category__gn_description: 'category__description',
  gn_description: 'description',
  popular: 'popular_count',
};

const OPERATORS: ReadonlySet<string> = new Set(
  ['exact', 'iexact', 'contains', 'icontains', 'startswith', 'istartswith', 'endswith', 'iendswith', 'in'].concat([
    'range',
    'gt',
    'gte',
    'lt',
    'lte',
    'isnull',
    'year',
    'month',
    'day',
  ]),
);

export function parseV1Query(params: QueryParams, recordType: RecordType): V1Query {
  const query = new URLSearchParams();
  const ignored: string[] = [];
  for (const name of params.names()) {
    const values = params.all(name).filter((value) => value !== '');
    if (ASIDE.has(name) || name === 'limit' || name === 'offset' || values.length === 0) continue;
    if (name === 'q' || name === 'search') query.append('search', values[0] ?? '');
    else if (name === 'extent') query.append('extent', values[0] ?? '');
    else if (name === 'order_by') {
      for (const field of values.flatMap((value) => value.split(','))) {
        const [, minus = '', plain = ''] = /^(-?)(.*)$/s.exec(field) ?? [];
        const path = pathOf(plain);
        if (recordType.byName.has(path[0] ?? '')) query.append('sort[]', minus + path.join('.'));
        else ignored.push(`order_by=${field}`.slice(0, 100));
      }
    } else if (name === 'type__in' || name === 'type')
      addTypes(
        query,
        values.flatMap((value) => value.split(',')),
      );
    else if (!addFilter(query, name, values, recordType)) ignored.push(name.slice(0, 100));
  }
  return { query: query.toString(), ...windowOf(params), ignored: ignored.slice(0, MAX_IGNORED) };
}

function windowOf(params: QueryParams): { readonly limit: number; readonly offset: number } {
  const number = (name: string): number | undefined => {
    const text = params.first(name) ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const limit = number('limit') ?? USUAL_LIMIT;
  // 0 means everything, as far as a page goes.
  return {
    limit: limit === 0 ? MAX_LIMIT : Math.min(limit, MAX_LIMIT),
    offset: Math.min(number('offset') ?? 0, MAX_OFFSET),
  };
}

/** `vector` and `raster` are kinds of layers; asked for together with other types, layers of both kinds are meant. */
function addTypes(query: URLSearchParams, types: readonly string[]): void {
  const kinds = types.filter((type) => type === 'vector' || type === 'raster');
  const others = types.filter((type) => type !== 'vector' && type !== 'raster');
  if (others.length === 0) for (const kind of kinds) query.append('filter{subtype.in}', kind);
  else {
    const named = new Set([
      ...others.map((type) => (type === 'dataset' ? 'layer' : type)),
      ...(kinds.length > 0 ? ['layer'] : []),
    ]);
    for (const type of named) query.append('filter{resource_type.in}', type);
  }
}

function pathOf(name: string): readonly string[] {
  return (RENAMED[name] ?? name).split('__');
}

function addFilter(query: URLSearchParams, name: string, values: readonly string[], recordType: RecordType): boolean {
  const parts = name.split('__');
  const last = parts.at(-1) ?? '';
  const operator = parts.length > 1 && OPERATORS.has(last) ? last : undefined;
  const path = pathOf((operator === undefined ? parts : parts.slice(0, -1)).join('__'));
  const field = recordType.byName.get(path[0] ?? '');
  if (field === undefined) return false;
  const suffix = operator === undefined || operator === 'exact' ? '' : `.${operator}`;
  const several = operator === 'in' || operator === 'range';
  for (const value of several && values.length === 1 ? (values[0] ?? '').split(',') : values)
    query.append(`filter{${path.join('.')}${suffix}}`, value);
  return true;
}
