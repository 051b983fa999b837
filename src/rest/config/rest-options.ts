// The settings of the REST service: one entry per field of its config. Names, defaults and the texts of refusals are those
// of PostgREST, so that its files and its operators' habits keep working; settings of our own say so in their doc.

import { LOOPBACK, rangeComplaint } from '../../http/client-address.ts';
import type { FamilyOption, OptionTable } from '../../kernel/options/option.ts';
import { option } from '../../kernel/options/option.ts';
import { quoteText } from '../../kernel/options/quote-text.ts';
import { byteSize } from '../../kernel/options/types/byte-size.ts';
import { filledList, listOrNone } from '../../kernel/options/types/list.ts';
import { oneOf } from '../../kernel/options/types/one-of.ts';
import { optional } from '../../kernel/options/types/optional.ts';
import { text } from '../../kernel/options/types/text.ts';
import { truth } from '../../kernel/options/types/truth.ts';
import { wholeNumber } from '../../kernel/options/types/whole-number.ts';
import type { RestConfig } from './config.ts';
import { claimPath, ROLE_CLAIM } from './types/claim-path.ts';
import { logQuery } from './types/log-query.ts';
import { channelName, cookieName, headerName } from './types/names.ts';
import { rateLimit } from './types/rate-limit.ts';
import { SHORTCUTS, shortcuts } from './types/shortcuts.ts';
import { socketMode } from './types/socket-mode.ts';
import { databaseUri, jwtAudience, proxyUri } from './types/uri.ts';
import { workers } from './types/workers.ts';

const DATABASE = 'Database';
const POOL = 'Connection pool';
const REQUESTS = 'Requests';
const AUTH = 'Authentication';
const SERVER = 'HTTP server';
const ADMIN = 'Admin server';
const OPENAPI = 'API description';
const LOG = 'Logging';
const APP = 'Application settings';

/** In the order of the documentation page. */
export const REST_SECTIONS: readonly string[] = [DATABASE, POOL, REQUESTS, AUTH, SERVER, ADMIN, OPENAPI, LOG, APP];

const port = (min: number) => wholeNumber({ min, max: 65535 });
const timer = wholeNumber({ min: 1, max: 2_000_000, unit: 'seconds' }); // in milliseconds it must fit 31 bits
const functionName = text({ accepts: 'the name of a function, best with its schema: schema.name' });
const schemaNames = 'schema names with commas between them';

/** They grant every role access whatever the administrator says, so the model does not expose them either. */
const SYSTEM_SCHEMAS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema']);

const HOISTED = ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'] as const;

const appSettings: FamilyOption = {
  kind: 'family',
  prefix: 'app.settings.',
  section: APP,
  doc: "Any setting of your own, readable in every transaction as `current_setting('app.settings.name')`.",
  reloadable: true,
  example: 'name = "value"',
  member: {
    // What PostgreSQL takes as the name of a parameter.
    pattern: /^[a-z_][a-z0-9_$]*(?:\.[a-z_][a-z0-9_$]*)*$/,
    accepts: 'app.settings. and then letters, digits and underscores, not beginning with a digit',
  },
};

