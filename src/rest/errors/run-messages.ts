// Words for what goes wrong around the statement.

import { HELD_BYTES } from '../request/limits.ts';
import type { MessageTable } from './error-message.ts';
import { outsideTransactionMessage } from './routine-messages.ts';
import type { RunError } from './run-error.ts';

const LARGER_INSERTS =
  'Inserts of a JSON array, NDJSON or CSV that return no rows may be as large as server-max-streamed-body-size.';

export const runMessages: MessageTable<RunError> = {
  'schema-cache-missing': () => ({
    status: 503,
    code: 'SVRST002',
    message: 'Could not query the database for the schema cache. Retrying.',
  }),
  // A code of our own, out of reach of those the model goes on to number: it has no limit on bodies.
  'payload-too-large': ({ limit, streamed }) => ({
    status: 413,
    code: 'SVRST190',
    message: 'The request body is too large',
    details: `The body is larger than the ${limit} bytes allowed by server-max-${streamed === true ? 'streamed-' : ''}body-size.`,
    // Smaller limits are for all bodies.
    hint: streamed === true || limit < HELD_BYTES ? null : LARGER_INSERTS,
  }),
  'row-too-large': ({ row, limit }) => ({
    status: 413,
    code: 'SVRST190',
    message: 'A row of the request body is too large',
    details: `Row ${row} is larger than the ${limit} bytes allowed by server-max-body-size.`,
  }),
  'unknown-database': ({ name }) => ({
    status: 404,
    code: 'SVRST196',
    message: name === '' ? 'The address names no database' : `There is no database '${name}' here`,
    details: 'This service serves several databases.',
    hint: "The first segment of the path is the name of a database, as in /name/table, unless the host is a database's own.",
  }),
  'memory-full': () => ({
    status: 503,
    code: 'SVRST195',
    message: 'The server is using all the memory it is allowed',
    details: 'Requests and responses in progress use all the memory that server-max-memory allows.',
    hint: 'Try again later, send a smaller body, or request fewer rows.',
  }),
  'no-disk-space': () => ({
    status: 507,
    code: 'SVRST198',
    message: 'The server has no disk space for the request body',
    details: 'Large bodies are kept in the folder for temporary files until they are complete.',
    hint: 'Try again later, or send fewer rows at once.',
  }),
  'service-closed': ({ mode, message }) => ({
    status: 503,
    code: 'SVRST197',
    message,
    details: mode === 'read-only' ? 'The service is read-only at the moment.' : 'The service is under maintenance.',
    hint: mode === 'read-only' ? 'Read-only functions can be called with GET.' : null,
  }),
  'rate-limited': ({ retryAfterSeconds, where }) => ({
    status: 429,
    code: 'SVRST191',
    message: 'Too many requests',
    details: `Try again in ${retryAfterSeconds} s.`,
    hint: where === undefined ? null : `The limit is set in ${where}.`,
    headers: [['Retry-After', String(retryAfterSeconds)]],
  }),
  // How far above is not said: the planner knows rows that row-level security hides from the caller, and a figure would tell of them.
  'too-costly': ({ limit, where }) => ({
    status: 400,
    code: 'SVRST192',
    message: 'The query is too expensive',
    details: `PostgreSQL estimates a higher cost than the ${limit} that ${where ?? 'db-max-cost'} allows.`,
    hint: 'Request fewer rows, or filter by an indexed column.',
  }),
  'procedure-ends-transaction': ({ name }) => ({
    status: 500,
    code: 'SVRST184',
    message: `The procedure '${name}' ends the transaction that it runs in`,
    details: 'Nothing was changed: COMMIT and ROLLBACK are not possible in the transaction of a request.',
    hint: `A line '@survest outside-transaction' in the comment on the procedure lets it run outside of it.`,
  }),
  'role-not-kept': ({ name }) =>
    outsideTransactionMessage(
      name,
      'The role is not kept from one transaction to the next by the embedded database, or behind a connection pooler.',
    ),
  'batch-failed': ({ place, id }) => ({
    status: 424,
    code: 'SVRST172',
    message: `Not executed, or rolled back, because request ${place} of the batch failed`,
    details: id === undefined ? null : `Its id is '${id}'.`,
    hint: 'With Prefer: batch=each, a failed request undoes only itself.',
  }),
  'batch-answer-too-large': ({ limit }) => ({
    status: 413,
    code: 'SVRST173',
    message: 'The responses of the batch are too large',
    details: `Together they exceed the ${limit} bytes allowed by server-max-body-size.`,
    hint: 'Request fewer rows, or split the batch.',
  }),
  'batch-request-too-large': ({ place, limit }) => ({
    status: 413,
    code: 'SVRST173',
    message: `With the values of its references, request ${place} makes the batch too large`,
    details: `A request, and all requests of a batch together, may have the ${limit} bytes allowed by server-max-body-size.`,
    hint: 'Refer to single columns ($1.id) instead of whole responses ($1), or split the batch.',
  }),
  'rows-ambiguous': ({ rows, why }) => ({
    status: 400,
    code: 'SVRST174',
    message:
      why === 'repeated'
        ? 'Several objects in the body refer to the same row'
        : 'An object in the body refers to several rows',
    details: `${rows} too many`,
    hint: 'Rows are identified by the primary key, or by the columns in on_conflict.',
  }),
  'rows-missing': ({ rows }) => ({
    status: 404,
    code: 'SVRST175',
    message: 'Some rows in the body were not found',
    details: `${rows} do not exist, or may not be changed by this role`,
  }),
  'nested-rows-lost': ({ rows }) => ({
    status: 409,
    code: 'SVRST178',
    message: 'Some objects in the body were not inserted',
    details: `${rows} were skipped by the database, perhaps by a trigger; nothing was written`,
  }),
  'nested-contradiction': ({ rows }) => ({
    status: 400,
    code: 'SVRST177',
    message: 'A nested object has a key that differs from that of its parent row',
    details: `${rows} objects do not match their parent`,
    hint: 'Omit the key: it is filled in automatically.',
  }),
  'json-patch-failed': ({ rows }) => ({
    status: 409,
    code: 'SVRST176',
    message: 'The JSON patch cannot be applied',
    details: `On at least ${rows} rows a test failed or a path does not exist`,
  }),
  singular: ({ rows }) => ({
    status: 406,
    code: 'SVRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
  }),
  'max-affected': ({ rows }) => ({
    status: 400,
    code: 'SVRST124',
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${rows} rows`,
  }),
  'put-key-mismatch': () => ({
    status: 400,
    code: 'SVRST115',
    message: 'Payload values do not match URL in primary key column(s)',
  }),
  'offset-beyond-total': ({ offset, total }) => ({
    status: 416,
    code: 'SVRST103',
    message: 'Requested range not satisfiable',
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    headers: [
      ['Range-Unit', 'items'],
      ['Content-Range', `*/${total}`],
    ],
  }),
  'cursor-too-long': () => ({
    status: 400,
    code: 'SVRST182',
    message: 'Keyset pagination is not possible here',
    details: 'The last row of the page is ordered by values that are too long for a cursor.',
    hint: 'Order by something shorter, or page by limit and offset.',
  }),
  'live-unfollowed': ({ followable, others }) => ({
    status: 406,
    code: 'SVRST187',
    message: 'Changes to these tables are not followed',
    details: [...followable, ...others].join(', '),
    hint:
      others.length > 0
        ? `Only tables can be followed, and ${others.join(', ')} is none.`
        : `survest live install ${followable.join(' ')}`,
  }),
  'live-too-many-rows': ({ limit, setting }) => ({
    status: 400,
    code: 'SVRST188',
    message: 'Too many rows for a live stream',
    details: `${setting} allows ${limit}.`,
    hint: 'Filter the rows, or set a limit.',
  }),
  'live-too-large': ({ limit }) => ({
    status: 400,
    code: 'SVRST188',
    message: 'The rows are too large for a live stream',
    details: `Together they exceed ${limit} bytes.`,
    hint: 'Filter the rows, or select fewer columns.',
  }),
  'live-too-many-streams': ({ limit }) => ({
    status: 503,
    code: 'SVRST189',
    message: 'Too many live streams',
    details: `live-max-streams allows ${limit}.`,
  }),
  'live-impossible': () => ({
    status: 406,
    code: 'SVRST187',
    message: 'Live streams are not possible here',
    details: 'They require HTTP/1.1 and cannot be part of a batch.',
  }),
  'live-stopping': () => ({
    status: 503,
    code: 'SVRST189',
    message: 'The service is shutting down',
    hint: 'Reconnect: another process will continue the stream.',
  }),
  'guc-headers': () => ({
    status: 500,
    code: 'SVRST111',
    message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  }),
  'guc-status': () => ({ status: 500, code: 'SVRST112', message: 'response.status guc must be a valid status code' }),
  'unexpected-result': ({ message }) => ({ status: 500, code: 'SVRSTX00', message }),
  internal: ({ reference }) => ({
    status: 500,
    code: 'SVRSTX00',
    message: 'Internal error',
    details: `Reference in the log: ${reference}.`,
  }),
};
