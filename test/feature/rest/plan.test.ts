// EXPLAIN instead of rows, for whoever tunes the database; only where the operator allows it.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

type ExplainNode = { readonly 'Node Type': string; readonly Plans?: readonly ExplainNode[] } & Record<string, unknown>;

onEachEngine('execution plans', { fixtures: REST_FIXTURE }, (db) => {
  describe('switched off, as they are by default', () => {
    const rest = useRest(db);

    test.each([
      ['application/vnd.pgrst.plan', 'application/vnd.pgrst.plan+text; for="application/json"'],
      ['application/vnd.pgrst.plan+json', 'application/vnd.pgrst.plan+json; for="application/json"'],
      [
        'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze',
        'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze',
      ],
    ])('%s', async (accept, shown) => {
      expect(await rest.get('/clients', { accept })).toMatchReply({
        status: 406,
        json: problem('SVRST107', `None of these media types are available: ${shown}`),
      });
    });
  });

  describe('switched on', () => {
    const rest = useRest(db, { 'db-plan-enabled': 'true' });

    test('as text', async () => {
      expect(await rest.get('/clients', { accept: 'application/vnd.pgrst.plan' })).toMatchReply({
        status: 200,
        headers: {
          'content-type': 'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8',
          'content-range': '*/*',
          'range-unit': 'items',
        },
        text: /^Aggregate {2}\(cost=[\d.]+ rows=1 width=\d+\)\n {2}-> {2}Seq Scan on clients/,
      });
    });

    test('as JSON', async () => {
      const reply = await rest.get('/clients?id=eq.1', { accept: 'application/vnd.pgrst.plan+json' });
      expect(reply).toMatchReply({
        status: 200,
        headers: { 'content-type': 'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8' },
      });
      const top = planIn(textOf(reply.body));
      expect(top).toMatchObject({ 'Node Type': 'Aggregate', 'Plan Rows': 1 });
      expect(top.Plans?.[0]).toMatchObject({ 'Relation Name': 'clients', Filter: '(id = 1)' });
      expect(top).not.toHaveProperty('Actual Rows');
    });

    test.each([
      ['options=analyze', 'options=analyze', 'Actual Rows'],
      ['options=verbose', 'options=verbose', 'Output'],
      ['options=buffers', 'options=buffers', 'Shared Hit Blocks'],
      ['options=verbose|analyze', 'options=analyze|verbose', 'Output'],
      ['options=wal|analyze', 'options=analyze|wal', 'WAL Records'],
      ['options=buffers|unheard-of', 'options=buffers', 'Shared Hit Blocks'],
    ])('with %s', async (options, shown, member) => {
      const reply = await rest.get('/clients?id=eq.1', {
        accept: `application/vnd.pgrst.plan+json; for="application/json"; ${options}`,
      });
      expect(reply).toMatchReply({
        status: 200,
        headers: {
          'content-type': `application/vnd.pgrst.plan+json; for="application/json"; ${shown}; charset=utf-8`,
        },
      });
      expect(planIn(textOf(reply.body))).toHaveProperty([member]);
    });

    test('with settings', async () => {
      const accept = 'application/vnd.pgrst.plan+json; options=settings';
      const reply = await rest.get('/clients', { accept });
      expect(reply).toMatchReply({
        status: 200,
        headers: {
          'content-type': 'application/vnd.pgrst.plan+json; for="application/json"; options=settings; charset=utf-8',
        },
      });
      expect(JSON.parse(textOf(reply.body))).toMatchObject([
        { Settings: { search_path: expect.stringContaining('test') } },
      ]);
    });

    test.each([
      ['text/csv', 'text/csv'],
      ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json'],
      ['application/vnd.pgrst.object+json;nulls=stripped', 'application/vnd.pgrst.object+json;nulls=stripped'],
      ['application/geo+json', 'application/geo+json'],
      ['text/tab-separated-values', 'text/tab-separated-values'],
    ])('for %s', async (wanted, shown) => {
      const reply = await rest.get('/shops?id=lt.3', { accept: `application/vnd.pgrst.plan+json; for="${wanted}"` });
      expect(reply).toMatchReply({
        status: 200,
        headers: { 'content-type': `application/vnd.pgrst.plan+json; for="${shown}"; charset=utf-8` },
      });
      expect(planIn(textOf(reply.body))).toMatchObject({ 'Node Type': 'Aggregate' });
    });

    test('for a type that cannot be made', async () => {
      const accept = 'application/vnd.pgrst.plan+json; for="text/unheard-of"';
      expect(await rest.get('/clients', { accept })).toMatchReply({
        status: 406,
        json: problem('SVRST107', `None of these media types are available: ${accept}`),
      });
    });

    test('rows are not counted: neither a single one nor a total', async () => {
      expect(
        await rest.get('/clients', { accept: 'application/vnd.pgrst.plan; for="application/vnd.pgrst.object"' }),
      ).toMatchReply({ status: 200 });
      expect(
        await rest.get('/items?offset=100', { accept: 'application/vnd.pgrst.plan+json', prefer: 'count=exact' }),
      ).toMatchReply({ status: 200 });
    });

    test('of a function', async () => {
      expect(await rest.get('/rpc/getallprojects?id=eq.1', { accept: 'application/vnd.pgrst.plan' })).toMatchReply({
        status: 200,
        text: /Aggregate/,
      });
    });

    test('HEAD has its type and no body', async () => {
      expect(await rest.head('/clients', { accept: 'application/vnd.pgrst.plan+json' })).toMatchReply({
        status: 200,
        headers: { 'content-type': 'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8' },
        text: '',
      });
    });

    test('beside other types it is chosen like any', async () => {
      expect(
        await rest.get('/clients?limit=1', { accept: 'application/vnd.pgrst.plan;q=0.1, application/json' }),
      ).toMatchReply({ headers: { 'content-type': 'application/json; charset=utf-8' } });
    });

    test('a key finds its row by its index, through an embed too', async () => {
      await db().script(`
        create table test.many (id integer primary key, parent integer references test.many, note text);
        insert into test.many select i, nullif(i / 10, 0), 'x' from generate_series(1, 5000) as i;
        create index on test.many (parent);
        analyze test.many;
        grant select on test.many to rest_anon;
        create function test.anyone(test.many) returns text stable language sql as 'select $1.note'`);
      await rest.client().service.reloadSchema();
      const accept = 'application/vnd.pgrst.plan';
      expect(await rest.get('/many?id=eq.5', { accept })).toMatchReply({ text: /Index Scan using many_pkey/ });
      expect(await rest.get('/many?id=eq.5&select=id,parent(id)', { accept })).toMatchReply({
        text: /^(?!.*Seq Scan)/s,
      });
      expect(await rest.get('/many?id=eq.5&select=id,many(id)', { accept })).toMatchReply({ text: /^(?!.*Seq Scan)/s });
      // A page is chosen before what is embedded in it is read.
      expect(await rest.get('/many?order=id&limit=10&select=id,many(id)', { accept })).toMatchReply({
        text: /^(?!.*Seq Scan)/s,
      });
    });
  });
});

function planIn(body: string): ExplainNode {
  const [first] = JSON.parse(body) as readonly { readonly Plan: ExplainNode }[];
  if (first === undefined) throw new Error('no plan');
  return first.Plan;
}
