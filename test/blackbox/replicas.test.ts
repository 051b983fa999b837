// Reads on a streaming replica: two real servers, and the built program before them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { type ReplicatedCluster, startReplicatedCluster } from '../testkit/replicated-cluster.ts';
import { SECRET, tokenFor } from '../testkit/rest-client.ts';
import {
  ask,
  environment,
  eventually,
  type HttpAnswer,
  type Program,
  type RunningRest,
  type Settings,
  start,
  startRest,
} from './program.ts';

const PASSWORD = 'correct horse battery';
const NEW_LAYER = '/api/v2/layers/empty/';
const ROLES = ['replica_a', 'replica_b', 'replica_c'] as const;
const SCHEMA = `
  create role replica_login login noinherit password 'word';
  ${ROLES.map((role) => `create role ${role} nologin; grant ${role} to replica_login;`).join('\n')}
  create schema api;
  create view api.here as
    select inet_server_port() as port, current_user::text as role, current_setting('request.jwt.claims')::json->>'sub' as sub;
  create table api.notes (id int primary key, word text);
  create function api.where_stable() returns int stable language sql as 'select inet_server_port()';
  create function api.where_volatile() returns int volatile language sql as 'select inet_server_port()';
  grant usage on schema api to ${ROLES.join(', ')};
  grant select on api.here to ${ROLES.join(', ')};
  grant select, insert on api.notes to ${ROLES.join(', ')};
`;

const { postgres } = inject('engines');

