// What goes wrong around the statement rather than in it: before there is a schema to plan against, and once the rows are in.

import type { ClosedMode } from '../../http/service-mode.ts';

export type RunError =
  /** One program serves several databases, and neither path nor host names one of them. `name`: the path's first segment. */
  | { readonly kind: 'unknown-database'; readonly name: string }
  /** No schema cache has been loaded yet. */
  | { readonly kind: 'schema-cache-missing' }
  /** `limit`: `server-max-body-size`, in bytes. */
  | { readonly kind: 'payload-too-large'; readonly limit: number; readonly streamed?: true }
  /** More requests than `server-rate-limit` allows, or the comment that `where` names. */
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number; readonly where?: string }
  /** PostgreSQL expects the statement to cost more than `db-max-cost`, or the comment that `where` names. */
  | { readonly kind: 'too-costly'; readonly limit: number; readonly where?: string }
  /** A procedure ended the transaction that the request runs in. */
  | { readonly kind: 'procedure-ends-transaction'; readonly name: string }
  /** The role of the caller does not outlast a transaction, so that a procedure outside of it would run as somebody else. */
  | { readonly kind: 'role-not-kept'; readonly name: string }
  /** A request of the batch failed, and this one with it. `place`: of the failed one, from 1. */
  | { readonly kind: 'batch-failed'; readonly place: number; readonly id: string | undefined }
  /** `limit`: `server-max-body-size`, in bytes. */
  | { readonly kind: 'batch-answer-too-large'; readonly limit: number }
  /** With what references stand for, a request or all requests of the batch are larger than that. `place`: from 1. */
  | { readonly kind: 'batch-request-too-large'; readonly place: number; readonly limit: number }
  /** Rows of the body that are there twice, or that each mean several rows. */
  | { readonly kind: 'rows-ambiguous'; readonly rows: number; readonly why: 'repeated' | 'several' }
  /** Rows of the body that were not found, where that is an error. */
  | { readonly kind: 'rows-missing'; readonly rows: number }
  /** Objects of a nested body that became no row: whose children belong to whom is not known then. */
  | { readonly kind: 'nested-rows-lost'; readonly rows: number }
  /** Objects that give a key of their own which is not that of the row they are in. */
  | { readonly kind: 'nested-contradiction'; readonly rows: number }
  /** Rows on which a JSON patch failed. */
  | { readonly kind: 'json-patch-failed'; readonly rows: number }
  /** Of a body that is read in pieces, one row is larger than what is held. */
  | { readonly kind: 'row-too-large'; readonly row: number; readonly limit: number }
  /** `server-max-memory` is in use, and was for as long as one waits. */
  | { readonly kind: 'memory-full' }
  /** A body that is kept on disk until it is whole found no room there. */
  | { readonly kind: 'no-disk-space' }
  /** The mode of service that the operator has set. */
  | { readonly kind: 'service-closed'; readonly mode: ClosedMode; readonly message: string }
  /** One object was asked for. */
  | { readonly kind: 'singular'; readonly rows: number }
  | { readonly kind: 'max-affected'; readonly rows: number }
  /** PUT: the row of the body is not the one the address names. */
  | { readonly kind: 'put-key-mismatch' }
  /** The page begins behind the last row. */
  | { readonly kind: 'offset-beyond-total'; readonly offset: number; readonly total: number }
  /** What the last row of a keyset page is ordered by does not fit into a cursor. */
  | { readonly kind: 'cursor-too-long' }
  /** No change of these relations would be heard of. `followable`: tables that could be followed. */
  | {
      readonly kind: 'live-unfollowed';
      readonly followable: readonly string[];
      readonly others: readonly string[];
    }
  | { readonly kind: 'live-too-many-rows'; readonly limit: number; readonly setting: string }
  | { readonly kind: 'live-too-large'; readonly limit: number }
  | { readonly kind: 'live-too-many-streams'; readonly limit: number }
  /** The connection cannot be given an answer in parts. */
  | { readonly kind: 'live-impossible' }
  /** The service stops. */
  | { readonly kind: 'live-stopping' }
  /** `response.headers` holds something else than headers. */
  | { readonly kind: 'guc-headers' }
  | { readonly kind: 'guc-status' }
  /** The database answered with something the service did not ask for. */
  | { readonly kind: 'unexpected-result'; readonly message: string }
  /** A bug; `reference` is how the log calls it, and all that is said of it. */
  | { readonly kind: 'internal'; readonly reference: string };
