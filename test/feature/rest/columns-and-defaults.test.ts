// Which columns a body writes, and what stands where it says nothing.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { badBody, failure, unknownColumn } from './expected.ts';

const SHOWN = { prefer: 'return=representation' };
const DEFAULTED = { prefer: 'return=representation, missing=default' };

onEachEngine('columns and defaults', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('columns', () => {
    test('keys that are not named are left aside, whatever they are', async () => {
      expect(
        await rest.post(
          '/shelves?columns=id,label&select=id,label,amount',
          [
            { id: 1, label: 'a', amount: 9, junk: {} },
            { id: 2, label: 'b' },
          ],
          SHOWN,
        ),
      ).toMatchReply({
        status: 201,
        json: [
          { id: 1, label: 'a', amount: 0 },
          { id: 2, label: 'b', amount: 0 },
        ],
      });
    });

    test('a named key that an object has not is null', async () => {
      expect(
        await rest.post(
          '/shelves?columns=id,label,note&select=id,label,note',
          [{ id: 3 }, { id: 4, note: 'n' }],
          SHOWN,
        ),
      ).toMatchReply({
        status: 201,
        json: [
          { id: 3, label: null, note: null },
          { id: 4, label: null, note: 'n' },
        ],
      });
    });

    test('one object as well as several', async () => {
      expect(
        await rest.post('/shelves?columns=id,label&select=id,label', ' {"id": 5, "other": 1}', SHOWN),
      ).toMatchReply({
        status: 201,
        json: [{ id: 5, label: null }],
      });
    });

    test('quoted names', async () => {
      expect(
        await rest.post(
          '/odd_columns?columns=id,%22a,b%22,%22information.cpe%22&select=id,%22a,b%22,%22information.cpe%22',
          { id: 70, 'a,b': 'x', 'information.cpe': 'y', limit: 3 },
          SHOWN,
        ),
      ).toMatchReply({ status: 201, json: [{ id: 70, 'a,b': 'x', 'information.cpe': 'y' }] });
    });

    test('the same one named twice', async () => {
      expect(
        await rest.post('/shelves?columns=id,id,label&select=id,label', { id: 6, label: 'x' }, SHOWN),
      ).toMatchReply({
        status: 201,
        json: [{ id: 6, label: 'x' }],
      });
    });

    test('one that the table has not', async () => {
      expect(await rest.post('/shelves?columns=id,zz,nope', { id: 7 })).toMatchReply(unknownColumn('shelves', 'nope'));
      expect(await rest.request('PATCH', '/shelves?columns=nope&id=eq.1', { body: { label: 'x' } })).toMatchReply(
        unknownColumn('shelves', 'nope'),
      );
      expect(await rest.post('/shelvesx?columns=nope', { id: 7 })).toMatchReply({ status: 404 });
    });

    test('none at all is a mistake', async () => {
      const empty = failure(400, 'SVRST100', '"failed to parse columns parameter ()" (line 1, column 1)', {
        details: 'unexpected end of input expecting field name (* or [a..z0..9_$])',
      });
      expect(await rest.post('/shelves?columns=', { id: 8 })).toMatchReply(empty);
      expect(await rest.request('PATCH', '/shelves?columns=', { body: {} })).toMatchReply(empty);
    });

    test('the body is then for the database to read', async () => {
      expect(await rest.post('/shelves?columns=id', '{"id":')).toMatchReply(
        failure(400, '22P02', 'invalid input syntax for type json', {
          details: 'The input string ended unexpectedly.',
        }),
      );
      expect(await rest.post('/shelves?columns=id', '')).toMatchReply(
        failure(400, '22P02', 'invalid input syntax for type json', {
          details: 'The input string ended unexpectedly.',
        }),
      );
      expect(await rest.post('/shelves?columns=id', '5')).toMatchReply(
        failure(400, '22023', 'cannot call json_to_recordset on a scalar'),
      );
      expect(await rest.post('/shelves?columns=id', '[{"id":9},7]')).toMatchReply(
        failure(400, '22023', 'argument of json_to_recordset must be an array of objects'),
      );
      expect(await rest.get('/shelves?id=eq.9')).toMatchReply({ json: [] });
    });

    test('PUT takes every key of its body all the same', async () => {
      expect(
        await rest.request('PUT', '/shelves?id=eq.10&columns=id&select=id,label', {
          body: { id: 10, label: 'x' },
          headers: SHOWN,
        }),
      ).toMatchReply({ status: 201, json: [{ id: 10, label: 'x' }] });
    });

    test('an update sets what is named', async () => {
      await db().query("insert into test.shelves (id, label, note) values (11, 'l', 'n')");
      expect(
        await rest.request('PATCH', '/shelves?id=eq.11&columns=label&select=label,note', {
          body: { label: 'new', note: 'new', junk: 1 },
          headers: SHOWN,
        }),
      ).toMatchReply({ status: 200, json: [{ label: 'new', note: 'n' }] });
      expect(
        await rest.request('PATCH', '/shelves?id=eq.11&columns=label,note&select=label,note', {
          body: { label: 'newer' },
          headers: SHOWN,
        }),
      ).toMatchReply({ status: 200, json: [{ label: 'newer', note: null }] });
    });
  });

  describe('missing=default', () => {
    const COLUMNS = 'name,amount,level,kind,tags,details,price,is_listed,added_on';

    test('every kind of default stands where a key is missing: the column own, the domain, an expression', async () => {
      expect(
        await rest.post(
          `/stock?columns=${COLUMNS}&select=${COLUMNS}`,
          [{}, { amount: 3, tags: ['t'], details: null }],
          DEFAULTED,
        ),
      ).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'missing=default, return=representation' },
        json: [
          {
            name: 'unnamed',
            amount: 7,
            level: 12,
            kind: 'ok',
            tags: [],
            details: { new: true },
            price: 0.5,
            is_listed: false,
            added_on: '2024-01-31',
          },
          {
            name: 'unnamed',
            amount: 3,
            level: 12,
            kind: 'ok',
            tags: ['t'],
            details: null,
            price: 0.5,
            is_listed: false,
            added_on: '2024-01-31',
          },
        ],
      });
    });

    test('a default is worked out for each row', async () => {
      const reply = await rest.post('/receipts?columns=id,label&select=id', [{}, {}, {}], DEFAULTED);
      const ids = (JSON.parse(String(reply.body)) as { id: number }[]).map(({ id }) => id);
      expect(new Set(ids).size).toBe(3);
      expect(reply.status).toBe(201);
    });

    test('a null that was sent stays null', async () => {
      expect(
        await rest.post('/shelves?columns=id,note&select=id,note', [{ id: 20, note: null }, { id: 21 }], DEFAULTED),
      ).toMatchReply({
        status: 201,
        json: [
          { id: 20, note: null },
          { id: 21, note: 'as delivered' },
        ],
      });
    });

    test('one object as well as several', async () => {
      expect(
        await rest.post('/shelves?columns=id,note,label&select=id,note,label', { id: 22 }, DEFAULTED),
      ).toMatchReply({
        status: 201,
        json: [{ id: 22, note: 'as delivered', label: null }],
      });
    });

    test('without columns the keys of the body are all there is', async () => {
      expect(await rest.post('/shelves?select=id,note', { id: 23 }, DEFAULTED)).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'missing=default, return=representation' },
        json: [{ id: 23, note: 'as delivered' }],
      });
    });

    test('an update goes back to the default', async () => {
      await db().query("insert into test.shelves (id, label, amount, note) values (24, 'l', 5, 'n')");
      expect(
        await rest.request('PATCH', '/shelves?id=eq.24&columns=amount,note,label&select=label,amount,note', {
          body: { label: 'new' },
          headers: DEFAULTED,
        }),
      ).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'missing=default, return=representation', 'content-range': '0-0/*' },
        json: [{ label: 'new', amount: 0, note: 'as delivered' }],
      });
    });

    test('an upsert gives new rows their key', async () => {
      await db().query("insert into test.receipts (id, label) values (1000, 'old')");
      const reply = await rest.post(
        '/receipts?columns=id,label&select=id,label',
        [{ id: 1000, label: 'merged' }, { label: 'added' }],
        {
          prefer: 'return=representation, missing=default, resolution=merge-duplicates',
        },
      );
      expect(reply).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'resolution=merge-duplicates, missing=default, return=representation' },
        json: [
          { id: 1000, label: 'merged' },
          { id: expect.any(Number), label: 'added' },
        ],
      });
    });

    test('keys that stand twice collapse, in a json column too', async () => {
      expect(await rest.post('/json_table?columns=data&select=data', '{"data":{"a":1,"a":2}}', DEFAULTED)).toMatchReply(
        {
          status: 201,
          text: '[{"data":{"a": 2}}]',
        },
      );
    });

    test('an array that holds more than objects is refused by the database', async () => {
      expect(await rest.post('/shelves?columns=id,note', '[{"id":25},7]', DEFAULTED)).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=22023' },
      });
      expect(await rest.post('/shelves?columns=id,note', '7', DEFAULTED)).toMatchReply({ status: 400 });
      expect(await rest.get('/shelves?id=eq.25')).toMatchReply({ json: [] });
    });

    test('objects whose keys differ still need columns', async () => {
      expect(await rest.post('/shelves', [{ id: 26 }, { id: 27, note: 'n' }], DEFAULTED)).toMatchReply(
        badBody('All object keys must match'),
      );
    });
  });

  test('missing=null says aloud what is so anyway', async () => {
    expect(
      await rest.post('/shelves?columns=id,note&select=id,note', [{ id: 30 }], {
        prefer: 'missing=null, return=representation',
      }),
    ).toMatchReply({
      status: 201,
      headers: { 'preference-applied': 'missing=null, return=representation' },
      json: [{ id: 30, note: null }],
    });
  });
});
