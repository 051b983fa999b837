// POST to a relation: one row, and what is said of it.

import { describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { badBody, denied, failure, JSON_UTF8, notSingular, OBJECT, unavailable, unknownColumn } from './expected.ts';

onEachEngine('insert', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  const shelf = async (id: number): Promise<unknown> =>
    (await db().query('select * from test.shelves where id = $1', [id]))[0];

  const nothingSaid = {
    status: 201,
    headers: {
      'content-length': '0',
      'content-type': null,
      'content-range': '*/*',
      'range-unit': 'items',
      'content-profile': null,
      'content-location': null,
      'preference-applied': null,
      location: null,
    },
    text: '',
  };

  test('a row is written and nothing is said of it', async () => {
    const reply = await rest.post('/shelves', { id: 1, label: 'nuts', amount: 3 });
    expect(reply).toMatchReply(nothingSaid);
    expect(await shelf(1)).toEqual({ id: 1, label: 'nuts', amount: 3, note: 'as delivered' });
  });

  test('return=minimal says no more, but that it was understood', async () => {
    const reply = await rest.post('/shelves', { id: 2 }, { prefer: 'return=minimal' });
    expect(reply).toMatchReply({
      ...nothingSaid,
      headers: { ...nothingSaid.headers, 'preference-applied': 'return=minimal' },
    });
    expect(await shelf(2)).toEqual({ id: 2, label: null, amount: 0, note: 'as delivered' });
  });

  test('return=representation shows the row as it was stored', async () => {
    expect(await rest.post('/shelves', { id: 3, label: 'bolts' }, { prefer: 'return=representation' })).toMatchReply({
      status: 201,
      headers: {
        'content-type': JSON_UTF8,
        'content-length': '59',
        'content-range': '*/*',
        'range-unit': 'items',
        'content-profile': 'test',
        'content-location': null,
        'preference-applied': 'return=representation',
        location: null,
      },
      text: '[{"id":3,"label":"bolts","amount":0,"note":"as delivered"}]',
    });
  });

  test('return=headers-only says where the row is', async () => {
    expect(
      await rest.post('/projects', { id: 111, name: 'New', client_id: 2 }, { prefer: 'return=headers-only' }),
    ).toMatchReply({
      status: 201,
      headers: {
        'content-length': '0',
        'content-type': null,
        'content-range': '*/*',
        'preference-applied': 'return=headers-only',
        location: '/projects?id=eq.111',
      },
      text: '',
    });
  });

  test('count=exact and count=estimated tell the number of written rows, count=planned does not', async () => {
    const written = async (id: number, count: string): Promise<unknown> =>
      rest.post('/shelves', [{ id }, { id: id + 1 }], { prefer: `count=${count}` });
    expect(await written(10, 'exact')).toMatchReply({
      status: 201,
      headers: { 'content-range': '*/2', 'preference-applied': 'count=exact' },
    });
    expect(await written(12, 'estimated')).toMatchReply({
      headers: { 'content-range': '*/2', 'preference-applied': 'count=estimated' },
    });
    expect(await written(14, 'planned')).toMatchReply({
      headers: { 'content-range': '*/*', 'preference-applied': 'count=planned' },
    });
  });

  test('an object without keys is a row of defaults', async () => {
    const reply = await rest.post('/receipts', {}, { prefer: 'return=representation' });
    expect(reply).toMatchReply({ status: 201, json: [{ id: expect.any(Number), label: null }] });
    expect(await rest.post('/receipts', {}, { prefer: 'return=headers-only' })).toMatchReply({
      status: 201,
      headers: { location: /^\/receipts\?id=eq\.\d+$/ },
    });
  });

  describe('Location', () => {
    const located = async (target: string, row: object): Promise<unknown> =>
      rest.post(target, row, { prefer: 'return=headers-only' });
    const at = (location: string | null) => ({ status: 201, headers: { location }, text: '' });

    test('names every column of the key, encoded', async () => {
      expect(await located('/compound_pk', { k1: 12, k2: "Rock & R+ll (it's)*!" })).toMatchReply(
        at('/compound_pk?k1=eq.12&k2=eq.Rock%20%26%20R%2Bll%20%28it%27s%29%2A%21'),
      );
    });

    test('has the value that the database made', async () => {
      expect(await located('/auto_incrementing_pk', { non_nullable_string: 'x' })).toMatchReply({
        status: 201,
        headers: { location: /^\/auto_incrementing_pk\?id=eq\.\d+$/ },
      });
    });

    test('is not there without a key', async () => {
      expect(await located('/no_pk', { a: 'x' })).toMatchReply(at(null));
    });

    test('is there for a view that has the key of its table', async () => {
      expect(await located('/projects_view', { id: 112, name: 'v' })).toMatchReply(at('/projects_view?id=eq.112'));
    });

    test('says is.null for a part of the key that came back empty', async () => {
      expect(await located('/insert_by_trigger', { extra: 'e' })).toMatchReply(at('/insert_by_trigger?k=is.null'));
    });

    test.each([
      ['/Escap3e%3B', { so6meIdColumn: 77 }, '/Escap3e%3B?so6meIdColumn=eq.77'],
      ['/%3B%20drop%20table%20test.items%3B%20--', { id: 5 }, '/%3B%20drop%20table%20test.items%3B%20--?id=eq.5'],
      ['/%D9%85%D9%88%D8%A7%D8%B1%D8%AF', { هویت: 9 }, '/%D9%85%D9%88%D8%A7%D8%B1%D8%AF?%D9%87%D9%88%DB%8C%D8%AA=eq.9'],
      ['/car_models', { name: 'X', year: 2021 }, '/car_models?name=eq.X&year=eq.2021'],
      // In the order of the names, not of the key.
      [
        '/touched_files',
        { user_id: 1, task_id: 3, project: 'quay', filename: 'plan.txt' },
        '/touched_files?filename=eq.plan.txt&project=eq.quay&task_id=eq.3&user_id=eq.1',
      ],
    ])('%s: encoded as an address has to be', async (target, row, location) => {
      expect(await located(target, row)).toMatchReply(at(location));
    });

    test('is not there for several rows', async () => {
      expect(await rest.post('/shelves', [{ id: 20 }, { id: 21 }], { prefer: 'return=headers-only' })).toMatchReply(
        at(null),
      );
    });
  });

  describe('what the database refuses', () => {
    test.each([
      [
        'a key that is taken',
        '/items',
        { id: 5 },
        failure(409, '23505', 'duplicate key value violates unique constraint "items_pkey"', {
          details: 'Key (id)=(5) already exists.',
        }),
      ],
      [
        'a reference to nothing',
        '/projects',
        { id: 900, name: 'x', client_id: 222 },
        failure(
          409,
          '23503',
          'insert or update on table "projects" violates foreign key constraint "projects_client_id_fkey"',
          { details: 'Key (client_id)=(222) is not present in table "clients".' },
        ),
      ],
      [
        'a null where none may be',
        '/not_nulls',
        { id: 1 },
        failure(400, '23502', 'null value in column "must" of relation "not_nulls" violates not-null constraint', {
          details: 'Failing row contains (1, null, null).',
        }),
      ],
      [
        'a value that a check refuses',
        '/not_nulls',
        { id: 1, must: 'x', checked: 100 },
        failure(400, '23514', 'new row for relation "not_nulls" violates check constraint "not_nulls_checked_check"', {
          details: 'Failing row contains (1, x, 100).',
        }),
      ],
      [
        'a value of another type',
        '/items',
        { id: 'abc' },
        failure(400, '22P02', 'invalid input syntax for type bigint: "abc"'),
      ],
      [
        'a text too long for its column',
        '/typed_lengths',
        { id: 9, c: 'abcdefg' },
        failure(400, '22001', 'value too long for type character(5)'),
      ],
      [
        'bits of another number than the column has',
        '/typed_lengths',
        { id: 9, b: '1010101' },
        failure(400, '22026', 'bit string length 7 does not match type bit(5)'),
      ],
      [
        'a date that is none',
        '/villagers',
        { id: 99, born: '2020-02-31' },
        failure(400, '22008', 'date/time field value out of range: "2020-02-31"'),
      ],
    ])('%s', async (_, target, row, expected) => {
      expect(await rest.post(target, row, { prefer: 'return=representation' })).toMatchReply(expected);
    });

    test('nobody was granted anything: 401 for the anonymous role, 403 for a known one', async () => {
      expect(await rest.post('/private_table', { id: 1 })).toMatchReply(denied('private_table'));
      expect(await rest.request('POST', '/private_table', { body: { id: 1 }, as: AUTHOR })).toMatchReply(
        failure(403, '42501', 'permission denied for table private_table', { headers: { 'www-authenticate': null } }),
      );
    });
  });

  describe('what is not there', () => {
    test('an unknown column, with or without anything to be shown', async () => {
      expect(await rest.post('/items', { nope: 1 })).toMatchReply(unknownColumn('items', 'nope'));
      expect(await rest.post('/items', { id: 1, nope: 1 }, { prefer: 'return=representation' })).toMatchReply(
        unknownColumn('items', 'nope'),
      );
    });

    test('of several unknown columns the first by name', async () => {
      expect(await rest.post('/items', { zz: 1, id: 1, aa: 2 })).toMatchReply(unknownColumn('items', 'aa'));
    });

    test('an unknown table comes before an unknown column', async () => {
      expect(await rest.post('/itemsx', { nope: 1 })).toMatchReply(
        failure(404, 'SVRST205', "Could not find the table 'test.itemsx' in the schema cache", {
          hint: "Perhaps you meant the table 'test.items'",
        }),
      );
    });

    test('a partition is no table of the API', async () => {
      expect(await rest.post('/car_models_2021', { name: 'X', year: 2021 })).toMatchReply(
        failure(404, 'SVRST205', "Could not find the table 'test.car_models_2021' in the schema cache", {
          hint: null,
        }),
      );
    });

    test('a column that only select names is asked for only when rows are shown', async () => {
      expect(await rest.post('/shelves?select=zzz', { id: 30 })).toMatchReply(nothingSaid);
      expect(await rest.post('/shelves?select=zzz', { id: 31 }, { prefer: 'return=representation' })).toMatchReply(
        failure(400, '42703', 'column shelves.zzz does not exist'),
      );
      expect(await shelf(31)).toBeUndefined();
    });

    test('an embed that is none is an error in any case', async () => {
      const notRelated = failure(
        400,
        'SVRST200',
        "Could not find a relationship between 'shelves' and 'zzz' in the schema cache",
        {
          details:
            "Searched for a foreign key relationship between 'shelves' and 'zzz' in the schema 'test', but no matches were found.",
          hint: null,
        },
      );
      expect(await rest.post('/shelves?select=id,zzz(id)', { id: 32 })).toMatchReply(notRelated);
      expect(await shelf(32)).toBeUndefined();
    });
  });

  describe('the answer in another form', () => {
    test('one object instead of an array', async () => {
      expect(
        await rest.post('/shelves?select=id,label', { id: 40 }, { prefer: 'return=representation', accept: OBJECT }),
      ).toMatchReply({
        status: 201,
        headers: { 'content-type': `${OBJECT}; charset=utf-8`, 'content-length': '22' },
        text: '{"id":40,"label":null}',
      });
    });

    test('one object of several rows: none is written', async () => {
      const body = [{ id: 41 }, { id: 42 }];
      expect(await rest.post('/shelves', body, { prefer: 'return=representation', accept: OBJECT })).toMatchReply(
        notSingular(2),
      );
      expect(await rest.post('/shelves', body, { accept: OBJECT })).toMatchReply(notSingular(2));
      expect(await rest.post('/shelves', body, { prefer: 'return=minimal', accept: OBJECT })).toMatchReply(
        notSingular(2),
      );
      expect(await rest.post('/shelves', [], { accept: OBJECT })).toMatchReply(notSingular(0));
      expect(await shelf(41)).toBeUndefined();
    });

    test('one object of one row is written, shown or not', async () => {
      expect(await rest.post('/shelves', [{ id: 43 }], { accept: OBJECT })).toMatchReply(nothingSaid);
      expect(await shelf(43)).toBeDefined();
    });

    test('CSV', async () => {
      expect(
        await rest.post('/shelves?select=id,label', [{ id: 44, label: 'a, b' }], {
          prefer: 'return=representation',
          accept: 'text/csv',
        }),
      ).toMatchReply({
        status: 201,
        headers: { 'content-type': 'text/csv; charset=utf-8' },
        text: 'id,label\n44,"a, b"',
      });
    });

    test('a type that nobody makes is refused before anything is written, though nothing would be shown', async () => {
      expect(await rest.post('/shelves', { id: 45 }, { accept: 'text/unknowntype, foo/bar;q=0.5' })).toMatchReply(
        unavailable('text/unknowntype, foo/bar'),
      );
      expect(await shelf(45)).toBeUndefined();
    });
  });

  describe('the schema to write to', () => {
    test('is named by Content-Profile; Accept-Profile is for reading', async () => {
      const body = { id: 90, name: 'written' };
      const headers = { prefer: 'return=representation', 'content-profile': 'v2', 'accept-profile': 'v1' };
      expect(await rest.post('/parents', body, headers)).toMatchReply({
        status: 201,
        headers: { 'content-profile': 'v2' },
        json: [body],
      });
      expect(await rest.get('/parents?id=eq.90', { 'accept-profile': 'v2' })).toMatchReply({ json: [body] });
      expect(await rest.get('/parents?id=eq.90', { 'accept-profile': 'v1' })).toMatchReply({ json: [] });
    });

    test('must be one that is exposed', async () => {
      expect(await rest.post('/parents', { id: 1 }, { 'content-profile': 'private' })).toMatchReply(
        failure(406, 'SVRST106', 'Invalid schema: private', {
          hint: 'Only the following schemas are exposed: test, v1, v2, SPECIAL "@/\\#~_-',
        }),
      );
    });
  });

  test('names that need quoting are written as any other', async () => {
    const row = { id: 8, "it's": 'q', 'say "hi"': 'r', 'back\\slash': 's' };
    expect(
      await rest.post('/with%20%22quotes%22%20and%20%27more%27', row, { prefer: 'return=representation' }),
    ).toMatchReply({ status: 201, json: [row] });
    const odd = { id: 8, 'information.cpe': 'c', limit: 1, order: 'o', select: 's', 'a,b': 'x', ' spaced ': 'y' };
    expect(await rest.post('/odd_columns', odd, { prefer: 'return=representation' })).toMatchReply({
      status: 201,
      json: [expect.objectContaining(odd)],
    });
    expect(
      await rest.post(
        '/%3Cscript%3E?select=id,constructor,toJSON,__proto__',
        '{"id":8,"$ref":"r","__proto__":"p","constructor":"c","toJSON":"j"}',
        { prefer: 'return=representation' },
      ),
    ).toMatchReply({ status: 201, text: '[{"id":8,"constructor":"c","toJSON":"j","__proto__":"p"}]' });
  });

  test('columns named like what the statement itself uses', async () => {
    const row = { t: 5, count: 6, body: 'z', source: 7, row_to_json: 8 };
    expect(await rest.post('/internal_names', row, { prefer: 'return=representation' })).toMatchReply({
      status: 201,
      json: [row],
    });
  });

  test('a body of nothing is no row', async () => {
    expect(await rest.request('POST', '/items')).toMatchReply(badBody('Empty or invalid json'));
    expect(await rest.post('/items', ' \n')).toMatchReply(badBody('Empty or invalid json'));
  });

  test('every type has the form in which JSON shows it, and most take their text form too', async () => {
    const row = {
      id: 50,
      a_boolean: true,
      a_smallint: '7',
      a_numeric: '12.3456',
      a_money: '3.99',
      a_uuid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      a_timestamptz: '2024-01-31T10:20:30+02:00',
      a_jsonb: { a: [1, null] },
      an_inet: '10.0.0.1/8',
      an_int4range: '[1,5)',
      some_integers: [1, 2],
      some_texts: '{a,"b,c"}',
      a_matrix: [
        [1, 2],
        [3, 4],
      ],
      a_mood: 'happy',
      some_moods: ['sad', 'ok'],
      an_email: 'a@b',
      an_address: { street: 's', 'zip code': 'z' },
      a_bytea: '\\x00ff',
    };
    const columns = Object.keys(row).join();
    expect(await rest.post(`/all_types?select=${columns}`, row, { prefer: 'return=representation' })).toMatchReply({
      status: 201,
      json: [
        {
          ...row,
          a_smallint: 7,
          a_numeric: 12.3456,
          a_money: '$3.99',
          a_timestamptz: '2024-01-31T08:20:30+00:00',
          some_texts: ['a', 'b,c'],
          an_address: { street: 's', city: null, 'zip code': 'z' },
        },
      ],
    });
  });

  test('numbers beyond JavaScript keep every digit', async () => {
    expect(
      await rest.post('/all_types?select=a_bigint,a_json', '{"id":51,"a_bigint":9007199254740993,"a_json":1e400}', {
        prefer: 'return=representation',
      }),
    ).toMatchReply({ status: 201, text: '[{"a_bigint":9007199254740993,"a_json":1e400}]' });
  });

  test('of a key given twice the last value counts; in a json column both stay', async () => {
    expect(
      await rest.post('/shelves?select=id,label', '{"id":1,"label":"a","id":60,"label":"b"}', {
        prefer: 'return=representation',
      }),
    ).toMatchReply({ status: 201, json: [{ id: 60, label: 'b' }] });
    expect(
      await rest.post('/json_table?select=data,binary_data', '{"data":{"a":1,"a":2},"binary_data":{"a":1,"a":2}}', {
        prefer: 'return=representation',
      }),
    ).toMatchReply({ status: 201, text: '[{"data":{"a":1,"a":2},"binary_data":{"a": 2}}]' });
  });
});
