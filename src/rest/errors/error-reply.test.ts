import { describe, expect, test } from 'vitest';
import type { Relationship, Routine } from '../schema-cache/schema-cache.ts';
import { authMessages } from './auth-messages.ts';
import { dbMessages } from './db-messages.ts';
import { type ErrorContext, errorReply, messages } from './error-reply.ts';
import { planMessages } from './plan-messages.ts';
import { requestMessages } from './request-messages.ts';
import type { RestError } from './rest-error.ts';
import { runMessages } from './run-messages.ts';

const CONTEXT: ErrorContext = { isAuthenticated: true, isHead: false, retryAfterSeconds: 4 };

const header = (reply: { headers: readonly (readonly [string, string])[] }, name: string): string | undefined =>
  reply.headers.find(([key]) => key === name)?.[1];

type Row = [error: RestError, status: number, code: string, message: string, details?: unknown, hint?: string | null];

const ends = { tableIsView: false, foreignIsView: false, isSelf: false };
const table = (name: string): { schema: string; name: string } => ({ schema: 'test', name });

const routine = (name: string, ...parameters: [name: string, type: string][]): Routine => ({
  schema: 'test',
  name,
  description: null,
  parameters: parameters.map(([parameter, type]) => ({
    name: parameter,
    type,
    castType: type,
    required: true,
    variadic: false,
  })),
  returns: { set: false, shape: { kind: 'void' } },
  volatility: 'volatile',
  hasVariadic: false,
  isolation: null,
  settings: [],
});

const candidates: Relationship[] = [
  {
    ...ends,
    kind: 'many-to-many',
    table: table('sites'),
    foreign: table('big_projects'),
    junction: table('main_jobs'),
    constraint: 'jobs_site_id_fkey',
    foreignConstraint: 'jobs_big_project_id_fkey',
    columns: [['site_id', 'site_id']],
    foreignColumns: [['big_project_id', 'big_project_id']],
  },
  {
    ...ends,
    kind: 'many-to-one',
    table: table('sites'),
    foreign: table('big_projects'),
    constraint: 'main_project',
    columns: [
      ['main_project_id', 'big_project_id'],
      ['region', 'area'],
    ],
  },
  {
    ...ends,
    kind: 'many-to-many',
    table: table('sites'),
    foreign: table('big_projects'),
    junction: table('jobs'),
    constraint: 'jobs_site_id_fkey',
    foreignConstraint: 'jobs_big_project_id_fkey',
    columns: [['site_id', 'site_id']],
    foreignColumns: [['big_project_id', 'big_project_id']],
  },
  {
    ...ends,
    kind: 'one-to-one',
    table: table('sites'),
    foreign: table('big_projects'),
    constraint: 'a_one',
    columns: [['id', 'id']],
  },
  {
    ...ends,
    kind: 'one-to-many',
    table: table('sites'),
    foreign: table('big_projects'),
    constraint: 'z_many',
    columns: [['id', 'site']],
  },
  {
    ...ends,
    kind: 'one-to-many',
    table: table('sites'),
    foreign: table('big_projects'),
    constraint: 'b_many',
    columns: [['id', 'site']],
  },
  {
    ...ends,
    kind: 'computed',
    table: table('sites'),
    foreign: table('big_projects'),
    routine: table('best'),
    toOne: true,
  },
];

const notFound = {
  kind: 'routine-not-found',
  schema: 'test',
  name: 'f',
  args: [],
  body: 'none',
  near: undefined,
} as const;

