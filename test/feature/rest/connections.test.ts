// What reaches the database, and how often: nothing of a request that fails before it, one batch of one that does not,
// and no new statement for a request that differs from an earlier one in its values only.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Batch, Driver } from '../../../src/pg/driver.ts';
import { AUTHOR, READER, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, useRest } from '../../testkit/use-rest.ts';

type Watched = { batches: Batch[]; held: number };

/** Notes every way in which a driver can be asked for a connection. */
function watching(seen: Watched): (driver: Driver) => Driver {
  return (driver) => ({
    ...driver,
    engine: driver.engine,
    can: driver.can,
    execute(batch, options) {
      seen.batches.push(batch);
      return driver.execute(batch, options);
    },
    hold(work, options) {
      seen.held += 1;
      return driver.hold(work, options);
    },
    copyIn() {
      throw new Error('the REST service copies nothing');
    },
    copyOut() {
      throw new Error('the REST service copies nothing');
    },
    script: (sql) => driver.script(sql),
    listen: (channel, onEvent) => driver.listen(channel, onEvent),
    stats: () => driver.stats(),
    flushIdle: () => driver.flushIdle(),
    close: (deadlineMs) => driver.close(deadlineMs),
  });
}

onEachEngine('connections', { fixtures: REST_FIXTURE }, (db) => {
  const seen: Watched = { batches: [], held: 0 };
  const rest = useRest(db, {}, watching(seen));
  beforeEach(() => {
    seen.batches = [];
    seen.held = 0;
  });
  const mainStatements = (): string[] =>
    seen.batches.map((batch) => (batch.find(({ into }) => into !== undefined) ?? batch.at(-1))?.name ?? '?');

  describe('are not taken', () => {
    test.each<[number, string, string, Readonly<Record<string, string>>?]>([
      [200, 'OPTIONS', '/items'],
      [200, 'OPTIONS', '/rpc/add_them'],
      [200, 'OPTIONS', '/'],
      [200, 'OPTIONS', '/items', { origin: 'http://e.com', 'access-control-request-method': 'GET' }],
      [404, 'OPTIONS', '/nowhere_at_all'],
      [401, 'GET', '/items', { authorization: 'Bearer x' }],
      [404, 'GET', '/a/b'],
      [406, 'GET', '/items', { 'accept-profile': 'nowhere' }],
      [405, 'TRACE', '/items'],
      [405, 'DELETE', '/rpc/add_them'],
      [400, 'GET', '/items?id=x'],
      [400, 'GET', '/items?select=('],
      [400, 'GET', '/items?order=.'],
      [400, 'GET', '/items?or=()'],
      [400, 'GET', '/items?columns='],
      [416, 'GET', '/items?limit=-1'],
      [416, 'GET', '/items', { range: '1-0' }],
      [404, 'GET', '/nowhere_at_all'],
      [404, 'HEAD', '/nowhere_at_all'],
      [404, 'GET', '/rpc/nowhere_at_all'],
      [404, 'GET', '/rpc/add_them?a=1'],
      [300, 'GET', '/rpc/overloaded_same_args?arg=1'],
      [400, 'GET', '/projects?clients.id=eq.1'],
      [400, 'GET', '/projects?select=nope(*)'],
      [300, 'GET', '/orders?select=addresses(*)'],
      [400, 'GET', '/clients?select=projects(*)&order=projects(id)'],
      [400, 'GET', '/clients?select=projects(*)&projects=eq.1'],
      [400, 'GET', '/clients?select=count()'],
      [406, 'GET', '/clients', { accept: 'text/unknowntype' }],
      [406, 'GET', '/', { accept: 'text/unknowntype' }],
      [400, 'GET', '/clients', { prefer: 'handling=strict, what=1' }],
      [400, 'POST', '/items'],
      [415, 'POST', '/items', { 'content-type': 'text/unknowntype' }],
      [400, 'PATCH', '/items'],
      [400, 'PUT', '/items'],
    ])('%i %s %s %j', async (status, method, target, headers = {}) => {
      expect(await rest.request(method, target, { headers })).toMatchReply({ status });
      expect(seen).toEqual({ batches: [], held: 0 });
    });
  });

  describe('are taken for one batch', () => {
    test.each<[string, string, Readonly<Record<string, string>>?]>([
      ['GET', '/items?id=eq.1'],
      ['HEAD', '/items'],
      ['GET', '/items?limit=2', { prefer: 'count=exact' }],
      ['GET', '/items?limit=2', { prefer: 'count=planned' }],
      ['GET', '/items?limit=2', { prefer: 'count=estimated' }],
      ['GET', '/items?id=eq.1', { accept: 'application/vnd.pgrst.object+json' }],
      ['GET', '/items', { accept: 'application/vnd.pgrst.object+json' }],
      ['GET', '/clients?select=*,projects(*,tasks(*))'],
      ['GET', '/clients', { accept: 'text/csv' }],
      ['GET', '/rpc/add_them?a=1&b=2'],
      ['GET', '/failing_view'],
      ['GET', '/'],
    ])('%s %s %j', async (method, target, headers = {}) => {
      await rest.request(method, target, { headers });
      expect([seen.batches.length, seen.held]).toEqual([1, 0]);
    });
  });

  describe('the same shape is planned and prepared once', () => {
    test.each([
      ['values', ['/items?id=eq.1', '/items?id=eq.2', '/items?id=eq.999']],
      [
        'offsets',
        ['/items?order=id&limit=2&offset=1', '/items?order=id&limit=2&offset=2', '/items?order=id&limit=2&offset=9'],
      ],
      ['lists of any length', ['/items?id=in.(1)', '/items?id=in.(1,2,3)', '/items?id=in.("4")']],
      ['values in groups', ['/items?or=(id.eq.1,id.gt.5)', '/items?or=(id.eq."7",id.gt.8)']],
      [
        'values of embeds',
        [
          '/clients?select=id,projects!inner(id)&projects.id=eq.1',
          '/clients?select=id,projects!inner(id)&projects.id=eq.2',
        ],
      ],
      ['patterns', ['/villagers?first_name=like.O*', '/villagers?first_name=like.*x_y%25']],
      ['searches', ['/tsearch?text_search_vector=fts(english).fun', '/tsearch?text_search_vector=fts(english).cat']],
      ['arguments', ['/rpc/add_them?a=1&b=2', '/rpc/add_them?a=3&b=4']],
      [
        'the same thing written in another way',
        ['/items?id=eq.1&order=id', '/items?order=id&id=eq.1', '/items?order=id&%69d=eq.1'],
      ],
    ])('%s', async (_, targets) => {
      for (const target of targets) expect(await rest.get(target)).toMatchReply({ status: 200 });
      const names = new Set(mainStatements());
      expect([seen.batches.length, names.size]).toEqual([targets.length, 1]);
      const texts = new Set(seen.batches.map((batch) => batch.at(-1)?.text));
      expect(texts.size).toBe(1);
      // Not one value of the client is in the text.
      expect([...texts].join()).not.toMatch(/999|x_y|O%/);
    });

    test.each([
      ['another operator', '/items?id=eq.1', '/items?id=gt.1'],
      ['negation', '/items?id=eq.1', '/items?id=not.eq.1'],
      ['an empty list', '/items?id=in.(1)', '/items?id=in.()'],
      ['another word', '/chores?done=is.true', '/chores?done=is.false'],
      ['another language', '/tsearch?text_search_vector=fts(english).x', '/tsearch?text_search_vector=fts(simple).x'],
      ['another column', '/chores?name=eq.x', '/chores?id=eq.1'],
      ['another limit', '/items?limit=1', '/items?limit=2'],
      ['another select', '/clients?select=id', '/clients?select=name'],
      ['another node', '/clients?select=id,projects(id)&projects.id=eq.1', '/clients?select=id,projects(id)&id=eq.1'],
    ])('but %s is another shape', async (_, one, other) => {
      expect(await rest.get(one)).toMatchReply({ status: 200 });
      expect(await rest.get(other)).toMatchReply({ status: 200 });
      expect(new Set(mainStatements()).size).toBe(2);
    });

    test('the session prepares a statement once and runs it many times', async () => {
      await db().script(`
        create view test.prepared_statements as
          select name, statement, generic_plans + custom_plans as runs from pg_prepared_statements;
        grant select on test.prepared_statements to rest_anon`);
      await rest.client().service.reloadSchema();
      for (let i = 1; i <= 12; i++) {
        expect(await rest.get(`/agents?id=eq.${i}&name=neq.none${i}`)).toMatchReply({ status: 200 });
      }
      expect(await rest.get('/prepared_statements?statement=like.*agents*&select=runs')).toMatchReply({
        status: 200,
        json: [{ runs: 12 }],
      });
    });

    test('under row security each role has its own', async () => {
      for (const as of [AUTHOR, READER, AUTHOR, READER]) {
        expect(await rest.request('GET', '/by_role?select=role', { as })).toMatchReply({ json: [{ role: as }] });
      }
      expect(new Set(mainStatements()).size).toBe(2);
    });

    test('whatever the values, the rows are right', async () => {
      for (let i = 1; i <= 15; i++) {
        expect(await rest.get(`/items?id=eq.${i}`)).toMatchReply({ json: ids(i) });
        expect(await rest.get(`/items?order=id&limit=1&offset=${i - 1}`)).toMatchReply({
          headers: { 'content-range': `${i - 1}-${i - 1}/*` },
          json: ids(i),
        });
      }
    });
  });

  describe('many shapes', () => {
    test('push out the oldest, which then work again', async () => {
      for (let i = 0; i < 60; i++) {
        expect(await rest.get(`/items?id=eq.1&limit=${i + 1}`)).toMatchReply({ status: 200, json: ids(1) });
      }
      expect(await rest.get('/items?id=eq.1&limit=1')).toMatchReply({ status: 200, json: ids(1) });
    });
  });
});
