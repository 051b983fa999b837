// Why a schema could not be loaded, whether waiting would change it, and the words for the log.

import type { DbError } from '../../pg/driver.ts';

export type LoadError =
  | DbError
  | { readonly kind: 'unusable'; readonly message: string }
  /** The load itself broke off; another one may find another schema. */
  | { readonly kind: 'failed'; readonly message: string };

export function isFatal(error: LoadError): boolean {
  if (error.kind === 'unusable') return true;
  return (error.kind === 'unreachable' && error.fatal) || (error.kind === 'sql' && FATAL_STATES.has(error.sqlstate));
}

/** Nothing that waiting would change: our catalogue statements are not understood, or a transaction pooler is in front. */
const FATAL_STATES: ReadonlySet<string> = new Set(['42601', '42P05', '08P01']);

export function describeLoadError(error: LoadError): string {
  switch (error.kind) {
    case 'sql':
      return `${error.message} (SQLSTATE ${error.sqlstate})`;
    case 'unreachable':
    case 'lost':
    case 'unusable':
    case 'failed':
      return error.message;
    case 'pool-timeout':
      return `no connection became free within ${error.afterMs} ms`;
    case 'pool-full':
      return `${error.waiting} wait for a connection already`;
    case 'cancelled':
      return 'cancelled';
    case 'closed':
      return 'the connections are closed';
  }
}
