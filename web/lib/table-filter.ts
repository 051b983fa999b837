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
