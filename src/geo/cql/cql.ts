// A filter in CQL2 as data: what both ways of writing it (cql-text.ts, cql-json.ts) become, and what the statement is made of.

import { exactNumeral } from '../../kernel/exact-numbers.ts';
import type { GeoGeometry } from '../geojson.ts';
import type { FunctionName } from './functions.ts';

export type Comparison = '=' | '<>' | '<' | '>' | '<=' | '>=';
export type Arithmetic = '+' | '-' | '*' | '/' | '%' | 'div' | '^';
export type SpatialRelation =
  | 's_intersects'
  | 's_equals'
  | 's_disjoint'
  | 's_touches'
  | 's_within'
  | 's_overlaps'
  | 's_crosses'
  | 's_contains';
export type TemporalRelation =
  | 't_after'
  | 't_before'
  | 't_equals'
  | 't_disjoint'
  | 't_intersects'
  | 't_during'
  | 't_finishes'
  | 't_starts';

/** An instant, or a span whose ends may be open. */
export type When =
  | { readonly kind: 'instant'; readonly at: string }
  | { readonly kind: 'interval'; readonly from: string | undefined; readonly to: string | undefined };

export type Scalar =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'text'; readonly value: string }
  /** A numeral: columns have numbers that JavaScript has not. */
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'when'; readonly value: When }
  | { readonly kind: 'arithmetic'; readonly op: Arithmetic; readonly left: Scalar; readonly right: Scalar }
  /** Compared without regard to case, or to accents. */
  | { readonly kind: 'fold'; readonly what: 'case' | 'accent'; readonly of: Scalar }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Scalar[] }
  /** `no` undefined: nothing. */
  | { readonly kind: 'if'; readonly when: Filter; readonly yes: Scalar; readonly no: Scalar | undefined }
  /** As an argument of a function alone. */
  | { readonly kind: 'shape'; readonly value: GeoGeometry };

export type Spatial =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'geometry'; readonly value: GeoGeometry };

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: Scalar; readonly right: Scalar }
  | { readonly kind: 'like'; readonly left: Scalar; readonly pattern: Scalar }
  | { readonly kind: 'between'; readonly value: Scalar; readonly low: Scalar; readonly high: Scalar }
  | { readonly kind: 'in'; readonly value: Scalar; readonly list: readonly Scalar[] }
  | { readonly kind: 'null'; readonly value: Scalar }
  | { readonly kind: 'truth'; readonly value: boolean }
  /** A property that is true or false itself. */
  | { readonly kind: 'holds'; readonly value: Scalar }
  | { readonly kind: 'spatial'; readonly op: SpatialRelation; readonly left: Spatial; readonly right: Spatial }
  /** As far from a geometry as this, at most (`isWithin`) or at least. CQL2 has no word for it; filters in XML do. */
  | {
      readonly kind: 'distance';
      readonly isWithin: boolean;
      readonly left: Spatial;
      readonly right: Spatial;
      readonly distance: number;
      /** Undefined: in the units of the layer's system. */
      readonly unit: 'metre' | undefined;
    }
  | { readonly kind: 'temporal'; readonly op: TemporalRelation; readonly left: Scalar; readonly right: Scalar };

export type CqlError = { readonly kind: 'bad-filter'; readonly said: string };

export const SPATIAL: ReadonlySet<string> = new Set<SpatialRelation>([
  's_intersects',
  's_equals',
  's_disjoint',
  's_touches',
  's_within',
  's_overlaps',
  's_crosses',
  's_contains',
]);
export const TEMPORAL: ReadonlySet<string> = new Set<TemporalRelation>([
  't_after',
  't_before',
  't_equals',
  't_disjoint',
  't_intersects',
  't_during',
  't_finishes',
  't_starts',
]);

/** Deeper or longer filters are nobody's question. */
export const MAX_DEPTH = 40;
export const MAX_NODES = 1000;
export const MAX_TEXT = 20_000;

/** Beyond that a numeral would take the database long, or more memory than its text. */
const MAX_EXPONENT = 1000;
const MAX_DIGITS = 1000;

/** The numeral in a filter; undefined: nobody means such a number. */
export function numeralOf(text: string): string | undefined {
  const exponent = /e([+-]?\d+)$/i.exec(text)?.[1];
  if (text.length > MAX_DIGITS || Math.abs(Number(exponent ?? 0)) > MAX_EXPONENT) return undefined;
  return exactNumeral(text);
}

/** `2020-02-30` is none. */
export function isMoment(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay && hour < 24 && minute < 60 && second <= 60;
}
