// A parameter of a statement before the request's values are known. The text of a statement belongs to a shape; binds
// say which of the request's values goes to which `$n`.

import { type Fragment, sql as tag } from '../../sql/index.ts';
import type { TextValue } from '../plan/plan.ts';

export type Bind =
  | { readonly kind: 'slot'; readonly slot: number }
  /** The root window's offset. */
  | { readonly kind: 'offset' }
  /** The body as it came, in text form. */
  | { readonly kind: 'body' }
  /** The body as it came, in binary form: bytea. */
  | { readonly kind: 'bytes' }
  | { readonly kind: 'form'; readonly index: number }
  /** The path of an operation of a JSON patch, as an array literal. */
  | { readonly kind: 'patch-path'; readonly index: number }
  /** A form's fields as one JSON object. */
  | { readonly kind: 'form-json' }
  /** Keys of rows that a live stream looks at again: a JSON array of arrays of texts. */
  | { readonly kind: 'keys' }
  /** What CALL brought in this place. */
  | { readonly kind: 'output'; readonly index: number }
  /** Several values as an array literal, for a VARIADIC parameter. */
  | { readonly kind: 'array'; readonly values: readonly TextValue[] };

export type Sql = Fragment<Bind>;

export const sql: typeof tag<Bind> = tag<Bind>;

export const OFFSET: Bind = { kind: 'offset' };
export const BODY: Bind = { kind: 'body' };
export const BYTES: Bind = { kind: 'bytes' };
export const KEYS: Bind = { kind: 'keys' };
export const FORM_JSON: Bind = { kind: 'form-json' };

const slots: Bind[] = [];

/** The same object for the same slot, so that a value standing twice is sent once. */
export function slot(index: number): Bind {
  slots[index] ??= { kind: 'slot', slot: index };
  return slots[index];
}