const ROWS: Row[] = [
  // The way to the database
  [
    { kind: 'unreachable', message: 'connection refused', fatal: false },
    503,
    'SVRST000',
    'Database connection error.',
    'connection refused',
  ],
  [
    { kind: 'lost', message: 'no connection to the server\n' },
    503,
    'SVRST001',
    'Database client error. Retrying the connection.',
    'no connection to the server\n',
  ],
  [
    { kind: 'closed' },
    503,
    'SVRST001',
    'Database client error. Retrying the connection.',
    'The service is shutting down.',
  ],
  [{ kind: 'schema-cache-missing' }, 503, 'SVRST002', 'Could not query the database for the schema cache. Retrying.'],
  [{ kind: 'pool-timeout', afterMs: 10_000 }, 504, 'SVRST003', 'Timed out acquiring connection from connection pool.'],
  [
    { kind: 'pool-full', waiting: 1000 },
    503,
    'SVRST003',
    'Too many requests are waiting for the database.',
    '1000 are already waiting. Try again in a moment.',
  ],
  [{ kind: 'cancelled' }, 500, '57014', 'canceling statement due to user request'],
  // The request
  [
    {
      kind: 'query-unparsable',
      message: '"failed to parse filter (0)" (line 1, column 1)',
      details: 'unexpected "0" expecting "not"',
    },
    400,
    'SVRST100',
    '"failed to parse filter (0)" (line 1, column 1)',
    'unexpected "0" expecting "not"',
  ],
  [{ kind: 'method-not-for-routines', method: 'DELETE' }, 405, 'SVRST101', 'Cannot use the DELETE method on RPC'],
  [{ kind: 'body-invalid', problem: { kind: 'json-invalid' } }, 400, 'SVRST102', 'Empty or invalid json'],
  [{ kind: 'body-invalid', problem: { kind: 'keys-differ' } }, 400, 'SVRST102', 'All object keys must match'],
  [
    { kind: 'body-invalid', problem: { kind: 'fields-differ' } },
    400,
    'SVRST102',
    'All lines must have same number of fields',
  ],
  [
    { kind: 'body-invalid', problem: { kind: 'json-too-deep', limit: 9 } },
    400,
    'SVRST102',
    'The json is nested deeper than 9 levels',
  ],
  [
    { kind: 'body-invalid', problem: { kind: 'too-many-keys', limit: 9 } },
    400,
    'SVRST102',
    'An object of the body has more than 9 keys; no table has as many columns',
  ],
  [
    { kind: 'body-invalid', problem: { kind: 'csv-grows', times: 9 } },
    400,
    'SVRST102',
    'The csv is more than 9 times as large as json; shorten the names in its header, or send json',
  ],
  [{ kind: 'body-invalid', problem: { kind: 'csv-empty' } }, 400, 'SVRST102', 'The csv has no header line'],
  [{ kind: 'body-invalid', problem: { kind: 'csv-not-utf8' } }, 400, 'SVRST102', 'The csv is not valid UTF-8'],
  [
    { kind: 'body-invalid', problem: { kind: 'csv-quote-unclosed', line: 2 } },
    400,
    'SVRST102',
    'The csv has an unclosed quote, opened in line 2',
  ],
  [
    { kind: 'body-invalid', problem: { kind: 'csv-text-after-quote', line: 2 } },
    400,
    'SVRST102',
    'The csv has text after a closing quote in line 2',
  ],
  [
    { kind: 'limit-negative' },
    416,
    'SVRST103',
    'Requested range not satisfiable',
    'Limit should be greater than or equal to zero.',
  ],
  [
    { kind: 'range-crossed' },
    416,
    'SVRST103',
    'Requested range not satisfiable',
    'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
  ],
  [
    { kind: 'offset-beyond-total', offset: 100, total: 15 },
    416,
    'SVRST103',
    'Requested range not satisfiable',
    'An offset of 100 was requested, but there are only 15 rows.',
  ],
  [
    { kind: 'put-needs-key' },
    405,
    'SVRST105',
    "Filters must include all and only primary key columns with 'eq' operators",
  ],
  [
    { kind: 'schema-not-exposed', schema: 'private', exposed: ['v1', 'v2'] },
    406,
    'SVRST106',
    'Invalid schema: private',
    null,
    'Only the following schemas are exposed: v1, v2',
  ],
  [
    { kind: 'content-type-unsupported', contentType: 'image/png' },
    415,
    'SVRST107',
    'Content-Type not acceptable: image/png',
  ],
  [
    { kind: 'not-acceptable', types: ['a/b', 'c/d'] },
    406,
    'SVRST107',
    'None of these media types are available: a/b, c/d',
  ],
  [
    { kind: 'not-embedded', name: 'clients' },
    400,
    'SVRST108',
    "'clients' is not an embedded resource in this request",
    null,
    "Verify that 'clients' is included in the 'select' query parameter.",
  ],
  [
    { kind: 'guc-headers' },
    500,
    'SVRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  ],
  [{ kind: 'guc-status' }, 500, 'SVRST112', 'response.status guc must be a valid status code'],
  [{ kind: 'put-with-window' }, 400, 'SVRST114', 'limit/offset querystring parameters are not allowed for PUT'],
  [{ kind: 'put-key-mismatch' }, 400, 'SVRST115', 'Payload values do not match URL in primary key column(s)'],
  [
    { kind: 'singular', rows: 0 },
    406,
    'SVRST116',
    'Cannot coerce the result to a single JSON object',
    'The result contains 0 rows',
  ],
  [
    { kind: 'method-not-supported', method: 'TRACE', on: 'relation' },
    405,
    'SVRST117',
    'Unsupported HTTP method: TRACE',
  ],
  [
    { kind: 'related-order-not-to-one', origin: 'clients', name: 'projects' },
    400,
    'SVRST118',
    "A related order on 'projects' is not possible",
    "'clients' and 'projects' do not form a many-to-one or one-to-one relationship",
  ],
  [
    { kind: 'bad-embed-filter', name: 'projects' },
    400,
    'SVRST120',
    "Bad operator on the 'projects' embedded resource",
    'Only is null or not is null filters are allowed on embedded resources',
  ],
  [
    { kind: 'invalid-preferences', names: ['count=none', 'x'] },
    400,
    'SVRST122',
    'Invalid preferences given with handling=strict',
    'Invalid preferences: count=none, x',
  ],
  [{ kind: 'aggregates-disabled' }, 400, 'SVRST123', 'Use of aggregate functions is not allowed'],
  [
    { kind: 'max-affected', rows: 14 },
    400,
    'SVRST124',
    'Query result exceeds max-affected preference constraint',
    'The query affects 14 rows',
  ],
  [{ kind: 'path-invalid' }, 404, 'SVRST125', 'Invalid path specified in request URL'],
  [{ kind: 'root-disabled' }, 404, 'SVRST126', 'Root endpoint metadata is disabled'],
  [{ kind: 'not-implemented', feature: 'Time travel.' }, 400, 'SVRST127', 'Feature not implemented', 'Time travel.'],
  [
    { kind: 'max-affected-needs-set' },
    400,
    'SVRST128',
    'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  ],
  [
    { kind: 'owner-limit', where: 'the comment on api.t', limit: 'depth=1', why: '2 levels are embedded.' },
    400,
    'SVRST186',
    'The request exceeds the limit depth=1',
    '2 levels are embedded.',
    'The limit is set in the comment on api.t.',
  ],
  [{ kind: 'procedure-by-get', name: 'p' }, 405, 'SVRST101', "The procedure 'p' must be called with POST"],
  [
    { kind: 'procedure-needs-transaction', name: 'p', why: 'rollback' },
    400,
    'SVRST185',
    "The procedure 'p' runs outside the request's transaction, which is not possible here",
    'What it does cannot be rolled back, as the preference tx=rollback or the setting db-tx-end asks.',
  ],
  [
    { kind: 'role-not-kept', name: 'p' },
    400,
    'SVRST185',
    "The procedure 'p' runs outside the request's transaction, which is not possible here",
    'The role is not kept from one transaction to the next by the embedded database, or behind a connection pooler.',
  ],
  [
    { kind: 'procedure-ends-transaction', name: 'p' },
    500,
    'SVRST184',
    "The procedure 'p' ends the transaction that it runs in",
    'Nothing was changed: COMMIT and ROLLBACK are not possible in the transaction of a request.',
    "A line '@survest outside-transaction' in the comment on the procedure lets it run outside of it.",
  ],
  [
    { kind: 'parameter-twice', name: 'id' },
    400,
    'SVRST180',
    "The parameter 'id' occurs both in the URL and in the body",
    null,
    'Send all parameters with that name in one place.',
  ],
  [
    { kind: 'extension-missing', extension: 'postgis', word: 'bbox' },
    400,
    'SVRST183',
    "'bbox' requires the extension postgis, which is not installed in the database",
    null,
    'Install the extension postgis in the database, and reload the schema cache.',
  ],
  [
    { kind: 'cursor-invalid' },
    400,
    'SVRST181',
    'The cursor does not belong to this request',
    'A cursor is only valid for the relation, filters and order it was issued for.',
    'Start again with an empty `after=`.',
  ],
  [
    { kind: 'cursor-outdated' },
    400,
    'SVRST181',
    'The cursor does not belong to this request',
    'A cursor is only valid for the relation, filters and order it was issued for.',
    'Start again with an empty `after=`.',
  ],
  [
    { kind: 'cursor-with-offset' },
    400,
    'SVRST182',
    'Keyset pagination is not possible here',
    '`after` cannot be combined with `offset`, or with a Range that starts after 0.',
    'Use only one of them.',
  ],
  [
    { kind: 'cursor-too-long' },
    400,
    'SVRST182',
    'Keyset pagination is not possible here',
    'The last row of the page is ordered by values that are too long for a cursor.',
    'Order by something shorter, or page by limit and offset.',
  ],
  [
    { kind: 'keyset-impossible', why: 'no-key' },
    400,
    'SVRST182',
    'Keyset pagination is not possible here',
    'The relation has no primary key.',
    'Page by limit and offset.',
  ],
  [
    { kind: 'payload-too-large', limit: 1000 },
    413,
    'SVRST190',
    'The request body is too large',
    'The body is larger than the 1000 bytes allowed by server-max-body-size.',
  ],
  [
    { kind: 'payload-too-large', limit: 64_000_000 },
    413,
    'SVRST190',
    'The request body is too large',
    'The body is larger than the 64000000 bytes allowed by server-max-body-size.',
    'Inserts of a JSON array, NDJSON or CSV that return no rows may be as large as server-max-streamed-body-size.',
  ],
  [
    { kind: 'row-too-large', row: 7, limit: 1000 },
    413,
    'SVRST190',
    'A row of the request body is too large',
    'Row 7 is larger than the 1000 bytes allowed by server-max-body-size.',
  ],
  [
    { kind: 'unknown-database', name: 'sails' },
    404,
    'SVRST196',
    "There is no database 'sails' here",
    'This service serves several databases.',
    "The first segment of the path is the name of a database, as in /name/table, unless the host is a database's own.",
  ],
  [
    { kind: 'unknown-database', name: '' },
    404,
    'SVRST196',
    'The address names no database',
    'This service serves several databases.',
    "The first segment of the path is the name of a database, as in /name/table, unless the host is a database's own.",
  ],
  [
    { kind: 'no-disk-space' },
    507,
    'SVRST198',
    'The server has no disk space for the request body',
    'Large bodies are kept in the folder for temporary files until they are complete.',
    'Try again later, or send fewer rows at once.',
  ],
  [
    { kind: 'memory-full' },
    503,
    'SVRST195',
    'The server is using all the memory it is allowed',
    'Requests and responses in progress use all the memory that server-max-memory allows.',
    'Try again later, send a smaller body, or request fewer rows.',
  ],
  [
    { kind: 'service-closed', mode: 'read-only', message: 'Moving house.' },
    503,
    'SVRST197',
    'Moving house.',
    'The service is read-only at the moment.',
    'Read-only functions can be called with GET.',
  ],
  [
    { kind: 'service-closed', mode: 'maintenance', message: 'Moving house.' },
    503,
    'SVRST197',
    'Moving house.',
    'The service is under maintenance.',
  ],
  [
    { kind: 'live-unfollowed', followable: ['public.a', 'public.b'], others: [] },
    406,
    'SVRST187',
    'Changes to these tables are not followed',
    'public.a, public.b',
    'survest live install public.a public.b',
  ],
  [
    { kind: 'live-unfollowed', followable: ['public.a'], others: ['public.v'] },
    406,
    'SVRST187',
    'Changes to these tables are not followed',
    'public.a, public.v',
    'Only tables can be followed, and public.v is none.',
  ],
  [
    { kind: 'live-too-many-rows', limit: 10, setting: 'live-max-rows' },
    400,
    'SVRST188',
    'Too many rows for a live stream',
    'live-max-rows allows 10.',
    'Filter the rows, or set a limit.',
  ],
  [
    { kind: 'live-too-large', limit: 1000 },
    400,
    'SVRST188',
    'The rows are too large for a live stream',
    'Together they exceed 1000 bytes.',
    'Filter the rows, or select fewer columns.',
  ],
  [{ kind: 'live-too-many-streams', limit: 5 }, 503, 'SVRST189', 'Too many live streams', 'live-max-streams allows 5.'],
  [
    { kind: 'live-impossible' },
    406,
    'SVRST187',
    'Live streams are not possible here',
    'They require HTTP/1.1 and cannot be part of a batch.',
  ],
  [
    { kind: 'live-stopping' },
    503,
    'SVRST189',
    'The service is shutting down',
    null,
    'Reconnect: another process will continue the stream.',
  ],
  [{ kind: 'rate-limited', retryAfterSeconds: 7 }, 429, 'SVRST191', 'Too many requests', 'Try again in 7 s.'],
  [
    { kind: 'too-costly', limit: 10 },
    400,
    'SVRST192',
    'The query is too expensive',
    'PostgreSQL estimates a higher cost than the 10 that db-max-cost allows.',
    'Request fewer rows, or filter by an indexed column.',
  ],
  [
    { kind: 'regex-refused', why: 'Because.' },
    400,
    'SVRST194',
    'The regular expression is not allowed',
    'Because.',
    'Some expressions would keep the database busy for hours. Functions of your own may use any expression.',
  ],
  [
    { kind: 'too-many', limit: 'parameters' },
    400,
    'SVRST193',
    'The request exceeds a limit',
    'More than 1000 parameters.',
    'Split it into several requests.',
  ],
  [
    { kind: 'embed-returns', name: 'films', most: 2 },
    400,
    'SVRST193',
    "The embed 'films' returns to the same relation too often",
    'Rows multiply each time; a to-many embed may return to the same relation 2 times at most.',
    'Request the inner rows separately.',
  ],
  // The schema cache
  [
    { kind: 'relationship-not-found', schema: 'test', origin: 'a', target: 'b', hint: undefined, near: undefined },
    400,
    'SVRST200',
    "Could not find a relationship between 'a' and 'b' in the schema cache",
    "Searched for a foreign key relationship between 'a' and 'b' in the schema 'test', but no matches were found.",
  ],
  [
    {
      kind: 'relationship-not-found',
      schema: 'test',
      origin: 'a',
      target: 'b',
      hint: 'h',
      near: { instead: 'target', name: 'bb' },
    },
    400,
    'SVRST200',
    "Could not find a relationship between 'a' and 'b' in the schema cache",
    "Searched for a foreign key relationship between 'a' and 'b' using the hint 'h' in the schema 'test', but no matches were found.",
    "Perhaps you meant 'bb' instead of 'b'.",
  ],
  [
    {
      kind: 'relationship-not-found',
      schema: 'test',
      origin: 'a',
      target: 'b',
      hint: undefined,
      near: { instead: 'origin', name: 'aa' },
    },
    400,
    'SVRST200',
    "Could not find a relationship between 'a' and 'b' in the schema cache",
    "Searched for a foreign key relationship between 'a' and 'b' in the schema 'test', but no matches were found.",
    "Perhaps you meant 'aa' instead of 'a'.",
  ],
  [
    { kind: 'ambiguous-embed', origin: 'sites', target: 'big_projects', candidates },
    300,
    'SVRST201',
    "Could not embed because more than one relationship was found for 'sites' and 'big_projects'",
    [
      {
        cardinality: 'one-to-many',
        embedding: 'sites with big_projects',
        relationship: 'b_many using sites(id) and big_projects(site)',
      },
      {
        cardinality: 'one-to-many',
        embedding: 'sites with big_projects',
        relationship: 'z_many using sites(id) and big_projects(site)',
      },
      {
        cardinality: 'many-to-one',
        embedding: 'sites with big_projects',
        relationship: 'main_project using sites(main_project_id, region) and big_projects(big_project_id, area)',
      },
      {
        cardinality: 'one-to-one',
        embedding: 'sites with big_projects',
        relationship: 'a_one using sites(id) and big_projects(id)',
      },
      {
        cardinality: 'many-to-many',
        embedding: 'sites with big_projects',
        relationship: 'jobs using jobs_site_id_fkey(site_id) and jobs_big_project_id_fkey(big_project_id)',
      },
      {
        cardinality: 'many-to-many',
        embedding: 'sites with big_projects',
        relationship: 'main_jobs using jobs_site_id_fkey(site_id) and jobs_big_project_id_fkey(big_project_id)',
      },
      { cardinality: 'many-to-one', embedding: 'sites with big_projects', relationship: 'computed by best' },
    ],
    "Try changing 'big_projects' to one of the following: 'big_projects!b_many', 'big_projects!z_many', 'big_projects!main_project', 'big_projects!a_one', 'big_projects!jobs', 'big_projects!main_jobs', 'big_projects!best'. Find the desired relationship in the 'details' key.",
  ],
  [
    notFound,
    404,
    'SVRST202',
    'Could not find the function test.f without parameters in the schema cache',
    'Searched for the function test.f without parameters, but no matches were found in the schema cache.',
  ],
  [
    { ...notFound, args: ['a'] },
    404,
    'SVRST202',
    'Could not find the function test.f(a) in the schema cache',
    'Searched for the function test.f with parameter a, but no matches were found in the schema cache.',
  ],
  [
    { ...notFound, args: ['smthelse', 'b', 'a'], near: { kind: 'signature', signature: '(a, b)' } },
    404,
    'SVRST202',
    'Could not find the function test.f(a, b, smthelse) in the schema cache',
    'Searched for the function test.f with parameters a, b, smthelse, but no matches were found in the schema cache.',
    'Perhaps you meant to call the function test.f(a, b)',
  ],
  [
    { ...notFound, body: 'json', near: { kind: 'name', name: 'ff' } },
    404,
    'SVRST202',
    'Could not find the function test.f without parameters in the schema cache',
    'Searched for the function test.f without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    'Perhaps you meant to call the function test.ff',
  ],
  [
    { ...notFound, args: ['a'], body: 'json' },
    404,
    'SVRST202',
    'Could not find the function test.f(a) in the schema cache',
    'Searched for the function test.f with parameter a or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
  ],
  ...(['text', 'xml', 'bytea'] as const).map(
    (body): Row => [
      { ...notFound, args: ['ignored'], body, near: { kind: 'name', name: 'ff' } },
      404,
      'SVRST202',
      'Could not find the function test.f in the schema cache',
      `Searched for the function test.f with a single unnamed ${body} parameter, but no matches were found in the schema cache.`,
      null,
    ],
  ),
  [
    {
      kind: 'ambiguous-routine',
      candidates: [routine('f', ['a', 'text'], ['b', 'integer']), routine('f', ['a', 'integer'])],
    },
    300,
    'SVRST203',
    'Could not choose the best candidate function between: test.f(a => integer), test.f(a => text, b => integer)',
    null,
    'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  ],
  [
    { kind: 'ambiguous-routine', candidates: [routine('f', ['', 'json']), routine('f', ['', 'jsonb'])] },
    300,
    'SVRST203',
    'Could not choose the best candidate function between: test.f( => json), test.f( => jsonb)',
    null,
    'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  ],
  [
    { kind: 'column-not-found', table: 't', column: 'c' },
    400,
    'SVRST204',
    "Could not find the 'c' column of 't' in the schema cache",
  ],
  [
    { kind: 'table-not-found', schema: 'test', table: 'x', near: undefined },
    404,
    'SVRST205',
    "Could not find the table 'test.x' in the schema cache",
  ],
  [
    { kind: 'table-not-found', schema: 'test', table: 'faketable', near: 'private_table' },
    404,
    'SVRST205',
    "Could not find the table 'test.faketable' in the schema cache",
    null,
    "Perhaps you meant the table 'test.private_table'",
  ],
  [
    { kind: 'relation-undescribed', schema: 'test', table: 'odd', why: 'it has a column of no type' },
    500,
    'SVRST206',
    "The relation 'test.odd' cannot be described",
    'it has a column of no type',
  ],
  // Tokens
  [{ kind: 'jwt-secret-missing' }, 500, 'SVRST300', 'Server lacks JWT secret'],
  [{ kind: 'jwt-empty' }, 401, 'SVRST301', 'Empty JWT is sent in Authorization header'],
  [{ kind: 'jwt-parts', parts: 2 }, 401, 'SVRST301', 'Expected 3 parts in JWT; got 2'],
  [{ kind: 'jwt-undecodable' }, 401, 'SVRST301', 'JWT cryptographic operation failed'],
  [
    { kind: 'jwt-unsecured' },
    401,
    'SVRST301',
    'Wrong or unsupported encoding algorithm',
    "JWT is unsecured but expected 'alg' was not 'none'",
  ],
  [
    { kind: 'jwt-no-key' },
    401,
    'SVRST301',
    'No suitable key or wrong key type',
    'No suitable key was found to decode the JWT',
  ],
  [
    { kind: 'jwt-bad-signature' },
    401,
    'SVRST301',
    'No suitable key or wrong key type',
    'None of the keys was able to decode the JWT',
  ],
  [{ kind: 'anonymous-disabled' }, 401, 'SVRST302', 'Anonymous access is disabled'],
  [{ kind: 'jwt-claims-unreadable' }, 401, 'SVRST303', 'Parsing claims failed'],
  [{ kind: 'jwt-claim-not-number', claim: 'exp' }, 401, 'SVRST303', "The JWT 'exp' claim must be a number"],
  [{ kind: 'jwt-claim-not-number', claim: 'nbf' }, 401, 'SVRST303', "The JWT 'nbf' claim must be a number"],
  [{ kind: 'jwt-claim-not-number', claim: 'iat' }, 401, 'SVRST303', "The JWT 'iat' claim must be a number"],
  [{ kind: 'jwt-expired' }, 401, 'SVRST303', 'JWT expired'],
  [{ kind: 'jwt-not-yet-valid' }, 401, 'SVRST303', 'JWT not yet valid'],
  [{ kind: 'jwt-issued-in-future' }, 401, 'SVRST303', 'JWT issued at future'],
  [{ kind: 'jwt-audience-type' }, 401, 'SVRST303', "The JWT 'aud' claim must be a string or an array of strings"],
  [{ kind: 'jwt-audience-mismatch' }, 401, 'SVRST303', 'JWT not in audience'],
  [
    { kind: 'jwt-keys-unavailable' },
    503,
    'SVRST390',
    'The keys for verifying the JWT are not available',
    'The JWK set could not be fetched yet.',
  ],
  [{ kind: 'role-impossible', role: 'none' }, 401, '22023', 'role "none" does not exist'],
  // Batches
  [
    { kind: 'batch-invalid', place: 2, why: 'is not an object' },
    400,
    'SVRST170',
    'Request 2 of the batch is not an object',
    null,
    'A batch is an array of {"method", "path", "headers", "body"}, each optionally with an "id".',
  ],
  [{ kind: 'batch-method', method: 'PUT' }, 405, 'SVRST170', 'Cannot use the PUT method on batches'],
  [
    { kind: 'batch-reference', place: 3, reference: '$9.id', why: 'unknown' },
    400,
    'SVRST171',
    'Request 3 of the batch has a reference that cannot be resolved: $9.id',
    'No request has that id.',
    "A reference is $1.column or $id.column; a text that begins with '$' is written '$$'.",
  ],
  [
    { kind: 'batch-failed', place: 1, id: 'order' },
    424,
    'SVRST172',
    'Not executed, or rolled back, because request 1 of the batch failed',
    "Its id is 'order'.",
    'With Prefer: batch=each, a failed request undoes only itself.',
  ],
  [
    { kind: 'batch-answer-too-large', limit: 9 },
    413,
    'SVRST173',
    'The responses of the batch are too large',
    'Together they exceed the 9 bytes allowed by server-max-body-size.',
    'Request fewer rows, or split the batch.',
  ],
  [
    { kind: 'batch-request-too-large', place: 2, limit: 9 },
    413,
    'SVRST173',
    'With the values of its references, request 2 makes the batch too large',
    'A request, and all requests of a batch together, may have the 9 bytes allowed by server-max-body-size.',
    'Refer to single columns ($1.id) instead of whole responses ($1), or split the batch.',
  ],
  // Changes of rows
  [
    { kind: 'nested-impossible', name: 'items', why: 'it is a list of rows' },
    400,
    'SVRST177',
    "The rows under 'items' cannot be written there",
    'it is a list of rows',
  ],
  [
    { kind: 'nested-keys-differ', name: 'items', keys: ['n'] },
    400,
    'SVRST177',
    "All object keys under 'items' must match",
    'Some objects lack: n',
    'With Prefer: missing=default, omitted columns get their default; with missing=null, they become null.',
  ],
  [
    { kind: 'nested-contradiction', rows: 1 },
    400,
    'SVRST177',
    'A nested object has a key that differs from that of its parent row',
    '1 objects do not match their parent',
    'Omit the key: it is filled in automatically.',
  ],
  [
    { kind: 'nested-rows-lost', rows: 1 },
    409,
    'SVRST178',
    'Some objects in the body were not inserted',
    '1 were skipped by the database, perhaps by a trigger; nothing was written',
  ],
  [
    { kind: 'rows-need-key', table: 'films', missing: ['id'] },
    400,
    'SVRST174',
    "The objects in the body do not identify rows of 'films' they are",
    'Missing: id',
    'Give every object the whole primary key, or name other columns with on_conflict.',
  ],
  [
    { kind: 'increment-needs-number', table: 'films', column: 'title' },
    400,
    'SVRST174',
    "The column 'title' of 'films' is not numeric and cannot be incremented",
  ],
  [
    { kind: 'json-patch-needs-json', table: 'films', column: 'title' },
    400,
    'SVRST174',
    "The column 'title' of 'films' is neither json nor jsonb, the only types that a JSON patch can change",
  ],
  [
    { kind: 'rows-ambiguous', rows: 2, why: 'repeated' },
    400,
    'SVRST174',
    'Several objects in the body refer to the same row',
    '2 too many',
    'Rows are identified by the primary key, or by the columns in on_conflict.',
  ],
  [
    { kind: 'rows-missing', rows: 1 },
    404,
    'SVRST175',
    'Some rows in the body were not found',
    '1 do not exist, or may not be changed by this role',
  ],
  [
    { kind: 'json-patch-failed', rows: 1 },
    409,
    'SVRST176',
    'The JSON patch cannot be applied',
    'On at least 1 rows a test failed or a path does not exist',
  ],
  [
    { kind: 'json-patch-invalid', place: 1, why: 'has no value' },
    400,
    'SVRST102',
    'Operation 1 of the JSON patch has no value',
  ],
  // The service itself
  [{ kind: 'unexpected-result', message: 'Unexpected amount of rows' }, 500, 'SVRSTX00', 'Unexpected amount of rows'],
  [{ kind: 'internal', reference: '7f3a' }, 500, 'SVRSTX00', 'Internal error', 'Reference in the log: 7f3a.'],
  // The database
  [
    {
      kind: 'sql',
      sqlstate: '23502',
      message: 'null value',
      detail: 'Failing row contains (null).',
      hint: null,
      statement: 1,
    },
    400,
    '23502',
    'null value',
    'Failing row contains (null).',
  ],
  [
    { kind: 'sql', sqlstate: '42703', message: 'no column', detail: null, hint: 'Perhaps.', statement: 1 },
    400,
    '42703',
    'no column',
    null,
    'Perhaps.',
  ],
];

describe('every error', () => {
  test.each(ROWS.map((row) => ({ kind: row[0].kind, row })))('$kind has its status, code and words', ({ row }) => {
    const [error, status, code, message, details = null, hint = null] = row;
    const reply = errorReply(error, CONTEXT);
    expect(reply.status).toBe(status);
    expect(String(reply.body)).toBe(JSON.stringify({ code, details, hint, message }));
    expect(header(reply, 'Content-Type')).toBe('application/json; charset=utf-8');
    expect(header(reply, 'Content-Length')).toBe(String(Buffer.byteLength(String(reply.body))));
    expect(header(reply, 'Proxy-Status')).toBe(`Survest; error=${code}`);
    expect(header(reply, 'Retry-After')).toBe(status === 503 ? '4' : status === 429 ? '7' : undefined);
    expect(header(reply, 'WWW-Authenticate') !== undefined).toBe(status === 401);
  });

  test('has a row above', () => {
    expect(new Set(ROWS.map(([error]) => error.kind))).toEqual(new Set(Object.keys(messages)));
  });

  test('has a kind of its own: no table hides a kind of another', () => {
    const kinds = [authMessages, requestMessages, planMessages, dbMessages, runMessages].flatMap(Object.keys);
    expect(kinds.toSorted()).toEqual([...new Set(kinds)].toSorted());
  });
});

describe('the reply', () => {
  test('has the lengths that are known', () => {
    expect(header(errorReply({ kind: 'path-invalid' }, CONTEXT), 'Content-Length')).toBe('96');
    expect(header(errorReply({ kind: 'not-acceptable', types: ['text/unknowntype'] }, CONTEXT), 'Content-Length')).toBe(
      '116',
    );
    expect(header(errorReply({ kind: 'method-not-for-routines', method: 'DELETE' }, CONTEXT), 'Content-Length')).toBe(
      '94',
    );
  });

  test('counts bytes, not letters', () => {
    const reply = errorReply({ kind: 'not-embedded', name: 'ünïcödé 東京' }, CONTEXT);
    expect(header(reply, 'Content-Length')).toBe(String(Buffer.from(String(reply.body)).length));
    expect(String(reply.body)).toContain('東京');
  });

  test('to HEAD has no body and no length, and says its code all the same', () => {
    const reply = errorReply({ kind: 'singular', rows: 2 }, { ...CONTEXT, isHead: true });
    expect(reply).toEqual({
      status: 406,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Proxy-Status', 'Survest; error=SVRST116'],
      ],
    });
  });

  test('to a page behind the end says where the end is', () => {
    const reply = errorReply({ kind: 'offset-beyond-total', offset: 100, total: 15 }, CONTEXT);
    expect(header(reply, 'Content-Range')).toBe('*/15');
    expect(header(reply, 'Range-Unit')).toBe('items');
    expect(header(reply, 'Proxy-Status')).toBe('Survest; error=SVRST103');
  });

  test.each<[number, string]>([
    [4, '4'],
    [0.2, '1'],
    [0, '0'],
    [-3, '0'],
  ])('asks to come again in whole seconds: %s is %s', (retryAfterSeconds, shown) => {
    expect(header(errorReply({ kind: 'schema-cache-missing' }, { ...CONTEXT, retryAfterSeconds }), 'Retry-After')).toBe(
      shown,
    );
  });
});

describe('the challenge of a 401', () => {
  const challenge = (error: RestError, isAuthenticated = true): string | undefined =>
    header(errorReply(error, { ...CONTEXT, isAuthenticated }), 'WWW-Authenticate');
  const sql = (sqlstate: string, message = ''): RestError => ({
    kind: 'sql',
    sqlstate,
    message,
    detail: null,
    hint: null,
    statement: 0,
  });

  test.each<[RestError, string | undefined]>([
    [{ kind: 'jwt-expired' }, 'Bearer error="invalid_token", error_description="JWT expired"'],
    [
      { kind: 'jwt-parts', parts: 5 },
      'Bearer error="invalid_token", error_description="Expected 3 parts in JWT; got 5"',
    ],
    [{ kind: 'anonymous-disabled' }, 'Bearer'],
    [{ kind: 'role-impossible', role: 'a"\r\nb' }, 'Bearer'],
    [{ kind: 'jwt-secret-missing' }, undefined],
    [sql('22023', 'role "x" does not exist'), 'Bearer'],
    [sql('PT401', 'no'), 'Bearer'],
    [sql('42501'), undefined],
  ])('%j has %s', (error, expected) => {
    expect(challenge(error)).toBe(expected);
  });

  test('is there for a privilege the anonymous role lacks, and not for others', () => {
    expect(challenge(sql('42501'), false)).toBe('Bearer');
    expect(errorReply(sql('42501'), { ...CONTEXT, isAuthenticated: false }).status).toBe(401);
    expect(errorReply(sql('42501'), CONTEXT).status).toBe(403);
  });

  test('is said once', () => {
    const reply = errorReply({ kind: 'jwt-expired' }, CONTEXT);
    expect(reply.headers.filter(([name]) => name === 'WWW-Authenticate')).toHaveLength(1);
  });
});
