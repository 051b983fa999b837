// What the database said → the failure of the request it stands for. Pure. Sentences that PostgreSQL made of the catalogue's
// inside (tables, policies, types) do not leave; those that our own functions raised do.

import { CLOSED_SQLSTATE, closedBy } from '../../http/service-mode.ts';
import type { DbError, SqlError } from '../../pg/driver.ts';
import { constraintMessages, constraintOf } from './constraint-messages.ts';
import type { PortalError } from './portal-error.ts';

/** What the database raises where it says in words for people why something is refused; the REST service answers 403 to it as well. */
const REFUSED_SQLSTATE = 'PT403';

/** What the database raises where an account has used its space. */
const QUOTA_SQLSTATE = 'SV413';

export type DbFailure =
  | Exclude<PortalError, { kind: 'database' | 'internal' }>
  /** The database is away, overloaded or had to choose between two transactions: the same request may work later. */
  | { readonly kind: 'unavailable' }
  /** Ours to mend. */
  | { readonly kind: 'bug'; readonly message: string };

export function dbFailure(error: DbError): DbFailure {
  return error.kind === 'sql' ? sqlFailure(error) : { kind: 'unavailable' };
}

function sqlFailure(error: SqlError): DbFailure {
  switch (error.sqlstate) {
    case 'P0002':
      return { kind: 'not-found' };
    case '42501':
      return { kind: 'forbidden' };
    case REFUSED_SQLSTATE:
      return { kind: 'forbidden', detail: error.message };
    case '22023':
    case '23001':
      return { kind: 'invalid-request', messages: [error.message] };
    case '23502':
      return nullRefused(error);
    case '23503':
    case '23505':
    case '23514':
    case '23P01':
      return constraintRefused(error);
    case '2201B':
      return { kind: 'invalid-request', messages: ['Invalid regular expression.'] };
    case '57014':
      return { kind: 'unavailable' };
    case '53100':
      return { kind: 'disk', fault: 'no-space' };
    case QUOTA_SQLSTATE:
      return { kind: 'quota-exceeded', message: error.message };
    case CLOSED_SQLSTATE:
      return { kind: 'service-closed', ...closedBy(error) };
    default:
      return failureOfClass(error);
  }
}

function failureOfClass(error: SqlError): DbFailure {
  switch (error.sqlstate.slice(0, 2)) {
    // A value that does not fit its column: the caller's own text, in PostgreSQL's words.
    case '22':
      return { kind: 'invalid-request', messages: ['A value has the wrong type, or is out of range.'] };
    case '08':
    case '40':
    case '53':
    case '57':
      return { kind: 'unavailable' };
    default:
      return { kind: 'bug', message: `${error.sqlstate}: ${error.message}` };
  }
}

function constraintRefused(error: SqlError): DbFailure {
  const constraint = constraintOf(error);
  // A sentence for people, raised by a function of ours under that code.
  if (constraint === undefined) return { kind: 'invalid-request', messages: [error.message] };
  if (error.sqlstate === '23503' && isStillNeeded(error)) return { kind: 'invalid-request', messages: [IN_USE] };
  const fields = constraintMessages(constraint);
  return fields === undefined
    ? { kind: 'invalid-request', messages: ['The value is not allowed.'] }
    : { kind: 'invalid-fields', fields };
}

const IN_USE = 'Something else still needs it.';

/**
 * Whether a key points at what goes away, or at what is not there: both have the same code, table and constraint. In every
 * language the sentence of the former names one thing more, the table that would lose a row.
 */
function isStillNeeded({ message }: SqlError): boolean {
  return (message.match(/["«»„“]\s?[A-Za-z0-9_]+\s?["«»“”]/g) ?? []).length > 2;
}

function nullRefused(error: SqlError): DbFailure {
  const column = error.about?.column;
  const message = 'This field may not be null.';
  return column === undefined
    ? { kind: 'invalid-request', messages: [message] }
    : { kind: 'invalid-fields', fields: { [column.replace(/_id$/, '')]: [message] } };
}
