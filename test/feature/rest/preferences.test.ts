// The Prefer header: what each preference does, what is echoed and in which order, and what strict handling refuses.

import { beforeEach, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { type SuiteClient, useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

/** Every preference there is, in an order that no reply has. */
const ALL =
  'max-affected=10, timezone=America/Los_Angeles, handling=strict, tx=commit, count=exact, return=representation, missing=default, resolution=merge-duplicates';

onEachEngine('preferences', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const overridable = useRest(db, { 'db-tx-end': 'commit-allow-override' });
  beforeEach(() =>
    db().script(`
      truncate test.shelves cascade;
      insert into test.shelves (id) select generate_series(1, 14);
    `),
  );

  const send = (client: SuiteClient, method: string, target: string, prefer: string, body?: unknown): Promise<Reply> =>
    client.request(method, target, { headers: { prefer }, ...(body === undefined ? {} : { body }) });
  const left = async (): Promise<number> => (await db().query('select 1 from test.shelves')).length;

  describe('Preference-Applied', () => {
    test.each([
      ['GET', '/shelves?id=eq.1', 'count=exact, tx=commit, handling=strict, timezone=America/Los_Angeles', undefined],
      ['HEAD', '/shelves?id=eq.1', 'count=exact, tx=commit, handling=strict, timezone=America/Los_Angeles', undefined],
      [
        'POST',
        '/shelves',
        'resolution=merge-duplicates, missing=default, return=representation, count=exact, tx=commit, handling=strict, timezone=America/Los_Angeles',
        { id: 1 },
      ],
      [
        'PATCH',
        '/shelves?id=eq.1',
        'missing=default, return=representation, count=exact, tx=commit, handling=strict, timezone=America/Los_Angeles, max-affected=10',
        { note: 'n' },
      ],
      [
        'PUT',
        '/shelves?id=eq.1',
        'return=representation, count=exact, tx=commit, handling=strict, timezone=America/Los_Angeles',
        { id: 1 },
      ],
      [
        'DELETE',
        '/shelves?id=eq.1',
        'return=representation, count=exact, tx=commit, handling=strict, timezone=America/Los_Angeles, max-affected=10',
        undefined,
      ],
      [
        'GET',
        '/rpc/getallprojects',
        'count=exact, tx=commit, handling=strict, timezone=America/Los_Angeles, max-affected=10',
        undefined,
      ],
      [
        'POST',
        '/rpc/getallprojects',
        'count=exact, tx=commit, handling=strict, timezone=America/Los_Angeles, max-affected=10',
        {},
      ],
      ['GET', '/', null, undefined],
      ['HEAD', '/', null, undefined],
      ['OPTIONS', '/shelves', null, undefined],
    ])('%s %s echoes what counts there, in one order', async (method, target, applied, body) => {
      const reply = await send(overridable, method, target, ALL, body);
      expect(reply).toMatchReply({ headers: { 'preference-applied': applied } });
      expect(reply.status).toBeLessThan(300);
    });

    test('is not there when nothing was preferred, or nothing that counts', async () => {
      for (const prefer of ['', ' , ,', 'foo=bar', 'count=none', 'return=representation']) {
        expect(await send(rest, 'GET', '/shelves?id=eq.1', prefer)).toMatchReply({
          status: 200,
          headers: { 'preference-applied': null },
        });
      }
    });

    test('is not there on an error', async () => {
      expect(await send(rest, 'POST', '/shelves', 'return=representation, count=exact', { id: 1 })).toMatchReply({
        status: 409,
        headers: { 'preference-applied': null },
      });
    });

    test('the first of a kind counts', async () => {
      expect(
        await send(
          rest,
          'POST',
          '/shelves?select=id',
          'return=representation, return=minimal, count=exact, count=planned',
          { id: 20 },
        ),
      ).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'return=representation, count=exact', 'content-range': '*/1' },
        json: [{ id: 20 }],
      });
    });

    test('several headers are one list; blanks are of no account, letters are', async () => {
      const answer = await rest.client().service.answer(
        {
          method: 'POST',
          path: '/shelves',
          query: '',
          headers: { prefer: ['count=exact', '  return=minimal  ,handling=lenient'] },
          body: Buffer.from('{"id":21}'),
        },
        { signal: undefined, remoteAddress: undefined, httpVersion: '1.1' },
      );
      expect(answer.headers).toContainEqual(['Preference-Applied', 'return=minimal, count=exact, handling=lenient']);
      expect(
        await send(rest, 'POST', '/shelves', 'Return=representation, return=Minimal, count = exact', { id: 22 }),
      ).toMatchReply({
        status: 201,
        headers: { 'preference-applied': null, 'content-range': '*/*' },
        text: '',
      });
    });
  });

  describe('handling=strict', () => {
    const invalid = (details: string) =>
      failure(400, 'SVRST122', 'Invalid preferences given with handling=strict', {
        details: `Invalid preferences: ${details}`,
      });

    test.each([
      ['GET', '/shelves', undefined],
      ['POST', '/shelves', { id: 30 }],
      ['PATCH', '/shelves', { note: 'x' }],
      ['PUT', '/shelves?id=eq.30', { id: 30 }],
      ['DELETE', '/shelves', undefined],
      ['GET', '/rpc/getallprojects', undefined],
      ['POST', '/rpc/callcounter', {}],
    ])('%s %s: what is no preference is refused, and nothing is done', async (method, target, body) => {
      expect(
        await send(rest, method, target, 'foo=bar, handling=strict, return=nothing, count=none', body),
      ).toMatchReply(invalid('foo=bar, return=nothing, count=none'));
      expect(await left()).toBe(14);
      expect(await db().query('select 1 from test.shelves where note = $1', ['x'])).toEqual([]);
    });

    test('params=single-object is none', async () => {
      expect(await send(rest, 'POST', '/rpc/ret_void', 'handling=strict, params=single-object', {})).toMatchReply(
        invalid('params=single-object'),
      );
    });

    test('a time zone that does not exist', async () => {
      expect(await send(rest, 'GET', '/shelves', 'handling=strict, timezone=Jupiter/Red_Spot')).toMatchReply(
        invalid('timezone=Jupiter/Red_Spot'),
      );
      expect(await send(rest, 'GET', '/shelves', 'handling=strict, timezone=america/los_angeles')).toMatchReply(
        invalid('timezone=america/los_angeles'),
      );
    });

    test('preferences that mean nothing here are no mistake, nor is a tx that is not allowed', async () => {
      expect(
        await send(
          rest,
          'GET',
          '/shelves?id=eq.1',
          'handling=strict, tx=rollback, return=minimal, resolution=merge-duplicates, missing=null, max-affected=x',
        ),
      ).toMatchReply({ status: 200, headers: { 'preference-applied': 'handling=strict' } });
    });

    test('lenient handling, and none, let everything pass', async () => {
      expect(await send(rest, 'GET', '/shelves?id=eq.1', 'handling=lenient, foo=bar')).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'handling=lenient' },
      });
      expect(await send(rest, 'GET', '/shelves?id=eq.1', 'foo=bar')).toMatchReply({ status: 200 });
    });

    test('an unknown table or column, a broken body come first', async () => {
      expect(await send(rest, 'POST', '/shelvesx', 'handling=strict, foo=bar', { id: 1 })).toMatchReply({
        status: 404,
      });
      expect(await send(rest, 'POST', '/shelves', 'handling=strict, foo=bar', { nope: 1 })).toMatchReply({
        headers: { 'proxy-status': 'Survest; error=SVRST204' },
      });
      expect(await send(rest, 'POST', '/shelves', 'handling=strict, foo=bar', '{')).toMatchReply({
        headers: { 'proxy-status': 'Survest; error=SVRST102' },
      });
    });

    test('of an unacceptable type and a bad preference the first to be looked at is told', async () => {
      const headers = { prefer: 'handling=strict, foo=bar', accept: 'image/png' };
      expect(await rest.request('POST', '/shelves', { body: { id: 1 }, headers })).toMatchReply({
        headers: { 'proxy-status': 'Survest; error=SVRST122' },
      });
      expect(await rest.request('GET', '/shelves', { headers })).toMatchReply({
        headers: { 'proxy-status': 'Survest; error=SVRST107' },
      });
    });
  });

  describe('max-affected', () => {
    const exceeded = (rows: number) =>
      failure(400, 'SVRST124', 'Query result exceeds max-affected preference constraint', {
        details: `The query affects ${rows} rows`,
      });

    test('more rows than that: nothing is done', async () => {
      expect(await send(rest, 'DELETE', '/shelves?id=lt.15', 'handling=strict, max-affected=10')).toMatchReply(
        exceeded(14),
      );
      expect(await left()).toBe(14);
      expect(await send(rest, 'PATCH', '/shelves', 'handling=strict, max-affected=13', { note: 'x' })).toMatchReply(
        exceeded(14),
      );
      expect(
        await send(rest, 'PATCH', '/shelves', 'handling=strict, max-affected=0, return=representation', { note: 'x' }),
      ).toMatchReply(exceeded(14));
      expect(await db().query('select 1 from test.shelves where note = $1', ['x'])).toEqual([]);
    });

    test('as many or fewer: done, and echoed', async () => {
      expect(await send(rest, 'PATCH', '/shelves', 'handling=strict, max-affected=14', { note: 'x' })).toMatchReply({
        status: 204,
        headers: { 'preference-applied': 'handling=strict, max-affected=14', 'content-range': '0-13/*' },
      });
      expect(await send(rest, 'DELETE', '/shelves?id=lt.3', 'handling=strict, max-affected=10')).toMatchReply({
        status: 204,
        headers: { 'preference-applied': 'handling=strict, max-affected=10' },
      });
      expect(await send(rest, 'DELETE', '/shelves?id=lt.0', 'handling=strict, max-affected=0')).toMatchReply({
        status: 204,
      });
    });

    test('says nothing without strict handling, and is not echoed', async () => {
      expect(await send(rest, 'DELETE', '/shelves?id=lt.3', 'max-affected=1')).toMatchReply({
        status: 204,
        headers: { 'preference-applied': null },
      });
      expect(await send(rest, 'DELETE', '/shelves?id=lt.5', 'handling=lenient, max-affected=1')).toMatchReply({
        status: 204,
        headers: { 'preference-applied': 'handling=lenient' },
      });
      expect(await left()).toBe(10);
    });

    test('says nothing to reads, inserts and puts', async () => {
      expect(await send(rest, 'GET', '/shelves?limit=3', 'handling=strict, max-affected=1')).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'handling=strict' },
      });
      expect(
        await send(rest, 'POST', '/shelves', 'handling=strict, max-affected=1', [{ id: 40 }, { id: 41 }]),
      ).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'handling=strict' },
      });
      expect(await send(rest, 'PUT', '/shelves?id=eq.42', 'handling=strict, max-affected=0', { id: 42 })).toMatchReply({
        status: 204,
        headers: { 'preference-applied': 'handling=strict' },
      });
    });

    test('what is no number is ignored, and no mistake', async () => {
      for (const preference of ['max-affected=ten', 'max-affected=', 'max-affected=1.5']) {
        expect(await send(rest, 'PATCH', '/shelves', `handling=strict, ${preference}`, { note: 'x' })).toMatchReply({
          status: 204,
          headers: { 'preference-applied': 'handling=strict', 'content-range': '0-13/*' },
        });
      }
    });

    test('on functions: their rows count', async () => {
      expect(
        await send(rest, 'POST', '/rpc/delete_items', 'handling=strict, max-affected=4', { below: 10 }),
      ).toMatchReply(exceeded(9));
      expect(await rest.get('/items?id=lt.10&select=id', { prefer: 'count=exact' })).toMatchReply({
        headers: { 'content-range': '0-8/9' },
      });
      expect(await send(rest, 'GET', '/rpc/getallprojects?select=id', 'handling=strict, max-affected=4')).toMatchReply(
        exceeded(5),
      );
      expect(
        await send(rest, 'GET', '/rpc/getallprojects?select=id&limit=4', 'handling=strict, max-affected=4'),
      ).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'handling=strict, max-affected=4' },
      });
      expect(await send(rest, 'GET', '/rpc/ret_setof_integers', 'handling=strict, max-affected=2')).toMatchReply(
        exceeded(3),
      );
      expect(await send(rest, 'GET', '/rpc/ret_table', 'handling=strict, max-affected=2')).toMatchReply(exceeded(3));
    });

    test('on functions that bring one value there is nothing to count', async () => {
      const needsSet = failure(
        400,
        'SVRST128',
        'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
      );
      for (const [method, target, body] of [
        ['POST', '/rpc/delete_items_returns_count', { below: 3 }],
        ['GET', '/rpc/add_them?a=1&b=2', undefined],
        ['POST', '/rpc/ret_void', {}],
        ['GET', '/rpc/first_project', undefined],
      ] as const) {
        expect(await send(rest, method, target, 'handling=strict, max-affected=4', body)).toMatchReply(needsSet);
        expect((await send(rest, method, target, 'max-affected=4', body)).status).toBeLessThan(300);
      }
    });
  });

  describe('timezone', () => {
    test('is that of the transaction', async () => {
      const at = (timezone: string) =>
        rest.get('/rpc/ret_timestamp?at=2024-01-31T12:00:00Z', { prefer: `timezone=${timezone}` });
      expect(await at('America/Los_Angeles')).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'timezone=America/Los_Angeles' },
        json: '2024-01-31T04:00:00-08:00',
      });
      expect(await at('Asia/Kathmandu')).toMatchReply({ json: '2024-01-31T17:45:00+05:45' });
    });

    test('holds for reads and writes', async () => {
      expect(await rest.get('/all_types?id=eq.1&select=a_timestamptz', { prefer: 'timezone=Asia/Tokyo' })).toMatchReply(
        {
          headers: { 'preference-applied': 'timezone=Asia/Tokyo' },
          json: [{ a_timestamptz: '2024-01-31T19:20:30+09:00' }],
        },
      );
      expect(
        await rest.post(
          '/all_types?select=a_timestamptz',
          { id: 80, a_timestamptz: '2024-06-01T12:00:00' },
          {
            prefer: 'return=representation, timezone=Asia/Tokyo',
          },
        ),
      ).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'return=representation, timezone=Asia/Tokyo' },
        json: [{ a_timestamptz: '2024-06-01T12:00:00+09:00' }],
      });
      expect(await rest.get('/all_types?id=eq.80&select=a_timestamptz')).toMatchReply({
        json: [{ a_timestamptz: '2024-06-01T03:00:00+00:00' }],
      });
    });

    test('an unknown one is ignored', async () => {
      for (const timezone of ['Jupiter/Red_Spot', 'utc2', '', "x'; drop table test.items; --"]) {
        expect(
          await rest.get('/rpc/ret_timestamp?at=2024-01-31T12:00:00Z', { prefer: `timezone=${timezone}` }),
        ).toMatchReply({
          status: 200,
          headers: { 'preference-applied': null },
          json: '2024-01-31T12:00:00+00:00',
        });
      }
    });
  });
});
