// A condition on a layer's attribute: for its rows (a parameter of the REST service) and for its features on the map (an
// expression of MapLibre). Both mean the same. Pure.

import { restName } from '../api/rest.ts';

export const TEXT_OPERATORS = ['contains', 'is', 'is-not', 'empty'] as const;
export const NUMBER_OPERATORS = ['is', 'is-not', 'less', 'more', 'empty'] as const;
export type Operator = (typeof TEXT_OPERATORS)[number] | (typeof NUMBER_OPERATORS)[number];

export type TableFilter = {
  readonly column: string;
  readonly operator: Operator;
  readonly value: string;
  readonly isNumber: boolean;
};

/** Undefined: nothing is asked yet. */
export function restFilter(filter: TableFilter): readonly [name: string, value: string] | undefined {
  const { column, operator, value, isNumber } = filter;
  const name = restName(column);
  if (operator === 'empty') return [name, 'is.null'];
  if (value === '' || (isNumber && !isNumberText(value))) return undefined;
  switch (operator) {
    case 'contains':
      // `*` is the service's wildcard; `%` and `_` are the database's and stand for themselves here.
      return [name, `ilike.*${value.replace(/[\\%_]/g, '\\$&').replaceAll('*', '_')}*`];
    case 'is':
      return [name, `eq.${value}`];
    case 'is-not':
      return [name, `neq.${value}`];
    case 'less':
      return [name, `lt.${value}`];
    case 'more':
      return [name, `gt.${value}`];
  }
}

export function mapFilter(filter: TableFilter): unknown {
  const { column, operator, value, isNumber } = filter;
  if (operator === 'empty') return ['!', ['has', column]];
  if (value === '' || (isNumber && !isNumberText(value))) return undefined;
  const text = ['to-string', ['get', column]];
  const number = ['to-number', ['get', column], Number.NaN];
  const known = (condition: unknown): unknown => ['all', ['has', column], condition];
  switch (operator) {
    case 'contains':
      return ['in', value.toLowerCase(), ['downcase', text]];
    case 'is':
      return known(isNumber ? ['==', number, Number(value)] : ['==', text, value]);
    case 'is-not':
      return known(isNumber ? ['!=', number, Number(value)] : ['!=', text, value]);
    case 'less':
      return known(['<', number, Number(value)]);
    case 'more':
      return known(['>', number, Number(value)]);
  }
}

function isNumberText(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

export function rowsPath(
  table: string,
  ask: {
    readonly filter: TableFilter | undefined;
    readonly sort: string | undefined;
    readonly page: number;
    readonly size: number;
  },
): string {
  const params = new URLSearchParams();
  const condition = ask.filter === undefined ? undefined : restFilter(ask.filter);
  if (condition !== undefined) params.append(condition[0], condition[1]);
  if (ask.sort !== undefined) params.set('order', ask.sort);
  params.set('limit', String(ask.size));
  params.set('offset', String(ask.page * ask.size));
  return `${encodeURIComponent(table)}?${params}`;
}

/** The same condition in CQL2, for the service that also knows where features lie. */
export function cqlFilter(filter: TableFilter): unknown {
  const { column, operator, value, isNumber } = filter;
  const property = { property: column };
  if (operator === 'empty') return { op: 'isNull', args: [property] };
  if (value === '' || (isNumber && !isNumberText(value))) return undefined;
  const constant = isNumber ? Number(value) : value;
  switch (operator) {
    case 'contains': {
      const pattern = `%${value.replace(/[\\%_]/g, '\\$&')}%`;
      return {
        op: 'like',
        args: [
          { op: 'casei', args: [property] },
          { op: 'casei', args: [pattern] },
        ],
      };
    }
    case 'is':
      return { op: '=', args: [property, constant] };
    case 'is-not':
      return { op: '<>', args: [property, constant] };
    case 'less':
      return { op: '<', args: [property, constant] };
    case 'more':
      return { op: '>', args: [property, constant] };
  }
}

/** A page of the features within an extent, as OGC API Features has them. */
export function itemsPath(
  layer: string,
  ask: {
    readonly filter: TableFilter | undefined;
    readonly sort: { readonly column: string; readonly down: boolean } | undefined;
    readonly extent: readonly [number, number, number, number];
    readonly page: number;
    readonly size: number;
  },
): string {
  const { filter, sort, extent, page, size } = ask;
  const [west, south, east, north] = extent;
  const params = new URLSearchParams({ f: 'json', limit: String(size), offset: String(page * size) });
  // A view of the whole world and more asks for everything.
  const box =
    east - west >= 360
      ? [-180, Math.max(-90, south), 180, Math.min(90, north)]
      : [wrapped(west), Math.max(-90, south), wrapped(east), Math.min(90, north)];
  params.set('bbox', box.map((edge) => edge.toFixed(6)).join(','));
  if (sort !== undefined) params.set('sortby', `${sort.down ? '-' : ''}${sort.column}`);
  const condition = filter === undefined ? undefined : cqlFilter(filter);
  if (condition !== undefined) {
    params.set('filter-lang', 'cql2-json');
    params.set('filter', JSON.stringify(condition));
  }
  return `/ogc/collections/${encodeURIComponent(layer)}/items?${params}`;
}

/** Within −180…180; a box whose west is greater than its east runs across the date line. */
function wrapped(lng: number): number {
  return lng >= -180 && lng <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180;
}
