import { describe, expect, test } from 'vitest';
import { type ConnectSettings, connectSettings } from './connect-settings.ts';

function settings(conninfo: string, env: Record<string, string> = {}, name?: string): ConnectSettings {
  const result = connectSettings(conninfo, env, name);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function problem(conninfo: string): string {
  const result = connectSettings(conninfo, {}, undefined);
  return result.ok ? 'none' : result.error.message;
}

describe('what the string leaves out', () => {
  test('comes from the environment', () => {
    const env = {
      PGHOST: 'h',
      PGPORT: '5433',
      PGUSER: 'u',
      PGPASSWORD: 'p',
      PGDATABASE: 'd',
      PGSSLMODE: 'require',
      PGPASSFILE: '/f',
      PGAPPNAME: 'app',
      PGOPTIONS: '-c x=y',
      PGCONNECT_TIMEOUT: '3',
      PGTARGETSESSIONATTRS: 'read-only',
    };
    expect(settings('', env)).toMatchObject({
      hosts: [{ host: 'h', address: 'h', port: 5433 }],
      user: 'u',
      password: 'p',
      database: 'd',
      sslMode: 'require',
      passfile: '/f',
      applicationName: 'app',
      options: '-c x=y',
      connectTimeoutMs: 3000,
      sessionAttrs: 'read-only',
    });
  });

  test('the string wins over the environment', () => {
    expect(settings('postgresql://a@x:1/b', { PGHOST: 'h', PGUSER: 'u', PGDATABASE: 'd' })).toMatchObject({
      hosts: [{ host: 'x', port: 1 }],
      user: 'a',
      database: 'b',
    });
  });

  test('the host is this machine, by name where no server has a socket', () => {
    expect(settings('port=1').hosts).toEqual([{ host: 'localhost', address: 'localhost', port: 1 }]);
  });

  test('the database is named like the user', () => {
    expect(settings('host=h user=me').database).toBe('me');
  });

  test.each([
    ['host=h application_name=a', 'a'],
    ['host=h fallback_application_name=f', 'f'],
    ['host=h', 'ours'],
  ])('the application of "%s" is %s', (conninfo, expected) => {
    expect(settings(conninfo, {}, 'ours').applicationName).toBe(expected);
  });
});

test.each([
  ['host=h', { keepAlive: true, keepAliveIdleMs: 30_000 }],
  ['host=h keepalives_idle=7', { keepAlive: true, keepAliveIdleMs: 7000 }],
  ['host=h keepalives=0', { keepAlive: false }],
])('probes of an idle connection: %s', (conninfo, expected) => {
  expect(settings(conninfo)).toMatchObject(expected);
});

describe('several hosts', () => {
  test.each([
    ['host=a,b', ['a:5432', 'b:5432']],
    ['host=a,b port=1', ['a:1', 'b:1']],
    ['host=a,b port=1,2', ['a:1', 'b:2']],
    ['host=a,b port=,2', ['a:5432', 'b:2']],
    ['postgresql://a:1,b:2/db', ['a:1', 'b:2']],
    ['postgresql://a,b:2/db', ['a:5432', 'b:2']],
    ['host=a,/tmp', ['a:5432', '/tmp:5432']],
  ])('%s', (conninfo, expected) => {
    expect(settings(conninfo).hosts.map(({ host, port }) => `${host}:${port}`)).toEqual(expected);
  });

  test('an address is connected to and the name kept for the certificate', () => {
    expect(settings('host=db.example hostaddr=10.0.0.1').hosts).toEqual([
      { host: 'db.example', address: '10.0.0.1', port: 5432 },
    ]);
  });
});

test.each([
  ['host=a,b port=1,2,3', 'host and port'],
  ['host=a,b hostaddr=1.1.1.1', 'hostaddr'],
  ['host=a port=0', 'port number'],
  ['host=a port=70000', 'port number'],
  ['host=a sslmode=maybe', 'sslmode must be one of'],
  ['host=a target_session_attrs=best', 'target_session_attrs must be one of'],
  ['host=a channel_binding=x', 'channel_binding must be one of'],
  ['host=a connect_timeout=soon', 'connect_timeout'],
])('%s is refused', (conninfo, expected) => {
  expect(problem(conninfo)).toContain(expected);
});
