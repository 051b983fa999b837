// Selections in a dashboard: what is chosen in one widget filters the others. A selection as a condition for each service that counts, lists or draws
// rows: CQL2 for aggregates and features, parameters for the REST service, an expression for the map. All mean the same. Pure.

import type { AggregateConditions } from '../../api/aggregates.ts';
import { restName } from '../../api/rest.ts';
import { boxInWorld } from '../bbox.ts';
import type { Extent } from '../catalogue-state.ts';
import { writtenNumber } from '../exact-json.ts';

export type Value = string | number | null;

export type Selection =
  | { readonly kind: 'values'; readonly column: string; readonly values: readonly Value[] }
  /** `isOpen`: the upper end is not in it, as of a class below another one. An end that was typed with more digits than a number has is a text. */
  | {
      readonly kind: 'span';
      readonly column: string;
      readonly from: number | string | undefined;
      readonly to: number | string | undefined;
      readonly isOpen: boolean;
    }
  /** Days, or moments of UTC; both ends are in it. */
  | {
      readonly kind: 'dates';
      readonly column: string;
      readonly from: string | undefined;
      readonly to: string | undefined;
    }
  | { readonly kind: 'text'; readonly column: string; readonly text: string }
  | { readonly kind: 'cell'; readonly parts: readonly [Selection & { kind: 'span' }, Selection & { kind: 'span' }] }
  /** One row, by the column that names rows: of this layer and no other, whose keys mean something else. */
  | { readonly kind: 'feature'; readonly column: string; readonly id: string | number }
  | { readonly kind: 'extent'; readonly extent: Extent };

/** With the layer of the widget in which it was made. */
type Selected = { readonly layer: number; readonly selection: Selection };
/** By the id of the widget. */
export type Selections = ReadonlyMap<string, Selected>;

export type Table = { readonly pk: number; readonly columns: ReadonlySet<string>; readonly hasPlaces: boolean };

function columnsOf(selection: Selection): readonly string[] {
  switch (selection.kind) {
    case 'cell':
      return selection.parts.map(({ column }) => column);
    case 'extent':
      return [];
    default:
      return [selection.column];
  }
}

/**
 * What filters a widget: every selection but its own that its table can be asked for. Of another layer it can where it has columns of the same
 * name; the view of a map concerns everything that has a place.
 */
export function selectionsFor(widget: string, table: Table, all: Selections): readonly Selection[] {
  return [...all].flatMap(([id, { layer, selection }]): readonly Selection[] => {
    if (id === widget) return [];
    if (selection.kind === 'extent') return table.hasPlaces ? [selection] : [];
    if (selection.kind === 'feature') return layer === table.pk ? [selection] : [];
    return layer === table.pk || columnsOf(selection).every((name) => table.columns.has(name)) ? [selection] : [];
  });
}

export function conditionsOf(selections: readonly Selection[]): AggregateConditions {
  const filters = selections.flatMap((one) => cqlOf(one) ?? []);
  const extent = selections.find((one) => one.kind === 'extent')?.extent;
  return {
    filter: filters.length > 1 ? { op: 'and', args: filters } : filters[0],
    bbox: extent === undefined ? undefined : boxInWorld(extent),
  };
}

function cqlOf(selection: Selection): unknown {
  switch (selection.kind) {
    case 'values': {
      const property = { property: selection.column };
      const known = selection.values.filter((value) => value !== null);
      const parts = [
        ...(known.length === 0 ? [] : [{ op: 'in', args: [property, known] }]),
        ...(known.length === selection.values.length ? [] : [{ op: 'isNull', args: [property] }]),
      ];
      return parts.length > 1 ? { op: 'or', args: parts } : parts[0];
    }
    case 'span': {
      const property = { property: selection.column };
      const { from, to, isOpen } = selection;
      const parts = [
        ...(from === undefined ? [] : [{ op: '>=', args: [property, writtenNumber(from)] }]),
        ...(to === undefined ? [] : [{ op: isOpen ? '<' : '<=', args: [property, writtenNumber(to)] }]),
      ];
      return parts.length > 1 ? { op: 'and', args: parts } : parts[0];
    }
    case 'dates': {
      const { column, from = '..', to = '..' } = selection;
      if (from === '..' && to === '..') return undefined;
      return { op: 't_intersects', args: [{ property: column }, { interval: [from, to] }] };
    }
    case 'text': {
      const pattern = `%${selection.text.replace(/[\\%_]/g, '\\$&')}%`;
      return {
        op: 'like',
        args: [
          { op: 'casei', args: [{ property: selection.column }] },
          { op: 'casei', args: [pattern] },
        ],
      };
    }
    case 'cell':
      return { op: 'and', args: selection.parts.map(cqlOf) };
    case 'feature':
      return { op: '=', args: [{ property: selection.column }, selection.id] };
    case 'extent':
      return undefined;
  }
}

/** Parameters of the REST service, for plain tables. */
export function restConditions(selections: readonly Selection[]): readonly (readonly [string, string])[] {
  return selections.flatMap(restOf);
}

