// Whatever stands wherever in a request: an answer that the interface knows, never a fault of ours, and nothing in the
// database is other than before.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostile, POSITIONS, type Shot, written } from '../../attacks/hostile-requests.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

const KNOWN = new Set([200, 206, 300, 400, 401, 403, 404, 405, 406, 415, 416]);

onEachEngine('hostile requests', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db, { 'db-aggregates-enabled': 'true', 'db-plan-enabled': 'true', 'db-max-rows': '50' });
  let before: unknown;
  const state = (): Promise<unknown> =>
    db().query(`
      select (select json_agg(c order by id) from test.canary c) as canary, (select count(*) from test.items) as items,
             (select count(*) from pg_class where relnamespace = 'test'::regnamespace) as relations,
             (select count(*) from pg_proc where pronamespace = 'test'::regnamespace) as functions,
             (select count(*) from pg_roles where rolname like 'rest%') as roles`);

  beforeAll(async () => {
    await db().script(`
      create table test.canary (id integer primary key, song text);
      insert into test.canary values (1, 'alive'), (2, 'and singing');
      grant all on test.canary to rest_anon, rest_author, rest_reader`);
    await rest.client().service.reloadSchema();
    before = await state();
  });
  afterAll(async () => {
    expect(await state()).toEqual(before);
  });

  function expectKnown(reply: Reply, shot: Shot): void {
    const what = `${JSON.stringify(shot)} → ${reply.status} ${textOf(reply.body).slice(0, 300)}`;
    expect(KNOWN.has(reply.status), what).toBe(true);
    for (const [name, value] of Object.entries(reply.headers)) {
      expect([value].flat().join(), `${name} in ${what}`).toMatch(/^[\t\x20-\x7e\x80-\uffff]*$/);
    }
    if (reply.status < 300 || shot.method === 'HEAD') return;
    const answer = JSON.parse(textOf(reply.body)) as Record<string, unknown> | readonly { readonly status: number }[];
    if (Array.isArray(answer)) {
      // A batch: one answer for each of its requests.
      for (const { status } of answer) expect(status === 424 || KNOWN.has(status), what).toBe(true);
      return;
    }
    const body = answer as Record<string, unknown>;
    expect(Object.keys(body), what).toEqual(['code', 'details', 'hint', 'message']);
    expect(headerOf(reply, 'proxy-status'), what).toBe(`Survest; error=${String(body['code'])}`);
    expect(headerOf(reply, 'content-length'), what).toBe(String(reply.body.length));
    // What we are made of is nobody's business.
    expect(textOf(reply.body)).not.toMatch(/node_modules|at .*\.ts:\d|survest_source|_survest_t|swordfish|opensesame/);
  }

  describe('in every position', () => {
    test.each(Object.entries(POSITIONS))('%s', async (_, position) => {
      await fc.assert(
        fc.asyncProperty(hostile, fc.boolean(), async (text, encoded) => {
          const isInTarget = position('\u0001').target.includes('\u0001');
          const shot = position(isInTarget ? written(text, encoded) : text);
          const { method, target, ...sent } = shot;
          expectKnown(await rest.request(method, target, sent), shot);
        }),
        { numRuns: 40 },
      );
    });
  });

  test('in all of them at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 8, maxLength: 8 }), async (texts) => {
        const [a, b, c, d, e, f, g, h] = texts.map((text) => written(text, true));
        const shot: Shot = {
          method: 'GET',
          target: `/clients?select=id,"${a}":projects!left(id,"${b}":tasks(id))&projects.name=eq.${c}&or=(name.eq."${d}",id.in.(1,${e}))&order=id&limit=${f}&${g}=${h}`,
          headers: { prefer: texts[0] ?? '', accept: `application/json, ${texts[1]}`, range: texts[2] ?? '' },
        };
        expectKnown(await rest.request(shot.method, shot.target, { headers: shot.headers }), shot);
      }),
      { numRuns: 100 },
    );
  });

  describe('by name', () => {
    test.each([
      '/canary?select=id;delete from test.canary',
      "/canary?select=id&id=eq.1'; delete from test.canary; --",
      '/canary?select=id::text); delete from test.canary; --',
      '/canary?order=id;delete from test.canary',
      '/canary?id=in.(1);delete from test.canary',
      "/canary?song=fts(english'); delete from test.canary; --).x",
      '/canary"; delete from test.canary; --',
      '/rpc/delete_items?below=100',
      '/rpc/callcounter',
    ])('%s', async (target) => {
      const shot: Shot = { method: 'GET', target, headers: {} };
      expectKnown(await rest.get(target), shot);
      expect(await state()).toEqual(before);
    });

    test('a NUL is refused, wherever a value goes', async () => {
      for (const target of [
        '/villagers?first_name=eq.%00',
        '/villagers?first_name=in.(a,%00)',
        '/rpc/sayhello?name=%00',
      ]) {
        expect(await rest.get(target)).toMatchReply({ status: 400, json: expect.objectContaining({ code: '22021' }) });
      }
      expect(await rest.get('/villagers?%00=eq.1')).toMatchReply({ status: 400 });
      expect(await rest.get('/clients?select=%22a%00b%22')).toMatchReply({ status: 400 });
      expect(await rest.get('/%00')).toMatchReply({ status: 404 });
    });

    test('a secret that may not be seen is not reached by any road', async () => {
      for (const target of [
        '/villagers?select=id&order=(select secret from test.authors_only)',
        '/villagers?select=secret:(select secret from test.authors_only)',
        '/villagers?first_name=eq.(select secret from test.authors_only)',
        '/villagers?select=id,authors_only(secret)',
        '/villagers?or=(id.eq.1,id.in.(select 1))',
      ]) {
        const reply = await rest.get(target);
        expect(textOf(reply.body)).not.toContain('opensesame');
      }
    });

    test('a very long request', async () => {
      const list = Array.from({ length: 20_000 }, (_, i) => i).join();
      expect(await rest.get(`/items?id=in.(${list})&order=id&limit=1`)).toMatchReply({
        status: 200,
        json: [{ id: 1 }],
      });
      const many = Array.from({ length: 500 }, (_, i) => `id=neq.${i + 100}`).join('&');
      expect(await rest.get(`/items?${many}&order=id&limit=1`)).toMatchReply({ status: 200, json: [{ id: 1 }] });
      const groups = `${'not.and(id.gt.0,'.repeat(90)}id.eq.1${')'.repeat(90)}`;
      expect(await rest.get(`/items?and=(${groups})`)).toMatchReply({ status: 200 });
      const deeper = `${'and(id.gt.0,'.repeat(2000)}id.eq.1${')'.repeat(2000)}`;
      expect(await rest.get(`/items?and=(${deeper})`)).toMatchReply({
        status: 400,
        json: problem('SVRST100', expect.any(String), 'unexpected more than 100 levels of nesting'),
      });
    });

    test('a very wide select', async () => {
      const columns = Array.from({ length: 1600 }, (_, i) => `c${i}:id`).join();
      expect(await rest.get(`/items?id=eq.1&select=${columns}`)).toMatchReply({ status: 200 });
      const wider = Array.from({ length: 2000 }, (_, i) => `c${i}:id`).join();
      // PostgreSQL's own limit on columns, which it puts among the things that are too complex.
      expect(await rest.get(`/items?id=eq.1&select=${wider}`)).toMatchReply({
        status: 500,
        json: expect.objectContaining({ code: expect.stringMatching(/^54/) }),
      });
    });

    test('many embeds', async () => {
      const embeds = Array.from({ length: 40 }, (_, i) => `e${i}:clients(id)`).join();
      expect(await rest.get(`/projects?id=eq.1&select=id,${embeds}`)).toMatchReply({ status: 200 });
    });
  });
});
