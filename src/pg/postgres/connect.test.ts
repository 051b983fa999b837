// Ways to reach a server, on servers of this file's own: their settings are changed under them.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeNeeding, testNeeding } from '../../../test/testkit/describe-needing.ts';
import { missing } from '../../../test/testkit/machine.ts';
import { findPgbouncer, startPgbouncer } from '../../../test/testkit/pgbouncer.ts';
import { findPostgres } from '../../../test/testkit/postgres-binaries.ts';
import { type PostgresCluster, startCluster } from '../../../test/testkit/postgres-cluster.ts';
import type { BatchResult, Driver, Statement } from '../driver.ts';
import { textRows } from '../rows.ts';
import { cancelBackend } from './cancel.ts';
import { makeReplicationConnector } from './connect-replication.ts';
import type { PostgresEvent } from './events.ts';
import { makePostgresDriver, type PostgresOptions } from './postgres-driver.ts';

const binaries = findPostgres(process.env);
const pgbouncer = findPgbouncer();
const PASSWORD = 'correct: horse\\battery';

function q(text: string, ...params: string[]): Statement {
  return { text, params };
}

function only(result: BatchResult): (string | null)[] | undefined {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const last = result.value.at(-1);
  return last && textRows(last)[0];
}

type Server = {
  readonly cluster: PostgresCluster;
  readonly port: string;
  readonly folder: string;
  readonly data: string;
  sql(text: string): Promise<Record<string, string>[]>;
};