function restOf(selection: Selection): readonly (readonly [string, string])[] {
  switch (selection.kind) {
    case 'values': {
      const name = restName(selection.column);
      const known = selection.values.filter((value) => value !== null);
      const list = known.map((value) => `"${String(value).replace(/["\\]/g, '\\$&')}"`).join(',');
      if (known.length === selection.values.length) return [[name, `in.(${list})`]];
      return known.length === 0 ? [[name, 'is.null']] : [['or', `(${name}.in.(${list}),${name}.is.null)`]];
    }
    case 'span': {
      const name = restName(selection.column);
      const { from, to, isOpen } = selection;
      return [
        ...(from === undefined ? [] : [[name, `gte.${from}`] as const]),
        ...(to === undefined ? [] : [[name, `${isOpen ? 'lt' : 'lte'}.${to}`] as const]),
      ];
    }
    case 'dates': {
      const name = restName(selection.column);
      const { from, to } = selection;
      return [
        ...(from === undefined ? [] : [[name, `gte.${from}`] as const]),
        ...(to === undefined ? [] : [[name, `lte.${to.includes('T') ? to : `${to}T23:59:59.999999Z`}`] as const]),
      ];
    }
    case 'text': {
      const pattern = selection.text.replace(/[\\%_]/g, '\\$&').replaceAll('*', '_');
      return [[restName(selection.column), `ilike.*${pattern}*`]];
    }
    case 'cell':
      return restConditions(selection.parts);
    case 'feature':
      return [[restName(selection.column), `eq.${selection.id}`]];
    case 'extent':
      return [];
  }
}

/** For the features of a layer on the map; undefined: all of them. The view of a map hides nothing on maps. */
export function mapConditions(selections: readonly Selection[]): unknown {
  const parts = selections.flatMap((one) => mapOf(one));
  return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : ['all', ...parts];
}

function mapOf(selection: Selection): readonly unknown[] {
  switch (selection.kind) {
    case 'values': {
      const { column, values } = selection;
      const known = values.filter((value) => value !== null).flatMap(spellings);
      const isOne = ['all', ['has', column], ['in', ['to-string', ['get', column]], ['literal', known]]];
      if (known.length === values.length) return [isOne];
      return [known.length === 0 ? ['!', ['has', column]] : ['any', ['!', ['has', column]], isOne]];
    }
    case 'span': {
      const { column, from, to, isOpen } = selection;
      const held = ['to-number', ['get', column]];
      return [
        ['has', column],
        ...(from === undefined ? [] : [['>=', held, Number(from)]]),
        ...(to === undefined ? [] : [[isOpen ? '<' : '<=', held, Number(to)]]),
      ];
    }
    case 'dates': {
      const { column, from, to } = selection;
      const held = (length: number): unknown => ['slice', ['to-string', ['get', column]], 0, length];
      return [
        ['has', column],
        ...(from === undefined ? [] : [['>=', held(10), from.slice(0, 10)]]),
        ...(to === undefined ? [] : [['<=', held(10), to.slice(0, 10)]]),
      ];
    }
    case 'text':
      return [['in', selection.text.toLowerCase(), ['downcase', ['to-string', ['get', selection.column]]]]];
    case 'cell':
      return selection.parts.flatMap(mapOf);
    case 'feature':
      // A key that is a number is the id of a feature on the map, and no attribute of it.
      return [['==', ['to-string', ['coalesce', ['get', selection.column], ['id']]], String(selection.id)]];
    case 'extent':
      return [];
  }
}

/** On the map a number of many digits is the nearest double. */
function spellings(value: string | number): readonly string[] {
  const text = String(value);
  const isLong = /^-?\d{16,1000}$/.test(text);
  return isLong ? [...new Set([text, String(Number(text))])] : [text];
}

/** Chosen, or no longer chosen where it was. Undefined: nothing is left of it. */
export function toggled(before: Selection | undefined, column: string, value: Value): Selection | undefined {
  const values = before?.kind === 'values' && before.column === column ? before.values : [];
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  return next.length === 0 ? undefined : { kind: 'values', column, values: next };
}

/** From the first moment of a group of times to its last. */
export function datesOf(column: string, start: string, unit: string): Selection {
  const at = new Date(start);
  const day = start.slice(0, 10);
  if (unit === 'hour') return { kind: 'dates', column, from: start, to: `${start.slice(0, 13)}:59:59Z` };
  const end = new Date(at);
  if (unit === 'year') end.setUTCFullYear(end.getUTCFullYear() + 1);
  else if (unit === 'quarter') end.setUTCMonth(end.getUTCMonth() + 3);
  else if (unit === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + (unit === 'week' ? 7 : 1));
  end.setUTCDate(end.getUTCDate() - 1);
  return { kind: 'dates', column, from: day, to: end.toISOString().slice(0, 10) };
}

export const isSame = (one: Selection | undefined, other: Selection): boolean =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);
