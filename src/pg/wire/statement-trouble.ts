// A failed batch → whether the trouble was with its prepared statements rather than with what it asked for.

import type { Batch } from '../driver.ts';
import type { Failure } from './reply-reader.ts';

export type StatementTrouble =
  /** A table changed under a prepared statement: parsed anew it will work. */
  | { readonly kind: 'plan-changed'; readonly name: string }
  /** The server does not know what this connection has prepared: something ran DEALLOCATE, or a pooler gave us another server. */
  | { readonly kind: 'statements-gone' }
  /** Only a pooler says this. */
  | { readonly kind: 'pooler' };

export function statementTrouble(failure: Failure, batch: Batch): StatementTrouble | null {
  const { sqlstate, message, statement } = failure.error;
  if (sqlstate === '08P01') {
    // PostgreSQL has the same code for a wrong number of parameters, which is a mistake of ours.
    return /pooling mode|prepared statement did not exist/.test(message) ? { kind: 'pooler' } : null;
  }
  // Past the bind, a code is what the statement ran into; a function may raise any.
  const name = batch[statement]?.name;
  if (name === undefined || !failure.beforeBind) return null;
  switch (sqlstate) {
    case '0A000':
      return failure.routine === 'RevalidateCachedQuery' ? { kind: 'plan-changed', name } : null;
    case '26000':
      return { kind: 'statements-gone' };
    case '42P05':
      return { kind: 'pooler' };
    default:
      return null;
  }
}
