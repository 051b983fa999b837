// The settings of the REST service: one entry per field of its config. Names, defaults and the texts of refusals are those
// of PostgREST, so that its files and its operators' habits keep working; settings of our own say so in their doc.

import { LOOPBACK, rangeComplaint } from '../../http/client-address.ts';
import { type FamilyOption, type OptionTable, optionsIn } from '../../kernel/options/option.ts';
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
import { channelName, cookieName, headerName, hostComplaint } from './types/names.ts';
import { rateLimit } from './types/rate-limit.ts';
import { ratio } from './types/ratio.ts';
import { SHORTCUTS, shortcuts } from './types/shortcuts.ts';
import { socketMode } from './types/socket-mode.ts';
import { databaseUri, isPlainHttpAddress, jwtAudience, proxyUri } from './types/uri.ts';
import { workers } from './types/workers.ts';

const DATABASE = 'Database';
const POOL = 'Connection pool';
const REQUESTS = 'Requests';
const AUTH = 'Authentication';
const SERVER = 'HTTP server';
const ADMIN = 'Admin server';
const OPENAPI = 'API description';
const LIVE = 'Live streams';
const AGENTS = 'Agents';
const LOG = 'Logging';
const APP = 'Application settings';

const database = optionsIn(DATABASE);
const pool = optionsIn(POOL);
const requests = optionsIn(REQUESTS);
const auth = optionsIn(AUTH);
const server = optionsIn(SERVER);
const admin = optionsIn(ADMIN);
const openapi = optionsIn(OPENAPI);
const live = optionsIn(LIVE);
const agents = optionsIn(AGENTS);
const log = optionsIn(LOG);

/** In the order of the documentation page. */
export const REST_SECTIONS: readonly string[] = [
  DATABASE,
  POOL,
  REQUESTS,
  AUTH,
  SERVER,
  LIVE,
  ADMIN,
  OPENAPI,
  AGENTS,
  LOG,
  APP,
];

const port = (min: number) => wholeNumber({ min, max: 65535 });
const timer = wholeNumber({ min: 1, max: 2_000_000, unit: 'seconds' }); // in milliseconds it must fit 31 bits
const functionName = text({ accepts: 'the name of a function, best with its schema: schema.name' });
const schemaNames = 'schema names with commas between them';

/** They grant every role access whatever the administrator says, so the model does not expose them either. */
const SYSTEM_SCHEMAS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema']);

