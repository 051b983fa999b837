// POST of many rows: one statement, all of them or none.

import { expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { badBody, failure } from './expected.ts';

onEachEngine('bulk insert', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  const stored = async (from: number, to: number): Promise<unknown[]> =>
    db().query('select id, label, amount from test.shelves where id between $1 and $2 order by id', [from, to]);

  test('the rows come back in the order they were sent', async () => {
    expect(
      await rest.post(
        '/shelves?select=id,label',
        [
          { id: 3, label: 'c' },
          { id: 1, label: 'a' },
          { id: 2, label: 'b' },
        ],
        {
          prefer: 'return=representation, count=exact',
        },
      ),
    ).toMatchReply({
      status: 201,
      headers: {
        'content-range': '*/3',
        'content-length': '70',
        'preference-applied': 'return=representation, count=exact',
        location: null,
      },
      text: '[{"id":3,"label":"c"}, \n {"id":1,"label":"a"}, \n {"id":2,"label":"b"}]',
    });
  });

  test('or in the order asked for', async () => {
    expect(
      await rest.post(
        '/shelves?select=id&order=label.desc.nullslast,id',
        [
          { id: 5, label: null },
          { id: 4, label: 'd' },
          { id: 6, label: 'f' },
        ],
        {
          prefer: 'return=representation',
        },
      ),
    ).toMatchReply({ status: 201, json: [{ id: 6 }, { id: 4 }, { id: 5 }] });
  });

  test('keys may stand in another order in each object', async () => {
    const body = '[{"id":10,"label":"a","amount":1},{"amount":2,"id":11,"label":"b"}]';
    expect(await rest.post('/shelves', body)).toMatchReply({ status: 201, text: '' });
    expect(await stored(10, 11)).toEqual([
      { id: 10, label: 'a', amount: 1 },
      { id: 11, label: 'b', amount: 2 },
    ]);
  });

  test.each([
    ['a key is missing', '[{"id":20,"label":"a"},{"id":21}]'],
    ['a key is added', '[{"id":20},{"id":21,"label":"a"}]'],
    ['other keys', '[{"id":20},{"label":"a"}]'],
    ['an element is no object', '[{"id":20},2]'],
    ['the first element is no object', '[null,{"id":20}]'],
    ['no element is an object', '[1,2]'],
    ['an array of arrays', '[[{"id":20}]]'],
    ['an empty object among others', '[{"id":20},{}]'],
  ])('objects with different keys are refused, and none is written: %s', async (_, body) => {
    expect(await rest.post('/shelves', body)).toMatchReply(badBody('All object keys must match'));
    expect(await stored(20, 21)).toEqual([]);
  });

  test('what cannot be read as a whole is not written in part', async () => {
    for (const body of ['[{"id":22},{"id":23}', '[{"id":22},{"id":23}]]', '[{"id":22},{"id":23},]']) {
      expect(await rest.post('/shelves', body)).toMatchReply(badBody('Empty or invalid json'));
    }
    expect(await stored(22, 23)).toEqual([]);
  });

  test('a row that the database refuses takes the others with it', async () => {
    expect(
      await rest.post('/shelves', [
        { id: 30, amount: 1 },
        { id: 31, amount: -1 },
        { id: 32, amount: 1 },
      ]),
    ).toMatchReply(
      failure(400, '23514', 'new row for relation "shelves" violates check constraint "amount_is_real"', {
        details: 'Failing row contains (31, null, -1, as delivered).',
      }),
    );
    expect(await stored(30, 32)).toEqual([]);
  });

  test('a row that stands twice takes the others with it', async () => {
    expect(await rest.post('/shelves', [{ id: 33 }, { id: 34 }, { id: 33 }])).toMatchReply(
      failure(409, '23505', 'duplicate key value violates unique constraint "shelves_pkey"', {
        details: 'Key (id)=(33) already exists.',
      }),
    );
    expect(await stored(33, 34)).toEqual([]);
  });

  test('objects without keys are rows of defaults, one for each', async () => {
    expect(
      await rest.post('/receipts?select=label', [{}, {}, {}], { prefer: 'return=representation, count=exact' }),
    ).toMatchReply({
      status: 201,
      headers: { 'content-range': '*/3' },
      json: [{ label: null }, { label: null }, { label: null }],
    });
  });

  test('an empty array is no row', async () => {
    expect(await rest.post('/shelves', [], { prefer: 'return=representation, count=exact' })).toMatchReply({
      status: 201,
      headers: { 'content-range': '*/0', 'content-length': '2' },
      text: '[]',
    });
    expect(await rest.post('/shelves', [])).toMatchReply({
      status: 201,
      headers: { 'content-range': '*/*', 'content-length': '0', location: null },
      text: '',
    });
    expect(await rest.post('/shelves', [], { prefer: 'return=headers-only' })).toMatchReply({
      status: 201,
      headers: { location: null },
      text: '',
    });
  });

  test('valid JSON that is neither object nor array is no row either', async () => {
    for (const body of ['1', '"x"', 'null', 'true', ' 1.5e3 ']) {
      expect(await rest.post('/shelves', body, { prefer: 'return=representation' })).toMatchReply({
        status: 201,
        text: '[]',
      });
    }
  });

  test('whitespace around and inside is of no account', async () => {
    const body = ' \r\n\t[ { "id" : 40 } ,\n { "id" : 41 } ] \n';
    expect(await rest.post('/shelves?select=id', body, { prefer: 'return=representation' })).toMatchReply({
      status: 201,
      json: [{ id: 40 }, { id: 41 }],
    });
  });

  test('ten thousand rows are one statement', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: 1_000_000 + i, label: `row ${i}`, amount: i }));
    expect(await rest.post('/shelves', rows, { prefer: 'count=exact' })).toMatchReply({
      status: 201,
      headers: { 'content-range': '*/10000' },
    });
    const [row] = await db().query('select count(*)::int, sum(amount)::int from test.shelves where id >= 1000000');
    expect(row).toEqual({ count: 10_000, sum: 49_995_000 });
  });
});
