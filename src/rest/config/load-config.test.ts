import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeError } from '../../kernel/options/config-error.ts';
import { describeNotice } from '../../kernel/options/config-notice.ts';
import { dumpConfig } from '../../kernel/options/dump.ts';
import { exampleFile } from '../../kernel/options/example.ts';
import { optionsOf } from '../../kernel/options/option.ts';
import type { Given } from '../../kernel/options/origin.ts';
import { rawText } from '../../kernel/options/raw-value.ts';
import { err, ok } from '../../kernel/result.ts';
import type { RestConfig } from './config.ts';
import { loadRestConfig } from './load-config.ts';
import { REST_SECTIONS, restOptions } from './rest-options.ts';

type Case = {
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly database?: readonly Given[];
};

function run({ file, env = {}, files = {}, database = [] }: Case) {
  const all: Readonly<Record<string, string>> = file === undefined ? files : { ...files, 'rest.conf': file };
  return loadRestConfig({
    args: [],
    env,
    file: file === undefined ? undefined : 'rest.conf',
    database,
    readText: async (path) => {
      const text = Object.hasOwn(all, path) ? all[path] : undefined;
      return text === undefined ? err('missing') : ok(text);
    },
  });
}

async function loaded(given: Case) {
  const result = await run(given);
  if (!result.ok) throw new Error(result.error.map(describeError).join('\n'));
  return result.value;
}

async function config(given: Case): Promise<RestConfig> {
  return (await loaded(given)).config;
}

/** First line of each mistake. */
async function mistakes(given: Case): Promise<readonly string[]> {
  const result = await run(given);
  return result.ok ? [] : result.error.map((error) => describeError(error).split('\n')[0] ?? '');
}

const SECRET = 'reallyreallyreallyreallyverysafe';

describe('the table', () => {
  const entries = optionsOf(restOptions);
  const singles = entries.flatMap(([field, each]) => (each.kind === 'single' ? [[field, each] as const] : []));

  test('each field is named after its option', () => {
    for (const [field, each] of singles) {
      expect(each.name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())).toBe(field);
    }
  });

  test('no name is given to two options, and every doc is one sentence in a known section', () => {
    const names = singles.flatMap(([, each]) => [each.name, ...each.aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const [, each] of entries) {
      expect(each.doc).toMatch(/^[^\n]+[.)]$/);
      expect(REST_SECTIONS).toContain(each.section);
    }
  });

  test('every default is printed so that it reads back the same', () => {
    for (const [, each] of singles) {
      const printed = each.type.print(each.default);
      expect(printed, each.name).toMatch(/^(".*"|\d+|true|false)$/);
    }
  });

  test('the settings a database may hold are those of the model', () => {
    expect(singles.filter(([, each]) => each.inDatabase).map(([, each]) => each.name)).toEqual([
      'db-aggregates-enabled',
      'db-anon-role',
      'db-extra-search-path',
      'db-hoisted-tx-settings',
      'db-max-rows',
      'db-plan-enabled',
      'db-pre-config',
      'db-pre-request',
      'db-prepared-statements',
      'db-root-spec',
      'db-schemas',
      'db-tx-end',
      'jwt-aud',
      'jwt-cache-max-lifetime',
      'jwt-role-claim-key',
      'jwt-secret',
      'jwt-secret-is-base64',
      'openapi-mode',
      'openapi-security-active',
      'openapi-server-proxy-uri',
      'server-cors-allowed-origins',
      'server-timing-enabled',
      'server-trace-header',
    ]);
  });
});

