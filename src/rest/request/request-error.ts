// What can be wrong with a request before anyone looks at the schema: data only. Status, code and words for each kind
// are the error table's.

import type { Limit } from './limits.ts';

export type BodyProblem =
  /** Not JSON, not UTF-8, or nothing where something is needed. */
  | { readonly kind: 'json-invalid' }
  | { readonly kind: 'json-too-deep'; readonly limit: number }
  /** An array whose elements are not all objects with the same keys. */
  | { readonly kind: 'keys-differ' }
  /** A line with more or fewer fields than the header. */
  | { readonly kind: 'fields-differ' }
  | { readonly kind: 'too-many-keys'; readonly limit: number }
  /** A body to read by that is no object of texts. */
  | { readonly kind: 'not-parameters' }
  | { readonly kind: 'csv-empty' }
  /** Long names, short cells, many rows: as JSON it would be so many times as large. */
  | { readonly kind: 'csv-grows'; readonly times: number }
  | { readonly kind: 'csv-not-utf8' }
  /** Lines count from 1, the header's. */
  | { readonly kind: 'csv-quote-unclosed'; readonly line: number }
  | { readonly kind: 'csv-text-after-quote'; readonly line: number };

export type RequestError =
  /** SVRST100. `message` and `details` are the parser's own words, complete. */
  | { readonly kind: 'query-unparsable'; readonly message: string; readonly details: string }
  /** SVRST101 */
  | { readonly kind: 'method-not-for-routines'; readonly method: string }
  /** SVRST102 */
  | { readonly kind: 'body-invalid'; readonly problem: BodyProblem }
  /** SVRST103: a limit below zero, or one that leaves nothing of the Range header's window. */
  | { readonly kind: 'limit-negative' }
  /** SVRST103: a Range header whose first row comes after its last. */
  | { readonly kind: 'range-crossed' }
  /** SVRST106 */
  | { readonly kind: 'schema-not-exposed'; readonly schema: string; readonly exposed: readonly string[] }
  /** SVRST107, 415 */
  | { readonly kind: 'content-type-unsupported'; readonly contentType: string }
  /** SVRST193: more of something than one request may hold. */
  | { readonly kind: 'too-many'; readonly limit: Limit }
  /** SVRST194: an expression for `match` that could keep the database busy without end. */
  | { readonly kind: 'regex-refused'; readonly why: string }
  /** SVRST170: a batch that is no list of requests, or has one that is none. `place`: from 1. */
  | { readonly kind: 'batch-invalid'; readonly place: number | undefined; readonly why: string }
  /** SVRST171: a reference that cannot be read, or that means no request before this one. */
  | {
      readonly kind: 'batch-reference';
      readonly place: number;
      readonly reference: string;
      readonly why: 'form' | 'unknown' | 'later' | 'not-a-value' | 'no-answer' | 'not-found' | 'several' | 'not-plain';
    }
  /** SVRST170: the method is not one for the address of batches. */
  | { readonly kind: 'batch-method'; readonly method: string }
  /** SVRST181: a cursor that is not ours, or belongs to another question. */
  | { readonly kind: 'cursor-invalid' }
  /** SVRST182: a cursor says where to begin, and so does an offset. */
  | { readonly kind: 'cursor-with-offset' }
  /** SVRST180: in the address and in the body to read by. */
  | { readonly kind: 'parameter-twice'; readonly name: string }
  /** SVRST102: `place`: of the operation, from 1. */
  | { readonly kind: 'json-patch-invalid'; readonly place: number | undefined; readonly why: string }
  /** SVRST114 */
  | { readonly kind: 'put-with-window' }
  /** SVRST117 */
  | { readonly kind: 'method-not-supported'; readonly method: string; readonly on: 'relation' | 'root' }
  /** SVRST125 */
  | { readonly kind: 'path-invalid' }
  /** SVRST126 */
  | { readonly kind: 'root-disabled' };
