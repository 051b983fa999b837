// Error codes of the service, each with its status and what it means: the table behind the documentation and the OpenAPI
// document. `error-codes` decides how they are spelled, for clients that compare them with those of PostgREST.

import type { RestConfig } from '../config/config.ts';

export type ErrorCode = {
  /** As this service spells it. */
  readonly code: string;
  readonly status: string;
  readonly meaning: string;
  /** A code that PostgREST does not have. */
  readonly isOwn?: true;
};

export const ERROR_CODES: readonly ErrorCode[] = [
  {
    code: 'SVRST000',
    status: '503',
    meaning: 'cannot connect to the database; `Retry-After` gives the time of the next attempt',
  },
  { code: 'SVRST001', status: '503', meaning: 'the connection to the database was lost' },
  { code: 'SVRST002', status: '503', meaning: 'the schema cache has not been loaded yet' },
  {
    code: 'SVRST003',
    status: '504 (503)',
    meaning:
      'no pool connection became available in time (503: the queue of the embedded database, 1000 requests, is full)',
  },
  { code: 'SVRST100', status: '400', meaning: 'the query string could not be parsed; `details` says where and why' },
  { code: 'SVRST101', status: '405', meaning: 'wrong method for a function call: use GET, HEAD or POST' },
  { code: 'SVRST102', status: '400', meaning: 'the request body does not match its content type, or is malformed' },
  { code: 'SVRST103', status: '416', meaning: 'the requested range is invalid or out of bounds' },
  {
    code: 'SVRST105',
    status: '405',
    meaning: 'PUT requires a table with a primary key and exactly one row, selected by that key',
  },
  { code: 'SVRST106', status: '406', meaning: 'the requested schema is not exposed (`db-schemas`)' },
  { code: 'SVRST107', status: '406, 415', meaning: 'the media type in `Accept` or `Content-Type` is not supported' },
  { code: 'SVRST108', status: '400', meaning: 'a filter refers to an embedded resource that is not in `select`' },
  {
    code: 'SVRST111',
    status: '500',
    meaning: '`response.headers` must be a JSON array of objects, each with one string value',
  },
  { code: 'SVRST112', status: '500', meaning: '`response.status` must be a valid HTTP status code' },
  { code: 'SVRST114', status: '400', meaning: 'PUT does not support `limit`, `offset` or `Range`' },
  { code: 'SVRST115', status: '400', meaning: 'the primary key in the URL of a PUT differs from the one in its body' },
  { code: 'SVRST116', status: '406', meaning: 'a single row was requested, but the result has none or several' },
  { code: 'SVRST117', status: '405', meaning: 'the HTTP method is not supported' },
  { code: 'SVRST118', status: '400', meaning: 'ordering by a related table requires a to-one relationship' },
  {
    code: 'SVRST120',
    status: '400',
    meaning: 'embedded resources can only be filtered with `is.null` and `not.is.null`',
  },
  {
    code: 'SVRST121',
    status: '500',
    meaning: 'the JSON of an error raised with SQLSTATE `SVRST` or `PGRST` could not be parsed',
  },
  { code: 'SVRST122', status: '400', meaning: 'an invalid preference was sent together with `handling=strict`' },
  { code: 'SVRST123', status: '400', meaning: 'aggregate functions are disabled (`db-aggregates-enabled`)' },
  { code: 'SVRST124', status: '400', meaning: 'the request would affect more rows than `max-affected` allows' },
  { code: 'SVRST125', status: '404', meaning: 'the path does not name a table, view or function' },
  { code: 'SVRST126', status: '404', meaning: 'the OpenAPI description at the root is disabled (`openapi-mode`)' },
  { code: 'SVRST127', status: '400', meaning: 'the feature named in `details` is not implemented' },
  { code: 'SVRST128', status: '400', meaning: '`max-affected` requires a function that returns a set' },
  {
    code: 'SVRST170',
    status: '400, 405',
    meaning: 'the batch is not an array of requests, or contains an invalid one; the message says which',
    isOwn: true,
  },
  { code: 'SVRST171', status: '400', meaning: 'a reference in a batch cannot be resolved', isOwn: true },
  {
    code: 'SVRST172',
    status: '424',
    meaning: 'another request in the batch failed, so this one has no effect',
    isOwn: true,
  },
  {
    code: 'SVRST173',
    status: '413',
    meaning:
      'the combined responses of a batch, or its requests with the values of their references, exceed `server-max-body-size`',
    isOwn: true,
  },
  {
    code: 'SVRST174',
    status: '400',
    meaning:
      'a row in the body does not identify the row to update, or contains an operation that its column does not support',
    isOwn: true,
  },
  {
    code: 'SVRST175',
    status: '404',
    meaning: 'some rows in the body were not found, and `missing=error` was requested',
    isOwn: true,
  },
  {
    code: 'SVRST176',
    status: '409',
    meaning: 'a JSON Patch could not be applied to every row; nothing was changed',
    isOwn: true,
  },
  { code: 'SVRST177', status: '400', meaning: 'nested rows that cannot be written at this place', isOwn: true },
  {
    code: 'SVRST178',
    status: '409',
    meaning: 'the database skipped rows of a nested insert; nothing was written',
    isOwn: true,
  },
  {
    code: 'SVRST180',
    status: '400',
    meaning: 'a parameter occurs both in the URL and in the body of a `QUERY` request',
    isOwn: true,
  },
  {
    code: 'SVRST181',
    status: '400',
    meaning: 'the cursor in `after` belongs to a different query or was not issued by this service',
    isOwn: true,
  },
  {
    code: 'SVRST182',
    status: '400',
    meaning: 'keyset pagination is not available here; `details` says why',
    isOwn: true,
  },
  {
    code: 'SVRST183',
    status: '400',
    meaning: 'the function or operator requires an extension that is not installed in the database',
    isOwn: true,
  },
  {
    code: 'SVRST184',
    status: '500',
    meaning:
      'the procedure ends the transaction of the request; `hint` names the directive that lets it run outside one',
    isOwn: true,
  },
  {
    code: 'SVRST185',
    status: '400',
    meaning: 'the procedure runs outside a transaction, which is not possible in this request',
    isOwn: true,
  },
  {
    code: 'SVRST186',
    status: '400',
    meaning:
      'the request exceeds a limit set by the owner of the relation or role; the message names it, `hint` says where it is set',
    isOwn: true,
  },
  {
    code: 'SVRST187',
    status: '406',
    meaning: 'live streaming is not possible for this request, or the table is not followed; `hint` says what to do',
    isOwn: true,
  },
  {
    code: 'SVRST188',
    status: '400',
    meaning: 'the live stream has too many rows, or rows that are too large',
    isOwn: true,
  },
  {
    code: 'SVRST189',
    status: '503',
    meaning: 'too many live streams are open, or the service is shutting down',
    isOwn: true,
  },
  { code: 'SVRST190', status: '413', meaning: 'the request body exceeds `server-max-body-size`', isOwn: true },
  {
    code: 'SVRST191',
    status: '429',
    meaning: 'the rate limit (`server-rate-limit`) is exceeded; `Retry-After` says when to try again',
    isOwn: true,
  },
  {
    code: 'SVRST192',
    status: '400',
    meaning:
      'the estimated cost of the query exceeds `db-max-cost`, or a limit set by the owner; `details` names the limit',
    isOwn: true,
  },
  {
    code: 'SVRST193',
    status: '400',
    meaning:
      'the request exceeds one of the fixed limits (4,000 characters of full-text search, 20 regular expressions …); `details` names it',
    isOwn: true,
  },
  {
    code: 'SVRST194',
    status: '400',
    meaning: 'the regular expression has a back-reference, or repeats or nests too much',
    isOwn: true,
  },
  {
    code: 'SVRST195',
    status: '503',
    meaning:
      'requests in progress use all the memory that `server-max-memory` allows; `Retry-After` says when to try again',
    isOwn: true,
  },
  {
    code: 'SVRST196',
    status: '404',
    meaning: 'neither the path nor the host matches a database served by this program',
    isOwn: true,
  },
  {
    code: 'SVRST197',
    status: '503',
    meaning: 'the portal is in read-only or maintenance mode; the message is the operator’s',
    isOwn: true,
  },
  {
    code: 'SVRST198',
    status: '507',
    meaning: 'the folder for temporary files has no room for a large request body',
    isOwn: true,
  },
  {
    code: 'SVRST200',
    status: '400',
    meaning: 'no relationship between the two relations was found; `hint` may suggest a similar name',
  },
  { code: 'SVRST201', status: '300', meaning: 'more than one relationship matches; `details` lists them' },
  { code: 'SVRST202', status: '404', meaning: 'no such function, or none with these parameters' },
  { code: 'SVRST203', status: '300', meaning: 'more than one function matches the request' },
  { code: 'SVRST204', status: '400', meaning: 'the column does not exist' },
  { code: 'SVRST205', status: '404', meaning: 'the table or view does not exist' },
  { code: 'SVRST206', status: '500', meaning: 'the relation cannot be described; `details` says why', isOwn: true },
  { code: 'SVRST300', status: '500', meaning: 'a token was sent, but no JWT secret is configured (`jwt-secret`)' },
  { code: 'SVRST301', status: '401', meaning: 'the token could not be decoded, or its signature is invalid' },
  {
    code: 'SVRST302',
    status: '401',
    meaning: 'authentication is required: there is no token, and anonymous access is disabled',
  },
  { code: 'SVRST303', status: '401', meaning: 'a claim of the token was rejected' },
  { code: 'SVRST390', status: '503', meaning: 'the keys for verifying tokens could not be fetched', isOwn: true },
  { code: 'SVRST391', status: '403', meaning: 'the token may only read: its scope is not `write`', isOwn: true },
  { code: 'SVRSTX00', status: '500', meaning: 'internal error; see the log for details' },
];

export type CodeSpelling = RestConfig['errorCodes'];

const OWN_CODES: ReadonlySet<string> = new Set(ERROR_CODES.map(({ code }) => code));

/** Codes of the database, and those that its functions raise, are nobody's to respell. */
export function spellCode(code: string, spelling: CodeSpelling): string {
  return spelling === 'pgrst' && OWN_CODES.has(code) ? `PGRST${code.slice('SVRST'.length)}` : code;
}

export function bothSpellings(code: string): string {
  return `\`${code}\` / \`${spellCode(code, 'pgrst')}\``;
}