const DEFAULTS = `admin-server-host = ""
admin-server-port = ""
db-aggregates-enabled = false
db-anon-role = ""
db-channel = "pgrst"
db-channel-enabled = true
db-config = true
db-event-trigger = false
db-explain-as = ""
db-explain-roles = ""
db-extra-search-path = "public"
db-hoisted-tx-settings = "statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation"
db-live = "auto"
db-max-cost = ""
db-max-rows = ""
db-plan-enabled = false
db-pool = 10
db-pool-acquisition-timeout = 10
db-pool-automatic-recovery = true
db-pool-max-idletime = 30
db-pool-max-lifetime = 1800
db-pre-config = ""
db-pre-request = ""
db-prepared-statements = true
db-relation-guard = ""
db-replica-max-lag = 5
db-replica-uris = ""
db-root-spec = ""
db-schema-claim = ""
db-schemas = "public"
db-statement-timeout = ""
db-token-check = ""
db-tenant-schemas = ""
db-tx-end = "commit"
db-uri = ""
error-codes = "svrst"
jwt-aud = ""
jwt-cache-max-entries = 1000
jwt-cache-max-lifetime = 0
jwt-cookie = ""
jwt-role-claim-key = ".\\"role\\""
jwt-secret = ""
jwt-secret-is-base64 = false
live-grace-period = 60
live-heartbeat = 15
live-max-queue = 1000000
live-max-rows = 10000
live-max-rows-total = 1000000
live-max-streams = 10000
live-recheck = 30
live-replication-uri = ""
log-format = "text"
log-level = "error"
log-query = "disabled"
mcp = "off"
mcp-max-cost = 1000000
openapi-mode = "follow-privileges"
openapi-security-active = false
openapi-server-proxy-uri = ""
server-batch-path = "batch"
server-batch-size = 100
server-compression-min-size = 0
server-cors-allowed-origins = ""
server-drain-delay = 0
server-etag = true
server-host = "!4"
server-hosts = ""
server-max-body-size = 64000000
server-max-memory = 256000000
server-max-streamed-body-size = 1000000000
server-otlp-endpoint = ""
server-otlp-headers = ""
server-port = 3000
server-rate-limit = "off"
server-shortcuts = "plain-http,shared-connections,processor-limit,copied-inserts"
server-stall-timeout = 60
server-stream-timeout = 300
server-timing-enabled = false
server-trace-header = ""
server-trace-ratio = "0.1"
server-trusted-proxies = "127.0.0.0/8,::1"
server-unix-socket = ""
server-unix-socket-mode = "660"
server-workers = 1
`;

test('the defaults, as the dump shows them', async () => {
  expect(dumpConfig(restOptions, await config({}))).toBe(DEFAULTS);
});

