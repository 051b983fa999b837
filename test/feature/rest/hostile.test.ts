// Whatever stands wherever in a request: an answer that the interface knows, never a fault of ours, and nothing in the
// database is other than before.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

/** Pieces that mean something to SQL, to the URL syntax, to JSON, to regular expressions, to C. */
// biome-ignore format: a table of words
const PIECES = [
  "'", '"', '\\', '`', '$$', '$1', ';', '--', '/*', '*/', '\0', '\n', '\r', '\t', ' ', '%', '%00', '%2', '%zz', '+',
  '(', ')', '[', ']', '{', '}', ',', '.', ':', '::', '->', '->>', '!', '!inner', '...', '*', '=', '&', '#', '?', '|', '<', '>', '@', '~', '^',
  'null', 'not', 'not.', 'and', 'or', 'eq', 'eq.', 'in.', 'in.(', 'is.null', 'fts(', 'like.', 'any', 'count()', '.sum()', 'asc', 'desc.nullsfirst',
  'id', 'items', 'clients', 'projects', 'client_id', 'test', 'pg_catalog', 'pg_sleep(10)', 'canary', 'request.jwt.claims',
  "';drop table test.canary;--", '";drop table test.canary;--', ') or 1=1 --', "' union select secret from test.authors_only --",
  "E'\\''", 'U&"\\0061"', '\\x27', '#{7*7}', '{{7*7}}', '../', '..%2f', '<script>', '\u2028', '\ufeff', '\u202e', '\ud800', '\udfff', 'é', '用户', '😀',
  '0', '-1', '1e400', '99999999999999999999999', 'NaN', 'Infinity', '-0', '0x1', '__proto__', 'constructor', 'toString', 'a'.repeat(300),
];

const hostile = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

type Shot = { readonly method: string; readonly target: string; readonly headers: Readonly<Record<string, string>> };

/** As it stands, or as a client would write it; lone surrogates have no other form than as they stand. */
const written = (text: string, encoded: boolean): string => {
  if (!encoded) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
};

const query =
  (make: (text: string) => string) =>
  (text: string): Shot => ({ method: 'GET', target: make(text), headers: {} });
const header =
  (name: string) =>
  (text: string): Shot => ({ method: 'GET', target: '/clients?select=id,projects(id)', headers: { [name]: text } });

