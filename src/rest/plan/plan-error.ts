// Why a well-formed request is not possible against the schema cache. Data only; the words are in errors/.

import type { RequestError } from '../request/request-error.ts';
import type { Relationship, Routine } from '../schema-cache/schema-cache.ts';

export type PlanError =
  | {
      readonly kind: 'table-not-found';
      readonly schema: string;
      readonly table: string;
      readonly near: string | undefined;
    }
  | { readonly kind: 'relation-undescribed'; readonly schema: string; readonly table: string; readonly why: string }
  | { readonly kind: 'column-not-found'; readonly table: string; readonly column: string }
  | {
      readonly kind: 'relationship-not-found';
      readonly schema: string;
      readonly origin: string;
      readonly target: string;
      readonly hint: string | undefined;
      /** Which of the two names is probably misspelt, and what was probably meant. */
      readonly near: { readonly instead: 'origin' | 'target'; readonly name: string } | undefined;
    }
  | {
      readonly kind: 'ambiguous-embed';
      readonly origin: string;
      readonly target: string;
      readonly candidates: readonly Relationship[];
    }
  /** Comes back too often to a relation that it is embedded in. */
  | { readonly kind: 'embed-returns'; readonly name: string; readonly most: number }
  | { readonly kind: 'not-embedded'; readonly name: string }
  | { readonly kind: 'related-order-not-to-one'; readonly origin: string; readonly name: string }
  | { readonly kind: 'bad-embed-filter'; readonly name: string }
  | { readonly kind: 'aggregates-disabled' }
  | { readonly kind: 'not-implemented'; readonly feature: string }
  | {
      readonly kind: 'routine-not-found';
      readonly schema: string;
      readonly name: string;
      readonly args: readonly string[];
      /** What kind of body could have gone to a single unnamed parameter. */
      readonly body: 'json' | 'text' | 'xml' | 'bytea' | 'none';
      readonly near:
        | { readonly kind: 'name'; readonly name: string }
        | { readonly kind: 'signature'; readonly signature: string }
        | undefined;
    }
  | { readonly kind: 'ambiguous-routine'; readonly candidates: readonly Routine[] }
  /** Procedures may write: no GET runs them. */
  | { readonly kind: 'procedure-by-get'; readonly name: string }
  /** A procedure that runs outside the request's transaction, where there is one that it would have to be in. */
  | { readonly kind: 'procedure-needs-transaction'; readonly name: string; readonly why: 'rollback' | 'pooler' }
  /** More than the owner of a relation or role allows. `where` names the comment, `limit` the limit in it. */
  | { readonly kind: 'owner-limit'; readonly where: string; readonly limit: string; readonly why: string }
  | { readonly kind: 'put-needs-key' }
  /** A list of rows to change that does not say which they are. */
  | { readonly kind: 'rows-need-key'; readonly table: string; readonly missing: readonly string[] }
  /** Rows inside rows that cannot be written there. */
  | { readonly kind: 'nested-impossible'; readonly name: string; readonly why: string }
  | { readonly kind: 'nested-keys-differ'; readonly name: string; readonly keys: readonly string[] }
  | { readonly kind: 'increment-needs-number'; readonly table: string; readonly column: string }
  | { readonly kind: 'json-patch-needs-json'; readonly table: string; readonly column: string }
  | { readonly kind: 'invalid-preferences'; readonly names: readonly string[] }
  | { readonly kind: 'not-acceptable'; readonly types: readonly string[] }
  | { readonly kind: 'max-affected-needs-set' }
  /** A word of the grammar that the database has no extension for. */
  | { readonly kind: 'extension-missing'; readonly extension: 'postgis' | 'pg_trgm' | 'vector'; readonly word: string }
  /** A cursor with more or fewer values than the order has columns: the key of the relation has changed since. */
  | { readonly kind: 'cursor-outdated' }
  /** As in the request of a relation; of a function only its plan knows that a cursor was meant. */
  | Extract<RequestError, { kind: 'cursor-invalid' | 'cursor-with-offset' }>
  | {
      readonly kind: 'keyset-impossible';
      readonly why: 'function' | 'no-key' | 'grouped' | 'order';
    };
