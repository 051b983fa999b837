import { describe, expect, test } from 'vitest';
import { describeError } from '../../kernel/options/config-error.ts';
import { optionsOf } from '../../kernel/options/option.ts';
import { err, ok } from '../../kernel/result.ts';
import { dumpFor, dumpSeveral, exampleFor } from '../cli/dump-config.ts';
import { loadServerConfig, SERVER_SECTIONS, type Services, serverOptions } from './config.ts';
import { loadDatabases } from './databases.ts';

type Env = Readonly<Record<string, string>>;

function run(services: Services, env: Env, file?: string) {
  return loadServerConfig(services, {
    args: [],
    env,
    file: file === undefined ? undefined : 'x.conf',
    database: [],
    readText: async (path) =>
      path === 'x.conf' && file !== undefined ? ok(file) : path === '/pw' ? ok('from a file\n') : err('missing'),
  });
}

async function loaded(services: Services, env: Env, file?: string) {
  const result = await run(services, env, file);
  if (!result.ok) throw new Error(result.error.map(describeError).join('\n'));
  return result.value.config;
}

async function mistakes(services: Services, env: Env): Promise<readonly string[]> {
  const result = await run(services, env);
  return result.ok ? [] : result.error.map((error) => describeError(error).split('\n')[0] ?? '');
}

test('the defaults of the program', async () => {
  expect(await loaded('all', {})).toMatchObject({
    adminPassword: undefined,
    dataDir: './data',
    demo: true,
    portalHost: '!4',
    portalPort: 8000,
    publicUrl: undefined,
    serverPort: 3000,
    dbUri: undefined,
  });
});

test('its settings have variables of their own', async () => {
  const env = {
    SVRST_DATA_DIR: '/d',
    SVRST_DEMO: 'false',
    SVRST_ADMIN_PASSWORD: '@/pw',
    SVRST_PUBLIC_URL: 'https://maps.example.org/a/',
  };
  expect(await loaded('all', env)).toMatchObject({
    dataDir: '/d',
    demo: false,
    adminPassword: 'from a file',
    publicUrl: 'https://maps.example.org/a',
  });
});

describe('refusals', () => {
  test.each<[Services, Env, readonly string[]]>([
    ['all', { SVRST_SERVER_PORT: '8000' }, ['portal-port: portal-port cannot be the same as server-port']],
    ['all', { SVRST_ADMIN_SERVER_PORT: '8000' }, ['portal-port: portal-port cannot be the same as admin-server-port']],
    ['rest', { SVRST_SERVER_PORT: '8000' }, []],
    ['all', { SVRST_SERVER_PORT: '8000', SVRST_SERVER_UNIX_SOCKET: '/s' }, []],
    ['all', { SVRST_SERVER_PORT: '0', SVRST_PORTAL_PORT: '0' }, []],
    ['portal', {}, ['db-uri: survest portal works on a PostgreSQL server, named by db-uri or run by database = local']],
    ['worker', {}, ['db-uri: survest worker works on a PostgreSQL server, named by db-uri or run by database = local']],
    ['portal', { SVRST_DB_URI: 'postgresql://' }, []],
    ['rest', {}, []],
    ['all', { SVRST_PUBLIC_URL: 'maps.example.org' }, ['public-url: is not the address of a site']],
    ['all', { SVRST_ADMIN_PASSWORD: 'short' }, ['admin-password: is too short']],
    [
      'rest',
      { SVRST_PORTAL_PORT: 'x', SVRST_PORTAL_PROT: '1' },
      ['SVRST_PORTAL_PROT: there is no such setting', 'portal-port: is not a whole number'],
    ],
  ])('survest %s with %j: %j', async (services, env, expected) => {
    expect(await mistakes(services, env)).toEqual(expected);
  });
});

test('the dump of everything reads back the same, and survest rest shows only what concerns it', async () => {
  const env = {
    SVRST_ADMIN_PASSWORD: '@@"$(x)\\pass',
    SVRST_DEMO: 'off',
    SVRST_PUBLIC_URL: 'http://h:1/',
    SVRST_APP_SETTINGS_A: '1',
  };
  const config = await loaded('all', env);
  const dump = dumpFor('all', config);
  expect(await loaded('all', {}, dump)).toEqual(config);
  expect(dumpFor('all', await loaded('all', {}, dump))).toBe(dump);
  expect(dump.trimEnd().split('\n').at(-1)).toBe('app.settings.a = "1"');
  expect(dumpFor('rest', config)).not.toContain('portal-port');
});

