// What the database, or the way to it, says. Its own words are forwarded; the status follows the SQLSTATE.

import type { DbError } from '../../pg/driver.ts';
import { wasEnded } from '../../pg/was-ended.ts';
import { onlyReadsMessage } from './auth-messages.ts';
import type { MessageTable } from './error-message.ts';
import { raisedMessage } from './raised-error.ts';
import { sqlstateStatus } from './sqlstate-status.ts';

const READ_ONLY = '25006';

export const dbMessages: MessageTable<DbError> = {
  sql: (error, { isAuthenticated, mayOnlyRead }) =>
    raisedMessage(error) ??
    (error.sqlstate === READ_ONLY && mayOnlyRead === true ? onlyReadsMessage() : undefined) ?? {
      // The server ended the connection: the next request may well succeed.
      status: wasEnded(error) ? 503 : sqlstateStatus(error, isAuthenticated),
      code: error.sqlstate,
      message: error.message,
      details: error.detail,
      hint: error.hint,
    },
  unreachable: ({ message }) => ({
    status: 503,
    code: 'SVRST000',
    message: 'Database connection error.',
    details: message,
  }),
  lost: ({ message }) => ({
    status: 503,
    code: 'SVRST001',
    message: 'Database client error. Retrying the connection.',
    details: message,
  }),
  closed: () => ({
    status: 503,
    code: 'SVRST001',
    message: 'Database client error. Retrying the connection.',
    details: 'The service is shutting down.',
  }),
  'pool-timeout': () => ({
    status: 504,
    code: 'SVRST003',
    message: 'Timed out acquiring connection from connection pool.',
  }),
  'pool-full': ({ waiting }) => ({
    status: 503,
    code: 'SVRST003',
    message: 'Too many requests are waiting for the database.',
    details: `${waiting} are already waiting. Try again in a moment.`,
  }),
  // Seldom read, since whoever asked has gone: what PostgreSQL would have said.
  cancelled: () => ({ status: 500, code: '57014', message: 'canceling statement due to user request' }),
};
