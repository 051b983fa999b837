// PATCH: one change for all rows that the filters match.

import { beforeEach, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import {
  badBody,
  badContentType,
  denied,
  failure,
  JSON_UTF8,
  notSingular,
  OBJECT,
  unavailable,
  unknownColumn,
} from './expected.ts';

const SHOWN = { prefer: 'return=representation' };

onEachEngine('update', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  beforeEach(() =>
    db().script(`
      truncate test.shelves cascade;
      insert into test.shelves (id, label, amount) values (1, 'one', 10), (2, 'two', 20), (3, 'three', 30), (4, null, 0);
      insert into test.slots values (1, 1, 'nut'), (2, 1, 'bolt'), (3, 2, 'nail');
    `),
  );

  const patch = (target: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    rest.request('PATCH', target, { body, headers });
  const labels = async (): Promise<unknown[]> =>
    (await db().query<{ label: string }>('select label from test.shelves order by id')).map(({ label }) => label);

  const nothingSaid = (range: string) => ({
    status: 204,
    headers: {
      'content-type': null,
      'content-length': null,
      'content-range': range,
      'range-unit': 'items',
      'preference-applied': null,
      'content-location': null,
      location: null,
    },
    text: '',
  });

  test('204, and the range of the changed rows', async () => {
    expect(await patch('/shelves?id=eq.2', { label: 'changed' })).toMatchReply(nothingSaid('0-0/*'));
    expect(await patch('/shelves?id=gt.2', { label: 'more' })).toMatchReply(nothingSaid('0-1/*'));
    expect(await labels()).toEqual(['one', 'changed', 'more', 'more']);
  });

  test('return=minimal and return=headers-only say no more', async () => {
    for (const prefer of ['return=minimal', 'return=headers-only']) {
      expect(await patch('/shelves?id=eq.2', { label: 'changed' }, { prefer })).toMatchReply({
        status: 204,
        headers: { 'preference-applied': prefer, 'content-type': null, 'content-length': null, location: null },
        text: '',
      });
    }
  });

  test('return=representation shows the rows as they are now', async () => {
    expect(await patch('/shelves?id=eq.2', { label: 'changed', amount: 21 }, SHOWN)).toMatchReply({
      status: 200,
      headers: {
        'content-type': JSON_UTF8,
        'content-length': '62',
        'content-range': '0-0/*',
        'range-unit': 'items',
        'content-profile': 'test',
        'preference-applied': 'return=representation',
      },
      text: '[{"id":2,"label":"changed","amount":21,"note":"as delivered"}]',
    });
  });

  test.each([
    ['exact', '0-1/2', '*/0'],
    ['estimated', '0-1/2', '*/0'],
    ['planned', '0-1/*', '*/*'],
  ])('count=%s', async (count, some, none) => {
    const prefer = `count=${count}`;
    expect(await patch('/shelves?id=gt.2', { note: 'n' }, { prefer })).toMatchReply({
      status: 204,
      headers: { 'content-range': some, 'preference-applied': prefer },
    });
    expect(await patch('/shelves?id=gt.20', { note: 'n' }, { prefer })).toMatchReply({
      status: 204,
      headers: { 'content-range': none, 'preference-applied': prefer },
    });
  });

  test('nothing matches: nothing is changed, and that is no error', async () => {
    expect(await patch('/shelves?id=eq.99', { label: 'x' })).toMatchReply(nothingSaid('*/*'));
    expect(await patch('/shelves?id=eq.99', { label: 'x' }, SHOWN)).toMatchReply({
      status: 200,
      headers: { 'content-range': '*/*', 'content-length': '2' },
      text: '[]',
    });
  });

  test('no filter: the whole table', async () => {
    expect(await patch('/shelves', { label: 'same' })).toMatchReply(nothingSaid('0-3/*'));
    expect(await labels()).toEqual(['same', 'same', 'same', 'same']);
  });

  test.each([
    ['an empty object', '{}'],
    ['an empty array', '[]'],
    ['an array of an empty object', '[{}]'],
    ['an array of empty objects', '[{},{}]'],
    ['neither object nor array', 'null'],
  ])('%s changes nothing', async (_, body) => {
    expect(await patch('/shelves', body)).toMatchReply(nothingSaid('*/*'));
    expect(await patch('/shelves', body, SHOWN)).toMatchReply({
      status: 200,
      headers: { 'content-range': '*/*' },
      text: '[]',
    });
    expect(
      await patch('/shelves?select=id,slots(item)', body, { prefer: 'return=representation, count=exact' }),
    ).toMatchReply({
      status: 200,
      headers: { 'content-range': '*/0' },
      text: '[]',
    });
    expect(await labels()).toEqual(['one', 'two', 'three', null]);
  });

  test('of an array the first object is applied to every row', async () => {
    expect(
      await patch('/shelves?id=lt.3&select=id,label&order=id', [{ label: 'first' }, { label: 'second' }], SHOWN),
    ).toMatchReply({
      status: 200,
      json: [
        { id: 1, label: 'first' },
        { id: 2, label: 'first' },
      ],
    });
  });

  test('a key can be changed', async () => {
    expect(await patch('/shelves?id=eq.4', { id: 42 })).toMatchReply(nothingSaid('0-0/*'));
    expect(await rest.get('/shelves?id=in.(4,42)&select=id')).toMatchReply({ json: [{ id: 42 }] });
  });

  test('null, arrays and JSON are values as any other', async () => {
    await patch('/shelves?id=eq.1', { label: null });
    expect(await labels()).toEqual([null, 'two', 'three', null]);
    expect(
      await patch(
        '/all_types?id=eq.2&select=some_integers,a_jsonb,an_address',
        { some_integers: [3, 4], a_jsonb: { a: [1] }, an_address: null },
        SHOWN,
      ),
    ).toMatchReply({ status: 200, json: [{ some_integers: [3, 4], a_jsonb: { a: [1] }, an_address: null }] });
  });

  describe('filters', () => {
    test.each([
      ['in a list', 'id=in.(1,3)', [1, 3]],
      ['negated', 'id=not.in.(1,3)', [2, 4]],
      ['null', 'label=is.null', [4]],
      ['several', 'id=gt.1&id=lt.4', [2, 3]],
      ['or', 'or=(id.eq.1,label.eq.two)', [1, 2]],
      ['nested', 'and=(id.gt.1,or(label.is.null,amount.eq.20))', [2, 4]],
      ['not or', 'not.or=(id.eq.1,id.eq.2)', [3, 4]],
      ['like', 'label=like.t*', [2, 3]],
    ])('%s', async (_, query, ids) => {
      expect(await patch(`/shelves?${query}&select=id&order=id`, { note: 'n' }, SHOWN)).toMatchReply({
        status: 200,
        headers: { 'content-range': `0-${ids.length - 1}/*` },
        json: ids.map((id) => ({ id })),
      });
    });

    test('rows that no longer match are shown all the same', async () => {
      expect(await patch('/shelves?label=eq.two&select=id,label', { label: 'changed' }, SHOWN)).toMatchReply({
        json: [{ id: 2, label: 'changed' }],
      });
      expect(
        await patch('/shelves?or=(label.eq.one,label.eq.changed)&select=id,label&order=id', { label: 'again' }, SHOWN),
      ).toMatchReply({
        headers: { 'content-range': '0-1/*' },
        json: [
          { id: 1, label: 'again' },
          { id: 2, label: 'again' },
        ],
      });
    });

    test('a filter on something that is not embedded is refused: it must not pass for no filter', async () => {
      const notEmbedded = failure(400, 'SVRST108', "'slots' is not an embedded resource in this request", {
        hint: "Verify that 'slots' is included in the 'select' query parameter.",
      });
      for (const query of [
        'slots.item=eq.nut',
        'slots.or=(item.eq.nut)',
        'slots.order=id',
        'select=id&slots.item=eq.nut',
      ]) {
        expect(await patch(`/shelves?${query}`, { label: 'x' })).toMatchReply(notEmbedded);
        expect(await patch(`/shelves?${query}`, { label: 'x' }, SHOWN)).toMatchReply(notEmbedded);
      }
      expect(await labels()).toEqual(['one', 'two', 'three', null]);
    });

    test('a filter on an embed shapes the embed, not the change', async () => {
      expect(
        await patch('/shelves?id=lt.3&select=id,slots(item)&slots.item=eq.nut&order=id', { label: 'x' }, SHOWN),
      ).toMatchReply({
        json: [
          { id: 1, slots: [{ item: 'nut' }] },
          { id: 2, slots: [] },
        ],
      });
    });

    test('an unknown column is for the database to refuse', async () => {
      expect(await patch('/shelves?zzz=eq.1', { label: 'x' })).toMatchReply(
        failure(400, '42703', 'column shelves.zzz does not exist'),
      );
    });

    test('limit and offset say nothing, at any level; but a limit below zero is wrong', async () => {
      expect(
        await patch(
          '/shelves?limit=1&offset=1&select=id,slots(id)&slots.limit=1&slots.order=id&order=id',
          { note: 'n' },
          SHOWN,
        ),
      ).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-3/*' },
        json: [
          { id: 1, slots: [{ id: 1 }, { id: 2 }] },
          { id: 2, slots: [{ id: 3 }] },
          { id: 3, slots: [] },
          { id: 4, slots: [] },
        ],
      });
      expect(await patch('/shelves?limit=-1', { note: 'n' })).toMatchReply(
        failure(416, 'SVRST103', 'Requested range not satisfiable', {
          details: 'Limit should be greater than or equal to zero.',
        }),
      );
    });

    test('the Range header says nothing', async () => {
      expect(await patch('/shelves', { note: 'n' }, { range: '0-0' })).toMatchReply(nothingSaid('0-3/*'));
    });
  });

  describe('one object', () => {
    test('of one row', async () => {
      expect(
        await patch('/shelves?id=eq.1&select=id,label', { label: 'x' }, { ...SHOWN, accept: OBJECT }),
      ).toMatchReply({
        status: 200,
        headers: { 'content-type': `${OBJECT}; charset=utf-8`, 'content-range': '0-0/*' },
        text: '{"id":1,"label":"x"}',
      });
      expect(await patch('/shelves?id=eq.1', { label: 'y' }, { accept: OBJECT })).toMatchReply(nothingSaid('0-0/*'));
      expect(await labels()).toEqual(['y', 'two', 'three', null]);
    });

    test('of several or none: nothing is changed', async () => {
      expect(await patch('/shelves?id=lt.3', { label: 'x' }, { accept: OBJECT })).toMatchReply(notSingular(2));
      expect(await patch('/shelves?id=lt.3', { label: 'x' }, { ...SHOWN, accept: OBJECT })).toMatchReply(
        notSingular(2),
      );
      expect(await patch('/shelves?id=lt.0', { label: 'x' }, { accept: OBJECT })).toMatchReply(notSingular(0));
      expect(await patch('/shelves', {}, { accept: OBJECT })).toMatchReply(notSingular(0));
      expect(await labels()).toEqual(['one', 'two', 'three', null]);
    });
  });

  test('what the database refuses undoes every row', async () => {
    expect(await patch('/shelves?id=lt.3', { amount: -1 })).toMatchReply({
      status: 400,
      headers: { 'proxy-status': 'Survest; error=23514' },
    });
    expect(await patch('/shelves?id=eq.1', { id: 2 })).toMatchReply(
      failure(409, '23505', 'duplicate key value violates unique constraint "shelves_pkey"', {
        details: 'Key (id)=(2) already exists.',
      }),
    );
    expect(await patch('/slots?id=eq.1', { shelf_id: 99 })).toMatchReply(
      failure(409, '23503', 'insert or update on table "slots" violates foreign key constraint "slots_shelf_id_fkey"', {
        details: 'Key (shelf_id)=(99) is not present in table "shelves".',
      }),
    );
  });

  test.each([
    ['an unknown column', '/shelves?id=eq.1', '{"nope":1}', unknownColumn('shelves', 'nope')],
    ['broken JSON', '/shelves?id=eq.1', '{"label"', badBody('Empty or invalid json')],
    ['nothing', '/shelves?id=eq.1', '', badBody('Empty or invalid json')],
    ['different keys', '/shelves?id=eq.1', '[{"label":1},{"note":1}]', badBody('All object keys must match')],
    ['a table that is locked', '/private_table?id=eq.1', '{"id":1}', denied('private_table')],
    ['a column that is locked', '/limited_updates?id=eq.1', '{"may_not":"x"}', denied('limited_updates')],
    [
      'a table that is not there',
      '/shelvesx',
      '{"id":1}',
      failure(404, 'SVRST205', "Could not find the table 'test.shelvesx' in the schema cache", {
        hint: "Perhaps you meant the table 'test.shelves'",
      }),
    ],
  ])('%s', async (_, target, body, expected) => {
    expect(await patch(target, body)).toMatchReply(expected);
  });

  test('other types of body and answer', async () => {
    expect(await patch('/shelves?id=eq.1', 'x', { 'content-type': 'application/octet-stream' })).toMatchReply(
      badContentType('application/octet-stream'),
    );
    expect(await patch('/shelves?id=eq.1', { label: 'x' }, { accept: 'image/png' })).toMatchReply(
      unavailable('image/png'),
    );
    expect(await labels()).toEqual(['one', 'two', 'three', null]);
  });

  test('a column named like what the statement itself uses', async () => {
    expect(await patch('/internal_names?t=eq.1&select=count,t', { count: 60, body: 'x' }, SHOWN)).toMatchReply({
      json: [{ count: 60, t: 1 }],
    });
  });
});