async function start(): Promise<Server> {
  if (binaries === undefined) throw new Error('no PostgreSQL');
  const cluster = await startCluster(binaries);
  const sql = async (text: string): Promise<Record<string, string>[]> => {
    const client = new pg.Client({ connectionString: cluster.uri });
    await client.connect();
    try {
      return (await client.query<Record<string, string>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const data = (await sql('show data_directory'))[0]?.['data_directory'] ?? '';
  return { cluster, port: new URL(cluster.uri).port, folder: dirname(data), data, sql };
}

describeNeeding(binaries === undefined ? 'no PostgreSQL was found' : undefined, 'connecting', () => {
  let primary: Server;
  let readOnly: Server;

  beforeAll(async () => {
    [primary, readOnly] = await Promise.all([start(), start()]);
    await readOnly.sql('alter system set default_transaction_read_only = on');
    await readOnly.sql('select pg_reload_conf()');
    await primary.sql(`create role scram login password '${PASSWORD.replaceAll("'", "''")}'`);
    await primary.sql('create role refused login');
    await primary.sql('create role full_up login connection limit 0');
    await primary.sql(`create role follower login replication password '${PASSWORD.replaceAll("'", "''")}'`);
    await primary.sql('create role tls_only login');
    const hba = [
      'host all refused 127.0.0.1/32 reject',
      'hostssl all tls_only 127.0.0.1/32 trust',
      'host all tls_only 127.0.0.1/32 reject',
      'local all scram scram-sha-256',
      'host all follower 127.0.0.1/32 scram-sha-256',
      'host all scram 127.0.0.1/32 scram-sha-256',
      'local all all trust',
      'host all all 127.0.0.1/32 trust',
    ];
    writeFileSync(join(primary.data, 'pg_hba.conf'), `${hba.join('\n')}\n`);
    await primary.sql('select pg_reload_conf()');
  });

  afterAll(async () => {
    await Promise.all([primary?.cluster.stop(), readOnly?.cluster.stop()]);
  });

  function open(uri: string, options: Partial<PostgresOptions> = {}): { driver: Driver; events: PostgresEvent[] } {
    const events: PostgresEvent[] = [];
    const driver = makePostgresDriver({ uri, poolSize: 2, onEvent: (event) => events.push(event), ...options });
    onTestFinished(() => driver.close());
    return { driver, events };
  }

  const at = (extra = ''): string => `host=127.0.0.1 port=${primary.port} dbname=postgres ${extra}`;
  const who = q(`select current_user, coalesce(inet_client_addr()::text, 'socket')`);

  describe('with what is given', () => {
    test('by URI, by key=value, by environment, by socket', async () => {
      const ways: [string, Record<string, string>][] = [
        [primary.cluster.uri, {}],
        [at('user=postgres'), {}],
        ['', { PGHOST: '127.0.0.1', PGPORT: primary.port, PGUSER: 'postgres' }],
        [`host=${primary.folder} port=${primary.port} user=postgres`, {}],
        [`postgresql://postgres@${encodeURIComponent(primary.folder)}:${primary.port}/postgres`, {}],
        [`host=nowhere.invalid hostaddr=127.0.0.1 port=${primary.port} user=postgres`, {}],
      ];
      for (const [uri, env] of ways) {
        const { driver } = open(uri, { env });
        expect(only(await driver.execute([who]))?.[0]).toBe('postgres');
      }
    });

    test('a password, given or from a file', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'connect-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const passfile = join(folder, 'pgpass');
      const escaped = PASSWORD.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
      writeFileSync(passfile, `*:*:*:someone:no\n127.0.0.1:${primary.port}:*:scram:${escaped}\n`, { mode: 0o600 });
      const quoted = `'${PASSWORD.replaceAll('\\', '\\\\')}'`;
      const ways: [string, Record<string, string>][] = [
        [at(`user=scram password=${quoted}`), {}],
        [`postgresql://scram:${encodeURIComponent(PASSWORD)}@127.0.0.1:${primary.port}/postgres`, {}],
        [at('user=scram'), { PGPASSWORD: PASSWORD }],
        [at('user=scram'), { PGPASSFILE: passfile }],
        [at(`user=scram passfile=${passfile}`), {}],
      ];
      for (const [uri, env] of ways) {
        const { driver } = open(uri, { env });
        expect(only(await driver.execute([who]))?.[0]).toBe('scram');
      }
    });

    test('is told, with the time that it took', async () => {
      const began = performance.now();
      const { driver, events } = open(at('user=postgres'));
      await driver.execute([who]);
      const [connected] = events;
      expect(connected).toMatchObject({ kind: 'connected', host: '127.0.0.1', port: Number(primary.port) });
      expect(connected?.kind === 'connected' && connected.ms).toBeLessThanOrEqual(performance.now() - began);
    });

    test('options of the session', async () => {
      const { driver } = open(at(`user=postgres options='-c search_path=elsewhere -c app.x=y'`));
      expect(
        only(await driver.execute([q(`select current_setting('search_path'), current_setting('app.x')`)])),
      ).toEqual(['elsewhere', 'y']);
    });

    test('how long to wait for a lock, unless the string says otherwise', async () => {
      const waits = async (extra: string, options: Partial<PostgresOptions>): Promise<string | null | undefined> =>
        only(await open(at(`user=postgres ${extra}`), options).driver.execute([q('show lock_timeout')]))?.[0];
      expect(await waits('', {})).toBe('0');
      expect(await waits('', { lockTimeoutMs: 1500 })).toBe('1500ms');
      expect(await waits(`options='-c lock_timeout=7s'`, { lockTimeoutMs: 1500 })).toBe('7s');
    });

    testNeeding(missing('pgbouncer'), 'a pooler that takes no settings, and is asked without them', async () => {
      if (pgbouncer === undefined) throw new Error('it was found before');
      const pooler = await startPgbouncer(pgbouncer, new URL(primary.cluster.uri), ['postgres']);
      onTestFinished(() => pooler.stop());
      const { driver, events } = open(pooler.uri(primary.cluster.uri), { lockTimeoutMs: 1500 });
      expect(only(await driver.execute([q('show lock_timeout')]))).toEqual(['0']);
      expect(events.map(({ kind }) => kind)).toEqual(['connected']);
    });
  });

  describe('that fails', () => {
    test.each([
      ['a wrong password', () => at('user=scram password=wr0ng-s3cret'), true],
      ['no password where one is asked for', () => at('user=scram'), true],
      ['an empty password', () => at(`user=scram password=''`), true],
      ['a user who is rejected', () => at('user=refused sslmode=disable'), true],
      ['a database that is not there', () => `host=127.0.0.1 port=${primary.port} user=postgres dbname=nowhere`, true],
      ['a port where nobody listens', () => 'host=127.0.0.1 port=1 user=postgres', false],
      ['a name that does not exist', () => 'host=nowhere.invalid user=postgres', false],
      ['a socket that is not there', () => 'host=/nowhere user=postgres', false],
      ['TLS where there is none', () => `host=127.0.0.1 port=${readOnly.port} user=postgres sslmode=require`, false],
      ['a certificate that is not there', () => at('user=postgres sslmode=verify-full sslrootcert=/nowhere'), false],
    ])('with %s says whether to try again, and no secret', async (_name, uri, fatal) => {
      const { driver, events } = open(uri(), { env: { HOME: '/nowhere' } });
      const result = await driver.execute([who]);
      expect(result).toMatchObject({ ok: false, error: { kind: 'unreachable', fatal } });
      expect(events).toMatchObject([{ kind: 'connect-failed', fatal }]);
      expect(JSON.stringify([result, events])).not.toContain('s3cret');
      expect(driver.stats()).toMatchObject({ open: 0 });
    });

    test('while the server has no room for more is worth another try', async () => {
      await primary.sql('alter role refused connection limit 0');
      const { driver } = open(`host=${primary.folder} port=${primary.port} user=refused dbname=postgres`);
      expect(await driver.execute([who])).toMatchObject({ ok: false, error: { kind: 'unreachable', fatal: false } });
    });

    test('because nobody answers is given up after a while', async () => {
      // The server itself is stopped: connections are taken by the system and nothing ever comes back.
      const pid = Number(readFileSync(join(readOnly.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGSTOP');
      try {
        const { driver } = open(`host=127.0.0.1 port=${readOnly.port} user=postgres`, { connectTimeoutMs: 100 });
        expect(await driver.execute([who])).toMatchObject({ ok: false, error: { kind: 'unreachable', fatal: false } });
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    });
  });

  describe('through a network that breaks', () => {
    type Proxy = { readonly uri: string; readonly clients: Set<Socket> };

    /** Stands between the driver and the server. */
    async function proxy(): Promise<Proxy> {
      const clients = new Set<Socket>();
      const server = createServer((client) => {
        const upstream = createConnection(Number(primary.port), '127.0.0.1');
        clients.add(client);
        client.pipe(upstream).pipe(client);
        client.on('error', () => upstream.destroy());
        upstream.on('error', () => client.destroy());
        client.on('close', () => upstream.destroy());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => {
        server.close();
        for (const client of clients) client.destroy();
      });
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      return { uri: `host=127.0.0.1 port=${address.port} user=postgres dbname=postgres sslmode=disable`, clients };
    }

    const breaks: [string, (client: Socket) => void][] = [
      ['is cut', (client) => client.destroy()],
      ['is reset', (client) => client.resetAndDestroy()],
      ['is ended', (client) => client.end()],
      ['brings bytes that are no answer', (client) => client.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
      ['brings an answer nobody asked for', (client) => client.write(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]))],
    ];

    test.each(breaks)('a connection that %s while it is idle is dropped', async (_name, spoil) => {
      const { uri, clients } = await proxy();
      let dropped: () => void = () => {};
      const isDropped = new Promise<void>((resolve) => {
        dropped = resolve;
      });
      const { driver } = open(uri, {
        poolSize: 1,
        onEvent: (event) => {
          if (event.kind === 'closed' && event.reason === 'lost') dropped();
        },
      });
      await driver.execute([q('select 1')]);
      for (const client of clients) spoil(client);
      await isDropped;
      expect(driver.stats()).toMatchObject({ open: 0, idle: 0 });
      expect(only(await driver.execute([q('select 2')]))).toEqual(['2']);
    });

    test.each(breaks)('a batch whose connection %s is lost, and the next is not', async (_name, spoil) => {
      const { uri, clients } = await proxy();
      const { driver } = open(uri, { poolSize: 1 });
      await driver.execute([q('select 1')]);
      const running = driver.execute([q('select 1'), q('select pg_sleep(30) /* broken */')]);
      const look = `select 1 from pg_stat_activity where state = 'active' and query like '%/* broken */' and pid <> pg_backend_pid()`;
      while ((await primary.sql(look)).length === 0);
      for (const client of clients) spoil(client);
      expect(await running).toMatchObject({ ok: false, error: { kind: 'lost' } });
      expect(only(await driver.execute([q('select 2')]))).toEqual(['2']);
      await primary.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like '%/* broken */' and pid <> pg_backend_pid()`,
      );
    });
  });

  describe('to several hosts', () => {
    const both = (extra = ''): string =>
      `host=127.0.0.1,127.0.0.1,127.0.0.1 port=1,${readOnly.port},${primary.port} user=postgres dbname=postgres ${extra}`;
    const port = q('select current_setting($1)', 'port');

    test.each([
      ['', () => readOnly.port],
      ['target_session_attrs=any', () => readOnly.port],
      ['target_session_attrs=read-write', () => primary.port],
      ['target_session_attrs=read-only', () => readOnly.port],
      ['target_session_attrs=primary', () => readOnly.port], // read only, but no standby
      ['target_session_attrs=prefer-standby', () => readOnly.port], // there is none
    ])('"%s" takes the first that fits', async (extra, expected) => {
      const { driver } = open(both(extra));
      expect(only(await driver.execute([port]))).toEqual([expected()]);
    });

    test('none of which fits says so', async () => {
      const { driver } = open(both('target_session_attrs=standby'));
      const result = await driver.execute([port]);
      expect(result).toMatchObject({ ok: false, error: { kind: 'unreachable', fatal: false } });
      expect(!result.ok && result.error.kind === 'unreachable' && result.error.message).toContain('not standby');
    });

    test('asks no other when the first refuses the user', async () => {
      const { driver } = open(
        `host=127.0.0.1,127.0.0.1 port=${primary.port},${readOnly.port} user=scram password=wrong dbname=postgres`,
      );
      expect(await driver.execute([port])).toMatchObject({ ok: false, error: { kind: 'unreachable', fatal: true } });
    });

    test('in any order reaches one that fits', async () => {
      const { driver } = open(both('target_session_attrs=read-write load_balance_hosts=random'));
      expect(only(await driver.execute([port]))).toEqual([primary.port]);
    });

    test('in any order are all used', async () => {
      const connections = Array.from({ length: 24 }, () => open(both('load_balance_hosts=random')).driver);
      const reached = await Promise.all(connections.map(async (driver) => only(await driver.execute([port]))?.[0]));
      expect(new Set(reached)).toEqual(new Set([primary.port, readOnly.port]));
    });

    test('none of which is there are not said to be full', async () => {
      const { driver } = open('host=127.0.0.1,127.0.0.1 port=1,1 user=postgres dbname=postgres');
      const executed = await driver.execute([port]);
      expect(executed.ok ? {} : executed.error).toEqual({
        kind: 'unreachable',
        message: expect.stringContaining('ECONNREFUSED'),
        fatal: false,
      });
    });

    test('of which one has no connection left say so, when the others are not there either', async () => {
      const { driver } = open(`host=127.0.0.1,127.0.0.1 port=${primary.port},1 user=full_up dbname=postgres`);
      expect(await driver.execute([port])).toMatchObject({ ok: false, error: { kind: 'unreachable', isFull: true } });
    });
  });

  describe('to a backend that falls silent', () => {
    async function freeze(driver: Driver): Promise<void> {
      const pid = Number(only(await driver.execute([q('select pg_backend_pid()')]))?.[0]);
      process.kill(pid, 'SIGSTOP');
      onTestFinished(() => {
        process.kill(pid, 'SIGCONT');
      });
    }

    test('a batch is given up when it may be, and the next has another connection', async () => {
      const { driver, events } = open(at('user=postgres'), { poolSize: 1, batchTimeoutMs: 1000 });
      await freeze(driver);
      expect(await driver.execute([q('select 1')])).toMatchObject({ ok: false, error: { kind: 'lost' } });
      expect(only(await driver.execute([q('select 1')]))).toEqual(['1']);
      expect(events).toMatchObject([{ kind: 'connected' }, { kind: 'closed', reason: 'lost' }, { kind: 'connected' }]);
    });

    test('what it was doing is cancelled when it was only slow', async () => {
      const { driver } = open(at('user=postgres'), { poolSize: 1, batchTimeoutMs: 100 });
      expect(await driver.execute([q('select pg_sleep(60) /* slow */')])).toMatchObject({
        ok: false,
        error: { kind: 'lost' },
      });
      const look = `select 1 from pg_stat_activity where state = 'active' and query like '%/* slow */' and pid <> pg_backend_pid()`;
      while ((await primary.sql(look)).length > 0);
    });

    test('an idle connection is closed all the same', async () => {
      const { driver } = open(at('user=postgres'), { poolSize: 1 });
      await freeze(driver);
      await driver.close();
      expect(driver.stats()).toMatchObject({ open: 0 });
    });

    test('a reader of ours that takes its time is not taken for silence of the server', async () => {
      const { driver } = open(at('user=postgres'), { poolSize: 1, batchTimeoutMs: 1000 });
      const chunks: Buffer[] = [];
      await driver.copyOut([], 'copy (select 1) to stdout', async (chunk) => {
        // We let the server wait; its silence is no sign of anything.
        await new Promise((resolve) => setTimeout(resolve, 1500));
        chunks.push(chunk);
      });
      expect(chunks.length).toBe(1);
      expect(only(await driver.execute([q('select 1')]))).toEqual(['1']);
    });
  });

  describeNeeding(missing('openssl'), 'by TLS', () => {
    let rootCert = '';
    let wrongCert = '';

    beforeAll(async () => {
      const make = (name: string, subject: string): string => {
        const cert = join(primary.folder, `${name}.crt`);
        const key = join(primary.folder, `${name}.key`);
        const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', subject];
        execFileSync('openssl', [...args, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert], {
          stdio: 'ignore',
        });
        const { uid, gid } = statSync(primary.data);
        if (process.getuid?.() === 0) for (const file of [cert, key]) chownSync(file, uid, gid);
        return cert;
      };
      rootCert = make('server', '/CN=localhost');
      wrongCert = make('other', '/CN=other');
      await primary.sql(`alter system set ssl_cert_file = '${rootCert}'`);
      await primary.sql(`alter system set ssl_key_file = '${rootCert.replace('.crt', '.key')}'`);
      await primary.sql('alter system set ssl = on');
      await primary.sql('select pg_reload_conf()');
    });

    const local = (extra: string): string =>
      `host=localhost hostaddr=127.0.0.1 port=${primary.port} dbname=postgres ${extra}`;
    const tls = q('select ssl::text from pg_stat_ssl where pid = pg_backend_pid()');

    test.each([
      ['user=postgres', 'true'],
      ['user=postgres sslmode=disable', 'false'],
      ['user=postgres sslmode=allow', 'false'],
      ['user=tls_only sslmode=allow', 'true'],
      ['user=postgres sslmode=prefer', 'true'],
      ['user=postgres sslmode=require', 'true'],
      ['user=postgres sslmode=verify-ca sslrootcert=ROOT', 'true'],
      ['user=postgres sslmode=verify-full sslrootcert=ROOT', 'true'],
      ['user=scram password=PASSWORD sslmode=require channel_binding=require', 'true'],
    ])('%s', async (extra, expected) => {
      const quoted = `'${PASSWORD.replaceAll('\\', '\\\\')}'`;
      const { driver } = open(local(extra.replace('ROOT', rootCert).replace('PASSWORD', quoted)), {
        env: { HOME: '/nowhere' },
      });
      expect(only(await driver.execute([tls]))).toEqual([expected]);
    });

    test.each([
      ['a certificate nobody vouches for', () => local(`user=postgres sslmode=verify-full sslrootcert=${wrongCert}`)],
      ['the certificate of another host', () => at(`user=postgres sslmode=verify-full sslrootcert=${rootCert}`)],
      ['no binding to the channel', () => at(`user=postgres sslmode=require channel_binding=require`)],
    ])('refuses %s', async (_name, uri) => {
      const { driver } = open(uri());
      expect(await driver.execute([tls])).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
    });

    test('a host without it is reached in the clear, and asked for it only once', async () => {
      const { driver } = open(`host=127.0.0.1 port=${readOnly.port} user=postgres dbname=postgres`);
      const both = await Promise.all([driver.execute([q('select pg_sleep(0.01)')]), driver.execute([tls])]);
      expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    });

    test('a host without it is not reached in the clear where it is required, however often it is tried', async () => {
      const { driver } = open(`host=127.0.0.1 port=${readOnly.port} user=postgres dbname=postgres sslmode=require`);
      const refused = { ok: false, error: { kind: 'unreachable', message: expect.stringContaining('SSL') } };
      expect(await driver.execute([tls])).toMatchObject(refused);
      expect(await driver.execute([tls])).toMatchObject(refused);
    });

    test.each([
      ['localhost', 'localhost'],
      ['127.0.0.1', undefined],
    ])('a cancel request asks for the certificate of %s by its name', async (host, name) => {
      const asked: unknown[] = [];
      const server = createTlsServer({
        key: readFileSync(rootCert.replace('.crt', '.key')),
        cert: readFileSync(rootCert),
        ALPNProtocols: ['postgresql'],
      });
      server.on('secureConnection', (socket) => {
        asked.push(socket.servername || undefined);
        socket.once('data', () => socket.end());
      });
      onTestFinished(() => void server.close());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const outcome = await cancelBackend(
        {
          key: { processId: 1, secret: 1 },
          target: { host, address: host, port },
          address: '127.0.0.1',
          tls: { rejectUnauthorized: false },
          directTls: true,
        },
        10_000,
      );
      expect(outcome).toEqual({ kind: 'delivered' });
      expect(asked).toEqual([name]);
    });

    test('a batch is cancelled', async () => {
      const { driver, events } = open(local('user=postgres sslmode=require'), { poolSize: 1 });
      const controller = new AbortController();
      const running = driver.execute([q('select pg_sleep(60) /* by tls */')], { signal: controller.signal });
      const look = `select 1 from pg_stat_activity where state = 'active' and query like '%/* by tls */' and pid <> pg_backend_pid()`;
      while ((await primary.sql(look)).length === 0);
      controller.abort();
      expect(await running).toEqual({ ok: false, error: { kind: 'cancelled' } });
      expect(only(await driver.execute([q('select 1')]))).toEqual(['1']);
      expect(events.map(({ kind }) => kind)).toEqual(['connected', 'cancel-sent']);
    });

    test.each([
      ['user=postgres sslmode=verify-full sslrootcert=ROOT', true],
      ['user=follower password=PASSWORD sslmode=require channel_binding=require', true],
      ['user=follower password=wrong sslmode=require', false],
      ['user=scram password=PASSWORD sslmode=require', false],
    ])('a replication connection: %s', async (extra, isLet) => {
      const quoted = `'${PASSWORD.replaceAll('\\', '\\\\')}'`;
      const uri = local(extra.replace('ROOT', rootCert).replace('PASSWORD', quoted));
      const reached = await makeReplicationConnector(uri, { HOME: '/nowhere' }, undefined, 10_000)();
      expect(reached.ok ? '' : reached.error.message).toMatch(
        isLet ? /^$/ : /password|REPLICATION|walsender|replication/,
      );
      if (!reached.ok) return;
      const asked = await reached.value.connection.ask(
        'select ssl, backend_type from pg_stat_ssl join pg_stat_activity using (pid) where pid = pg_backend_pid()',
      );
      reached.value.connection.destroy('done');
      expect(asked).toEqual({ ok: true, value: [['t', 'walsender']] });
    });

    test('big values pass', async () => {
      const { driver } = open(local('user=postgres sslmode=require'));
      const text = 'é'.repeat(2_000_000);
      expect(only(await driver.execute([q('select $1::text', text)]))).toEqual([text]);
    });
  });
});