describe('values', () => {
  test.each<[line: string, field: keyof RestConfig, expected: unknown]>([
    ['db-pool = "20"', 'dbPool', 20],
    ['db-schemas = "a, b"', 'dbSchemas', ['a', 'b']],
    ['db-schemas = ["a", "b"]', 'dbSchemas', ['a', 'b']],
    ['db-extra-search-path = ""', 'dbExtraSearchPath', []],
    ['db-schemas = ""', 'dbSchemas', ['public']],
    ['db-config = "False"', 'dbConfig', false],
    ['db-config = 0', 'dbConfig', false],
    ['db-uri = "host=/tmp user=a"', 'dbUri', 'host=/tmp user=a'],
    [
      'db-uri = "postgresql://h1:1,h2:2/db?target_session_attrs=any"',
      'dbUri',
      'postgresql://h1:1,h2:2/db?target_session_attrs=any',
    ],
    ['jwt-aud = "plain"', 'jwtAud', 'plain'],
    ['jwt-aud = "urn:a:b"', 'jwtAud', 'urn:a:b'],
    [
      'jwt-role-claim-key = ".a[0]"',
      'jwtRoleClaimKey',
      [
        { kind: 'key', key: 'a' },
        { kind: 'index', index: 0 },
      ],
    ],
    ['log-query = true', 'logQuery', 'main-query'],
    ['log-query = "main-query"', 'logQuery', 'main-query'],
    ['server-unix-socket-mode = 777', 'serverUnixSocketMode', 0o777],
    ['server-unix-socket-mode = "0600"', 'serverUnixSocketMode', 0o600],
    ['server-max-body-size = "64MiB"', 'serverMaxBodySize', 67_108_864],
    ['server-rate-limit = "100/s per role"', 'serverRateLimit', { requests: 100, perSeconds: 1, by: 'role' }],
    ['server-rate-limit = "5000/h"', 'serverRateLimit', { requests: 5000, perSeconds: 3600, by: 'address' }],
    ['server-rate-limit = off', 'serverRateLimit', undefined],
    ['server-shortcuts = ""', 'serverShortcuts', []],
    ['server-shortcuts = "shared-connections, plain-http"', 'serverShortcuts', ['shared-connections', 'plain-http']],
    ['server-workers = "auto"', 'serverWorkers', 'auto'],
    ['server-workers = 4', 'serverWorkers', 4],
    [
      'server-cors-allowed-origins = "https://a.org, https://b.org"',
      'serverCorsAllowedOrigins',
      ['https://a.org', 'https://b.org'],
    ],
    ['openapi-server-proxy-uri = "https://[::1]:8443/v1"', 'openapiServerProxyUri', 'https://[::1]:8443/v1'],
    ['app.settings.a = 5', 'appSettings', new Map([['app.settings.a', '5']])],
    ['app.settings { a.b = on }', 'appSettings', new Map([['app.settings.a.b', 'true']])],
    // Older names.
    ['max-rows = 5', 'dbMaxRows', 5],
    ['pre-request = "f"', 'dbPreRequest', 'f'],
    ['root-spec = "f"', 'dbRootSpec', 'f'],
    ['db-schema = "a"', 'dbSchemas', ['a']],
    ['role-claim-key = ".x"', 'jwtRoleClaimKey', [{ kind: 'key', key: 'x' }]],
    ['secret-is-base64 = true', 'jwtSecretIsBase64', true],
    ['db-pool-timeout = 5\ndb-pool-max-idletime = 6', 'dbPoolMaxIdletime', 5],
  ])('%s', async (line, field, expected) => {
    expect((await config({ file: line }))[field]).toEqual(expected);
  });

  test('a setting of the environment reaches its option by either prefix', async () => {
    const found = await config({
      env: {
        PGRST_DB_SCHEMA: 'old',
        SVRST_DB_ANON_ROLE: 'new',
        PGRST_DB_ANON_ROLE: 'old',
        PGRST_APP_SETTINGS_MY_KEY: 'v',
      },
    });
    expect([found.dbSchemas, found.dbAnonRole, found.appSettings.get('app.settings.my_key')]).toEqual([
      ['old'],
      'new',
      'v',
    ]);
  });

  test('a secret comes from a file, without its last newline, and base64 in one form', async () => {
    const files = { '/jwt': `${SECRET}\n`, '/uri': ' postgresql://u:p@h/d \n' };
    const found = await config({ files, env: { SVRST_JWT_SECRET: '@/jwt', SVRST_DB_URI: '@/uri' } });
    expect([found.jwtSecret, found.dbUri]).toEqual([SECRET, 'postgresql://u:p@h/d']);
    const url = await config({
      env: { SVRST_JWT_SECRET: `${'-_'.repeat(22)}..`.slice(0, 44), SVRST_JWT_SECRET_IS_BASE64: 'true' },
    });
    expect(url.jwtSecret).toBe('+/'.repeat(22));
  });
});

