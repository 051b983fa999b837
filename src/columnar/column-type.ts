// PostgreSQL's types → those of columns in Arrow and Parquet. What has no counterpart there is a text, as PostgreSQL writes it.

import type { ResultField } from '../pg/driver.ts';

export type ColumnType =
  | { readonly kind: 'boolean' | 'int16' | 'int32' | 'int64' | 'float32' | 'float64' }
  /** Days since 1970. */
  | { readonly kind: 'date' }
  /** Microseconds since midnight. */
  | { readonly kind: 'time' }
  /** Microseconds since 1970; `isUtc`: a point in time, otherwise what a clock somewhere shows. */
  | { readonly kind: 'timestamp'; readonly isUtc: boolean }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'text' | 'json' | 'bytes' }
  /** Well-known binary. */
  | { readonly kind: 'geometry'; readonly isGeography: boolean };

/** Types of PostGIS have other numbers in each database; undefined: it is not there. */
export type SpatialOids = { geometry: number | undefined; geography: number | undefined };

const TYPES: ReadonlyMap<number, ColumnType> = new Map<number, ColumnType>([
  [16, { kind: 'boolean' }],
  [17, { kind: 'bytes' }],
  [20, { kind: 'int64' }],
  [21, { kind: 'int16' }],
  [23, { kind: 'int32' }],
  [26, { kind: 'int64' }], // oid
  [114, { kind: 'json' }],
  [700, { kind: 'float32' }],
  [701, { kind: 'float64' }],
  [1082, { kind: 'date' }],
  [1083, { kind: 'time' }],
  [1114, { kind: 'timestamp', isUtc: false }],
  [1184, { kind: 'timestamp', isUtc: true }],
  [3802, { kind: 'json' }], // jsonb
]);

const NUMERIC = 1700;
/** Digits of a decimal of 128 bits. */
const MAX_DIGITS = 38;

export function columnType({ type, modifier }: ResultField, spatial: SpatialOids): ColumnType {
  const known = TYPES.get(type);
  if (known !== undefined) return known;
  if (type === NUMERIC) return decimalOf(modifier ?? -1);
  if (type === spatial.geometry) return { kind: 'geometry', isGeography: false };
  if (type === spatial.geography) return { kind: 'geometry', isGeography: true };
  return { kind: 'text' };
}

/** Of `numeric` without a precision nobody knows how many digits there are: a text has them all. */
function decimalOf(modifier: number): ColumnType {
  if (modifier < 4) return { kind: 'text' };
  const precision = ((modifier - 4) >> 16) & 0xffff;
  // Eleven bits with a sign.
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
  return precision <= MAX_DIGITS && scale >= 0 && scale <= precision
    ? { kind: 'decimal', precision, scale }
    : { kind: 'text' };
}
