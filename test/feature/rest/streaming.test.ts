// Answers too large to be held leave as their rows come: the same bytes, whoever asks and by whichever way; cut off where something goes
// wrong; and nothing of their caller stays on the connection.

import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachPlainFront } from '../../../src/http/plain/plain-front.ts';
import type { Observation } from '../../../src/kernel/observation.ts';
import { restListener } from '../../../src/rest/edge/listener.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';

/** More than are held. */
const ROWS = 6000;

const FIXTURE = `
set search_path to postgis, public;
create view test.streamed as select n as id, n * 1.5 as value, 'row "' || n || '"' as name, case when n % 3 = 0 then 1 end as third,
  current_user::text as who from generate_series(1, ${ROWS}) n;
create view test.streamed_lists as select n as id, array[n, n] as list from generate_series(1, ${ROWS}) n;
create view test.streamed_places as select n as id, ST_SetSRID(ST_MakePoint(n % 90, 1), 4326) as geom from generate_series(1, ${ROWS}) n;
create view test.streamed_trouble as select n as id, 1 / (5900 - n) as value from generate_series(1, ${ROWS}) n;
create view test.streamed_endlessly as select n as id, repeat('x', 1000) as body from
  (select a * 10000 + b as n from generate_series(1, 10000) a, generate_series(1, 10000) b) s;
create table test.streamed_kept (id int primary key, body text);
insert into test.streamed_kept select n, 'kept ' || n from generate_series(1, 12000) n;
create function test.streamed_by(low int) returns setof test.streamed language sql stable as $$ select * from test.streamed where id > low $$;
create function test.who_am_i() returns json language sql stable as
  $$ select json_build_array(current_user, current_setting('request.jwt.claims', true)) $$;
grant select on test.streamed, test.streamed_lists, test.streamed_places, test.streamed_trouble, test.streamed_endlessly, test.streamed_kept to rest_anon, rest_author;
grant execute on function test.who_am_i(), test.streamed_by(int) to rest_anon, rest_author;
`;

type Answer = { readonly response: IncomingMessage; readonly body: Buffer };

