// Groups of aggregates in words: what a bar, a point or a slice is called, and what it measures.

import { showValue } from '../../../src/geo/presentation/show-value.ts';
import type { AggregateGroup } from '../../api/aggregates.ts';
import type { Layer } from '../../api/types.ts';
import { dataColumns } from '../../lib/dashboard/columns.ts';
import type { ChartKind, Widget } from '../../lib/dashboard/dashboard.ts';
import { datesOf, type Selection } from '../../lib/dashboard/selection.ts';
import { dataNumber } from '../../lib/data-number.ts';
import type { Text } from '../../lib/i18n/text.ts';
import { readerWords } from '../../lib/presentation.ts';

/** A limit of a class: also of years, which have no separators. */
const limitText = (t: Text, n: number | string): string =>
  typeof n === 'string' ? n : dataNumber(t, Number(n.toPrecision(Math.abs(n) < 1e6 ? 6 : 4)), undefined, 2);

export function numberText(t: Text, value: string | number | null): string {
  if (value === null) return '–';
  if (typeof value === 'string') return t.date(value);
  return t.number(value, Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 6 });
}

/** What is measured of a column, as the column is shown; a count is a number like others. */
export function measureText(
  t: Text,
  value: string | number | null,
  { measure, of = '' }: Pick<Widget, 'measure' | 'of'>,
  layer: Layer,
): string {
  const format = measure === 'count' ? undefined : dataColumns(layer).find(({ name }) => name === of)?.format;
  if (value === null || format === undefined) return numberText(t, value);
  return showValue(value, { name: of, format }, readerWords(t)).text;
}

type Value = string | number | null | undefined;

/** How columns of a layer and their values are said to people. */
export type ColumnWords = {
  label(column: string): string;
  value(column: string, value: Value): string;
  /** Of a class. */
  limit(column: string, value: number | string): string;
};

/** `choices`: of columns that hold codes, what each of them is called. */
export function columnWords(
  t: Text,
  layer: Layer | undefined,
  choices: ReadonlyMap<string, ReadonlyMap<string, string>>,
): ColumnWords {
  const columns = new Map((layer === undefined ? [] : dataColumns(layer)).map((column) => [column.name, column]));
  const formatted = (name: string, value: Value): string | undefined => {
    const format = columns.get(name)?.format;
    return format === undefined ? undefined : showValue(value, { name, format }, readerWords(t)).text;
  };
  return {
    label: (name) => columns.get(name)?.label ?? name,
    value: (name, value) => {
      if (value === null || value === undefined || value === '') return t('dash.no-value');
      const said = choices.get(name)?.get(String(value)) ?? formatted(name, value);
      if (said !== undefined) return said;
      if (columns.get(name)?.kind === 'boolean') return t(String(value) === 'true' ? 'data.yes' : 'data.no');
      return typeof value === 'number' ? t.number(value, { maximumFractionDigits: 9, useGrouping: false }) : value;
    },
    limit: (name, value) => formatted(name, value) ?? limitText(t, value),
  };
}

export function timeText(t: Text, start: string, unit: string | undefined): string {
  const at = new Date(start);
  const words = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(t.language, { ...options, timeZone: 'UTC' }).format(at);
  switch (unit) {
    case 'year':
      return words({ year: 'numeric' });
    case 'quarter':
      return `${Math.floor(at.getUTCMonth() / 3) + 1}/${at.getUTCFullYear()}`;
    case 'month':
      return words({ year: 'numeric', month: 'short' });
    case 'hour':
      return words({ dateStyle: 'short', timeStyle: 'short' });
    default:
      return words({ dateStyle: 'medium' });
  }
}

type End = number | string | undefined;

const spanText = (words: ColumnWords, column: string, from: End, to: End): string =>
  `${words.limit(column, from ?? 0)} – ${words.limit(column, to ?? 0)}`;

export function groupText(
  t: Text,
  words: ColumnWords,
  { column = '', across = '' }: Pick<Widget, 'column' | 'across'>,
  kind: ChartKind,
  group: AggregateGroup,
  unit: string | undefined,
): string {
  switch (kind) {
    case 'histogram':
      return spanText(words, column, group.from, group.to);
    case 'scatter':
      return `${spanText(words, column, group.from, group.to)} / ${spanText(words, across, group.across_from, group.across_to)}`;
    case 'line':
      return timeText(t, String(group.value), unit);
    default:
      return words.value(column, group.value);
  }
}

/** What it means to choose a group; of bars and slices several can be chosen. `high`: the end of the last class. */
export function selectionOf(
  { kind, column = '', across = '' }: Widget,
  group: AggregateGroup,
  ends: { readonly high?: string | number | null | undefined; readonly unit?: string | undefined },
  highAcross: number,
): Selection {
  const span = (name: string, from: number | undefined, to: number | undefined, high: unknown) =>
    ({ kind: 'span', column: name, from, to, isOpen: to !== high }) as const;
  switch (kind) {
    case 'histogram':
      return span(column, group.from, group.to, ends.high);
    case 'scatter':
      return {
        kind: 'cell',
        parts: [
          span(column, group.from, group.to, ends.high),
          span(across, group.across_from, group.across_to, highAcross),
        ],
      };
    case 'line':
      return datesOf(column, String(group.value), ends.unit ?? 'day');
    default:
      return { kind: 'values', column, values: [group.value ?? null] };
  }
}

/** A selection in words, for its chip. */
export function selectionText(t: Text, words: ColumnWords, selection: Selection): string {
  switch (selection.kind) {
    case 'values':
      return `${words.label(selection.column)}: ${selection.values.map((value) => words.value(selection.column, value)).join(', ')}`;
    case 'span': {
      const { column, from, to } = selection;
      const label = words.label(column);
      if (from === undefined) return `${label} ≤ ${words.limit(column, to ?? 0)}`;
      return to === undefined
        ? `${label} ≥ ${words.limit(column, from)}`
        : `${label}: ${spanText(words, column, from, to)}`;
    }
    case 'dates': {
      const day = (at: string | undefined): string =>
        at === undefined ? '…' : timeText(t, at, at.includes('T') ? 'hour' : 'day');
      const { column, from, to } = selection;
      const label = words.label(column);
      return from === to ? `${label}: ${day(from)}` : `${label}: ${day(from)} – ${day(to)}`;
    }
    case 'text':
      return `${words.label(selection.column)}: “${selection.text}”`;
    case 'cell':
      return selection.parts.map((part) => selectionText(t, words, part)).join(', ');
    case 'feature':
      return t('dash.one-feature', { id: String(selection.id) });
    case 'extent':
      return t('dash.map-view');
  }
}
