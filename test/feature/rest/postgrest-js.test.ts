// The client library that most users of such an API have, writing over real HTTP.

import { PostgrestClient } from '@supabase/postgrest-js';
import { beforeEach, describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { useHttp } from './over-http.ts';

onEachEngine('postgrest-js', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db, { 'db-tx-end': 'commit-allow-override' });
  const address = useHttp(rest, '/rest/v1');
  // Without generated types its rows are of any shape, as they are for most users.
  const client = (headers: Record<string, string> = {}): PostgrestClient => new PostgrestClient(address(), { headers });
  beforeEach(() =>
    db().script(`
      truncate test.shelves cascade;
      insert into test.shelves (id, label, amount) values (1, 'one', 1), (2, 'two', 2), (3, 'three', 3);
      insert into test.slots values (1, 1, 'nut'), (2, 1, 'bolt');
    `),
  );

  test('the addresses it is told lead back to the service', async () => {
    const first = await fetch(`${address()}/shelves?order=id&limit=2`);
    expect(await first.json()).toHaveLength(2);
    expect(first.headers.get('content-location')).toBe('/rest/v1/shelves?limit=2&order=id');
    const [, next = ''] = /^<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await fetch(new URL(next, address()));
    expect(await second.json()).toMatchObject([{ id: 3 }]);
  });

  describe('insert', () => {
    test('says nothing by default', async () => {
      expect(await client().from('shelves').insert({ id: 10, label: 'ten' })).toMatchObject({
        status: 201,
        statusText: 'Created',
        data: null,
        error: null,
        count: null,
      });
    });

    test('several rows with different keys', async () => {
      const reply = await client()
        .from('shelves')
        .insert([
          { id: 10, label: 'ten' },
          { id: 11, note: 'n' },
        ])
        .select('id,label,note')
        .order('id');
      expect(reply).toMatchObject({
        status: 201,
        error: null,
        data: [
          { id: 10, label: 'ten', note: null },
          { id: 11, label: null, note: 'n' },
        ],
      });
    });

    test('the default where a key is missing', async () => {
      const reply = await client()
        .from('shelves')
        .insert(
          [
            { id: 10, label: 'ten' },
            { id: 11, note: 'n' },
          ],
          { defaultToNull: false, count: 'exact' },
        )
        .select('id,note')
        .order('id');
      expect(reply).toMatchObject({
        status: 201,
        count: 2,
        data: [
          { id: 10, note: 'as delivered' },
          { id: 11, note: 'n' },
        ],
      });
    });

    test('one row back, with its embeds', async () => {
      const reply = await client()
        .from('slots')
        .insert({ id: 20, shelf_id: 2, item: 'screw' })
        .select('item,shelves(label)')
        .single();
      expect(reply).toMatchObject({ status: 201, data: { item: 'screw', shelves: { label: 'two' } } });
    });

    test('an error is an error object', async () => {
      expect(await client().from('shelves').insert({ id: 1 })).toMatchObject({
        status: 409,
        statusText: 'Conflict',
        data: null,
        error: {
          code: '23505',
          message: 'duplicate key value violates unique constraint "shelves_pkey"',
          details: 'Key (id)=(1) already exists.',
          hint: null,
        },
      });
      expect(await client().from('shelves').insert({ id: 10, nope: 1 })).toMatchObject({
        status: 400,
        error: { code: 'SVRST204', message: "Could not find the 'nope' column of 'shelves' in the schema cache" },
      });
      expect(await client().from('nowhere_at_all').insert({ id: 1 })).toMatchObject({
        status: 404,
        error: { code: 'SVRST205' },
      });
    });

    test('and can be thrown', async () => {
      await expect(client().from('shelves').insert({ id: 1 }).throwOnError()).rejects.toMatchObject({ code: '23505' });
    });
  });

  describe('upsert', () => {
    test('merges', async () => {
      const reply = await client()
        .from('shelves')
        .upsert(
          [
            { id: 1, label: 'merged' },
            { id: 10, label: 'new' },
          ],
          { count: 'exact' },
        )
        .select('id,label,amount')
        .order('id');
      expect(reply).toMatchObject({
        status: 201,
        count: 2,
        data: [
          { id: 1, label: 'merged', amount: 1 },
          { id: 10, label: 'new', amount: 0 },
        ],
      });
      expect(await client().from('shelves').upsert({ id: 1, label: 'again' })).toMatchObject({ status: 200 });
    });

    test('ignores', async () => {
      const reply = await client()
        .from('shelves')
        .upsert(
          [
            { id: 1, label: 'ignored' },
            { id: 10, label: 'new' },
          ],
          { ignoreDuplicates: true },
        )
        .select('id');
      expect(reply).toMatchObject({ status: 201, data: [{ id: 10 }] });
    });

    test('by another constraint', async () => {
      const reply = await client()
        .from('compound_unique')
        .upsert({ key1: 1, key2: 1, value: 'B' }, { onConflict: 'key1,key2' })
        .select();
      expect(reply).toMatchObject({ status: 200, data: [{ key1: 1, key2: 1, value: 'B' }] });
    });
  });

  describe('update', () => {
    test('what the filters match', async () => {
      const reply = await client()
        .from('shelves')
        .update({ label: 'changed' }, { count: 'exact' })
        .gt('id', 1)
        .select('id,label,slots(item)')
        .order('id', { ascending: false });
      expect(reply).toMatchObject({
        status: 200,
        count: 2,
        data: [
          { id: 3, label: 'changed', slots: [] },
          { id: 2, label: 'changed', slots: [] },
        ],
      });
    });

    test('nothing to say', async () => {
      expect(await client().from('shelves').update({ label: 'x' }).eq('id', 99)).toMatchObject({
        status: 204,
        statusText: 'No Content',
        data: null,
        error: null,
      });
    });

    test('one row, or it is undone', async () => {
      expect(await client().from('shelves').update({ label: 'x' }).lt('id', 3).select().single()).toMatchObject({
        status: 406,
        error: { code: 'SVRST116', details: 'The result contains 2 rows' },
      });
      expect((await client().from('shelves').update({ label: 'x' }).eq('id', 1).select('label').single()).data).toEqual(
        {
          label: 'x',
        },
      );
      expect((await client().from('shelves').select('label').eq('id', 2).single()).data).toEqual({ label: 'two' });
    });

    test('no more rows than expected', async () => {
      expect(await client().from('shelves').update({ label: 'x' }).gt('id', 0).maxAffected(2)).toMatchObject({
        status: 400,
        error: { code: 'SVRST124', details: 'The query affects 3 rows' },
      });
      expect(await client().from('shelves').update({ label: 'x' }).gt('id', 1).maxAffected(2)).toMatchObject({
        status: 204,
      });
    });

    test('tried out', async () => {
      const tried = await client().from('shelves').update({ label: 'tried' }).eq('id', 1).select('label').rollback();
      expect(tried).toMatchObject({ status: 200, data: [{ label: 'tried' }] });
      expect((await client().from('shelves').select('label').eq('id', 1)).data).toEqual([{ label: 'one' }]);
    });

    test('with or', async () => {
      const reply = await client()
        .from('shelves')
        .update({ amount: 9 })
        .or('label.eq.one,amount.eq.3')
        .select('id')
        .order('id');
      expect(reply.data).toEqual([{ id: 1 }, { id: 3 }]);
    });
  });

  describe('delete', () => {
    test('and show what is gone', async () => {
      const reply = await client().from('shelves').delete({ count: 'exact' }).in('id', [2, 3]).select('id').order('id');
      expect(reply).toMatchObject({ status: 200, count: 2, data: [{ id: 2 }, { id: 3 }] });
      expect((await client().from('shelves').select('id')).data).toEqual([{ id: 1 }]);
    });

    test('say nothing', async () => {
      expect(await client().from('shelves').delete().eq('id', 1)).toMatchObject({
        status: 204,
        data: null,
        error: null,
      });
    });

    test('of what others refer to', async () => {
      expect(await client().from('projects').delete().eq('id', 1)).toMatchObject({
        status: 409,
        error: { code: '23503', details: 'Key (id)=(1) is still referenced from table "tasks".' },
      });
    });
  });

  describe('rpc', () => {
    test('by POST', async () => {
      expect(await client().rpc('add_them', { a: 1, b: 2 })).toMatchObject({ status: 200, data: 3, error: null });
      expect(await client().rpc('ret_void')).toMatchObject({ status: 204, data: null, error: null });
      expect(await client().rpc('stock_up', { shelf: 1, more: 4 }).select('id,amount').single()).toMatchObject({
        status: 200,
        data: { id: 1, amount: 5 },
      });
    });

    test('by GET', async () => {
      expect(await client().rpc('add_them', { a: 1, b: 2 }, { get: true })).toMatchObject({ status: 200, data: 3 });
      expect(await client().rpc('variadic_param', { v: ['a', 'b'] }, { get: true })).toMatchObject({ status: 200 });
      const rows = await client()
        .rpc('getallprojects', {}, { get: true, count: 'exact' })
        .select('id,clients(name)')
        .eq('client_id', 2)
        .order('id')
        .range(0, 0);
      expect(rows).toMatchObject({ status: 206, count: 2, data: [{ id: 3, clients: { name: 'City Museum' } }] });
    });

    test('by HEAD', async () => {
      expect(await client().rpc('getallprojects', {}, { head: true, count: 'exact' })).toMatchObject({
        status: 200,
        count: 5,
        data: null,
      });
    });

    test('errors', async () => {
      expect(await client().rpc('add_them', { a: 1 })).toMatchObject({
        status: 404,
        error: { code: 'SVRST202', hint: 'Perhaps you meant to call the function test.add_them(a, b)' },
      });
      expect(await client().rpc('callcounter', {}, { get: true })).toMatchObject({
        status: 405,
        error: { code: '25006' },
      });
      expect(await client().rpc('raise_pt402')).toMatchObject({
        status: 402,
        statusText: 'Payment Required',
        error: { code: 'PT402', message: 'Payment Required', details: 'Quota exceeded', hint: 'Upgrade your plan' },
      });
    });
  });

  test('as someone, in another schema', async () => {
    const author = client({ Authorization: `Bearer ${tokenFor({ role: AUTHOR, id: 'amira' })}` });
    expect(await author.from('authors_only').insert({ owner: 'amira', secret: 'sesame' }).select()).toMatchObject({
      status: 201,
      data: [{ owner: 'amira', secret: 'sesame' }],
    });
    expect(await author.from('authors_only').insert({ owner: 'bo', secret: 'other' })).toMatchObject({
      status: 403,
      error: { code: '42501' },
    });
    expect(await client().from('authors_only').insert({ owner: 'amira', secret: 'x' })).toMatchObject({ status: 401 });
    const v2 = await client().schema('v2').from('parents').insert({ id: 60, name: 'sixty' }).select();
    expect(v2).toMatchObject({ status: 201, data: [{ id: 60, name: 'sixty' }] });
    expect(await client().schema('v2').rpc('get_parents_below', { id: 4 })).toMatchObject({
      data: [{ id: 3, name: 'parent v2-3' }],
    });
  });
});