describe('refusals say exactly', () => {
  const uri = 'Malformed proxy uri, a correct example: https://example.com:8443/basePath';
  test.each([
    ['log-level = "loud"', 'log-level: Invalid logging level. Check your configuration.'],
    ['log-level = "Error"', 'log-level: Invalid logging level. Check your configuration.'],
    ['log-query = "all"', 'log-query: Invalid SQL logging value. Check your configuration.'],
    ['openapi-mode = "on"', 'openapi-mode: Invalid openapi-mode. Check your configuration.'],
    ['db-tx-end = "maybe"', 'db-tx-end: Invalid transaction termination. Check your configuration.'],
    ['admin-server-port = 3000', 'admin-server-port: admin-server-port cannot be the same as server-port'],
    ['jwt-aud = "http://%%localhorst.invalid"', 'jwt-aud: jwt-aud should be a string or a valid URI'],
    ['jwt-aud = "a b:c"', 'jwt-aud: jwt-aud should be a string or a valid URI'],
    ['server-unix-socket-mode = "pork"', 'server-unix-socket-mode: Invalid server-unix-socket-mode: not an octal'],
    ['server-unix-socket-mode = 888', 'server-unix-socket-mode: Invalid server-unix-socket-mode: not an octal'],
    ['server-unix-socket-mode = 599', 'server-unix-socket-mode: Invalid server-unix-socket-mode: not an octal'],
    [
      'server-unix-socket-mode = 577',
      'server-unix-socket-mode: Invalid server-unix-socket-mode: needs to be between 600 and 777',
    ],
    [
      'server-unix-socket-mode = 1777',
      'server-unix-socket-mode: Invalid server-unix-socket-mode: needs to be between 600 and 777',
    ],
    ['jwt-secret = "short"', 'jwt-secret: The JWT secret must be at least 32 characters long.'],
    ['jwt-secret = "%%%"\njwt-secret-is-base64 = true', 'jwt-secret: The JWT secret is not valid base64.'],
    [
      'jwt-secret = "c2hvcnQ="\njwt-secret-is-base64 = true',
      'jwt-secret: The JWT secret must be at least 32 characters long.',
    ],
    ['db-schemas = "a, pg_catalog"', "db-schemas: db-schemas does not allow schema: 'pg_catalog'"],
    ['db-schemas = "information_schema"', "db-schemas: db-schemas does not allow schema: 'information_schema'"],
    ...[
      'example.com',
      '/path',
      'ftp://h',
      'http://',
      'http://u:p@h',
      'http://h?q=1',
      'http://h#f',
      'http://h:0',
      'http://h:65536',
      'http://h:x',
      'http://a b',
    ].map((value) => [`openapi-server-proxy-uri = "${value}"`, `openapi-server-proxy-uri: ${uri}`]),
    ...['role.other', '.role##', '1234', '.role[?(@ =)]', '.my_role;;domain'].map((value) => [
      `jwt-role-claim-key = "${value}"`,
      expect.stringMatching(/^jwt-role-claim-key: Invalid role claim key /),
    ]),
    // Where the model would take the default without a word.
    ['db-pool = "abc"', 'db-pool: is not a whole number'],
    ['db-pool = 0', 'db-pool: is out of range'],
    ['db-max-rows = -1', 'db-max-rows: is out of range'],
    ['db-max-rows = 1.5', 'db-max-rows: is not a whole number'],
    ['server-port = 65536', 'server-port: is out of range'],
    ['db-config = "yes"', 'db-config: is neither true nor false'],
    ['db-anon-role = on', 'db-anon-role: must be a text in double quotes'],
    ['db-uri = "app"', 'db-uri: is neither a postgresql:// address nor key=value pairs'],
    ['server-trace-header = "X Id"', 'server-trace-header: is not the name of a header'],
    ['jwt-cookie = "a;b"', 'jwt-cookie: is not the name of a cookie'],
    ['server-rate-limit = "fast"', 'server-rate-limit: is not a rate'],
    ['server-rate-limit = "0/s"', 'server-rate-limit: is not a rate'],
    [
      'server-trusted-proxies = "10.0.0.1, proxy"',
      'server-trusted-proxies: has "proxy", which is neither an address nor a CIDR range',
    ],
    [
      'server-shortcuts = "magic"',
      'server-shortcuts: knows no "magic": there are plain-http, shared-connections, processor-limit, copied-inserts',
    ],
    ['server-workers = 0', 'server-workers: is out of range'],
    ['server-max-body-size = "64 bananas"', 'server-max-body-size: is not a size'],
    [`db-channel = "${'x'.repeat(64)}"`, 'db-channel: is too long for a channel'],
    ['app.settings.my-key = "x"', 'app.settings.my-key: the name cannot be used in the database'],
    ['app.settings.a = [1]', 'app.settings.a: must be a text in double quotes'],
    ['db-shemas = "a"', 'db-shemas: there is no such setting'],
    ['dbschemas', expect.stringContaining('expected = after the name')],
  ])('%s → %s', async (file, expected) => {
    expect(await mistakes({ file: String(file) })).toEqual([expected]);
  });

  test('port 0 may be given twice', async () => {
    expect((await config({ file: 'server-port = 0\nadmin-server-port = 0' })).adminServerPort).toBe(0);
  });

  test('no secret, wherever it was wrong, is in what is said', async () => {
    const result = await run({
      file: 'jwt-secret = "hunter2"\ndb-uri = "hunter2"\napp.settings.x-y = "hunter2"\ndb-pool = x',
      env: { SVRST_JWT_SECRET: 'hunter2', PGRST_DB_URI: 'hunter2', SVRST_APP_SETTINGS_1: 'hunter2' },
    });
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  test('a file that cannot be read does not hide the mistakes of the environment', async () => {
    expect(await mistakes({ file: 'a b', env: { SVRST_DB_POOL: 'x', SVRST_LOGLEVEL: 'info' } })).toEqual([
      expect.stringContaining('rest.conf, line 1'),
      'SVRST_LOGLEVEL: there is no such setting',
      'db-pool: is not a whole number',
    ]);
  });
});

describe('files of other versions of the model', () => {
  test('settings that mean nothing here are noticed, not refused', async () => {
    const { notices } = await loaded({
      file: 'raw-media-types = "image/png"\ndb-use-legacy-gucs = false\nserver-reuseport = on',
    });
    expect(notices.map(describeNotice)).toEqual([
      'raw-media-types has no meaning here and is ignored (rest.conf, line 1, column 1)',
      'db-use-legacy-gucs has no meaning here and is ignored (rest.conf, line 2, column 1)',
      'server-reuseport has no meaning here and is ignored (rest.conf, line 3, column 1)',
    ]);
  });

  test('an unknown variable is a mistake with our prefix and a notice with theirs', async () => {
    const { notices } = await loaded({ env: { PGRST_DB_URL: 'x' } });
    expect(notices.map(describeNotice)).toEqual([
      'PGRST_DB_URL is not a known setting and is ignored (environment variable PGRST_DB_URL); did you mean PGRST_DB_URI?',
    ]);
    expect(await mistakes({ env: { SVRST_DB_URL: 'x' } })).toEqual(['SVRST_DB_URL: there is no such setting']);
  });
});

test('what the database sets wins over file and environment', async () => {
  const database: Given[] = [
    {
      name: 'pgrst.db_schemas',
      value: rawText('c'),
      origin: { kind: 'database', setting: 'pgrst.db_schemas', by: 'role' },
    },
  ];
  expect((await config({ file: 'db-schemas = "a"', env: { SVRST_DB_SCHEMAS: 'b' }, database })).dbSchemas).toEqual([
    'c',
  ]);
});

/** Text with what has a meaning in the file, and with anything else. */
const anyText = (minLength: number) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom('"', '\\', '$', '$(', ')', '\n', '\r', '\t', '#', ',', '@', '\u0001', '\u2028', '\u{10ffff}'),
        fc.integer({ min: 1, max: 0xd7ff }).map((code) => String.fromCodePoint(code)),
      ),
      { minLength, maxLength: 40 },
    )
    .map((parts) => parts.join(''));

