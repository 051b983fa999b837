// Functions called by POST: arguments in the body, filters in the query.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { badBody, badContentType, failure, JSON_UTF8, notSingular, OBJECT } from './expected.ts';

onEachEngine('functions by POST', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  test('arguments by name, the value as the whole body', async () => {
    expect(await rest.post('/rpc/add_them', { a: 1, b: 2 })).toMatchReply({
      status: 200,
      headers: {
        'content-type': JSON_UTF8,
        'content-length': '1',
        'content-range': '0-0/*',
        'range-unit': 'items',
        'content-profile': 'test',
        'content-location': null,
        location: null,
      },
      text: '3',
    });
  });

  test('no body is no argument', async () => {
    expect(await rest.request('POST', '/rpc/ret_json')).toMatchReply({ status: 200, text: '{"b":  1, "a": [null]}' });
    expect(await rest.request('POST', '/rpc/three_defaults')).toMatchReply({ text: '6' });
    expect(await rest.post('/rpc/three_defaults', '', { 'content-type': 'application/json' })).toMatchReply({
      text: '6',
    });
    expect(await rest.post('/rpc/three_defaults', {})).toMatchReply({ text: '6' });
  });

  test('of an array the first object', async () => {
    expect(
      await rest.post('/rpc/add_them', [
        { a: 1, b: 2 },
        { a: 10, b: 20 },
      ]),
    ).toMatchReply({ status: 200, text: '3' });
    expect(await rest.post('/rpc/three_defaults', [])).toMatchReply({ text: '6' });
    expect(await rest.post('/rpc/add_them', [{ a: 1, b: 2 }, { a: 10 }])).toMatchReply(
      badBody('All object keys must match'),
    );
  });

  test('what is no JSON', async () => {
    for (const body of ['{', 'a=1', '{"a":1,}', ' ']) {
      expect(await rest.post('/rpc/add_them', body)).toMatchReply(badBody('Empty or invalid json'));
    }
  });

  test('a form: the values are texts, cast to what the parameters are', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await rest.post('/rpc/add_them', 'a=1&b=2', headers)).toMatchReply({ status: 200, text: '3' });
    expect(await rest.post('/rpc/sayhello', 'name=A&name=B+C', headers)).toMatchReply({ json: 'Hello, B C' });
    expect(await rest.post('/rpc/three_defaults', '', headers)).toMatchReply({ text: '6' });
    expect(await rest.post('/rpc/add_them', 'a=x&b=2', headers)).toMatchReply(
      failure(400, '22P02', 'invalid input syntax for type integer: "x"'),
    );
    expect(await rest.post('/rpc/add_them', 'a=1&c=2', headers)).toMatchReply({ status: 404 });
  });

  test('CSV: the first line', async () => {
    const headers = { 'content-type': 'text/csv' };
    expect(await rest.post('/rpc/add_them', 'a,b\n1,2\n10,20', headers)).toMatchReply({ status: 200, text: '3' });
    expect(await rest.post('/rpc/add_them', 'a,b\n1', headers)).toMatchReply(
      badBody('All lines must have same number of fields'),
    );
  });

  test('other types of body', async () => {
    for (const type of ['application/pdf', 'text/html', 'multipart/form-data', 'application/vnd.pgrst.object+json']) {
      expect(await rest.post('/rpc/add_them', 'x', { 'content-type': type })).toMatchReply(badContentType(type));
    }
  });

  describe('columns', () => {
    test('says which keys are arguments', async () => {
      expect(await rest.post('/rpc/add_them?columns=a,b', { a: 1, b: 2, junk: 3 })).toMatchReply({
        status: 200,
        text: '3',
      });
      expect(await rest.post('/rpc/sayhello?columns=name', [{ name: 'A', x: 1 }, { y: 2 }])).toMatchReply({
        json: 'Hello, A',
      });
    });

    test('a key that is not there is null', async () => {
      expect(await rest.post('/rpc/sayhello?columns=name', { other: 1 })).toMatchReply({ status: 200, text: 'null' });
    });

    test('must fit the function', async () => {
      expect(await rest.post('/rpc/add_them?columns=a', { a: 1, b: 2 })).toMatchReply({
        status: 404,
        headers: { 'proxy-status': 'Survest; error=SVRST202' },
      });
    });

    test('the body is then for the database to read', async () => {
      expect(await rest.post('/rpc/sayhello?columns=name', '{"name"')).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=22P02' },
      });
    });
  });

  describe('the query', () => {
    test('filters, selects, orders and pages the rows', async () => {
      expect(
        await rest.post(
          '/rpc/get_projects_below?select=id,clients(name)&id=gt.1&order=id.desc&limit=2',
          { id: 5 },
          { prefer: 'count=exact' },
        ),
      ).toMatchReply({
        status: 206,
        headers: { 'content-range': '0-1/3', 'preference-applied': 'count=exact' },
        json: [
          { id: 4, clients: { name: 'City Museum' } },
          { id: 3, clients: { name: 'City Museum' } },
        ],
      });
    });

    test('holds no argument: everything in it is a filter', async () => {
      expect(await rest.post('/rpc/sayhello?name=John', { name: 'x' })).toMatchReply(
        failure(400, 'SVRST100', '"failed to parse filter (John)" (line 1, column 1)', {
          details: 'unexpected "J" expecting "not" or operator (eq, gt, ...)',
        }),
      );
    });

    test('the Range header says nothing, right or wrong', async () => {
      for (const range of ['0-0', '5-1']) {
        expect(await rest.post('/rpc/getallprojects?select=id', {}, { range })).toMatchReply({
          status: 200,
          headers: { 'content-range': '0-4/*' },
        });
      }
    });
  });

  describe('writing', () => {
    test('what a volatile function writes stays', async () => {
      await db().query('insert into test.shelves (id, amount) values (1, 5)');
      expect(await rest.post('/rpc/stock_up?select=id,amount', { shelf: 1, more: 3 })).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-0/*' },
        json: [{ id: 1, amount: 8 }],
      });
      expect(await rest.get('/shelves?id=eq.1&select=amount')).toMatchReply({ json: [{ amount: 8 }] });
    });

    test('an error undoes it', async () => {
      expect(await rest.post('/rpc/store_then_fail', { shelf: 2 })).toMatchReply({
        ...failure(409, 'PT409', 'Stored, and regretted'),
        statusText: 'Stored, and regretted',
      });
      expect(await rest.get('/shelves?id=eq.2')).toMatchReply({ json: [] });
    });

    test('one object of several or no rows: undone', async () => {
      await db().query('insert into test.shelves (id, amount) values (3, 5)');
      expect(await rest.post('/rpc/stock_up', { shelf: 99 }, { accept: OBJECT })).toMatchReply(notSingular(0));
      expect(await rest.post('/rpc/delete_items', { below: 4 }, { accept: OBJECT })).toMatchReply(notSingular(3));
      expect(await rest.get('/items?id=lt.4&select=id')).toMatchReply({ json: [{ id: 1 }, { id: 2 }, { id: 3 }] });
      expect(await rest.post('/rpc/stock_up?select=amount', { shelf: 3 }, { accept: OBJECT })).toMatchReply({
        status: 200,
        text: '{"amount":6}',
      });
    });

    test('rows that a filter leaves out are written all the same', async () => {
      await db().query('insert into test.shelves (id, amount) values (4, 5)');
      expect(await rest.post('/rpc/stock_up?amount=gt.100', { shelf: 4 })).toMatchReply({ status: 200, text: '[]' });
      expect(await rest.get('/shelves?id=eq.4&select=amount')).toMatchReply({ json: [{ amount: 6 }] });
    });

    test('the function runs once, whatever is asked of its result', async () => {
      const ran = async (target: string, headers: Record<string, string>, body: unknown = {}): Promise<number> => {
        await db().query("select setval('private.counter', 1, false)");
        expect((await rest.post(target, body, headers)).status).toBeLessThan(300);
        const [row] = await db().query<{ n: number }>("select nextval('private.counter')::int as n");
        return (row?.n ?? 0) - 1;
      };
      expect(await ran('/rpc/callcounter', { prefer: 'count=exact' })).toBe(1);
      expect(await ran('/rpc/counted', { prefer: 'count=exact' }, { rows: 3 })).toBe(3);
      expect(await ran('/rpc/counted?limit=1&order=pgrst_scalar.desc', { prefer: 'count=exact' }, { rows: 3 })).toBe(3);
      expect(
        await ran('/rpc/counted_row?select=label,n&n=gt.0&order=n', { prefer: 'count=exact', accept: 'text/csv' }),
      ).toBe(1);
      expect(await ran('/rpc/counted_row', { accept: OBJECT })).toBe(1);
      expect(await ran('/rpc/counted?limit=0', {}, { rows: 3 })).toBe(3);
      expect(await ran('/rpc/counted?limit=0', { prefer: 'count=exact' }, { rows: 3 })).toBe(3);
      expect(await ran('/rpc/callcounter?limit=0', {})).toBe(1);
    });
  });

  test('the schema is named by Content-Profile', async () => {
    expect(
      await rest.post('/rpc/get_parents_below', { id: 4 }, { 'content-profile': 'v2', 'accept-profile': 'v1' }),
    ).toMatchReply({
      status: 200,
      headers: { 'content-profile': 'v2' },
      json: [{ id: 3, name: 'parent v2-3' }],
    });
    expect(await rest.post('/rpc/add_them', { a: 1, b: 2 }, { 'content-profile': 'nope' })).toMatchReply({
      status: 406,
    });
  });

  test('void: nothing to show', async () => {
    expect(await rest.post('/rpc/ret_void', {})).toMatchReply({
      status: 204,
      headers: { 'content-type': null, 'content-length': null, 'content-range': '0-0/*', 'content-profile': null },
      text: '',
    });
  });
});
