// How live streams end, or go on: tokens, grants, schemas, lost connections, slow clients, and over HTTP.

import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { attachPlainFront } from '../../../src/http/plain/plain-front.ts';
import { restListener } from '../../../src/rest/edge/listener.ts';
import { AUTHENTICATOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { askLive, LiveClient, type LiveOptions, listenTo } from '../../testkit/live-client.ts';
import { onEachWay } from '../../testkit/live-ways.ts';
import { openRest } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';

const FIXTURE = `
create schema live;
create table live.place (id integer primary key, name text not null, town text);
create table live.passing (id integer primary key, name text);
create table live.taken (id integer primary key);
create table live.withdrawn (id integer primary key);
create table live.signed_out (sub text primary key);
create function live.check_token() returns void language plpgsql security definer as $$ begin
  if exists (select 1 from live.signed_out s where s.sub = current_setting('request.jwt.claims', true)::json ->> 'sub') then
    raise exception 'signed out' using errcode = 'SV303';
  end if;
end $$;
create function live.who() returns json language sql stable as
  $$ select json_build_array(current_user, current_setting('request.jwt.claims', true)) $$;
insert into live.place values (1, 'Mill', 'Ulm');
grant usage on schema live to rest_anon, rest_author, ${AUTHENTICATOR};
grant select on live.place, live.passing, live.taken, live.withdrawn to rest_anon, rest_author;
`;
const TABLES = ['live.place', 'live.passing', 'live.taken', 'live.withdrawn'];

onEachWay('a live stream', { fixtures: REST_FIXTURE }, (db, way) => {
  beforeAll(() => db().script(FIXTURE + way.follow(TABLES)));
  const rest = useRest(db, {
    'db-schemas': 'live',
    'db-token-check': 'live.check_token',
    'live-recheck': '1',
    'live-heartbeat': '1',
    'live-max-queue': '20000',
    'live-max-streams': '8',
    'live-max-rows-total': '60',
    'server-compression-min-size': '10',
  });
  const open: LiveClient[] = [];
  const run = (sql: string): Promise<void> => db().script(sql);

  async function listen(target: string, options?: LiveOptions, before?: LiveClient): Promise<LiveClient> {
    const client = await listenTo(rest.client().service, target, options, before);
    open.push(client);
    return client;
  }

  async function reasonOf(client: LiveClient): Promise<unknown> {
    await client.ended();
    expect(client.events.at(-1)?.name).toBe('end');
    return client.events.at(-1)?.data;
  }

  afterEach(async () => {
    const leaving = open.splice(0);
    for (const client of leaving) client.close();
    await Promise.all(leaving.map((client) => client.ended()));
  });

  describe('ends with the reason', () => {
    test('when its token expires', async () => {
      // What is taken for half a minute longer than it says ends in two or three seconds, by when the stream has begun.
      const exp = Math.ceil(Date.now() / 1000) - 28;
      const client = await listen('/place', { claims: { role: 'rest_author', exp } });
      expect(await reasonOf(client)).toMatchObject({ code: 'SVRST303', message: 'JWT expired' });
    });

    test('when its caller signs out', async () => {
      const client = await listen('/place', { claims: { role: 'rest_author', sub: 'ada' } });
      await run(`insert into live.signed_out values ('ada')`);
      expect(await reasonOf(client)).toMatchObject({ code: 'SVRST303' });
    });

    test('when its grant is taken away', async () => {
      const client = await listen('/taken');
      await run('revoke select on live.taken from rest_anon');
      expect(await reasonOf(client)).toMatchObject({ code: '42501' });
    });

    test('when the table is no longer followed', async () => {
      const client = await listen('/withdrawn');
      await run(way.release(['live.withdrawn']));
      expect(await reasonOf(client)).toMatchObject({ code: 'SVRST187', details: 'live.withdrawn' });
    });

    test('when what it asks for is no longer there', async () => {
      const [column, table] = [await listen('/passing?select=name'), await listen('/passing?select=id')];
      await run('alter table live.passing drop column name');
      await rest.client().service.reloadSchema();
      expect(await reasonOf(column)).toMatchObject({ code: '42703' });
      await run('drop table live.passing');
      await rest.client().service.reloadSchema();
      expect(await reasonOf(table)).toMatchObject({ code: expect.stringMatching(/^(SVRST205|42P01)$/) });
    });
  });

  test('tells rows anew that have another column since the schema was loaded again', async () => {
    const client = await listen('/place?id=eq.1');
    await run(`alter table live.place add column height integer default 7`);
    await rest.client().service.reloadSchema();
    await client.until(({ rows }) => JSON.stringify([...rows.values()]).includes('"height":7'));
    expect(client.names().slice(3)).toEqual(['row']);
    await run(`alter table live.place drop column height`);
    await rest.client().service.reloadSchema();
  });

  test('is refused where there are too many already', async () => {
    for (let i = 0; i < 8; i++) await listen(`/place?id=eq.${i}`);
    const reply = await askLive(rest.client().service, '/place');
    expect([reply.status, JSON.parse(String(reply.body))]).toMatchObject([503, { code: 'SVRST189' }]);
  });

  test('leaves no more behind than those who stay, whatever was asked before', async () => {
    for (let i = 0; i < 12; i++) {
      const client = await listen(`/place?id=eq.${1000 + i}`);
      client.close();
      await client.ended();
    }
    const now = rest.client().seen.findLast((one) => one.kind === 'live-now');
    expect(now?.kind === 'live-now' && now.groups).toBeLessThanOrEqual(8);
  });

  test('is refused where all streams together would have too many rows, those aside that nobody listens to', async () => {
    await run(`insert into live.place select n, 'x' from generate_series(400, 439) n`);
    const first = await listen('/place?id=gte.400');
    const reply = await askLive(rest.client().service, '/place?id=gte.401');
    expect([reply.status, JSON.parse(String(reply.body))]).toMatchObject([
      400,
      { code: 'SVRST188', details: 'live-max-rows-total allows 60.' },
    ]);
    first.close();
    await first.ended();
    expect((await listen('/place?id=gte.402')).rows.size).toBe(38);
    await run(`delete from live.place where id >= 400`);
  });

  test('is not begun where reading it would cost too much', async () => {
    const careful = await openRest(db(), { 'db-schemas': 'live', 'db-max-cost': '1' });
    const reply = await askLive(careful.service, '/place');
    expect([reply.status, JSON.parse(String(reply.body))]).toMatchObject([400, { code: 'SVRST192' }]);
    await careful.close();
  });

  test('drops a client that does not read, which comes back and continues', async () => {
    const client = await listen('/place');
    const watcher = await listen('/place');
    client.pause();
    const text = 'x'.repeat(9000);
    for (let i = 100; i < 104; i++) await run(`insert into live.place values (${i}, '${text}')`);
    await client.ended();
    await watcher.until(({ rows }) => rows.size === 5);
    const again = await listen('/place', {}, client);
    expect(again.names()).not.toContain('reset');
    expect(again.rows).toEqual(watcher.rows);
    await run('delete from live.place where id >= 100');
    await again.until(({ rows }) => rows.size === 1);
  });

  test('leaves nothing of its caller on a connection', async () => {
    const client = await listen('/place', { claims: { role: 'rest_author', sub: 'eve' } });
    await run(`update live.place set town = 'Bonn' where id = 1`);
    await client.until((one) => JSON.stringify(one.values()).includes('Bonn'));
    for (let i = 0; i < 8; i++) {
      const { body } = await rest.get('/rpc/who');
      expect(JSON.parse(String(body))).toEqual(['rest_anon', '{"role":"rest_anon"}']);
    }
    const { driver } = db();
    const executed = await driver.execute([
      { text: `select current_user, current_setting('request.jwt.claims', true)`, params: [] },
    ]);
    expect(
      JSON.stringify(executed.ok ? executed.value[0]?.rows.map((row) => row.map(String)) : executed),
    ).not.toContain('eve');
  });

  test('goes on when the connections of the service are cut', async (context) => {
    if (db().engine === 'pglite') return context.skip('it has one connection, in this process');
    const client = await listen('/place');
    for (let i = 200; i < 203; i++) {
      await run(`select pg_terminate_backend(pid) from pg_stat_activity
        where usename = '${AUTHENTICATOR}' and datname = current_database()`);
      await run(`insert into live.place values (${i}, 'after')`);
      await client.until(({ rows }) => rows.has(`{"id":${i}}`));
    }
    await run('delete from live.place where id >= 200');
    await client.until(({ rows }) => rows.size === 1);
  });

  describe('over HTTP', () => {
    const servers: Server[] = [];
    const ports: Record<'plain' | 'node', number> = { plain: 0, node: 0 };
    beforeAll(async () => {
      const { service } = rest.client();
      for (const way of ['plain', 'node'] as const) {
        const server = createServer(restListener(service));
        const handle = service.answer.bind(service);
        const idle = { idleMs: 60_000, stalledMs: 60_000 };
        if (way === 'plain') attachPlainFront(server, { handle, onFailure: service.failed, ...idle });
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        ports[way] = (server.address() as AddressInfo).port;
        servers.push(server);
      }
    });
    afterAll(async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    });

    test.each(['plain', 'node'] as const)(
      'is an answer without end that leaves at once, by the %s way',
      async (way) => {
        const headers = { accept: 'text/event-stream', 'accept-encoding': 'gzip, br' };
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          get({ host: '127.0.0.1', port: ports[way], path: '/rest/v1/place', headers, agent: false }, resolve).on(
            'error',
            reject,
          );
        });
        expect(response.headers).toMatchObject({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'transfer-encoding': 'chunked',
        });
        expect(response.headers['content-encoding']).toBeUndefined();
        const client = new LiveClient(response);
        open.push(client);
        await client.until(({ rows }) => rows.size === 1);
        await run(`insert into live.place values (300, '${way}')`);
        await client.until(({ rows }) => rows.has('{"id":300}'));
        await run('delete from live.place where id = 300');
        await client.until(({ rows }) => rows.size === 1);
        client.close();
      },
    );

    test('is not there for HTTP/1.0, in a batch, or where it is switched off', async () => {
      const http = {
        method: 'GET',
        path: '/place',
        query: '',
        headers: { accept: 'text/event-stream' },
        body: Buffer.of(),
      };
      const old = await rest
        .client()
        .service.answer(http, { signal: undefined, remoteAddress: undefined, httpVersion: '1.0' });
      expect(old.status).toBe(406);
      const batch = [{ method: 'GET', path: '/place', headers: { accept: 'text/event-stream' } }];
      expect((await rest.post('/batch', batch)).status).toBe(400);
      expect((await rest.head('/place', { accept: 'text/event-stream' })).status).toBe(200);
      const off = await openRest(db(), { 'db-schemas': 'live', 'db-live': 'off' });
      expect((await off.get('/place', { accept: 'text/event-stream' })).status).toBe(406);
      await off.close();
    });
  });

  test('ends with the service, which tells when to come back', async () => {
    const own = await openRest(db(), { 'db-schemas': 'live', 'live-recheck': '1' });
    const client = await listenTo(own.service, '/place');
    await own.service.endStreams();
    expect(await reasonOf(client)).toMatchObject({ code: 'SVRST189' });
    expect((await askLive(own.service, '/place')).status).toBe(503);
    await own.close();
  });
});
