// Aggregates of a layer or plain table as the map server counts them, over the rows that whoever asks may see.

import { type Guard, isEither, isListOf, isNumber, isOneOf, isRecordOf, isText } from '../lib/guard.ts';

export const MEASURES = ['count', 'sum', 'avg', 'min', 'max', 'median', 'distinct'] as const;
export type Measure = (typeof MEASURES)[number];

type Value = string | number | null;

export type AggregateGroup = {
  /** Of groups of values and times. */
  readonly value?: Value | undefined;
  /** Of classes and cells. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly across_from?: number | undefined;
  readonly across_to?: number | undefined;
  readonly count: number;
  readonly measure: Value;
};

export type Aggregates = {
  readonly count: number;
  readonly measure: Value;
  readonly groups: readonly AggregateGroup[];
  /** What is beyond the limit. */
  readonly others: { readonly groups: number; readonly count: number; readonly measure: Value } | null;
  /** Rows that are in no class or at no time. */
  readonly empty: number;
  readonly low?: Value | undefined;
  readonly high?: Value | undefined;
  readonly unit?: string | undefined;
};

const isMissing = isOneOf(undefined);
const isValue: Guard<Value> = isEither(isEither(isText, isNumber), isOneOf(null));
const isMaybeNumber = isEither(isNumber, isMissing);
const isMaybeValue = isEither(isValue, isMissing);

export const isAggregates: Guard<Aggregates> = isRecordOf<Aggregates>({
  count: isNumber,
  measure: isValue,
  groups: isListOf(
    isRecordOf<AggregateGroup>({
      value: isMaybeValue,
      from: isMaybeNumber,
      to: isMaybeNumber,
      across_from: isMaybeNumber,
      across_to: isMaybeNumber,
      count: isNumber,
      measure: isValue,
    }),
  ),
  others: isEither(
    isRecordOf<NonNullable<Aggregates['others']>>({ groups: isNumber, count: isNumber, measure: isValue }),
    isOneOf(null),
  ),
  empty: isNumber,
  low: isMaybeValue,
  high: isMaybeValue,
  unit: isEither(isText, isMissing),
});

export type AggregateQuery = {
  readonly group?: string | undefined;
  readonly bins?: number | undefined;
  readonly unit?: string | undefined;
  readonly across?: string | undefined;
  readonly measure?: Measure | undefined;
  readonly of?: string | undefined;
  readonly limit?: number | undefined;
  readonly sortby?: 'measure' | 'group' | undefined;
};

export type AggregateConditions = {
  /** In CQL2 JSON. */
  readonly filter: unknown;
  readonly bbox: readonly number[] | undefined;
};

export const NO_CONDITIONS: AggregateConditions = { filter: undefined, bbox: undefined };

export function aggregatesPath(layer: string, query: AggregateQuery, { filter, bbox }: AggregateConditions): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  if (filter !== undefined) {
    params.set('filter', JSON.stringify(filter));
    params.set('filter-lang', 'cql2-json');
  }
  if (bbox !== undefined) params.set('bbox', bbox.map((edge) => edge.toFixed(6)).join(','));
  return `/ogc/collections/${encodeURIComponent(layer)}/aggregates?${params}`;
}