test('the example names every setting once', () => {
  const names = optionsOf(serverOptions).map(([, each]) => (each.kind === 'single' ? each.name : each.prefix));
  for (const name of names) expect(exampleFor('all').split(`\n# ${name}`), name).not.toHaveLength(1);
  expect(exampleFor('rest')).not.toContain('portal-port');
});

test('every setting stands in a section of the documentation page', () => {
  for (const [, each] of optionsOf(serverOptions)) expect(SERVER_SECTIONS).toContain(each.section);
});

describe('several databases', () => {
  const input = (file: string, env: Env = {}) => ({
    args: [],
    env,
    file: 'x.conf',
    database: [],
    readText: async () => ok(file),
  });
  async function databases(file: string, env: Env = {}) {
    const program = await loadServerConfig('rest', input(file, env));
    if (!program.ok) return program;
    return loadDatabases(program.value.sections, 'rest', input(file, env));
  }
  async function complaints(file: string): Promise<readonly string[]> {
    const result = await databases(file);
    return result.ok ? [] : result.error.map(describeError);
  }

  test('a section is stronger than what is said of the program, wherever that is said', async () => {
    const file =
      'db-pool = 3\ndb-schemas = "a"\n[one]\ndb-uri = "postgresql://x"\ndb-pool = 4\n[two]\ndb-uri = "postgresql://y"';
    const found = await databases(file, { SVRST_DB_POOL: '5', SVRST_DB_URI: 'postgresql://z' });
    expect(
      found.ok && found.value.map(({ name, config }) => [name, config.dbUri, config.dbPool, config.dbSchemas]),
    ).toEqual([
      ['one', 'postgresql://x', 4, ['a']],
      ['two', 'postgresql://y', 5, ['a']],
    ]);
  });
  test('the dump is a file that reads back the same', async () => {
    const file =
      'db-pool = 3\n[one]\ndb-uri = "postgresql://x"\nserver-hosts = "a.test"\napp.settings.k = "v"\n[two]\ndata-dir = "d"';
    const dump = async (text: string): Promise<string> => {
      const program = await loadServerConfig('rest', input(text));
      const found = await databases(text);
      if (!program.ok || !found.ok) throw new Error('does not load');
      return dumpSeveral(program.value.config, found.value);
    };
    const once = await dump(file);
    expect(await dump(once)).toBe(once);
    expect(once).toMatch(/\n\[two\]\n(?:.*\n)*data-dir = "d"\n/);
  });
  test.each([
    [
      '[one]\nserver-port = 1',
      'server-port: holds for the whole program, not for one database\n  given: x.conf, line 2, column 1\n  remedy: set it above the first section',
    ],
    [
      '[one]\nportal-port = 1',
      'portal-port: holds for the whole program, not for one database\n  given: x.conf, line 2, column 1\n  remedy: set it above the first section',
    ],
    [
      '[one]\ndb-pol = 1',
      'db-pol: there is no such setting\n  given: x.conf, line 2, column 1\n  did you mean: db-pool',
    ],
    [
      '[one]\n[two]',
      'data-dir: the sections [one] and [two] have the same: ./data\n  accepts: a db-uri in each section, or a folder of its own for each',
    ],
    [
      'db-uri = "postgresql://"\n[one]\nserver-hosts = "A.test"\n[two]\nserver-hosts = "b.test, a.TEST"',
      'server-hosts: the sections [one] and [two] have the same: a.test\n  accepts: hosts that no other section has',
    ],
    [
      'server-hosts = "a.test"',
      'server-hosts: is a setting of a section: there it says which hosts mean this database\n  given: a.test (x.conf, line 1, column 1)\n  accepts: host names without scheme and port, with commas between them',
    ],
  ])('%j is refused', async (file, complaint) => {
    expect(await complaints(file)).toEqual([complaint]);
  });
  test('a section that is not there is refused with the nearest name', async () => {
    const loaded = await loadServerConfig('rest', { ...input('[sales]'), section: 'sale' });
    expect(loaded.ok ? [] : loaded.error.map(describeError)).toEqual([
      '[sale]: the configuration file has no such section\n  did you mean: sales',
    ]);
  });
});