describe('the dump', () => {
  async function again(dump: string): Promise<string> {
    return dumpConfig(restOptions, await config({ file: dump }));
  }

  test('of a dump is the dump', async () => {
    expect(await again(DEFAULTS)).toBe(DEFAULTS);
  });

  test('of hostile values too', async () => {
    const nasty = 'a"b\\c\n$(HOME)$$\t\u0001# \u2028😀\r]{}';
    const file = {
      '/secret': `@${nasty}${SECRET}`,
      '/uri': `@postgresql://u:p"$(X)@h/d`,
    };
    const first = await config({
      files: file,
      env: {
        SVRST_JWT_SECRET: '@/secret',
        SVRST_DB_URI: 'postgresql://u:pa$$w\'or"d\\@h/d?x=$(Y)',
        SVRST_DB_ANON_ROLE: nasty,
        SVRST_DB_PRE_REQUEST: nasty,
        SVRST_DB_SCHEMAS: `a"b,c$$(d),e\\`,
        SVRST_DB_EXTRA_SEARCH_PATH: '',
        SVRST_JWT_ROLE_CLAIM_KEY: '."a b$(x)\\"[0][?(@ ^== "x\\y")]',
        SVRST_SERVER_UNIX_SOCKET: nasty,
        SVRST_SERVER_UNIX_SOCKET_MODE: '600',
        SVRST_ADMIN_SERVER_PORT: '1',
        SVRST_SERVER_WORKERS: 'auto',
        SVRST_SERVER_RATE_LIMIT: '7 / min per role',
        SVRST_SERVER_MAX_BODY_SIZE: '1.5MB',
        SVRST_LOG_QUERY: 'true',
        SVRST_APP_SETTINGS_A: nasty,
        SVRST_APP_SETTINGS_B: '@x',
        SVRST_APP_SETTINGS_C: '',
      },
    });
    const dump = dumpConfig(restOptions, first);
    expect(await config({ file: dump })).toEqual(first);
    expect(await again(dump)).toBe(dump);
    expect(dump.split('\n').slice(-4)).toEqual([
      expect.stringMatching(/^app\.settings\.a = /),
      'app.settings.b = "@x"',
      'app.settings.c = ""',
      '',
    ]);
  });

  test('of a base64 secret is base64 again', async () => {
    const bytes = Buffer.from([...Array(40).keys()].map((i) => 255 - i));
    const first = await config({
      env: { SVRST_JWT_SECRET: bytes.toString('base64url'), SVRST_JWT_SECRET_IS_BASE64: '1' },
    });
    const dump = dumpConfig(restOptions, first);
    expect(dump).toContain(`jwt-secret = "${bytes.toString('base64')}"\n`);
    expect(await again(dump)).toBe(dump);
  });

  test('of any text is stable', async () => {
    const text = anyText(1);
    await fc.assert(
      fc.asyncProperty(text, text, text, async (role, setting, secret) => {
        const first = await config({
          env: { SVRST_DB_ANON_ROLE: role, SVRST_APP_SETTINGS_X: setting, SVRST_JWT_SECRET: `@@${secret}${SECRET}` },
        });
        expect(first).toMatchObject({ dbAnonRole: role, jwtSecret: `@${secret}${SECRET}` });
        expect(await config({ file: dumpConfig(restOptions, first) })).toEqual(first);
      }),
    );
  });
});

test('every line of the example is a setting that loads', async () => {
  const example = exampleFile(restOptions, '## Head.');
  const settings = example.split('\n').filter((line) => line.startsWith('# '));
  expect(settings).toHaveLength(optionsOf(restOptions).length);
  const files = { '/run/secrets/jwt': SECRET };
  const { notices } = await loaded({ file: settings.map((line) => line.slice(2)).join('\n'), files });
  expect(notices).toEqual([]);
  // Commented out as it stands, the whole of it sets nothing.
  expect(dumpConfig(restOptions, await config({ file: example }))).toBe(DEFAULTS);
});