onEachEngine('a large answer', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(FIXTURE));
  const rest = useRest(db, { 'server-compression-min-size': '1000' });
  const servers: Server[] = [];
  const port = { plain: 0, node: 0 };
  beforeAll(async () => {
    const { service } = rest.client();
    for (const way of ['plain', 'node'] as const) {
      const server = createServer(restListener(service));
      if (way === 'plain') {
        const handle = service.answer.bind(service);
        attachPlainFront(server, {
          handle,
          onFailure: service.failed,
          idleMs: 60_000,
          stalledMs: 60_000,
        });
      }
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      port[way] = (server.address() as AddressInfo).port;
      servers.push(server);
    }
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  function open(
    target: string,
    headers: Record<string, string> = {},
    way: keyof typeof port = 'plain',
    agent: Agent | false = false,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: port[way], path: target, headers, agent }, resolve).on('error', reject);
    });
  }

  async function ask(
    target: string,
    headers: Record<string, string> = {},
    way: keyof typeof port = 'plain',
  ): Promise<Answer> {
    const response = await open(target, headers, way);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { response, body: Buffer.concat(chunks) };
  }

  async function text(sql: string): Promise<string> {
    const path = { text: 'set local search_path to postgis, public', params: [] };
    const executed = await db().driver.execute([path, { text: sql, params: [] }]);
    if (!executed.ok) throw new Error(JSON.stringify(executed.error));
    return executed.value[1]?.rows[0]?.[0]?.toString() ?? '';
  }

  const ends = (): readonly Extract<Observation, { kind: 'stream-ended' }>[] =>
    rest.client().seen.filter((one) => one.kind === 'stream-ended');

  /** Resolves when so many streams have ended. */
  async function ended(count: number): Promise<void> {
    while (ends().length < count) await new Promise((resolve) => setImmediate(resolve));
  }

  test.each(['plain', 'node'] as const)('is one of many on a connection that is kept (%s)', async (way) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const targets = ['/streamed?order=id', '/rpc/streamed_by?low=0', '/streamed_trouble', '/streamed?limit=2'];
    for (const target of Array.from({ length: 5 }).flatMap(() => targets)) {
      const response = await open(target, {}, way, agent);
      expect([target, response.statusCode]).toEqual([target, 200]);
      ports.add(response.socket.localPort);
      // What fails after it has begun is cut off, and so is its connection.
      await (target === '/streamed_trouble' ? response.toArray().catch(() => {}) : response.toArray());
    }
    // One at first, and one after each that was cut off.
    expect(ports.size).toBeLessThanOrEqual(6);
    agent.destroy();
  });

  describe('is the one that the database writes, also when it is asked for again', () => {
    const source = `select t.id, t.value, t.name, t.third from test.streamed as t order by t.id`;
    test.each([
      [
        'application/json',
        '/streamed?select=id,value,name,third&order=id',
        `select json_agg(t.*) from (${source}) as t`,
      ],
      [
        'application/x-ndjson',
        '/streamed?select=id,value,name,third&order=id',
        `select string_agg(row_to_json(t.*) || E'\\n', '') from (${source}) as t`,
      ],
      [
        'application/vnd.pgrst.array+json;nulls=stripped',
        '/streamed?select=id,value,name,third&order=id',
        `select json_strip_nulls(json_agg(t.*)) from (${source}) as t`,
      ],
      [
        'text/csv',
        '/streamed?select=id,value,name,third&order=id',
        `select 'id,value,name,third' || string_agg(E'\\n' || substring(t::text, 2, length(t::text) - 2), '') from (${source}) as t`,
      ],
      [
        'application/json',
        '/streamed_lists?order=id',
        'select json_agg(t.*) from (select * from test.streamed_lists order by id) as t',
      ],
      [
        'application/geo+json',
        '/streamed_places?order=id',
        `select json_build_object('type', 'FeatureCollection', 'features', json_agg(ST_AsGeoJSON(t.*)::json)) from (select * from test.streamed_places order by id) as t`,
      ],
      [
        'application/geo+json-seq',
        '/streamed_places?order=id',
        `select string_agg(E'\\x1e' || ST_AsGeoJSON(t.*) || E'\\n', '') from (select * from test.streamed_places order by id) as t`,
      ],
    ])('%s of %s', async (accept, target, sql) => {
      const expected = await text(sql);
      for (const way of ['plain', 'plain', 'node'] as const) {
        const { response, body } = await ask(target, { Accept: accept }, way);
        expect(response.statusCode).toBe(200);
        expect(body.toString()).toBe(expected);
        expect(response.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-range': '0-*/*' });
        expect(response.headers['content-length']).toBeUndefined();
        expect(response.headers.etag).toBeUndefined();
      }
    });

    test('compressed', async () => {
      const plain = await ask('/streamed?order=id');
      const { response, body } = await ask('/streamed?order=id', { 'Accept-Encoding': 'gzip' });
      expect(response.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(body).equals(plain.body)).toBe(true);
    });
  });

  test('has its count and range where they are asked for', async () => {
    const exact = { Prefer: 'count=exact' };
    expect((await ask('/streamed?order=id', exact)).response.headers['content-range']).toBe(`0-${ROWS - 1}/${ROWS}`);
    const page = await ask('/streamed_kept?order=id&limit=5500&offset=10', exact);
    expect(page.response.statusCode).toBe(206);
    expect(page.response.headers['content-range']).toBe('10-5509/12000');
    expect(page.response.headers['link']).toContain('offset=5510&order=id>; rel="next"');
    expect(JSON.parse(page.body.toString())).toHaveLength(5500);
    expect((await ask('/streamed_kept?order=id&limit=5500', {})).response.headers['content-range']).toBe('0-*/*');
  });

  test('is held, tagged and measured when it turns out to be small', async () => {
    const large = await ask('/streamed_kept?id=lte.12000');
    expect(large.response.headers['transfer-encoding']).toBe('chunked');
    for (const again of [1, 2]) {
      const small = await ask(`/streamed_kept?id=lte.${again}`);
      expect(small.response.headers).toMatchObject({
        'content-range': `0-${again - 1}/*`,
        'content-length': String(small.body.length),
      });
      expect(small.response.headers.etag).toBeDefined();
    }
    expect(JSON.parse((await ask('/streamed_kept?id=lte.5000')).body.toString())).toHaveLength(5000);
  });

  test('is answered with its error where the first rows fail, and cut off where later ones do', async () => {
    expect((await ask('/streamed_trouble?id=gte.5850')).response.statusCode).toBe(400);
    expect(JSON.parse((await ask('/streamed_trouble?id=neq.5900')).body.toString())).toHaveLength(ROWS - 1);
    for (const way of ['plain', 'node'] as const) {
      const before = ends().length;
      await expect(ask('/streamed_trouble?id=neq.1', {}, way)).rejects.toThrow('aborted');
      await ended(before + 1);
      expect(ends().at(-1)).toMatchObject({ how: 'failed', target: '/streamed_trouble', message: 'division by zero' });
    }
  });

  test('in the older version of HTTP comes whole, with its length', async () => {
    const { service } = rest.client();
    const http = { method: 'GET', path: '/streamed', query: 'order=id', headers: {}, body: new Uint8Array() };
    const reply = await service.answer(http, { signal: undefined, remoteAddress: undefined, httpVersion: '1.0' });
    expect(reply.stream).toBeUndefined();
    expect(JSON.parse(String(reply.body))).toHaveLength(ROWS);
  });

  test('leaves nothing of its caller behind, be it read to its end or not', async () => {
    const author = { Authorization: `Bearer ${tokenFor({ role: 'rest_author' })}` };
    const nobody = await ask('/rpc/who_am_i');
    // The second is a stream from its first row on.
    const whole = [
      await ask('/streamed?select=id,who&order=id', author),
      await ask('/streamed?select=id,who&order=id', author),
    ];
    for (const { body } of whole)
      expect(new Set(JSON.parse(body.toString()).map(({ who }: { who: string }) => who))).toEqual(
        new Set(['rest_author']),
      );
    expect((await ask('/rpc/who_am_i')).body).toEqual(nobody.body);
    const before = ends().length;
    for (let i = 0; i < 6; i++) {
      const response = await open(i % 2 === 0 ? '/streamed_kept?order=id' : '/streamed_kept?order=id.desc', author);
      await new Promise((resolve) => response.once('data', resolve));
      response.destroy();
      expect((await ask('/rpc/who_am_i')).body).toEqual(nobody.body);
    }
    await ended(before + 6);
    for (let i = 0; i < 8; i++) expect((await ask('/rpc/who_am_i')).body).toEqual(nobody.body);
  });
});

onEachEngine('a large answer of a server', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  beforeAll(() => db().script(FIXTURE));
  const rest = useRest(db);

  test('is cut off when its backend is killed, and stops the backend when its client leaves', async () => {
    const { service, seen } = rest.client();
    const http = { method: 'GET', path: '/streamed_endlessly', query: '', headers: {}, body: new Uint8Array() };
    const begin = async () => {
      const reply = await service.answer(http, { signal: undefined, remoteAddress: undefined, httpVersion: '1.1' });
      if (reply.stream === undefined) throw new Error('it should be a stream');
      return reply.stream;
    };
    const busy = (): Promise<readonly unknown[]> =>
      db().query(
        `select pid from pg_stat_activity where datname = current_database() and query like 'fetch forward%' and state <> 'idle'`,
      );
    const killed = await begin();
    const failed = new Promise((resolve) => killed.once('error', resolve));
    killed.resume();
    const kill = (): Promise<readonly unknown[]> =>
      db().query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'fetch forward%'`,
      );
    while ((await kill()).length === 0);
    expect(await failed).toBeInstanceOf(Error);
    expect(seen.findLast(({ kind }) => kind === 'stream-ended')).toMatchObject({
      how: 'failed',
      target: '/streamed_endlessly',
    });
    const left = await begin();
    left.destroy();
    while ((await busy()).length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await rest.get('/streamed_kept?id=eq.1')).toMatchObject({ status: 200 });
    expect(seen.findLast(({ kind }) => kind === 'stream-ended')).toMatchObject({ how: 'client-left' });
  });
});

onEachEngine('a request whose connection the server ends', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  beforeAll(() =>
    db().script(`create table test.ended (id int primary key); insert into test.ended values (1);
      grant select, insert on test.ended to rest_anon`),
  );
  const rest = useRest(db);

  /** Ends the backend that waits for the lock which this one holds meanwhile. */
  async function endWaiting(ask: () => Promise<Reply>): Promise<Reply> {
    const asked = await db().driver.hold(async (session) => {
      await session.script('begin; lock table test.ended');
      const answer = ask();
      const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      for (let ended = 0; ended === 0; ) {
        const executed = await session.execute([{ text: end, params: [] }]);
        ended = executed.ok ? (executed.value[0]?.rows.length ?? 0) : 0;
      }
      await session.script('rollback');
      return answer;
    });
    if (!asked.ok) throw new Error(asked.error.kind);
    return asked.value;
  }

  test('is asked once more where it only reads', async () => {
    expect(await endWaiting(() => rest.get('/ended'))).toMatchReply({ status: 200, json: [{ id: 1 }] });
  });

  test('is answered 503 with Retry-After where it writes, and nothing was written', async () => {
    const answered = await endWaiting(() => rest.post('/ended', { id: 2 }));
    expect(answered).toMatchReply({ status: 503, headers: { 'Retry-After': /^\d+$/ } });
    expect(await rest.get('/ended')).toMatchReply({ json: [{ id: 1 }] });
  });
});
