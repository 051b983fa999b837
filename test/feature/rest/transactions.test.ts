// How a transaction ends: by the setting, by the client where it may, and by what the rows turn out to be.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { openRest, type RestClient } from '../../testkit/rest-client.ts';
import { failure, notSingular, OBJECT } from './expected.ts';

const MODES = ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'] as const;
type Mode = (typeof MODES)[number];

const DEFERRED = failure(409, '23505', 'duplicate key value violates unique constraint "deferrable_unique_col_key"', {
  details: 'Key (col)=(1) already exists.',
});

onEachEngine('the end of a transaction', { fixtures: REST_FIXTURE }, (db) => {
  const clients = new Map<Mode, RestClient>();
  beforeAll(async () => {
    for (const mode of MODES) clients.set(mode, await openRest(db(), { 'db-tx-end': mode }));
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
  });
  beforeEach(() =>
    db().script(`
      truncate test.shelves cascade;
      truncate test.deferrable_unique;
      insert into test.shelves (id, label) values (1, 'one'), (2, 'two');
      insert into test.deferrable_unique values (1), (2);
    `),
  );

  const client = (mode: Mode): RestClient => {
    const found = clients.get(mode);
    if (found === undefined) throw new Error(mode);
    return found;
  };
  const labels = async (): Promise<unknown[]> =>
    (await db().query<{ label: string }>('select label from test.shelves order by id')).map(({ label }) => label);

  describe('db-tx-end', () => {
    test.each([
      ['commit', undefined, true, null],
      ['commit', 'commit', true, null],
      ['commit', 'rollback', true, null],
      ['commit-allow-override', undefined, true, null],
      ['commit-allow-override', 'commit', true, 'tx=commit'],
      ['commit-allow-override', 'rollback', false, 'tx=rollback'],
      ['rollback', undefined, false, null],
      ['rollback', 'commit', false, null],
      ['rollback', 'rollback', false, null],
      ['rollback-allow-override', undefined, false, null],
      ['rollback-allow-override', 'commit', true, 'tx=commit'],
      ['rollback-allow-override', 'rollback', false, 'tx=rollback'],
    ] as const)('%s, with tx=%s: kept %s', async (mode, tx, kept, applied) => {
      const headers: Record<string, string> = tx === undefined ? {} : { prefer: `tx=${tx}` };
      const send = (method: string, target: string, body?: unknown): Promise<Reply> =>
        client(mode).request(method, target, { headers, ...(body === undefined ? {} : { body }) });
      const echoed = { 'preference-applied': applied };

      expect(await send('POST', '/shelves', { id: 3, label: 'three' })).toMatchReply({ status: 201, headers: echoed });
      expect(await labels()).toEqual(kept ? ['one', 'two', 'three'] : ['one', 'two']);

      expect(await send('PATCH', '/shelves?id=eq.1', { label: 'changed' })).toMatchReply({
        status: 204,
        headers: { ...echoed, 'content-range': '0-0/*' },
      });
      expect((await labels())[0]).toBe(kept ? 'changed' : 'one');

      expect(await send('PUT', '/shelves?id=eq.1', { id: 1, label: 'put' })).toMatchReply({
        status: 204,
        headers: echoed,
      });
      expect((await labels())[0]).toBe(kept ? 'put' : 'one');

      expect(await send('POST', '/rpc/stock_up', { shelf: 1, more: 5 })).toMatchReply({ status: 200, headers: echoed });
      const [row] = await db().query('select amount from test.shelves where id = 1');
      expect(row).toEqual({ amount: kept ? 5 : 0 });

      expect(await send('DELETE', '/shelves')).toMatchReply({ status: 204, headers: echoed });
      expect(await labels()).toHaveLength(kept ? 0 : 2);

      expect(await send('GET', '/items?limit=1')).toMatchReply({ status: 200, headers: echoed });
    });

    test('rolled back, the reply is that of the write', async () => {
      expect(
        await client('rollback').post(
          '/shelves?select=id,label',
          { id: 9, label: 'nine' },
          { prefer: 'return=representation' },
        ),
      ).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'return=representation' },
        json: [{ id: 9, label: 'nine' }],
      });
      expect(await client('rollback').post('/shelves', { id: 9 }, { prefer: 'return=headers-only' })).toMatchReply({
        status: 201,
        headers: { location: '/shelves?id=eq.9' },
      });
      expect(
        await client('rollback').post(
          '/shelves?select=id',
          { id: 1 },
          { prefer: 'return=representation, resolution=merge-duplicates' },
        ),
      ).toMatchReply({ status: 200, json: [{ id: 1 }] });
    });

    test('sequences go on all the same', async () => {
      const id = async (): Promise<number> => {
        const reply = await client('rollback').post('/receipts?select=id', {}, { prefer: 'return=representation' });
        return (JSON.parse(String(reply.body)) as { id: number }[])[0]?.id ?? 0;
      };
      const first = await id();
      expect(await id()).toBe(first + 1);
    });
  });

  describe('deferred constraints', () => {
    test('speak at the commit', async () => {
      expect(await client('commit').post('/deferrable_unique', { col: 1 })).toMatchReply(DEFERRED);
      expect(await client('commit').request('PATCH', '/deferrable_unique?col=eq.2', { body: { col: 1 } })).toMatchReply(
        DEFERRED,
      );
      expect(await client('commit').post('/deferrable_unique', { col: 1 }, { accept: OBJECT })).toMatchReply(DEFERRED);
      expect(await db().query('select col from test.deferrable_unique order by col')).toEqual([{ col: 1 }, { col: 2 }]);
    });

    test('speak before a rollback too', async () => {
      expect(await client('rollback').post('/deferrable_unique', { col: 1 })).toMatchReply(DEFERRED);
      expect(
        await client('commit-allow-override').post('/deferrable_unique', { col: 1 }, { prefer: 'tx=rollback' }),
      ).toMatchReply(DEFERRED);
      expect(
        await client('rollback').request('PATCH', '/deferrable_unique?col=eq.2', { body: { col: 1 } }),
      ).toMatchReply(DEFERRED);
    });

    test('have nothing to say when they hold in the end', async () => {
      expect(await client('commit').request('PATCH', '/deferrable_unique', { body: { col: null } })).toMatchReply({
        status: 204,
      });
      expect(await client('rollback').post('/deferrable_unique', { col: 3 })).toMatchReply({ status: 201 });
    });

    test('the connection is fine afterwards', async () => {
      for (const mode of MODES) {
        await client(mode).post('/deferrable_unique', { col: 1 });
        expect(await client(mode).get('/rpc/add_them?a=1&b=2')).toMatchReply({ status: 200, text: '3' });
        expect(await client(mode).post('/shelves', { id: 1 })).toMatchReply({ status: 409 });
        expect(await client(mode).get('/shelves?select=id&order=id')).toMatchReply({ json: [{ id: 1 }, { id: 2 }] });
      }
    });
  });

  describe('one object', () => {
    test.each(MODES)('of several rows undoes the write: %s', async (mode) => {
      const headers = { accept: OBJECT, prefer: 'return=minimal, tx=commit' };
      expect(await client(mode).post('/shelves', [{ id: 8 }, { id: 9 }], headers)).toMatchReply(notSingular(2));
      expect(await client(mode).request('PATCH', '/shelves', { body: { label: 'x' }, headers })).toMatchReply(
        notSingular(2),
      );
      expect(await client(mode).request('DELETE', '/shelves', { headers })).toMatchReply(notSingular(2));
      expect(await client(mode).post('/rpc/stock_up', { shelf: 99 }, headers)).toMatchReply(notSingular(0));
      expect(await labels()).toEqual(['one', 'two']);
    });
  });

  test('requests that fail before the database leave no trace, and none that fail in it do', async () => {
    const rest = client('commit');
    for (const send of [
      () => rest.post('/shelves', '{'),
      () => rest.post('/shelves', { nope: 1 }),
      () => rest.post('/shelves', { id: 'x' }),
      () => rest.post('/shelves', [{ id: 5 }, { id: 1 }]),
      () => rest.post('/shelves?select=zzz', { id: 5 }, { prefer: 'return=representation' }),
      () => rest.post('/shelves', { id: 5 }, { accept: 'text/unknowntype' }),
      () => rest.post('/shelves', { id: 5 }, { prefer: 'handling=strict, foo=bar' }),
      () => rest.request('PUT', '/shelves?id=eq.5', { body: { id: 6 } }),
      () => rest.request('DELETE', '/shelves', { headers: { prefer: 'handling=strict, max-affected=1' } }),
      () => rest.request('PATCH', '/shelves', { body: { amount: -1 } }),
      () => rest.post('/rpc/store_then_fail', { shelf: 5 }),
    ]) {
      const reply = await send();
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
    }
    expect(await labels()).toEqual(['one', 'two']);
  });
});
