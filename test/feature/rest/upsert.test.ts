// POST with a resolution: what happens to rows that are there already.

import { beforeEach, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure, notSingular, OBJECT } from './expected.ts';

onEachEngine('upsert', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  beforeEach(() =>
    db().script(`
      truncate test.tiobe_pls, test.single_unique, test.compound_unique, test.only_pk, test.no_pk;
      insert into test.tiobe_pls values ('Java', 1), ('C', 2), ('Python', 4);
      insert into test.single_unique values (1, 'A');
      insert into test.compound_unique values (1, 1, 'A');
      insert into test.only_pk values (1), (2);
    `),
  );

  const merge = (target: string, body: unknown, more = ''): Promise<Reply> =>
    rest.post(target, body, { prefer: `return=representation, resolution=merge-duplicates${more}` });
  const ignore = (target: string, body: unknown, more = ''): Promise<Reply> =>
    rest.post(target, body, { prefer: `return=representation, resolution=ignore-duplicates${more}` });
  const languages = async (): Promise<unknown[]> => db().query('select name, rank from test.tiobe_pls order by name');

  describe('merge-duplicates', () => {
    test('one new row among known ones: 201, and all of them are shown', async () => {
      const body = [
        { name: 'Javascript', rank: 6 },
        { name: 'Java', rank: 2 },
        { name: 'C', rank: 1 },
      ];
      expect(await merge('/tiobe_pls', body)).toMatchReply({
        status: 201,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-range': '*/*',
          'range-unit': 'items',
          'preference-applied': 'resolution=merge-duplicates, return=representation',
          location: null,
        },
        json: body,
      });
      expect(await languages()).toEqual([
        { name: 'C', rank: 1 },
        { name: 'Java', rank: 2 },
        { name: 'Javascript', rank: 6 },
        { name: 'Python', rank: 4 },
      ]);
    });

    test('only known rows: 200', async () => {
      expect(
        await merge(
          '/tiobe_pls',
          [
            { name: 'Java', rank: 13 },
            { name: 'C', rank: 15 },
          ],
          ', count=exact',
        ),
      ).toMatchReply({
        status: 200,
        headers: { 'content-range': '*/2' },
        json: [
          { name: 'Java', rank: 13 },
          { name: 'C', rank: 15 },
        ],
      });
    });

    test('only new rows: 201', async () => {
      expect(await merge('/tiobe_pls', { name: 'Go', rank: 19 })).toMatchReply({
        status: 201,
        json: [{ name: 'Go', rank: 19 }],
      });
    });

    test('no row: 200', async () => {
      expect(await merge('/tiobe_pls', [])).toMatchReply({ status: 200, text: '[]' });
      expect(await rest.post('/tiobe_pls', [], { prefer: 'resolution=merge-duplicates' })).toMatchReply({
        status: 200,
        headers: { 'content-length': '0', 'content-type': null, 'preference-applied': 'resolution=merge-duplicates' },
        text: '',
      });
    });

    test('the status is the same when nothing is shown', async () => {
      const prefer = 'resolution=merge-duplicates';
      expect(await rest.post('/tiobe_pls', { name: 'Java', rank: 3 }, { prefer })).toMatchReply({
        status: 200,
        headers: { 'content-length': '0', 'content-type': null, 'content-range': '*/*', 'preference-applied': prefer },
        text: '',
      });
      expect(await rest.post('/tiobe_pls', { name: 'Go', rank: 3 }, { prefer })).toMatchReply({
        status: 201,
        text: '',
      });
      expect(
        await rest.post('/tiobe_pls', { name: 'Rust', rank: 3 }, { prefer: `${prefer}, return=headers-only` }),
      ).toMatchReply({ status: 201, headers: { location: '/tiobe_pls?name=eq.Rust' }, text: '' });
    });

    test('two of the new rows are hidden by an inner embed: they count all the same', async () => {
      await db().query("insert into test.projects values (200, 'known', 1)");
      const body = [
        { id: 200, name: 'known', client_id: 1 },
        { id: 201, name: 'new', client_id: null },
      ];
      expect(await merge('/projects?select=id,clients!inner(id)', body)).toMatchReply({
        status: 201,
        json: [{ id: 200, clients: { id: 1 } }],
      });
    });

    test('columns that are not in the body stay as they are', async () => {
      await db().query("insert into test.shelves values (1, 'label', 5, 'note')");
      expect(await merge('/shelves', { id: 1, amount: 6 })).toMatchReply({
        status: 200,
        json: [{ id: 1, label: 'label', amount: 6, note: 'note' }],
      });
    });

    test('a key of several columns', async () => {
      expect(
        await merge('/employees', [
          { first_name: 'Frances', last_name: 'Roe', salary: '30000' },
          { first_name: 'Peter', last_name: 'Yang', salary: '42000' },
        ]),
      ).toMatchReply({
        status: 201,
        json: [
          {
            first_name: 'Frances',
            last_name: 'Roe',
            salary: '$30,000.00',
            company: 'One-Up Realty',
            occupation: 'Author',
          },
          { first_name: 'Peter', last_name: 'Yang', salary: '$42,000.00', company: null, occupation: null },
        ],
      });
    });

    test('a table of nothing but its key', async () => {
      expect(await merge('/only_pk', [{ id: 1 }, { id: 3 }])).toMatchReply({
        status: 201,
        json: [{ id: 1 }, { id: 3 }],
      });
      expect(await merge('/only_pk', [{ id: 1 }, { id: 2 }])).toMatchReply({
        status: 200,
        json: [{ id: 1 }, { id: 2 }],
      });
    });

    test('a view that has the key of its table', async () => {
      expect(await merge('/projects_view?select=id,name', [{ id: 1, name: 'Quay Wall' }])).toMatchReply({
        status: 200,
        json: [{ id: 1, name: 'Quay Wall' }],
      });
    });

    test('the same row twice is the database error it is', async () => {
      expect(
        await merge('/tiobe_pls', [
          { name: 'Java', rank: 2 },
          { name: 'Java', rank: 3 },
        ]),
      ).toMatchReply(
        failure(400, '21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time', {
          hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
        }),
      );
    });

    test('a body without the key is a plain insert', async () => {
      expect(await merge('/stock?select=name,kind', { name: 'x' })).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'resolution=merge-duplicates, return=representation' },
        json: [{ name: 'x', kind: 'ok' }],
      });
      expect(await merge('/receipts?select=label', {})).toMatchReply({ status: 201, json: [{ label: null }] });
    });

    test('without a primary key there is nothing to conflict with: a plain insert, and the resolution is not echoed', async () => {
      await db().query("insert into test.no_pk values ('1', '0')");
      expect(await merge('/no_pk', { a: '1', b: '0' })).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'return=representation' },
        json: [{ a: '1', b: '0' }],
      });
      expect(await db().query("select 1 from test.no_pk where a = '1'")).toHaveLength(2);
    });

    test('one object: rolled back when there are more', async () => {
      const body = [
        { name: 'Java', rank: 99 },
        { name: 'C', rank: 99 },
      ];
      expect(
        await rest.post('/tiobe_pls', body, { prefer: 'resolution=merge-duplicates', accept: OBJECT }),
      ).toMatchReply(notSingular(2));
      expect(await languages()).toContainEqual({ name: 'Java', rank: 1 });
    });
  });

  describe('ignore-duplicates', () => {
    test('only the new rows are written and shown', async () => {
      expect(
        await ignore(
          '/tiobe_pls',
          [
            { name: 'PHP', rank: 9 },
            { name: 'Java', rank: 8 },
          ],
          ', count=exact',
        ),
      ).toMatchReply({
        status: 201,
        headers: {
          'content-range': '*/1',
          'preference-applied': 'resolution=ignore-duplicates, return=representation, count=exact',
        },
        json: [{ name: 'PHP', rank: 9 }],
      });
      expect(await languages()).toContainEqual({ name: 'Java', rank: 1 });
    });

    test('201 even when nothing was new', async () => {
      expect(await ignore('/tiobe_pls', { name: 'Java', rank: 8 })).toMatchReply({ status: 201, text: '[]' });
      expect(await ignore('/tiobe_pls', [])).toMatchReply({ status: 201, text: '[]' });
      expect(
        await rest.post(
          '/tiobe_pls',
          { name: 'Java', rank: 8 },
          { prefer: 'resolution=ignore-duplicates, return=headers-only' },
        ),
      ).toMatchReply({ status: 201, headers: { location: null, 'content-length': '0' }, text: '' });
    });

    test('the same row twice is written once', async () => {
      expect(
        await ignore('/tiobe_pls', [
          { name: 'Go', rank: 1 },
          { name: 'Go', rank: 2 },
        ]),
      ).toMatchReply({
        status: 201,
        json: [{ name: 'Go', rank: 1 }],
      });
    });

    test('a table of nothing but its key', async () => {
      expect(await ignore('/only_pk', [{ id: 1 }, { id: 4 }])).toMatchReply({ status: 201, json: [{ id: 4 }] });
    });
  });

  describe('on_conflict', () => {
    test('names a unique column', async () => {
      expect(
        await merge('/single_unique?on_conflict=unique_key', [
          { unique_key: 1, value: 'B' },
          { unique_key: 2, value: 'C' },
        ]),
      ).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'resolution=merge-duplicates, return=representation' },
        json: [
          { unique_key: 1, value: 'B' },
          { unique_key: 2, value: 'C' },
        ],
      });
      expect(await ignore('/single_unique?on_conflict=unique_key', [{ unique_key: 1, value: 'D' }])).toMatchReply({
        status: 201,
        json: [],
      });
    });

    test('names several', async () => {
      const row = { key1: 1, key2: 1, value: 'B' };
      expect(await merge('/compound_unique?on_conflict=key1,key2', [row])).toMatchReply({ status: 200, json: [row] });
      expect(await merge('/compound_unique?on_conflict=key2, key1', [row])).toMatchReply({ status: 200, json: [row] });
    });

    test('needs a constraint on just these columns', async () => {
      const none = failure(
        400,
        '42P10',
        'there is no unique or exclusion constraint matching the ON CONFLICT specification',
      );
      expect(await merge('/compound_unique?on_conflict=key1', [{ key1: 1, key2: 1 }])).toMatchReply(none);
      expect(await merge('/single_unique?on_conflict=value', [{ unique_key: 1 }])).toMatchReply(none);
      expect(await merge('/single_unique?on_conflict=zzz', [{ unique_key: 1 }])).toMatchReply(
        failure(400, '42703', 'column "zzz" does not exist'),
      );
    });

    test('means nothing without a resolution', async () => {
      expect(
        await rest.post('/single_unique?on_conflict=unique_key', [{ unique_key: 1, value: 'B' }], {
          prefer: 'return=representation',
        }),
      ).toMatchReply(
        failure(409, '23505', 'duplicate key value violates unique constraint "single_unique_unique_key_key"', {
          details: 'Key (unique_key)=(1) already exists.',
        }),
      );
      expect(await rest.post('/single_unique?on_conflict=value', [{ unique_key: 5 }])).toMatchReply({ status: 201 });
    });

    test('is parsed as columns is', async () => {
      expect(await merge('/tiobe_pls?on_conflict=', [{ name: 'Java' }])).toMatchReply(
        failure(400, 'SVRST100', '"failed to parse on_conflict parameter ()" (line 1, column 1)', {
          details: 'unexpected end of input expecting field name (* or [a..z0..9_$])',
        }),
      );
    });
  });

  test('without a resolution a known key is an error, and the request is undone as a whole', async () => {
    expect(
      await rest.post('/tiobe_pls', [
        { name: 'Go', rank: 1 },
        { name: 'Java', rank: 2 },
      ]),
    ).toMatchReply(
      failure(409, '23505', 'duplicate key value violates unique constraint "tiobe_pls_pkey"', {
        details: 'Key (name)=(Java) already exists.',
      }),
    );
    expect(await languages()).toHaveLength(3);
  });

  test('what a policy hides is not overwritten', async () => {
    expect(
      await rest.post('/stuff', { id: 2, name: 'taken over' }, { prefer: 'resolution=merge-duplicates' }),
    ).toMatchReply(
      failure(401, '42501', 'new row violates row-level security policy for table "stuff"', {
        headers: { 'www-authenticate': 'Bearer' },
      }),
    );
    expect(await db().query('select name from test.stuff where id = 2')).toEqual([{ name: 'stuff 2' }]);
  });
});
