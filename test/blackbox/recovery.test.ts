// The database goes away in every way it can, under load: no answer but 503 and 504 for it, none with another caller's
// role, and full service again right after.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { findPostgres } from '../testkit/postgres-binaries.ts';
import { type PostgresCluster, startCluster } from '../testkit/postgres-cluster.ts';
import { SECRET, tokenFor } from '../testkit/rest-client.ts';
import {
  ask,
  environment,
  eventually,
  type RunningRest,
  runProgram,
  type Settings,
  start,
  startRest,
  trouble,
} from './program.ts';

const ROLES = ['recovery_a', 'recovery_b', 'recovery_c'] as const;

const SCHEMA = `
  create role recovery_login login noinherit password 'right-word';
  ${ROLES.map((role) => `create role ${role} nologin; grant ${role} to recovery_login;`).join('\n')}
  create schema api;
  create view api.me as select current_user::text as role, current_setting('request.jwt.claims')::json->>'sub' as sub;
  create function api.slow(seconds float) returns text language sql as $$ select pg_sleep(seconds); select current_user::text $$;
  grant usage on schema api to ${ROLES.join(', ')};
  grant select on api.me to ${ROLES.join(', ')};
`;

const PROVOKED = [
  /connection was lost/,
  /could not be loaded/,
  /No longer listening/,
  /^\S+ \S+: \{"code":/,
  /cannot be reached/,
  /Timed out acquiring connection/,
  /Settings in the database could not be read/,
];

const { postgres } = inject('engines');

describeNeeding(postgres.kind === 'ready' ? undefined : postgres.reason, 'recovery', () => {
  let cluster: PostgresCluster;
  let admin: URL;
  let postmaster: number;
  let data: string;
  let program: RunningRest | undefined;
  let hasRestarted = false;

  const settings = (more: Settings = {}): Settings => {
    const uri = new URL(admin);
    uri.username = 'recovery_login';
    uri.password = 'right-word';
    return {
      'db-uri': uri.href,
      'db-schemas': 'api',
      'db-anon-role': ROLES[0],
      'jwt-secret': SECRET,
      'server-host': '127.0.0.1',
      'server-port': '0',
      'db-pool': '5',
      'db-pool-acquisition-timeout': '2',
      'log-level': 'error',
      ...more,
    };
  };

  async function asAdmin<T>(sql: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: admin.href });
    await client.connect();
    try {
      return (await client.query(sql)).rows as T[];
    } finally {
      await client.end();
    }
  }

  beforeAll(async () => {
    const binaries = findPostgres(process.env);
    if (binaries === undefined) throw new Error('no PostgreSQL');
    cluster = await startCluster(binaries);
    admin = new URL(cluster.uri);
    await asAdmin(SCHEMA);
    const [where] = await asAdmin<{ folder: string }>(`select current_setting('data_directory') as folder`);
    data = where?.folder ?? '';
    // The administrator is trusted; the login must know its password.
    const hba = join(data, 'pg_hba.conf');
    writeFileSync(hba, `host all postgres all trust\nhost all all all scram-sha-256\n`);
    await asAdmin('select pg_reload_conf()');
    postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  });
  afterEach(async () => {
    await program?.stop();
    program = undefined;
  });
  afterAll(async () => {
    // After a restart the server is nobody's child any more.
    if (hasRestarted) await control(data, 'immediate', 'stop');
    await cluster.stop();
  });

  /** Callers of every role, each on one connection after another, until told to stop; what they saw. */
  function load(rest: RunningRest): { readonly statuses: Map<number, number>; stop(): Promise<void> } {
    const statuses = new Map<number, number>();
    let isOver = false;
    const caller = async (n: number): Promise<void> => {
      const role = ROLES[n % ROLES.length] ?? ROLES[0];
      for (let i = 0; !isOver; i++) {
        const sub = `${n}-${i}`;
        const reply = await rest.get('/me', { authorization: `Bearer ${tokenFor({ role, sub })}` });
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        if (reply.status === 200) expect(JSON.parse(reply.text)).toEqual([{ role, sub }]);
        else expect([503, 504, 500]).toContain(reply.status);
        if (reply.status === 503) expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(0);
      }
    };
    const callers = Array.from({ length: 6 }, (_, n) => caller(n));
    return {
      statuses,
      async stop() {
        isOver = true;
        await Promise.all(callers);
      },
    };
  }

  /** Until twenty answers in a row are good. */
  async function untilWell(rest: RunningRest): Promise<void> {
    let good = 0;
    while (good < 20) {
      const reply = await rest.get('/me').catch(() => undefined);
      good = reply?.status === 200 ? good + 1 : 0;
    }
  }

  test('backends terminated again and again', async () => {
    program = await startRest(settings());
    const under = load(program);
    for (let i = 0; i < 5; i++) {
      await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'recovery_login'`);
      await program.get('/me');
    }
    await untilWell(program);
    await under.stop();
    expect(under.statuses.get(200)).toBeGreaterThan(0);
    await program.stop();
    expect(trouble(program, PROVOKED)).toEqual([]);
  });

  test('the server stopped for a while, and woken again', async () => {
    program = await startRest(settings());
    const under = load(program);
    const backends = await asAdmin<{ pid: number }>(
      `select pid from pg_stat_activity where usename = 'recovery_login'`,
    );
    const stopped = [postmaster, ...backends.map(({ pid }) => pid)];
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      // A caller beyond the pool is told, in the time the setting allows.
      const timedOut = await eventually(
        () => (program as RunningRest).get('/me'),
        ({ status }) => status === 504 || status === 503,
      );
      expect(timedOut.status).toBe(504);
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await untilWell(program);
    await under.stop();
    expect([...under.statuses.keys()].filter((status) => status !== 200 && status !== 504 && status !== 503)).toEqual(
      [],
    );
    await program.stop();
    expect(trouble(program, PROVOKED)).toEqual([]);
  });

  test('a caller who goes away frees the connection', async () => {
    program = await startRest(settings({ 'db-pool': '1', 'log-level': 'info' }));
    const gone = new AbortController();
    const slow = fetch(`${program.url}/rpc/slow?seconds=600`, { signal: gone.signal }).catch(() => undefined);
    await eventually(
      () =>
        asAdmin(
          `select 1 from pg_stat_activity where usename = 'recovery_login' and query like '%slow%' and state = 'active'`,
        ),
      (found) => found.length > 0,
    );
    gone.abort();
    await slow;
    expect((await program.get('/me')).status).toBe(200);
    await program.stop();
    // As nginx calls it: nobody saw an answer, and nobody failed.
    expect(program.out()).toMatch(/GET \/rpc\/slow\?seconds=600 HTTP\/1\.1" 499 /);
    expect(trouble(program, PROVOKED)).toEqual([]);
  });

  test('a read-only server answers reads and refuses writes', async () => {
    await asAdmin(`create table api.things (id int primary key); grant all on api.things to ${ROLES[0]}`);
    await asAdmin(`alter role recovery_login set default_transaction_read_only = on`);
    program = await startRest(settings());
    expect((await program.get('/things')).status).toBe(200);
    const refused = await fetch(`${program.url}/things`, {
      method: 'POST',
      body: '{"id":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(405);
    expect(await refused.json()).toMatchObject({ code: '25006' });
    await program.stop();
    await asAdmin(`alter role recovery_login reset default_transaction_read_only`);
    expect(trouble(program, PROVOKED)).toEqual([]);
  });

  test.each([
    ['a wrong password', 'wrong-word'],
    ['no password', ''],
  ])('%s ends the program, which does not tell it', async (_, password) => {
    const uri = new URL(settings()['db-uri'] ?? '');
    uri.password = password;
    const ended = await runProgram(['rest'], { ...environment(settings({ 'db-uri': uri.href })), HOME: '/nowhere' });
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(/password/);
    expect(ended.err).not.toContain('wrong-word');
  });

  /** The program has to connect anew. */
  const cutOff = (): Promise<unknown> =>
    asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'recovery_login'`);
  const status = async (wanted: number): Promise<unknown> =>
    eventually(
      () => (program as RunningRest).get('/me'),
      (reply) => reply.status === wanted,
    );

  test.each([
    [
      'a password that was changed (28P01)',
      `alter role recovery_login password 'other-word'`,
      `alter role recovery_login password 'right-word'`,
    ],
    ['a role that may not log in (28000)', 'alter role recovery_login nologin', 'alter role recovery_login login'],
  ])('%s does not end a program that has served', async (_, breaks, mends) => {
    program = await startRest(settings());
    await asAdmin(breaks);
    await cutOff();
    await status(503);
    await program.told(/could not be loaded: .*next try in/);
    await asAdmin(mends);
    await untilWell(program);
    await program.stop();
    expect(trouble(program, PROVOKED)).toEqual([]);
  });

  test('a database that was renamed (3D000) does not end a program that has served', async () => {
    await asAdmin('create database recovery_moved');
    const uri = new URL(settings()['db-uri'] ?? '');
    uri.pathname = '/recovery_moved';
    program = await startRest(settings({ 'db-uri': uri.href, 'db-schemas': 'public' }));
    const rename = (from: string, to: string): Promise<unknown> =>
      eventually(
        () =>
          cutOff()
            .then(() => asAdmin(`alter database ${from} rename to ${to}`))
            .then(
              () => true,
              () => false,
            ),
        (done) => done,
      );
    await rename('recovery_moved', 'recovery_away');
    await program.told(/"recovery_moved" does not exist.*next try in/);
    expect((await program.get('/')).status).toBe(503);
    await rename('recovery_away', 'recovery_moved');
    await eventually(
      () => (program as RunningRest).get('/'),
      (reply) => reply.status === 200,
    );
    await program.stop();
    expect(trouble(program, PROVOKED)).toEqual([]);
  });

  test.each(['1', '2'])(
    'a password that is changed in the file of db-uri is read again, with %s workers',
    async (workers) => {
      const folder = mkdtempSync(join(tmpdir(), 'survest-uri-'));
      try {
        const path = join(folder, 'uri');
        const uri = new URL(settings()['db-uri'] ?? '');
        writeFileSync(path, `${uri.href}\n`);
        program = await startRest(settings({ 'db-uri': `@${path}`, 'server-workers': workers }));
        await asAdmin(`alter role recovery_login password 'next-word'`);
        uri.password = 'next-word';
        writeFileSync(path, `${uri.href}\n`);
        await cutOff();
        await untilWell(program);
        await program.told('db-uri was read again, and has changed');
        await program.stop();
        expect(program.err()).not.toContain('next-word');
        expect(trouble(program, [...PROVOKED, /db-uri was read again/])).toEqual([]);
      } finally {
        await asAdmin(`alter role recovery_login password 'right-word'`);
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test('a portal and its jobs outlive a password that was changed, and the log tells why it answered 503', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'survest-portal-'));
    const uri = new URL(admin);
    uri.username = 'recovery_portal';
    uri.password = 'right-word';
    await asAdmin(`create role recovery_portal superuser login password 'right-word'`);
    await asAdmin('create database recovery_portal');
    uri.pathname = '/recovery_portal';
    const portal = start(
      [],
      environment({
        'db-uri': uri.href,
        'data-dir': folder,
        'admin-password': 'correct horse',
        'portal-host': '127.0.0.1',
        'portal-port': '0',
        'server-host': '127.0.0.1',
        'server-port': '0',
      }),
    );
    try {
      await portal.told('Schema cache loaded');
      const url = /Portal listens on ([^\s"]+)/.exec(portal.err())?.[1] ?? '';
      const answers = (wanted: number): Promise<unknown> =>
        eventually(
          () => ask(url, '/api/v2/datasets'),
          ({ status: got }) => got === wanted,
        );
      await answers(200);
      await asAdmin(`alter role recovery_portal password 'other-word'`);
      await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'recovery_portal'`);
      await answers(503);
      // The first may still be told that its connection was ended.
      await eventually(
        async () => {
          await ask(url, '/api/v2/datasets');
          return portal.err();
        },
        (log) => /The portal answered 503 to \/api\/v2\/datasets: .*password authentication failed/.test(log),
      );
      await asAdmin(`alter role recovery_portal password 'right-word'`);
      await answers(200);
      expect(await portal.stop()).toBe(0);
      expect(portal.err()).not.toMatch(/right-word|other-word|Unexpected failure/);
    } finally {
      portal.child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  // Last: afterwards the cluster has another postmaster.
  test('the server restarted in the middle of load', async () => {
    program = await startRest(settings());
    const under = load(program);
    for (const mode of ['fast', 'immediate']) {
      await control(data, mode, 'restart');
      hasRestarted = true;
      await untilWell(program);
    }
    await under.stop();
    expect(under.statuses.get(200)).toBeGreaterThan(0);
    await program.stop();
    expect(trouble(program, PROVOKED)).toEqual([]);
  });

  async function control(folder: string, mode: string, verb: 'restart' | 'stop'): Promise<void> {
    const binaries = findPostgres(process.env);
    if (binaries === undefined) throw new Error('no PostgreSQL');
    const log = verb === 'restart' ? ['-l', `${folder}.log`] : [];
    const program = join(binaries.bin, 'pg_ctl');
    const args = ['-D', folder, '-m', mode, '-w', ...log, verb];
    const [command, all] =
      process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, args];
    // The new server inherits what the command had open; with pipes we would wait for it to end.
    await new Promise<void>((resolve, reject) => {
      const child = spawn(command, all, { stdio: 'ignore', cwd: folder });
      child
        .once('error', reject)
        .once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl: ${code}`))));
    });
  }
});