const POSITIONS: Readonly<Record<string, (text: string) => Shot>> = {
  path: query((t) => `/${t}`),
  'function path': query((t) => `/rpc/${t}`),
  query: query((t) => `/items?${t}`),
  'query of an embed': query((t) => `/clients?select=id,projects(id)&${t}`),
  select: query((t) => `/clients?select=${t}`),
  'select after a column': query((t) => `/clients?select=id,${t}`),
  'column in an embed': query((t) => `/clients?select=id,projects(${t})`),
  'quoted column': query((t) => `/clients?select="${t}"`),
  alias: query((t) => `/clients?select=${t}:id`),
  'quoted alias': query((t) => `/clients?select="${t}":id,"${t}":projects(id)`),
  'alias of an embed': query((t) => `/clients?select=${t}:projects(id)`),
  cast: query((t) => `/clients?select=id::${t}`),
  'cast of an aggregate': query((t) => `/clients?select=id.sum()::${t}`),
  aggregate: query((t) => `/clients?select=id.${t}()`),
  'JSON path': query((t) => `/jsonb_test?select=data->${t}`),
  'quoted JSON key': query((t) => `/jsonb_test?select=data->>"${t}"&data->"${t}"=is.null&order=data->>"${t}"`),
  hint: query((t) => `/projects?select=clients!${t}(id)`),
  'quoted hint': query((t) => `/projects?select=clients!"${t}"(id)`),
  embed: query((t) => `/projects?select=${t}(id)`),
  spread: query((t) => `/projects?select=...${t}(id)`),
  'filter key': query((t) => `/villagers?${t}=eq.1`),
  'quoted filter key': query((t) => `/villagers?"${t}"=eq.1`),
  'filter key of an embed': query((t) => `/clients?select=projects(id)&projects.${t}=eq.1`),
  filter: query((t) => `/villagers?first_name=${t}`),
  'negated filter': query((t) => `/villagers?first_name=not.${t}`),
  operator: query((t) => `/villagers?first_name=${t}.x`),
  value: query((t) => `/villagers?first_name=eq.${t}`),
  'value of a number': query((t) => `/items?id=eq.${t}`),
  'value of a pattern': query((t) => `/villagers?first_name=like.${t}`),
  'value of a regular expression': query((t) => `/chores?name=match.${t}`),
  'value of an array': query((t) => `/complex_items?arr_data=cs.${t}`),
  'value of a range': query((t) => `/ranges?range=ov.${t}`),
  'value of jsonb': query((t) => `/jsonb_test?data=cs.${t}`),
  'value of a search': query((t) => `/tsearch?text_search_vector=fts.${t}`),
  'value of a search on the web': query((t) => `/tsearch_to_tsvector?text_search=wfts(english).${t}`),
  language: query((t) => `/tsearch?text_search_vector=fts(${t}).x`),
  'in list': query((t) => `/villagers?first_name=in.(${t})`),
  'in list of numbers': query((t) => `/items?id=in.(1,${t})`),
  quantifier: query((t) => `/items?id=eq(${t}).{1}`),
  'quantified value': query((t) => `/villagers?first_name=like(any).${t}`),
  'is word': query((t) => `/chores?done=is.${t}`),
  group: query((t) => `/villagers?or=${t}`),
  'inside a group': query((t) => `/villagers?or=(${t})`),
  'value in a group': query((t) => `/villagers?or=(first_name.eq.${t},id.eq.1)`),
  'quoted value in a group': query((t) => `/villagers?or=(first_name.eq."${t}",id.eq.1)`),
  'nested group': query((t) => `/villagers?and=(id.gt.0,not.or(${t},id.eq.1))`),
  order: query((t) => `/clients?order=${t}`),
  'order after a column': query((t) => `/clients?order=id.${t}`),
  'quoted order': query((t) => `/clients?order="${t}".desc`),
  'related order': query((t) => `/projects?select=id,clients(id)&order=clients(${t})`),
  limit: query((t) => `/items?limit=${t}`),
  offset: query((t) => `/items?offset=${t}`),
  'limit of an embed': query((t) => `/clients?select=projects(id)&projects.limit=${t}&projects.offset=${t}`),
  columns: query((t) => `/items?columns=${t}`),
  on_conflict: query((t) => `/items?on_conflict=${t}`),
  argument: query((t) => `/rpc/sayhello?name=${t}`),
  'argument of a number': query((t) => `/rpc/add_them?a=1&b=${t}`),
  'argument of an array': query((t) => `/rpc/variadic_param?v=${t}`),
  'name of an argument': query((t) => `/rpc/sayhello?${t}=x`),
  range: header('range'),
  'range-unit': header('range-unit'),
  prefer: header('prefer'),
  'timezone preference': (t) => header('prefer')(`timezone=${t}`),
  'strict preference': (t) => header('prefer')(`handling=strict, ${t}`),
  accept: header('accept'),
  'plan accepted': (t) => header('accept')(`application/vnd.pgrst.plan+json; for="${t}"; options=${t}`),
  'accept-profile': header('accept-profile'),
  authorization: header('authorization'),
  token: (t) => header('authorization')(`Bearer ${t}`),
  'role of a token': (t) => header('authorization')(`Bearer ${tokenFor({ role: t })}`),
  'claim of a token': (t) => header('authorization')(`Bearer ${tokenFor({ role: 'rest_author', [t]: t })}`),
  cookie: header('cookie'),
  'any header': header('x-anything'),
  origin: header('origin'),
  method: (t) => ({ method: t, target: '/items', headers: {} }),
  head: (t) => ({ method: 'HEAD', target: `/villagers?first_name=${t}`, headers: {} }),
  options: (t) => ({ method: 'OPTIONS', target: `/${t}`, headers: {} }),
};

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
    const body = JSON.parse(textOf(reply.body)) as Record<string, unknown>;
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
          const inHeader = position('\u0001').target.includes('\u0001') === false;
          const shot = position(inHeader ? text : written(text, encoded));
          expectKnown(await rest.request(shot.method, shot.target, { headers: shot.headers }), shot);
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
