// PUT: the one row that the address names, made or replaced.

import { beforeEach, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { badBody, badContentType, failure, JSON_UTF8, OBJECT, unavailable, unknownColumn } from './expected.ts';

const SHOWN = { prefer: 'return=representation' };
const MISMATCH = failure(400, 'SVRST115', 'Payload values do not match URL in primary key column(s)', {
  headers: { 'content-range': '*/*', 'range-unit': 'items' },
});
const NOT_THE_KEY = failure(
  405,
  'SVRST105',
  "Filters must include all and only primary key columns with 'eq' operators",
);
const WINDOWED = failure(400, 'SVRST114', 'limit/offset querystring parameters are not allowed for PUT');

onEachEngine('PUT', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  beforeEach(() =>
    db().script(`
      truncate test.tiobe_pls, test.employees;
      insert into test.tiobe_pls values ('Java', 1), ('C', 2), ('Python', 4);
      insert into test.employees values ('Frances', 'Roe', 24000.00, 'One-Up Realty', 'Author');
    `),
  );

  const put = (target: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    rest.request('PUT', target, { body, headers });
  const languages = async (): Promise<unknown[]> => db().query('select name, rank from test.tiobe_pls order by name');

  test('a new row: 201 when it is shown', async () => {
    expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 19 }, SHOWN)).toMatchReply({
      status: 201,
      headers: {
        'content-type': JSON_UTF8,
        'content-length': '25',
        'content-range': '*/*',
        'range-unit': 'items',
        'preference-applied': 'return=representation',
        'content-profile': 'test',
        location: null,
      },
      text: '[{"name":"Go","rank":19}]',
    });
  });

  test('a known row: 200 when it is shown', async () => {
    expect(await put('/tiobe_pls?name=eq.Java', { name: 'Java', rank: 13 }, SHOWN)).toMatchReply({
      status: 200,
      headers: { 'content-range': '*/*', 'preference-applied': 'return=representation' },
      text: '[{"name":"Java","rank":13}]',
    });
  });

  test('204 when nothing is shown, new or known', async () => {
    const said = {
      status: 204,
      headers: {
        'content-type': null,
        'content-length': null,
        'content-range': '*/*',
        'range-unit': 'items',
        'preference-applied': null,
        location: null,
      },
      text: '',
    };
    expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 19 })).toMatchReply(said);
    expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 20 })).toMatchReply(said);
    expect(
      await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 21 }, { prefer: 'return=headers-only' }),
    ).toMatchReply({
      status: 204,
      headers: { 'preference-applied': 'return=headers-only', location: null },
      text: '',
    });
    expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 22 }, { prefer: 'return=minimal' })).toMatchReply({
      status: 204,
      headers: { 'preference-applied': 'return=minimal' },
    });
    expect(await languages()).toContainEqual({ name: 'Go', rank: 22 });
  });

  test('a key of several columns, in any order', async () => {
    const row = {
      first_name: 'Susan',
      last_name: 'Heidt',
      salary: '48000',
      company: 'GEX',
      occupation: 'Railroad engineer',
    };
    expect(await put('/employees?last_name=eq.Heidt&first_name=eq.Susan', row, SHOWN)).toMatchReply({
      status: 201,
      json: [{ ...row, salary: '$48,000.00' }],
    });
  });

  test('columns that the body has not: their defaults in a new row, untouched in a known one', async () => {
    expect(await put('/stock?id=eq.70&select=id,name,amount,price', { id: 70, price: 3 }, SHOWN)).toMatchReply({
      status: 201,
      json: [{ id: 70, name: 'unnamed', amount: 7, price: 3 }],
    });
    expect(await put('/stock?id=eq.70&select=id,name,amount,price', { id: 70, name: 'n' }, SHOWN)).toMatchReply({
      status: 200,
      json: [{ id: 70, name: 'n', amount: 7, price: 3 }],
    });
    expect(
      await put(
        '/employees?first_name=eq.Frances&last_name=eq.Roe',
        { first_name: 'Frances', last_name: 'Roe', salary: '1' },
        SHOWN,
      ),
    ).toMatchReply({
      status: 200,
      json: [
        { first_name: 'Frances', last_name: 'Roe', salary: '$1.00', company: 'One-Up Realty', occupation: 'Author' },
      ],
    });
  });

  test('a table of nothing but its key', async () => {
    expect(await put('/only_pk?id=eq.10', { id: 10 }, SHOWN)).toMatchReply({ status: 201, json: [{ id: 10 }] });
    expect(await put('/only_pk?id=eq.10', { id: 10 }, SHOWN)).toMatchReply({ status: 200, json: [{ id: 10 }] });
  });

  test('a view that has the key of its table', async () => {
    expect(await put('/projects_view?id=eq.300&select=id,name', { id: 300, name: 'vv' }, SHOWN)).toMatchReply({
      status: 201,
      json: [{ id: 300, name: 'vv' }],
    });
  });

  test('select, embeds and order shape what is shown', async () => {
    expect(
      await put(
        '/projects?id=eq.301&select=id,client:clients(name),tasks(id)',
        { id: 301, name: 'p', client_id: 2 },
        SHOWN,
      ),
    ).toMatchReply({ status: 201, json: [{ id: 301, client: { name: 'City Museum' }, tasks: [] }] });
  });

  test('one object, and other forms', async () => {
    expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 19 }, { ...SHOWN, accept: OBJECT })).toMatchReply({
      status: 201,
      headers: { 'content-type': `${OBJECT}; charset=utf-8` },
      text: '{"name":"Go","rank":19}',
    });
    expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 20 }, { ...SHOWN, accept: 'text/csv' })).toMatchReply(
      {
        status: 200,
        headers: { 'content-type': 'text/csv; charset=utf-8' },
        text: 'name,rank\nGo,20',
      },
    );
    expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 21 }, { accept: 'text/unknowntype' })).toMatchReply(
      unavailable('text/unknowntype'),
    );
  });

  test('count, handling and timezone are echoed, missing and resolution mean nothing here', async () => {
    expect(
      await put(
        '/tiobe_pls?name=eq.Go',
        { name: 'Go' },
        {
          prefer:
            'max-affected=5, timezone=UTC, handling=strict, count=exact, return=representation, missing=default, resolution=ignore-duplicates',
        },
      ),
    ).toMatchReply({
      status: 201,
      headers: {
        'content-range': '*/1',
        'preference-applied': 'return=representation, count=exact, handling=strict, timezone=UTC',
      },
    });
  });

  describe('the body', () => {
    test('may be an array: the row of the address is written, the others are dropped', async () => {
      expect(
        await put(
          '/tiobe_pls?name=eq.Go',
          [
            { name: 'Rust', rank: 1 },
            { name: 'Go', rank: 19 },
          ],
          SHOWN,
        ),
      ).toMatchReply({
        status: 201,
        json: [{ name: 'Go', rank: 19 }],
      });
      expect(await languages()).not.toContainEqual({ name: 'Rust', rank: 1 });
    });

    test.each([
      ['another row', { name: 'Rust', rank: 1 }],
      ['several other rows', [{ name: 'Rust' }, { name: 'D' }]],
      ['a known row, but not that of the address', { name: 'Java', rank: 77 }],
      ['no row', []],
      ['a row without its key', { rank: 77 }],
      ['a row of nothing', {}],
      ['a key that is null', { name: null, rank: 77 }],
      ['neither object nor array', '7'],
    ])('%s: nothing is written', async (_, body) => {
      expect(await put('/tiobe_pls?name=eq.Go', body, SHOWN)).toMatchReply(MISMATCH);
      expect(await put('/tiobe_pls?name=eq.Go', body)).toMatchReply(MISMATCH);
      expect(await languages()).toEqual([
        { name: 'C', rank: 2 },
        { name: 'Java', rank: 1 },
        { name: 'Python', rank: 4 },
      ]);
    });

    test('part of the key does not do', async () => {
      expect(
        await put(
          '/employees?first_name=eq.Frances&last_name=eq.Roe',
          { first_name: 'Frances', last_name: 'Doe' },
          SHOWN,
        ),
      ).toMatchReply(MISMATCH);
    });

    test.each(['Go', 'Java'])('the row twice is refused, new or known (%s)', async (name) => {
      const twice = [
        { name, rank: 1 },
        { name, rank: 2 },
      ];
      expect(await put(`/tiobe_pls?name=eq.${name}`, twice)).toMatchReply(MISMATCH);
      expect(await put(`/tiobe_pls?name=eq.${name}`, twice, SHOWN)).toMatchReply(MISMATCH);
      expect(await languages()).toEqual([
        { name: 'C', rank: 2 },
        { name: 'Java', rank: 1 },
        { name: 'Python', rank: 4 },
      ]);
    });

    test('unknown columns, broken JSON, other types', async () => {
      expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', nope: 1 })).toMatchReply(
        unknownColumn('tiobe_pls', 'nope'),
      );
      expect(await put('/tiobe_pls?name=eq.Go', '{"name"')).toMatchReply(badBody('Empty or invalid json'));
      expect(await put('/tiobe_pls?name=eq.Go', '')).toMatchReply(badBody('Empty or invalid json'));
      expect(await put('/tiobe_pls?name=eq.Go', [{ name: 'Go' }, { rank: 1 }])).toMatchReply(
        badBody('All object keys must match'),
      );
      expect(await put('/tiobe_pls?name=eq.Go', 'x', { 'content-type': 'text/plain' })).toMatchReply(
        badContentType('text/plain'),
      );
      expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 'x' })).toMatchReply(
        failure(400, '22P02', 'invalid input syntax for type smallint: "x"'),
      );
    });
  });

  describe('the address', () => {
    test.each([
      ['no filter', ''],
      ['another column', '?rank=eq.19'],
      ['one more column', '?name=eq.Go&rank=eq.19'],
      ['negated', '?name=not.eq.Go'],
      ['another operator', '?name=like.Go'],
      ['a list', '?name=in.(Go)'],
      ['any of a list', '?name=eq(any).{Go}'],
      ['is', '?name=is.null'],
      ['and', '?and=(name.eq.Go)'],
      ['or beside the key', '?name=eq.Go&or=(rank.eq.1,rank.eq.2)'],
      ['into JSON', '?name->>a=eq.Go'],
      ['the key twice', '?name=eq.Go&name=eq.Go'],
    ])('must name the key and nothing else: %s', async (_, query) => {
      expect(await put(`/tiobe_pls${query}`, { name: 'Go', rank: 19 }, SHOWN)).toMatchReply(NOT_THE_KEY);
      expect(await languages()).toHaveLength(3);
    });

    test('must name the whole of it', async () => {
      expect(await put('/employees?first_name=eq.Susan', { first_name: 'Susan', last_name: 'Heidt' })).toMatchReply(
        NOT_THE_KEY,
      );
    });

    test('is none where the table has no key', async () => {
      expect(await put('/no_pk?a=eq.1', { a: '1' })).toMatchReply(NOT_THE_KEY);
      expect(await put('/no_pk', { a: '1' })).toMatchReply(NOT_THE_KEY);
    });

    test.each(['limit=1', 'offset=1', 'limit=0', 'offset=0', 'limit=5&offset=2'])('takes no %s', async (window) => {
      expect(await put(`/tiobe_pls?name=eq.Go&${window}`, { name: 'Go', rank: 19 })).toMatchReply(WINDOWED);
    });

    test('a window is wrong before the filters and the body are', async () => {
      expect(await put('/tiobe_pls?limit=1', '{"broken')).toMatchReply(WINDOWED);
      expect(await put('/tiobe_pls?limit=-1', {})).toMatchReply(
        failure(416, 'SVRST103', 'Requested range not satisfiable', {
          details: 'Limit should be greater than or equal to zero.',
        }),
      );
    });

    test('the Range header says nothing', async () => {
      expect(await put('/tiobe_pls?name=eq.Go', { name: 'Go', rank: 19 }, { ...SHOWN, range: '5-2' })).toMatchReply({
        status: 201,
      });
    });

    test('a table that is not there, a broken filter', async () => {
      expect(await put('/tiobe_plsx?name=eq.Go', { name: 'Go' })).toMatchReply(
        failure(404, 'SVRST205', "Could not find the table 'test.tiobe_plsx' in the schema cache", {
          hint: "Perhaps you meant the table 'test.tiobe_pls'",
        }),
      );
      expect(await put('/tiobe_pls?name=Go', { name: 'Go' })).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=SVRST100' },
      });
    });
  });

  test('a row that a trigger drops is not there, so the address names nothing', async () => {
    expect(await put('/triggered?id=eq.1', { id: 1, name: 'skip me' })).toMatchReply(MISMATCH);
    expect(await put('/triggered?id=eq.1', { id: 1, name: 'kept' }, SHOWN)).toMatchReply({
      status: 200,
      json: [{ id: 1, name: 'kept', changed_by: 'rest_anon' }],
    });
  });

  test('a policy decides as for any other write', async () => {
    expect(await put('/stuff?id=eq.2', { id: 2, name: 'taken over' })).toMatchReply(
      failure(401, '42501', 'new row violates row-level security policy for table "stuff"', {
        headers: { 'www-authenticate': 'Bearer' },
      }),
    );
  });
});
