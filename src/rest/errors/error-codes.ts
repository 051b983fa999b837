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
    meaning: 'no connection to the database; `Retry-After` says when the next attempt is due',
  },
  { code: 'SVRST001', status: '503', meaning: 'the connection to the database was lost' },
  { code: 'SVRST002', status: '503', meaning: 'the schema cache has not been loaded yet' },
  {
    code: 'SVRST003',
    status: '504 (503)',
    meaning: 'no connection of the pool became free in time (1000 requests wait for the embedded database already)',
  },
  { code: 'SVRST100', status: '400', meaning: 'the query string cannot be parsed; `details` says where and why' },
  { code: 'SVRST101', status: '405', meaning: 'functions are called by GET, HEAD and POST' },
  { code: 'SVRST102', status: '400', meaning: 'the body is not what it says it is' },
  { code: 'SVRST103', status: '416', meaning: 'there is no such range' },
  { code: 'SVRST105', status: '405', meaning: 'a PUT that is not about one row of a table with a primary key' },
  { code: 'SVRST106', status: '406', meaning: 'the schema is not exposed' },
  { code: 'SVRST107', status: '406, 415', meaning: 'Accept or Content-Type cannot be met' },
  { code: 'SVRST108', status: '400', meaning: 'a filter on an embed that is not selected' },
  {
    code: 'SVRST111',
    status: '500',
    meaning: '`response.headers` is not a JSON array of objects with one string each',
  },
  { code: 'SVRST112', status: '500', meaning: '`response.status` is not a status code' },
  { code: 'SVRST114', status: '400', meaning: 'a PUT with `limit`, `offset` or `Range`' },
  { code: 'SVRST115', status: '400', meaning: 'the key in the address of a PUT is not that of its body' },
  { code: 'SVRST116', status: '406', meaning: 'one row was asked for, none or several found' },
  { code: 'SVRST117', status: '405', meaning: 'the method is not supported' },
  { code: 'SVRST118', status: '400', meaning: 'ordering by a related table that is not to-one' },
  { code: 'SVRST120', status: '400', meaning: 'an embed is filtered by something other than `is.null`' },
  { code: 'SVRST121', status: '500', meaning: 'the JSON of a raised error cannot be read' },
  { code: 'SVRST122', status: '400', meaning: 'a preference that is not known, under `handling=strict`' },
  { code: 'SVRST123', status: '400', meaning: 'aggregates are switched off (`db-aggregates-enabled`)' },
  { code: 'SVRST124', status: '400', meaning: 'more rows than `max-affected` allows' },
  { code: 'SVRST125', status: '404', meaning: 'the path is neither a relation nor a function' },
  { code: 'SVRST126', status: '404', meaning: 'the root has no description (`openapi-mode`)' },
  { code: 'SVRST127', status: '400', meaning: 'the feature named in `details` is not implemented' },
  { code: 'SVRST128', status: '400', meaning: '`max-affected` on a function that returns no set' },
  {
    code: 'SVRST170',
    status: '400, 405',
    meaning: 'a batch that is no list of requests, or has one that is none; the message says which',
    isOwn: true,
  },
  { code: 'SVRST171', status: '400', meaning: 'a reference of a batch that means nothing', isOwn: true },
  {
    code: 'SVRST172',
    status: '424',
    meaning: 'another request of the batch failed, and this one with it',
    isOwn: true,
  },
  {
    code: 'SVRST173',
    status: '413',
    meaning: 'the answers of a batch are together larger than `server-max-body-size`',
    isOwn: true,
  },
  {
    code: 'SVRST174',
    status: '400',
    meaning: 'rows of a body that do not say which row each is, or a change that its column cannot take',
    isOwn: true,
  },
  { code: 'SVRST175', status: '404', meaning: 'rows of a body were not found, under `missing=error`', isOwn: true },
  {
    code: 'SVRST176',
    status: '409',
    meaning: 'a JSON patch that cannot be applied to every row; nothing is changed',
    isOwn: true,
  },
  { code: 'SVRST177', status: '400', meaning: 'rows inside rows that cannot be written there', isOwn: true },
  {
    code: 'SVRST178',
    status: '409',
    meaning: 'the database left out rows of a nested body; nothing was written',
    isOwn: true,
  },
  {
    code: 'SVRST180',
    status: '400',
    meaning: 'a parameter stands in the address and in the body of a `QUERY`',
    isOwn: true,
  },
  {
    code: 'SVRST181',
    status: '400',
    meaning: 'the cursor in `after` was given for another question, or by somebody else',
    isOwn: true,
  },
  {
    code: 'SVRST182',
    status: '400',
    meaning: 'there are no keyset pages of this; `details` says why',
    isOwn: true,
  },
  {
    code: 'SVRST183',
    status: '400',
    meaning: 'a function or operator of an extension that the database does not have',
    isOwn: true,
  },
  {
    code: 'SVRST184',
    status: '500',
    meaning: 'a procedure ends the transaction of the request; `hint` names the directive that lets it run outside',
    isOwn: true,
  },
  {
    code: 'SVRST185',
    status: '400',
    meaning: 'a procedure that runs outside the transaction of the request, where that is not possible',
    isOwn: true,
  },
  {
    code: 'SVRST186',
    status: '400',
    meaning: 'beyond a limit that the owner of a relation or role has set; the message names it, `hint` says where',
    isOwn: true,
  },
  {
    code: 'SVRST187',
    status: '406',
    meaning: 'a live stream that is not possible, or of tables whose changes are not recorded; `hint` has the remedy',
    isOwn: true,
  },
  { code: 'SVRST188', status: '400', meaning: 'a live stream of too many rows, or too large ones', isOwn: true },
  { code: 'SVRST189', status: '503', meaning: 'too many live streams, or the service stops', isOwn: true },
  { code: 'SVRST190', status: '413', meaning: 'the body is larger than `server-max-body-size`', isOwn: true },
  {
    code: 'SVRST191',
    status: '429',
    meaning: 'more requests than `server-rate-limit` allows; `Retry-After` says when to come again',
    isOwn: true,
  },
  {
    code: 'SVRST192',
    status: '400',
    meaning:
      'PostgreSQL expects the statement to cost more than `db-max-cost`, or than a limit of the owner; `details` names the limit',
    isOwn: true,
  },
  { code: 'SVRST193', status: '400', meaning: 'the request holds more of something than is allowed', isOwn: true },
  {
    code: 'SVRST194',
    status: '400',
    meaning: 'the regular expression has a back reference, or repeats or nests too much',
    isOwn: true,
  },
  {
    code: 'SVRST195',
    status: '503',
    meaning:
      'what is under way holds as much memory as `server-max-memory` allows; `Retry-After` says when to come again',
    isOwn: true,
  },
  {
    code: 'SVRST196',
    status: '404',
    meaning: 'neither path nor host names one of the databases that the program serves',
    isOwn: true,
  },
  {
    code: 'SVRST197',
    status: '503',
    meaning: 'the operator of the portal has set it read-only, or maintains it; the message is theirs',
    isOwn: true,
  },
  { code: 'SVRST200', status: '400', meaning: 'no relationship between the two; `hint` may have a nearer name' },
  { code: 'SVRST201', status: '300', meaning: 'several relationships; `details` lists them' },
  { code: 'SVRST202', status: '404', meaning: 'no such function, or none with these parameters' },
  { code: 'SVRST203', status: '300', meaning: 'several functions fit' },
  { code: 'SVRST204', status: '400', meaning: 'no such column' },
  { code: 'SVRST205', status: '404', meaning: 'no such table or view' },
  { code: 'SVRST206', status: '500', meaning: 'the relation cannot be described; `details` says why', isOwn: true },
  { code: 'SVRST300', status: '500', meaning: 'a token came and no secret is set' },
  { code: 'SVRST301', status: '401', meaning: 'the token cannot be decoded, or its signature is wrong' },
  { code: 'SVRST302', status: '401', meaning: 'no token, and no anonymous access' },
  { code: 'SVRST303', status: '401', meaning: 'the claims of the token are refused' },
  { code: 'SVRST390', status: '503', meaning: 'the keys of tokens cannot be fetched', isOwn: true },
  { code: 'SVRSTX00', status: '500', meaning: 'a fault of the service; the log has more' },
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