export const restOptions: OptionTable<RestConfig> = {
  adminServerHost: option({
    name: 'admin-server-host',
    section: ADMIN,
    doc: 'Where the admin server listens.',
    type: optional(text({ accepts: 'a host name or address, or one of *, *4, !4, *6, !6' })),
    default: undefined,
    defaultWords: 'the value of `server-host`',
    reloadable: false,
  }),
  adminServerPort: option({
    name: 'admin-server-port',
    section: ADMIN,
    doc: 'Port of the admin server with `/live`, `/ready`, `/metrics` and `/schema_cache`; without it there is none.',
    type: optional(port(0)),
    default: undefined,
    reloadable: false,
    example: '3001',
  }),
  appSettings,
  dbAggregatesEnabled: option({
    name: 'db-aggregates-enabled',
    section: REQUESTS,
    doc: 'Allows `count()`, `sum()`, `avg()`, `max()` and `min()` in requests.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  dbAnonRole: option({
    name: 'db-anon-role',
    section: AUTH,
    doc: 'Role for requests without a token; without it they are refused.',
    type: optional(text({ accepts: 'the name of a role' })),
    default: undefined,
    inDatabase: true,
    example: '"web_anon"',
  }),
  dbChannel: option({
    name: 'db-channel',
    section: DATABASE,
    doc: 'Channel whose notifications `reload schema` and `reload config` are obeyed.',
    type: channelName,
    default: 'pgrst',
  }),
  dbChannelEnabled: option({
    name: 'db-channel-enabled',
    section: DATABASE,
    doc: 'Listens on the channel; switch it off behind a transaction pooler.',
    type: truth,
    default: true,
  }),
  dbConfig: option({
    name: 'db-config',
    section: DATABASE,
    doc: 'Reads settings from the database, and the settings of the roles that requests run as.',
    type: truth,
    default: true,
  }),
  dbEventTrigger: option({
    name: 'db-event-trigger',
    section: DATABASE,
    doc: '`survest migrate` makes an event trigger that announces every change of the schema on the channel. (New here.)',
    type: truth,
    default: false,
    reloadable: false,
  }),
  dbExplainAs: option({
    name: 'db-explain-as',
    section: REQUESTS,
    doc: 'Role as which `Prefer: explain=access` looks whether there are rows that the caller does not see. It has to see them all (`BYPASSRLS`), and the service has to be a member of it. (New here.)',
    type: optional(text({ accepts: 'the name of a role' })),
    default: undefined,
    defaultWords: 'the role of the connection itself; where it does not see all rows, the statistics are told instead',
    example: '"auditor"',
  }),
  dbExplainRoles: option({
    name: 'db-explain-roles',
    section: REQUESTS,
    doc: 'Roles that are answered `Prefer: explain=access`: which grants and policies decide, and how many rows they hide. (New here.)',
    type: listOrNone({ accepts: 'names of roles with commas between them, or an empty text for none' }),
    default: [],
    example: '"developer,web_admin"',
  }),
  dbExtraSearchPath: option({
    name: 'db-extra-search-path',
    section: DATABASE,
    doc: 'Schemas added to the search path of every request, for extensions; nothing in them is exposed.',
    type: listOrNone({ accepts: `${schemaNames}, or an empty text for none` }),
    default: ['public'],
    inDatabase: true,
  }),
  dbHoistedTxSettings: option({
    name: 'db-hoisted-tx-settings',
    section: REQUESTS,
    doc: 'Settings of a function (`SET` in its definition) that are applied to the whole transaction that calls it.',
    type: filledList({ accepts: 'names of PostgreSQL settings with commas between them' }),
    default: HOISTED,
    inDatabase: true,
  }),
  dbMaxCost: option({
    name: 'db-max-cost',
    section: REQUESTS,
    doc: 'Refuses a request whose statement PostgreSQL plans to cost more than this. (New here.)',
    type: optional(wholeNumber({ min: 1, unit: 'planner cost units' })),
    default: undefined,
    example: '1000000',
  }),
  dbMaxRows: option({
    name: 'db-max-rows',
    aliases: ['max-rows'],
    section: REQUESTS,
    doc: 'Most rows an answer may have; also the threshold of `Prefer: count=estimated`.',
    type: optional(wholeNumber({ min: 0 })),
    default: undefined,
    inDatabase: true,
    example: '1000',
  }),
  dbPlanEnabled: option({
    name: 'db-plan-enabled',
    section: REQUESTS,
    doc: 'Answers `Accept: application/vnd.pgrst.plan` with the execution plan; not where a policy may hide rows of a relation that is read, since the planner’s estimates come from all of them.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  dbPool: option({
    name: 'db-pool',
    section: POOL,
    doc: 'Most connections to the database.',
    type: wholeNumber({ min: 1, max: 10_000 }),
    default: 10,
    reloadable: false,
  }),
  dbPoolAcquisitionTimeout: option({
    name: 'db-pool-acquisition-timeout',
    section: POOL,
    doc: 'How long a request waits for a free connection before it is answered 504.',
    type: timer,
    default: 10,
    reloadable: false,
  }),
  dbPoolAutomaticRecovery: option({
    name: 'db-pool-automatic-recovery',
    section: POOL,
    doc: 'Tries again when the database cannot be reached; otherwise the program ends.',
    type: truth,
    default: true,
  }),
  dbPoolMaxIdletime: option({
    name: 'db-pool-max-idletime',
    aliases: ['db-pool-timeout'],
    aliasWins: true,
    section: POOL,
    doc: 'An idle connection is closed after this time.',
    type: timer,
    default: 30,
    reloadable: false,
  }),
  dbPoolMaxLifetime: option({
    name: 'db-pool-max-lifetime',
    section: POOL,
    doc: 'A connection is replaced after this time.',
    type: timer,
    default: 1800,
    reloadable: false,
  }),
  dbPreConfig: option({
    name: 'db-pre-config',
    section: DATABASE,
    doc: "Function that sets settings in the database with `set_config('pgrst.…', …, true)` while they are read.",
    type: optional(functionName),
    default: undefined,
    inDatabase: true,
    example: '"api.pre_config"',
  }),
  dbPreRequest: option({
    name: 'db-pre-request',
    aliases: ['pre-request'],
    section: REQUESTS,
    doc: 'Function called in every transaction after the role switch and before the request itself.',
    type: optional(functionName),
    default: undefined,
    inDatabase: true,
    example: '"api.check_request"',
  }),
  dbPreparedStatements: option({
    name: 'db-prepared-statements',
    section: POOL,
    doc: 'Uses named prepared statements; switch it off behind a transaction pooler.',
    type: truth,
    default: true,
    inDatabase: true,
  }),
  dbRelationGuard: option({
    name: 'db-relation-guard',
    section: REQUESTS,
    doc: 'Function `(relations regclass[], required boolean) returns regclass[]` that says, as the caller, which of the relations the caller may know of: the others are missing in the API description and answered as if they were not there, `required` makes it raise the SQLSTATE SV205 with the place of the first hidden one as its detail. Asked for relations with row-level security only. Our own.',
    type: optional(functionName),
    default: undefined,
    defaultWords: 'beside a portal `portal.visible_relations`, otherwise none',
  }),
  dbRootSpec: option({
    name: 'db-root-spec',
    aliases: ['root-spec'],
    section: OPENAPI,
    doc: 'Function whose result is served at the root instead of the API description.',
    type: optional(functionName),
    default: undefined,
    inDatabase: true,
    example: '"api.root"',
  }),
  dbSchemaClaim: option({
    name: 'db-schema-claim',
    section: DATABASE,
    doc: 'Where in the claims of a token the schema of its tenant stands. A token that has it is served that schema, one of `db-schemas` or of `db-tenant-schemas`, and no other; for all others nothing changes. (New here.)',
    type: optional(claimPath),
    default: undefined,
    example: quoteText('.tenant'),
  }),
  dbSchemas: option({
    name: 'db-schemas',
    aliases: ['db-schema'],
    section: DATABASE,
    doc: 'Schemas that are exposed; the first one answers requests that name none.',
    type: filledList({
      accepts: `${schemaNames}, but not pg_catalog or information_schema`,
      complaint: (schema) => (SYSTEM_SCHEMAS.has(schema) ? `db-schemas does not allow schema: '${schema}'` : undefined),
    }),
    default: ['public'],
    inDatabase: true,
  }),
  dbStatementTimeout: option({
    name: 'db-statement-timeout',
    section: REQUESTS,
    doc: 'Longest that a statement of a request may run, in seconds, for roles without a `statement_timeout` of their own; 0 is no limit. The embedded database is interrupted by a restart. (New here.)',
    type: optional(wholeNumber({ min: 0, max: 2_000_000, unit: 'seconds' })),
    default: undefined,
    defaultWords: '30 for a portal with its maps and `/rest/v1`, otherwise none',
    reloadable: false,
    example: '30',
  }),
  dbTokenCheck: option({
    name: 'db-token-check',
    section: AUTH,
    doc: 'Function without arguments that is called as the caller in every transaction of a request with a token, before anything else; it raises the SQLSTATE SV303 where the token is no longer good, which is answered `401`. (New here.)',
    type: optional(functionName),
    default: undefined,
    defaultWords: 'beside a portal whose tokens are taken `portal.check_token`, otherwise none',
    example: '"api.check_token"',
  }),
  dbTenantSchemas: option({
    name: 'db-tenant-schemas',
    section: DATABASE,
    doc: 'Schemas that only `db-schema-claim` leads to, as a pattern in which `*` stands for any characters. They are looked for when the schema is loaded. (New here.)',
    type: optional(text({ accepts: 'the beginning of names with a * behind it, such as tenant_*' })),
    default: undefined,
    example: '"tenant_*"',
  }),
  dbTxEnd: option({
    name: 'db-tx-end',
    section: REQUESTS,
    doc: 'How transactions end, and whether `Prefer: tx=` may say otherwise.',
    type: oneOf(
      ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'],
      'Invalid transaction termination. Check your configuration.',
    ),
    default: 'commit',
    inDatabase: true,
    reloadable: false,
  }),
  dbUri: option({
    name: 'db-uri',
    section: DATABASE,
    doc: 'The database; parts it leaves out come from the libpq variables (`postgresql://` takes all from there).',
    type: optional(databaseUri),
    default: undefined,
    defaultWords: 'the embedded database',
    reloadable: false,
    secret: true,
    fileReference: true,
    example: '"postgresql://authenticator:password@localhost:5432/app"',
  }),
  errorCodes: option({
    name: 'error-codes',
    section: SERVER,
    doc: 'How the codes of errors are spelled: `svrst`, or `pgrst` for clients that compare them with those of PostgREST. (New here.)',
    type: oneOf(['svrst', 'pgrst']),
    default: 'svrst',
    reloadable: true,
  }),
  jwtAud: option({
    name: 'jwt-aud',
    section: AUTH,
    doc: 'Audience that tokens with an `aud` claim must name.',
    type: optional(jwtAudience),
    default: undefined,
    inDatabase: true,
    example: '"https://api.example.com"',
  }),
  jwtCacheMaxEntries: option({
    name: 'jwt-cache-max-entries',
    section: AUTH,
    doc: 'Most tokens whose validation is remembered.',
    type: wholeNumber({ min: 0, max: 10_000_000 }),
    default: 1000,
  }),
  jwtCacheMaxLifetime: option({
    name: 'jwt-cache-max-lifetime',
    section: AUTH,
    doc: 'How long the validation of a token without `exp` is remembered; 0 remembers none.',
    type: wholeNumber({ min: 0, max: 1_000_000_000, unit: 'seconds' }),
    default: 0,
    inDatabase: true,
  }),
  jwtCookie: option({
    name: 'jwt-cookie',
    section: AUTH,
    doc: 'Cookie that may carry the token of a request without an `Authorization` header. In a request that writes it counts only if `Origin` (or else `Referer`) is this server: its `Host`, `openapi-server-proxy-uri` or one of `server-cors-allowed-origins`; without both headers, if no form could have sent it. (New here.)',
    type: optional(cookieName),
    default: undefined,
    example: '"token"',
  }),
  jwtRoleClaimKey: option({
    name: 'jwt-role-claim-key',
    aliases: ['role-claim-key'],
    section: AUTH,
    doc: 'Where in the claims of a token the role stands.',
    type: claimPath,
    default: ROLE_CLAIM,
    defaultWords: '`.role`',
    inDatabase: true,
    example: quoteText('.role'),
  }),
  jwtSecret: option({
    name: 'jwt-secret',
    section: AUTH,
    doc: 'Verifies tokens: a passphrase of at least 32 characters, a JWK, a JWK set, or the https address of one.',
    type: optional(
      text({ accepts: 'at least 32 characters, a JWK, a JWK set or its https address, or @ and the path of a file' }),
    ),
    default: undefined,
    inDatabase: true,
    secret: true,
    onCommandLine: false,
    fileReference: true,
    example: '"@/run/secrets/jwt"',
  }),
  jwtSecretIsBase64: option({
    name: 'jwt-secret-is-base64',
    aliases: ['secret-is-base64'],
    section: AUTH,
    doc: 'The secret is written in base64 or base64url.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  logFormat: option({
    name: 'log-format',
    section: LOG,
    doc: 'Log lines as text, or as one JSON object each. (New here.)',
    type: oneOf(['text', 'json']),
    default: 'text',
    reloadable: false,
  }),
  logLevel: option({
    name: 'log-level',
    section: LOG,
    doc: 'How much is logged; requests from status 500 at error, 400 at warn, all of them at info.',
    type: oneOf(['crit', 'error', 'warn', 'info', 'debug'], 'Invalid logging level. Check your configuration.'),
    default: 'error',
    reloadable: false,
  }),
  logQuery: option({
    name: 'log-query',
    section: LOG,
    doc: 'Logs the SQL of the requests that are logged.',
    type: logQuery,
    default: 'disabled',
  }),
  openapiMode: option({
    name: 'openapi-mode',
    section: OPENAPI,
    doc: 'Describes at the root what the caller may use, everything, or nothing.',
    type: oneOf(
      ['follow-privileges', 'ignore-privileges', 'disabled'],
      'Invalid openapi-mode. Check your configuration.',
    ),
    default: 'follow-privileges',
    inDatabase: true,
  }),
  openapiSecurityActive: option({
    name: 'openapi-security-active',
    section: OPENAPI,
    doc: 'Says in the API description that requests carry a token.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  openapiServerProxyUri: option({
    name: 'openapi-server-proxy-uri',
    aliases: ['server-proxy-uri'],
    section: OPENAPI,
    doc: 'Address under which clients reach the service, when a proxy stands before it.',
    type: optional(proxyUri),
    default: undefined,
    inDatabase: true,
    reloadable: false,
    example: '"https://api.example.com/v1"',
  }),
  serverBatchPath: option({
    name: 'server-batch-path',
    section: SERVER,
    doc: 'Where `POST` takes a list of requests to do in one transaction; a relation of that name wins, and an empty text switches it off. (New here.)',
    type: text({
      accepts: 'letters, digits, _ and -, or an empty text',
      complaint: (path) => (/^[A-Za-z0-9_-]{0,64}$/.test(path) ? undefined : 'is not one plain segment of a path'),
    }),
    default: 'batch',
  }),
  serverBatchSize: option({
    name: 'server-batch-size',
    section: SERVER,
    doc: 'Most requests in a batch. (New here.)',
    type: wholeNumber({ min: 1, max: 10_000, unit: 'requests' }),
    default: 100,
  }),
  serverCompressionMinSize: option({
    name: 'server-compression-min-size',
    section: SERVER,
    doc: 'Compresses answers of at least this size for clients that accept it; 0 leaves that to a proxy. (New here.)',
    type: byteSize({ min: 0, max: 1e12, note: '0 switches it off' }),
    default: 0,
    reloadable: false,
  }),
  serverCorsAllowedOrigins: option({
    name: 'server-cors-allowed-origins',
    section: SERVER,
    doc: 'Origins whose pages may call the service.',
    type: optional(filledList({ accepts: 'origins with commas between them, such as https://example.com' })),
    default: undefined,
    defaultWords: 'any',
    inDatabase: true,
    reloadable: false,
    example: '"https://example.com, https://app.example.com"',
  }),
  serverEtag: option({
    name: 'server-etag',
    section: SERVER,
    doc: 'Tags the answers to reads with `ETag`, and answers `304` to a client that has the same rows already. (New here.)',
    type: truth,
    default: true,
    reloadable: true,
  }),
  serverHost: option({
    name: 'server-host',
    section: SERVER,
    doc: 'Where the service listens: `!4` is every IPv4 address, `!6` every IPv6 one, `*` both (`*4` and `*6` prefer one).',
    type: text({ accepts: 'a host name or address, or one of *, *4, !4, *6, !6' }),
    default: '!4',
    reloadable: false,
  }),
  serverMaxBodySize: option({
    name: 'server-max-body-size',
    section: SERVER,
    doc: 'Largest request body; a larger one is answered 413. (New here.)',
    type: byteSize({ min: 1, max: 2 ** 31 }),
    default: 64_000_000,
    defaultWords: '`64MB`',
    example: '"64MB"',
  }),
  serverPort: option({
    name: 'server-port',
    section: SERVER,
    doc: 'Port of the service; 0 takes any free one.',
    type: port(0),
    default: 3000,
    reloadable: false,
  }),
  serverRateLimit: option({
    name: 'server-rate-limit',
    section: SERVER,
    doc: 'Most requests in a time from one role or one address; more are answered 429. (New here.)',
    type: rateLimit,
    default: undefined,
  }),
  serverShortcuts: option({
    name: 'server-shortcuts',
    section: SERVER,
    doc: 'Optimisations in use, none of which changes an answer. `plain-http`: ordinary requests are read and answered without Node’s request and response objects; `head-cache`: the parsed head of a request that comes again is kept; `shared-connections`: quick statements follow each other on a connection without waiting for the answer. Leave one out to rule it out as the cause of a fault. Our own.',
    type: shortcuts,
    default: SHORTCUTS,
    reloadable: false,
  }),
  serverStallTimeout: option({
    name: 'server-stall-timeout',
    section: SERVER,
    doc: 'How long a client may take nothing of its answer, or send nothing more of its request, before its connection is closed. (New here.)',
    type: timer,
    default: 60,
    reloadable: false,
  }),
  serverStreamTimeout: option({
    name: 'server-stream-timeout',
    section: SERVER,
    doc: 'How long the client of a streamed answer may make the database wait altogether, once a gigabyte of it lies on disk unread; then the answer is cut off, and the log says so. (New here.)',
    type: timer,
    default: 300,
  }),
  serverTimingEnabled: option({
    name: 'server-timing-enabled',
    section: SERVER,
    doc: 'Sends `Server-Timing` with how long each stage took.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  serverTraceHeader: option({
    name: 'server-trace-header',
    section: SERVER,
    doc: 'Request header that is sent back with every answer.',
    type: optional(headerName),
    default: undefined,
    inDatabase: true,
    example: '"X-Request-Id"',
  }),
  serverTrustedProxies: option({
    name: 'server-trusted-proxies',
    section: SERVER,
    doc: 'Reverse proxies whose `X-Forwarded-For` is believed, by the portal and by REST: limits and logs then count the client they name. Anybody at another address is counted as that address. (New here.)',
    type: listOrNone({
      accepts: 'addresses and CIDR ranges with commas between them, such as 10.0.0.5, fd00::/8; nothing trusts nobody',
      complaint: rangeComplaint,
    }),
    default: LOOPBACK,
    reloadable: false,
    example: '"127.0.0.1, 10.0.0.0/8"',
  }),
  serverUnixSocket: option({
    name: 'server-unix-socket',
    section: SERVER,
    doc: 'Path of a socket file to listen on instead of host and port.',
    type: optional(text({ accepts: 'a path' })),
    default: undefined,
    reloadable: false,
    example: '"/run/survest.sock"',
  }),
  serverUnixSocketMode: option({
    name: 'server-unix-socket-mode',
    section: SERVER,
    doc: 'Permissions of the socket file.',
    type: socketMode,
    default: 0o660,
    reloadable: false,
  }),
  serverWorkers: option({
    name: 'server-workers',
    section: SERVER,
    doc: 'Processes that answer requests side by side, each with a pool of its own; `auto` is one per processor. (New here.)',
    type: workers,
    default: 1,
    reloadable: false,
  }),
};