const OTLP_HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}\s*=[\x20-\x7e]{0,4096}$/;

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
  adminServerHost: admin({
    name: 'admin-server-host',
    inSections: false,
    doc: 'Where the admin server listens.',
    type: optional(text({ accepts: 'a host name or address, or one of *, *4, !4, *6, !6' })),
    default: undefined,
    defaultWords: 'the value of `server-host`',
    reloadable: false,
  }),
  adminServerPort: admin({
    name: 'admin-server-port',
    inSections: false,
    doc: 'Port of the admin server with `/live`, `/ready`, `/metrics` and `/schema_cache`; without it there is none.',
    type: optional(port(0)),
    default: undefined,
    reloadable: false,
    example: '3001',
  }),
  appSettings,
  dbAggregatesEnabled: requests({
    name: 'db-aggregates-enabled',
    doc: 'Allows `count()`, `sum()`, `avg()`, `max()` and `min()` in requests.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  dbAnonRole: auth({
    name: 'db-anon-role',
    doc: 'Role for requests without a token; without it they are refused.',
    type: optional(text({ accepts: 'the name of a role' })),
    default: undefined,
    inDatabase: true,
    example: '"web_anon"',
  }),
  dbChannel: database({
    name: 'db-channel',
    doc: 'Channel whose notifications `reload schema` and `reload config` are obeyed.',
    type: channelName,
    default: 'pgrst',
  }),
  dbChannelEnabled: database({
    name: 'db-channel-enabled',
    doc: 'Listens on the channel; switch it off behind a transaction pooler.',
    type: truth,
    default: true,
  }),
  dbConfig: database({
    name: 'db-config',
    doc: 'Reads settings from the database, and the settings of the roles that requests run as.',
    type: truth,
    default: true,
  }),
  dbEventTrigger: database({
    name: 'db-event-trigger',
    doc: '`survest migrate` makes an event trigger that announces every change of the schema on the channel. (New here.)',
    type: truth,
    default: false,
    reloadable: false,
  }),
  dbExplainAs: requests({
    name: 'db-explain-as',
    doc: 'Role as which `Prefer: explain=access` looks whether there are rows that the caller does not see. It has to see them all (`BYPASSRLS`), and the service has to be a member of it. (New here.)',
    type: optional(text({ accepts: 'the name of a role' })),
    default: undefined,
    defaultWords: 'the role of the connection itself; where it does not see all rows, the statistics are told instead',
    example: '"auditor"',
  }),
  dbExplainRoles: requests({
    name: 'db-explain-roles',
    doc: 'Roles that are answered `Prefer: explain=access`: which grants and policies decide, and how many rows they hide. (New here.)',
    type: listOrNone({ accepts: 'names of roles with commas between them, or an empty text for none' }),
    default: [],
    example: '"developer,web_admin"',
  }),
  dbExtraSearchPath: database({
    name: 'db-extra-search-path',
    doc: 'Schemas added to the search path of every request, for extensions; nothing in them is exposed.',
    type: listOrNone({ accepts: `${schemaNames}, or an empty text for none` }),
    default: ['public'],
    inDatabase: true,
  }),
  dbHoistedTxSettings: requests({
    name: 'db-hoisted-tx-settings',
    doc: 'Settings of a function (`SET` in its definition) that are applied to the whole transaction that calls it.',
    type: filledList({ accepts: 'names of PostgreSQL settings with commas between them' }),
    default: HOISTED,
    inDatabase: true,
  }),
  dbLive: live({
    name: 'db-live',
    doc: 'Answers `Accept: text/event-stream` with rows and their changes, for tables that `survest live install` follows: `auto`, or `off`. (New here.)',
    type: oneOf(['auto', 'off']),
    default: 'auto',
    reloadable: false,
  }),
  dbMaxCost: requests({
    name: 'db-max-cost',
    doc: 'Refuses a request whose statement PostgreSQL plans to cost more than this. (New here.)',
    type: optional(wholeNumber({ min: 1, unit: 'planner cost units' })),
    default: undefined,
    example: '1000000',
  }),
  dbMaxRows: requests({
    name: 'db-max-rows',
    aliases: ['max-rows'],
    doc: 'Most rows an answer may have; also the threshold of `Prefer: count=estimated`.',
    type: optional(wholeNumber({ min: 0 })),
    default: undefined,
    inDatabase: true,
    example: '1000',
  }),
  dbPlanEnabled: requests({
    name: 'db-plan-enabled',
    doc: 'Answers `Accept: application/vnd.pgrst.plan` with the execution plan; not where a policy may hide rows of a relation that is read, since the planner’s estimates come from all of them.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  dbPool: pool({
    name: 'db-pool',
    doc: 'Most connections to the database.',
    type: wholeNumber({ min: 1, max: 10_000 }),
    default: 10,
    reloadable: false,
  }),
  dbPoolAcquisitionTimeout: pool({
    name: 'db-pool-acquisition-timeout',
    doc: 'How long a request waits for a free connection before it is answered 504.',
    type: timer,
    default: 10,
    reloadable: false,
  }),
  dbPoolAutomaticRecovery: pool({
    name: 'db-pool-automatic-recovery',
    doc: 'Tries again when the database cannot be reached; otherwise the program ends.',
    type: truth,
    default: true,
  }),
  dbPoolMaxIdletime: pool({
    name: 'db-pool-max-idletime',
    aliases: ['db-pool-timeout'],
    aliasWins: true,
    doc: 'An idle connection is closed after this time.',
    type: timer,
    default: 30,
    reloadable: false,
  }),
  dbPoolMaxLifetime: pool({
    name: 'db-pool-max-lifetime',
    doc: 'A connection is replaced after this time.',
    type: timer,
    default: 1800,
    reloadable: false,
  }),
  dbPreConfig: database({
    name: 'db-pre-config',
    doc: "Function that sets settings in the database with `set_config('pgrst.…', …, true)` while they are read.",
    type: optional(functionName),
    default: undefined,
    inDatabase: true,
    example: '"api.pre_config"',
  }),
  dbPreRequest: requests({
    name: 'db-pre-request',
    aliases: ['pre-request'],
    doc: 'Function called in every transaction after the role switch and before the request itself.',
    type: optional(functionName),
    default: undefined,
    inDatabase: true,
    example: '"api.check_request"',
  }),
  dbPreparedStatements: pool({
    name: 'db-prepared-statements',
    doc: 'Uses named prepared statements; switch it off behind a transaction pooler.',
    type: truth,
    default: true,
    inDatabase: true,
  }),
  dbRelationGuard: requests({
    name: 'db-relation-guard',
    doc: 'Function `(relations regclass[], required boolean) returns regclass[]` that says, as the caller, which of the relations the caller may know of: the others are missing in the API description and answered as if they were not there, `required` makes it raise the SQLSTATE SV205 with the place of the first hidden one as its detail. Asked only for relations with row-level security, and for views that ask a `SECURITY DEFINER` function.',
    type: optional(functionName),
    default: undefined,
    defaultWords: 'beside a portal `portal.visible_relations`, otherwise none',
  }),
  dbReplicaMaxLag: database({
    name: 'db-replica-max-lag',
    doc: 'A replica that is further behind the primary than this is not read from. (New here.)',
    type: wholeNumber({ min: 1, max: 600, unit: 'seconds' }),
    default: 5,
  }),
  dbReplicaUris: database({
    name: 'db-replica-uris',
    doc: 'Streaming replicas of the database, to which reads go (`docs/replicas.md`). Each has a pool of `db-pool` connections; a comma in a password is written `%2C`. (New here.)',
    type: listOrNone({
      accepts: 'postgresql:// addresses with commas between them, one host each, or an empty text for none',
      complaint: (uri) =>
        /^postgres(?:ql)?:\/\//.test(uri) ? undefined : 'has an element that is no postgresql:// address',
    }),
    default: [],
    secret: true,
    fileReference: true,
    example: '"postgresql://authenticator:password@replica:5432/app"',
  }),
  dbRootSpec: openapi({
    name: 'db-root-spec',
    aliases: ['root-spec'],
    doc: 'Function whose result is served at the root instead of the API description.',
    type: optional(functionName),
    default: undefined,
    inDatabase: true,
    example: '"api.root"',
  }),
  dbSchemaClaim: database({
    name: 'db-schema-claim',
    doc: 'Where in the claims of a token the schema of its tenant stands. A token that has it is served that schema, one of `db-schemas` or of `db-tenant-schemas`, and no other; for all others nothing changes. (New here.)',
    type: optional(claimPath),
    default: undefined,
    example: quoteText('.tenant'),
  }),
  dbSchemas: database({
    name: 'db-schemas',
    aliases: ['db-schema'],
    doc: 'Schemas that are exposed; the first one answers requests that name none.',
    type: filledList({
      accepts: `${schemaNames}, but not pg_catalog or information_schema`,
      complaint: (schema) => (SYSTEM_SCHEMAS.has(schema) ? `db-schemas does not allow schema: '${schema}'` : undefined),
    }),
    default: ['public'],
    inDatabase: true,
  }),
  dbStatementTimeout: requests({
    name: 'db-statement-timeout',
    doc: 'Longest that a statement of a request may run, in seconds, for roles without a `statement_timeout` of their own; 0 is no limit. The embedded database is interrupted by a restart. (New here.)',
    type: optional(wholeNumber({ min: 0, max: 2_000_000, unit: 'seconds' })),
    default: undefined,
    defaultWords: '30 for a portal with its maps and `/rest/v1`, otherwise none',
    reloadable: false,
    example: '30',
  }),
  dbTokenCheck: auth({
    name: 'db-token-check',
    doc: 'Function without arguments that is called as the caller in every transaction of a request with a token, before anything else; it raises the SQLSTATE SV303 where the token is no longer good, which is answered `401`. (New here.)',
    type: optional(functionName),
    default: undefined,
    defaultWords: 'beside a portal whose tokens are taken `portal.check_token`, otherwise none',
    example: '"api.check_token"',
  }),
  dbTenantSchemas: database({
    name: 'db-tenant-schemas',
    doc: 'Schemas that only `db-schema-claim` leads to, as a pattern in which `*` stands for any characters. They are looked for when the schema is loaded. (New here.)',
    type: optional(text({ accepts: 'the beginning of names with a * behind it, such as tenant_*' })),
    default: undefined,
    example: '"tenant_*"',
  }),
  dbTxEnd: requests({
    name: 'db-tx-end',
    doc: 'How transactions end, and whether `Prefer: tx=` may say otherwise.',
    type: oneOf(
      ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'],
      'Invalid transaction termination. Check your configuration.',
    ),
    default: 'commit',
    inDatabase: true,
    reloadable: false,
  }),
  dbUri: database({
    name: 'db-uri',
    doc: 'The database; parts it leaves out come from the libpq variables (`postgresql://` takes all from there).',
    type: optional(databaseUri),
    default: undefined,
    defaultWords: 'the embedded database',
    reloadable: false,
    secret: true,
    fileReference: true,
    example: '"postgresql://authenticator:password@localhost:5432/app"',
  }),
  errorCodes: server({
    name: 'error-codes',
    doc: 'How the codes of errors are spelled: `svrst`, or `pgrst` for clients that compare them with those of PostgREST. (New here.)',
    type: oneOf(['svrst', 'pgrst']),
    default: 'svrst',
  }),
  jwtAud: auth({
    name: 'jwt-aud',
    doc: 'Audience that tokens with an `aud` claim must name.',
    type: optional(jwtAudience),
    default: undefined,
    inDatabase: true,
    example: '"https://api.example.com"',
  }),
  jwtCacheMaxEntries: auth({
    name: 'jwt-cache-max-entries',
    doc: 'Most tokens whose validation is remembered.',
    type: wholeNumber({ min: 0, max: 10_000_000 }),
    default: 1000,
  }),
  jwtCacheMaxLifetime: auth({
    name: 'jwt-cache-max-lifetime',
    doc: 'How long the validation of a token without `exp` is remembered; 0 remembers none.',
    type: wholeNumber({ min: 0, max: 1_000_000_000, unit: 'seconds' }),
    default: 0,
    inDatabase: true,
  }),
  jwtCookie: auth({
    name: 'jwt-cookie',
    doc: 'Cookie that may carry the token of a request without an `Authorization` header. In a request that writes it counts only if `Origin` (or else `Referer`) is this server: its `Host`, `openapi-server-proxy-uri` or one of `server-cors-allowed-origins`; without both headers, if no form could have sent it. (New here.)',
    type: optional(cookieName),
    default: undefined,
    example: '"token"',
  }),
  jwtRoleClaimKey: auth({
    name: 'jwt-role-claim-key',
    aliases: ['role-claim-key'],
    doc: 'Where in the claims of a token the role stands.',
    type: claimPath,
    default: ROLE_CLAIM,
    defaultWords: '`.role`',
    inDatabase: true,
    example: quoteText('.role'),
  }),
  jwtSecret: auth({
    name: 'jwt-secret',
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
  jwtSecretIsBase64: auth({
    name: 'jwt-secret-is-base64',
    aliases: ['secret-is-base64'],
    doc: 'The secret is written in base64 or base64url.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  liveGracePeriod: live({
    name: 'live-grace-period',
    doc: 'How long changes are kept for a listener that has gone, so that it continues where it was when it comes back. (New here.)',
    type: wholeNumber({ min: 0, max: 86_400, unit: 'seconds' }),
    default: 60,
  }),
  liveHeartbeat: live({
    name: 'live-heartbeat',
    doc: 'A comment is sent to every listener after this time, so that nobody between the two closes a connection on which nothing happens. (New here.)',
    type: wholeNumber({ min: 1, max: 3600, unit: 'seconds' }),
    default: 15,
  }),
  liveMaxQueue: live({
    name: 'live-max-queue',
    doc: 'Most bytes that wait for a slow listener; beyond that its connection is closed, and it may come back and continue. (New here.)',
    type: byteSize({ min: 1000, max: 1e9 }),
    default: 1_000_000,
    defaultWords: '`1MB`',
    example: '"1MB"',
  }),
  liveMaxRows: live({
    name: 'live-max-rows',
    doc: 'Most rows that one live stream may have. (New here.)',
    type: wholeNumber({ min: 1, max: 10_000_000 }),
    default: 10_000,
  }),
  liveMaxRowsTotal: live({
    name: 'live-max-rows-total',
    doc: 'Most rows of all live streams together, those of listeners with the same request, role and claims counted once; the service remembers some hundred bytes for each. (New here.)',
    type: wholeNumber({ min: 1, max: 1_000_000_000 }),
    default: 1_000_000,
  }),
  liveMaxStreams: live({
    name: 'live-max-streams',
    doc: 'Most live streams of a process; more are answered 503. (New here.)',
    type: wholeNumber({ min: 0, max: 1_000_000 }),
    default: 10_000,
  }),
  liveRecheck: live({
    name: 'live-recheck',
    doc: 'How often a live stream without changes, and a large answer under way, looks whether its caller may still read; and a live stream, whether policies, views or functions show other rows than before. (New here.)',
    type: wholeNumber({ min: 1, max: 86_400, unit: 'seconds' }),
    default: 30,
  }),
  liveReplicationUri: live({
    name: 'live-replication-uri',
    doc: 'How to reach the database of `db-uri` for logical decoding, where that takes another role (with REPLICATION) or a way around a pooler; without it, as `db-uri` says (`docs/live.md`). (New here.)',
    type: optional(databaseUri),
    default: undefined,
    defaultWords: '`db-uri`',
    reloadable: false,
    secret: true,
    fileReference: true,
    example: '"postgresql://replicator:password@localhost:5432/app"',
  }),
  logFormat: log({
    name: 'log-format',
    inSections: false,
    doc: 'Log lines as text, or as one JSON object each. (New here.)',
    type: oneOf(['text', 'json']),
    default: 'text',
    reloadable: false,
  }),
  logLevel: log({
    name: 'log-level',
    inSections: false,
    doc: 'How much is logged; requests from status 500 at error, 400 at warn, all of them at info.',
    type: oneOf(['crit', 'error', 'warn', 'info', 'debug'], 'Invalid logging level. Check your configuration.'),
    default: 'error',
    reloadable: false,
  }),
  logQuery: log({
    name: 'log-query',
    doc: 'Logs the SQL of the requests that are logged.',
    type: logQuery,
    default: 'disabled',
  }),
  mcp: agents({
    name: 'mcp',
    doc: 'Whether agents are answered at `/mcp`, by the Model Context Protocol: `off`, `read`, or `write`, which offers the tools that write, too. Every tool runs as the caller, whose token the requests carry. (New here.)',
    type: oneOf(['off', 'read', 'write']),
    default: 'off',
  }),
  mcpMaxCost: agents({
    name: 'mcp-max-cost',
    doc: 'As `db-max-cost`, for what agents ask: a statement that PostgreSQL plans to cost more is refused before it runs, and they are told to filter. The smaller of the two applies. (New here.)',
    type: wholeNumber({ min: 1, unit: 'planner cost units' }),
    default: 1_000_000,
  }),
  openapiMode: openapi({
    name: 'openapi-mode',
    doc: 'Describes at the root what the caller may use, everything, or nothing.',
    type: oneOf(
      ['follow-privileges', 'ignore-privileges', 'disabled'],
      'Invalid openapi-mode. Check your configuration.',
    ),
    default: 'follow-privileges',
    inDatabase: true,
  }),
  openapiSecurityActive: openapi({
    name: 'openapi-security-active',
    doc: 'Says in the API description that requests carry a token.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  openapiServerProxyUri: openapi({
    name: 'openapi-server-proxy-uri',
    aliases: ['server-proxy-uri'],
    doc: 'Address under which clients reach the service, when a proxy stands before it.',
    type: optional(proxyUri),
    default: undefined,
    inDatabase: true,
    reloadable: false,
    example: '"https://api.example.com/v1"',
  }),
  serverBatchPath: server({
    name: 'server-batch-path',
    doc: 'Where `POST` takes a list of requests to do in one transaction; a relation of that name wins, and an empty text switches it off. (New here.)',
    type: text({
      accepts: 'letters, digits, _ and -, or an empty text',
      complaint: (path) => (/^[A-Za-z0-9_-]{0,64}$/.test(path) ? undefined : 'is not one plain segment of a path'),
    }),
    default: 'batch',
  }),
  serverBatchSize: server({
    name: 'server-batch-size',
    doc: 'Most requests in a batch. (New here.)',
    type: wholeNumber({ min: 1, max: 10_000, unit: 'requests' }),
    default: 100,
  }),
  serverCompressionMinSize: server({
    name: 'server-compression-min-size',
    doc: 'Compresses answers of at least this size for clients that accept it; 0 leaves that to a proxy. (New here.)',
    type: byteSize({ min: 0, max: 1e12, note: '0 switches it off' }),
    default: 0,
    reloadable: false,
  }),
  serverCorsAllowedOrigins: server({
    name: 'server-cors-allowed-origins',
    doc: 'Origins whose pages may call the service.',
    type: optional(filledList({ accepts: 'origins with commas between them, such as https://example.com' })),
    default: undefined,
    defaultWords: 'any',
    inDatabase: true,
    reloadable: false,
    example: '"https://example.com, https://app.example.com"',
  }),
  serverDrainDelay: server({
    name: 'server-drain-delay',
    doc: 'Seconds that the program goes on answering after it was told to stop, while `/ready` says 503, so that balancers send their requests elsewhere first. (New here.)',
    type: wholeNumber({ min: 0, max: 3600, unit: 'seconds' }),
    default: 0,
    reloadable: false,
  }),
  serverEtag: server({
    name: 'server-etag',
    doc: 'Tags the answers to reads with `ETag`, and answers `304` to a client that has the same rows already. (New here.)',
    type: truth,
    default: true,
  }),
  serverHost: server({
    name: 'server-host',
    inSections: false,
    doc: 'Where the service listens: `!4` is every IPv4 address, `!6` every IPv6 one, `*` both (`*4` and `*6` prefer one).',
    type: text({ accepts: 'a host name or address, or one of *, *4, !4, *6, !6' }),
    default: '!4',
    reloadable: false,
  }),
  serverHosts: server({
    name: 'server-hosts',
    doc: 'In a section of the file, where one program serves several databases: host names whose requests are about this one, whatever their path. Without it the first segment of the path is the name of the section. (New here.)',
    type: listOrNone({
      accepts: 'host names without scheme and port, with commas between them',
      complaint: hostComplaint,
    }),
    default: [],
    reloadable: false,
    example: '"sales.example.org"',
  }),
  serverMaxBodySize: server({
    name: 'server-max-body-size',
    doc: 'Largest request body; a larger one is answered 413. (New here.)',
    type: byteSize({ min: 1, max: 2 ** 31 }),
    default: 64_000_000,
    defaultWords: '`64MB`',
    example: '"64MB"',
  }),
  serverMaxMemory: server({
    name: 'server-max-memory',
    inSections: false,
    doc: 'Most memory that requests and answers under way may hold in a process, REST and portal together: bodies that are read, and answers that clients have not taken yet. Beyond it answers wait on disk, and requests with a body for ten seconds; then they are answered 503. (New here.)',
    type: byteSize({ min: 1_000_000, max: 2 ** 40 }),
    default: 256_000_000,
    defaultWords: '`256MB`',
    reloadable: false,
    example: '"256MB"',
  }),
  serverMaxStreamedBodySize: server({
    name: 'server-max-streamed-body-size',
    doc: 'Largest body of an insert that wants no rows back: JSON arrays, NDJSON and CSV above 8 MB are put on disk as they come and written in pieces, in one transaction. Of no use where `server-max-body-size` is below 8 MB. (New here.)',
    type: byteSize({ min: 1, max: 2 ** 40 }),
    default: 1_000_000_000,
    defaultWords: '`1GB`',
    example: '"1GB"',
  }),
  serverOtlpEndpoint: log({
    name: 'server-otlp-endpoint',
    inSections: false,
    doc: 'Collector to which traces are sent, by OTLP over HTTP in JSON; without it there are none (`docs/operations.md`). (New here.)',
    type: optional(
      text({
        accepts: 'an http or https address without user, query or fragment, such as http://localhost:4318',
        complaint: (value) => (isPlainHttpAddress(value) ? undefined : 'is not a plain http or https address'),
      }),
    ),
    default: undefined,
    reloadable: false,
    example: '"http://localhost:4318"',
  }),
  serverOtlpHeaders: log({
    name: 'server-otlp-headers',
    inSections: false,
    doc: 'Headers that are sent to the collector, for those that ask who comes. (New here.)',
    type: listOrNone({
      accepts: 'name=value pairs with commas between them',
      complaint: (pair) => (OTLP_HEADER.test(pair) ? undefined : 'has an element that is no name=value'),
    }),
    default: [],
    reloadable: false,
    secret: true,
    fileReference: true,
    example: '"authorization=Bearer 123"',
  }),
  serverPort: server({
    name: 'server-port',
    inSections: false,
    doc: 'Port of the service; 0 takes any free one.',
    type: port(0),
    default: 3000,
    reloadable: false,
  }),
  serverRateLimit: server({
    name: 'server-rate-limit',
    doc: 'Most requests in a time from one role or one address; more are answered 429. (New here.)',
    type: rateLimit,
    default: undefined,
  }),
  serverShortcuts: server({
    name: 'server-shortcuts',
    inSections: false,
    doc: 'Optimisations in use, none of which changes an answer. `plain-http`: ordinary requests are read and answered without Node’s request and response objects; `shared-connections`: quick statements follow each other on a connection without waiting for the answer; `processor-limit`: where PostgreSQL runs on the same machine, they use no more connections than keep its processors busy, which `/proc/stat` tells; `copied-inserts`: many rows that are inserted go to PostgreSQL as COPY. Leave one out to rule it out as the cause of a fault. Our own.',
    type: shortcuts,
    default: SHORTCUTS,
    reloadable: false,
  }),
  serverStallTimeout: server({
    name: 'server-stall-timeout',
    inSections: false,
    doc: 'How long a client may take nothing of its answer, or send nothing more of its request, before its connection is closed. (New here.)',
    type: timer,
    default: 60,
    reloadable: false,
  }),
  serverStreamTimeout: server({
    name: 'server-stream-timeout',
    doc: 'How long the client of a streamed answer may make the database wait altogether, once a gigabyte of it lies on disk unread; then the answer is cut off, and the log says so. (New here.)',
    type: timer,
    default: 300,
  }),
  serverTimingEnabled: server({
    name: 'server-timing-enabled',
    doc: 'Sends `Server-Timing` with how long each stage took.',
    type: truth,
    default: false,
    inDatabase: true,
  }),
  serverTraceHeader: server({
    name: 'server-trace-header',
    doc: 'Request header that is sent back with every answer.',
    type: optional(headerName),
    default: undefined,
    inDatabase: true,
    example: '"X-Request-Id"',
  }),
  serverTraceRatio: log({
    name: 'server-trace-ratio',
    doc: 'Which part of the requests is traced that come without a `traceparent`; with one, its caller has decided. (New here.)',
    type: ratio,
    default: 0.1,
  }),
  serverTrustedProxies: server({
    name: 'server-trusted-proxies',
    doc: 'Reverse proxies whose `X-Forwarded-For` is believed, by the portal and by REST: limits and logs then count the client they name. Anybody at another address is counted as that address. (New here.)',
    type: listOrNone({
      accepts: 'addresses and CIDR ranges with commas between them, such as 10.0.0.5, fd00::/8; nothing trusts nobody',
      complaint: rangeComplaint,
    }),
    default: LOOPBACK,
    reloadable: false,
    example: '"127.0.0.1, 10.0.0.0/8"',
  }),
  serverUnixSocket: server({
    name: 'server-unix-socket',
    inSections: false,
    doc: 'Path of a socket file to listen on instead of host and port.',
    type: optional(text({ accepts: 'a path' })),
    default: undefined,
    reloadable: false,
    example: '"/run/survest.sock"',
  }),
  serverUnixSocketMode: server({
    name: 'server-unix-socket-mode',
    inSections: false,
    doc: 'Permissions of the socket file.',
    type: socketMode,
    default: 0o660,
    reloadable: false,
  }),
  serverWorkers: server({
    name: 'server-workers',
    inSections: false,
    doc: 'Processes that answer requests side by side, each with a pool of its own; `auto` is one per processor. (New here.)',
    type: workers,
    default: 1,
    reloadable: false,
  }),
};