describeNeeding(postgres.kind === 'ready' ? undefined : postgres.reason, 'a primary with a streaming replica', () => {
  let cluster: ReplicatedCluster;
  let program: RunningRest;
  let folder: string | undefined;
  let ports: { readonly primary: number; readonly replica: number };

  beforeAll(async () => {
    cluster = await startReplicatedCluster();
    ports = { primary: Number(new URL(cluster.primary).port), replica: Number(new URL(cluster.replica).port) };
    await on(cluster.primary, SCHEMA);
    folder = mkdtempSync(join(tmpdir(), 'survest-replicas-'));
    nameReplicas(asLogin(cluster.replica));
    program = await startRest({
      'db-uri': asLogin(cluster.primary),
      'db-replica-uris': `@${join(folder ?? '', 'replicas')}`,
      'db-schemas': 'api',
      'db-anon-role': ROLES[0],
      'db-pool': '4',
      'db-replica-max-lag': '600',
      // Its layers would stand before the one that is looked for.
      demo: 'false',
      'jwt-secret': SECRET,
      'server-host': '127.0.0.1',
      'server-port': '0',
      'admin-server-port': '0',
    });
    await readsFrom('replica');
  });
  afterAll(async () => {
    await program?.stop();
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  function asLogin(uri: string): string {
    const url = new URL(uri);
    url.username = 'replica_login';
    url.password = 'word';
    return url.href;
  }

  function nameReplicas(...uris: readonly string[]): void {
    writeFileSync(join(folder ?? '', 'replicas'), uris.join(','));
  }

  async function on(uri: string, sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: uri });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }

  async function portOf(headers: Settings = {}): Promise<number> {
    const answer = await program.get('/here?select=port', headers);
    expect(answer.status).toBe(200);
    return JSON.parse(answer.text)[0].port;
  }

  function readsFrom(server: 'primary' | 'replica'): Promise<number> {
    return eventually(portOf, (port) => port === ports[server]);
  }

  function post(target: string, body: string, prefer: string): Promise<HttpAnswer> {
    return ask(program.url, target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: prefer },
      body,
    });
  }

  async function metric(name: string, of: Program = program): Promise<number> {
    const url = /Admin server listens on (\S+)/.exec(of.err())?.[1] ?? '';
    const { text } = await ask(url, '/metrics');
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name}{`))
        ?.split(' ')
        .at(-1),
    );
  }

  test('answers reads on the replica, and everything else on the primary', async () => {
    const text = async (answer: Promise<HttpAnswer>): Promise<number> => Number((await answer).text);
    // On a machine that halts, the replica may just be one that did not answer in time.
    await eventually(
      () => text(program.get('/rpc/where_stable')),
      (port) => port === ports.replica,
    );
    expect(await text(program.get('/rpc/where_volatile'))).toBe(ports.primary);
    expect(await text(post('/rpc/where_stable', '{}', 'return=minimal'))).toBe(ports.primary);
    const strong = await program.get('/here', { Prefer: 'consistency=strong' });
    expect(JSON.parse(strong.text)[0].port).toBe(ports.primary);
    expect(strong.headers['preference-applied']).toBe('consistency=strong');
    await eventually(
      () => metric('svrst_replica_usable'),
      (usable) => usable === 1,
    );
    expect(await metric('svrst_replica_reads_total')).toBeGreaterThan(0);
  });

  test('shows a write to who brings its token, and a new table to everybody, while the replica lags', async () => {
    await on(cluster.replica, 'alter system set recovery_min_apply_delay = 30000');
    await on(cluster.replica, 'select pg_reload_conf()');
    const plain = await post('/notes', '{"id": 0, "word": "late"}', 'return=minimal');
    expect(plain.headers['consistency-token']).toBeUndefined();
    let id = 0;
    let written = plain;
    // The replica reads its setting when it comes to it.
    await eventually(
      async () => {
        id += 1;
        written = await post('/notes', `{"id": ${id}, "word": "late"}`, 'return=minimal, consistency=session');
        return program.get(`/notes?id=eq.${id}`, { Prefer: 'consistency=session' });
      },
      ({ text }) => text === '[]',
    );
    expect(written.headers['preference-applied']).toBe('return=minimal, consistency=session');
    const token = String(written.headers['consistency-token']);
    const own = `/notes?id=eq.${id}`;
    const seen = await program.get(own, { Prefer: 'consistency=session', 'Consistency-Token': token });
    expect(JSON.parse(seen.text)).toEqual([{ id, word: 'late' }]);
    const unread = await program.get(own, { 'Consistency-Token': 'who knows' });
    expect(JSON.parse(unread.text)).toHaveLength(1);

    const before = program.err().length;
    await on(
      cluster.primary,
      `create table api.fresh as select 1 as id; grant select on api.fresh to ${ROLES[0]}; notify pgrst, 'reload schema'`,
    );
    await program.told('Schema cache loaded', before);
    expect(JSON.parse((await program.get('/fresh')).text)).toEqual([{ id: 1 }]);
    await on(cluster.replica, 'alter system reset recovery_min_apply_delay');
    await on(cluster.replica, 'select pg_reload_conf()');
    await readsFrom('replica');
    const later = await eventually(
      () => program.get('/rpc/where_stable', { 'Consistency-Token': token }),
      ({ text }) => text === String(ports.replica),
    );
    expect(later.status).toBe(200);
  });

  test('leaves a replica out whose replay is paused, and one that says nothing', async () => {
    await on(cluster.replica, 'select pg_wal_replay_pause()');
    await readsFrom('primary');
    await on(cluster.replica, 'select pg_wal_replay_resume()');
    await readsFrom('replica');
    const before = program.err().length;
    cluster.freezeReplica('SIGSTOP');
    try {
      await program.told(/Reads do not go to the replica at \S+: it does not answer/, before);
      expect(await portOf()).toBe(ports.primary);
    } finally {
      cluster.freezeReplica('SIGCONT');
    }
    await readsFrom('replica');
  });

  test('answers on the primary what waits for a lock of the replica', async () => {
    await on(cluster.replica, 'alter system set max_standby_streaming_delay = -1');
    await on(cluster.replica, 'select pg_reload_conf()');
    const reader = new pg.Client({ connectionString: cluster.replica });
    await reader.connect();
    try {
      await reader.query('begin');
      await reader.query('select from api.notes');
      // The log waits for the reader, and whoever comes later waits behind the log.
      await on(cluster.primary, 'begin; lock api.notes in access exclusive mode; select pg_current_xact_id(); commit');
      await eventually(
        async () =>
          (await reader.query(`select from pg_locks where mode = 'AccessExclusiveLock' and not granted`)).rowCount,
        (waiting) => waiting === 1,
      );
      expect(await program.get('/notes?limit=0')).toMatchObject({ status: 200, text: '[]' });
    } finally {
      await reader.end();
      await on(cluster.replica, 'alter system reset max_standby_streaming_delay');
      await on(cluster.replica, 'select pg_reload_conf()');
    }
    await readsFrom('replica');
  });

  test('answers visitors of a portal and its map services on the replica, and accounts by what was acknowledged', async () => {
    const portal = await startPortal();
    const admin = { Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
    const json = { ...admin, 'Content-Type': 'application/json' };
    const reads = (): Promise<number> => metric('svrst_replica_reads_total', portal.program);
    const titleFor = async (headers: Settings = {}): Promise<string | undefined> => {
      const { text } = await ask(portal.url, '/api/v2/layers/?include[]=title', { headers });
      return JSON.parse(text).layers[0]?.title;
    };
    try {
      const body = { title: 'Wells', name: 'wells', columns: [{ name: 'depth', type: 'integer' }], geometry: 'point' };
      const made = await ask(portal.url, NEW_LAYER, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({
          ...body,
          permissions: { users: { AnonymousUser: ['view_resourcebase', 'download_resourcebase'] } },
        }),
      });
      expect(made.status, made.text).toBe(201);
      const { pk } = JSON.parse(made.text).layer;
      const rename = async (title: string): Promise<void> => {
        const renamed = await ask(portal.url, `/api/v2/layers/${pk}/`, {
          method: 'PATCH',
          headers: json,
          body: JSON.stringify({ title }),
        });
        expect(renamed.status, renamed.text).toBe(200);
      };
      // What was acknowledged is there for who has signed in, wherever it is read.
      expect(await titleFor(admin)).toBe('Wells');
      // Where the machine is busy, the replica may not have the portal's database yet, and the primary answers.
      const before = await eventually(
        async () => {
          expect(await titleFor()).toBe('Wells');
          return reads();
        },
        (n) => n > 0,
      );
      await eventually(
        async () => {
          expect(await ask(portal.url, '/ogc/collections/wells/items?f=json')).toMatchObject({ status: 200 });
          expect(await ask(portal.url, '/tiles/wells/0/0/0.pbf')).toMatchObject({ status: expect.any(Number) });
          return reads();
        },
        (n) => n > before,
      );

      await on(cluster.replica, 'alter system set recovery_min_apply_delay = 30000');
      await on(cluster.replica, 'select pg_reload_conf()');
      let n = 0;
      // The replica reads its setting when it comes to it.
      await eventually(
        async () => {
          n += 1;
          await rename(`Wells ${n}`);
          expect(await titleFor(admin)).toBe(`Wells ${n}`);
          return titleFor();
        },
        (title) => title !== `Wells ${n}`,
      );
      await cluster.killReplica();
      expect(await titleFor()).toBe(`Wells ${n}`);
    } finally {
      await portal.program.stop();
      await cluster.startReplica();
      await on(cluster.replica, 'alter system reset recovery_min_apply_delay');
      await on(cluster.replica, 'select pg_reload_conf()');
    }
    await readsFrom('replica');
  }, 300_000);

  async function startPortal(): Promise<{ readonly program: Program; readonly url: string }> {
    // Left by an attempt that failed.
    await on(cluster.primary, 'drop database if exists portal with (force)');
    await on(cluster.primary, 'create database portal');
    const at = (uri: string): string => Object.assign(new URL(uri), { pathname: '/portal' }).href;
    const settings = {
      'db-uri': at(cluster.primary),
      'db-replica-uris': at(cluster.replica),
      'db-replica-max-lag': '600',
      // Its layers would stand before the one that is looked for.
      demo: 'false',
      'data-dir': folder ?? '',
      'admin-password': PASSWORD,
      'portal-host': '127.0.0.1',
      'portal-port': '0',
      'server-host': '127.0.0.1',
      'server-port': '0',
      'admin-server-port': '0',
    };
    const started = start(['portal'], environment(settings));
    await started.told('Admin server listens on');
    const url = /Portal listens on ([^\s"]+)/.exec(started.err())?.[1] ?? '';
    return { program: started, url };
  }

  test('fails no request when the replica is killed under load, and lends nobody another role', async () => {
    let isOver = false;
    const wrong: unknown[] = [];
    const seen = new Set<number>();
    let answered = 0;
    const load = ROLES.flatMap((role) => [role, role]).map(async (role, at) => {
      const Authorization = `Bearer ${tokenFor({ role, sub: `${role} ${at}` })}`;
      while (!isOver) {
        const { status, text } = await program.get('/here', { Authorization });
        const row = status === 200 ? JSON.parse(text)[0] : undefined;
        answered += 1;
        seen.add(row?.port);
        if (row?.role !== role || row?.sub !== `${role} ${at}`) wrong.push(text);
      }
    });
    const more = (): Promise<number> => {
      const from = answered;
      return eventually(
        async () => answered,
        (now) => now > from + 100,
      );
    };
    await more();
    await cluster.killReplica();
    await more();
    expect(await portOf()).toBe(ports.primary);
    await cluster.startReplica();
    await readsFrom('replica');
    await more();
    isOver = true;
    await Promise.all(load);
    expect(wrong).toEqual([]);
    expect([...seen].sort()).toEqual([ports.primary, ports.replica].sort());
    // Nobody's settings are left on the connections that the requests used.
    expect((await program.get('/here')).text).toContain(`"role":"${ROLES[0]}","sub":null`);
  });

  test('follows the setting while it runs, and reads from no server that is not its replica', async () => {
    nameReplicas();
    program.child.kill('SIGUSR2');
    await readsFrom('primary');
    const before = program.err().length;
    nameReplicas(asLogin(cluster.primary), asLogin(cluster.replica));
    program.child.kill('SIGUSR2');
    await program.told('it is no replica', before);
    await readsFrom('replica');
  });
});
