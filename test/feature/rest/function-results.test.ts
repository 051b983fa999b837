// What a function returns, and how it looks in a reply.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

onEachEngine('function results', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('one value', () => {
    test.each([
      ['an integer', 'add_them?a=1&b=2', '3'],
      ['a text', 'sayhello?name=%22x%22', '"Hello, \\"x\\""'],
      ['null', 'ret_null', 'null'],
      ['an enum', 'ret_enum?val=happy', '"happy"'],
      ['a domain', 'ret_domain?val=3', '3'],
      ['an array', 'ret_array', '[1,2,3]'],
      ['a range', 'ret_range?low=10&up=20', '"[10,20)"'],
      ['json, to the byte', 'ret_json', '{"b":  1, "a": [null]}'],
      ['jsonb', 'ret_jsonb', '{"a": [null], "b": 1}'],
      ['a number beyond JavaScript', 'ret_bigint', '9007199254740993'],
      ['an array of composites', 'ret_points', '[{"x":1,"y":2},null]'],
      ['a moment', 'ret_timestamp?at=2024-01-31T10:00:00Z', '"2024-01-31T10:00:00+00:00"'],
    ])('%s', async (_, call, text) => {
      const expected = {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(Buffer.byteLength(text)),
          'content-range': '0-0/*',
        },
        text,
      };
      expect(await rest.get(`/rpc/${call}`)).toMatchReply(expected);
      const [name, query] = call.split('?');
      expect(await rest.post(`/rpc/${name}`, Object.fromEntries(new URLSearchParams(query)))).toMatchReply(expected);
    });

    test('counts as one row', async () => {
      for (const call of [
        'add_them?a=1&b=2',
        'ret_null',
        'ret_domain?val=1',
        'ret_array',
        'ret_point_2d',
        'first_project',
        'many_out',
      ]) {
        expect(await rest.get(`/rpc/${call}`, { prefer: 'count=exact' })).toMatchReply({
          status: 200,
          headers: { 'content-range': '0-0/1' },
        });
      }
    });

    test('has no columns to select or to filter by', async () => {
      expect(await rest.get('/rpc/add_them?a=1&b=2&select=zzz')).toMatchReply(
        failure(400, '42703', 'column add_them.zzz does not exist'),
      );
      expect(await rest.get('/rpc/add_them?a=1&b=2&zzz=eq.1')).toMatchReply(
        failure(400, '42703', 'column add_them.zzz does not exist'),
      );
    });
  });

  test('void is nothing: 204', async () => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      expect(await rest.request(method, '/rpc/ret_void')).toMatchReply({
        status: 204,
        headers: { 'content-type': null, 'content-length': null, 'content-range': '0-0/*', 'range-unit': 'items' },
        text: '',
      });
    }
    expect(await rest.post('/rpc/ret_void', {}, { prefer: 'count=exact' })).toMatchReply({
      status: 204,
      headers: { 'preference-applied': 'count=exact' },
    });
  });

  describe('a set of values', () => {
    test.each([
      ['integers', 'ret_setof_integers', '[1, 2, 3]', '0-2/3'],
      ['texts, nulls among them', 'ret_setof_texts', '["one", null, "three"]', '0-2/3'],
      ['jsonb', 'ret_setof_jsonb', '[{"a": 1}, [2]]', '0-1/2'],
      ['arrays', 'ret_setof_arrays', '[[1,2], null, \n []]', '0-2/3'],
      ['none', 'ret_empty_set', '[]', '*/0'],
    ])('%s', async (_, call, text, range) => {
      expect(await rest.get(`/rpc/${call}`, { prefer: 'count=exact' })).toMatchReply({
        status: 200,
        headers: { 'content-range': range },
        text,
      });
    });

    test('can be paged and counted', async () => {
      expect(await rest.get('/rpc/ret_setof_integers?limit=2&offset=1', { prefer: 'count=exact' })).toMatchReply({
        status: 206,
        headers: { 'content-range': '1-2/3' },
        text: '[2, 3]',
      });
      expect(await rest.get('/rpc/ret_setof_integers', { range: '0-0' })).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-0/*' },
        text: '[1]',
      });
      expect(await rest.get('/rpc/ret_setof_integers?offset=4', { prefer: 'count=exact' })).toMatchReply({
        status: 416,
        headers: { 'content-range': '*/3' },
      });
      expect(await rest.post('/rpc/ret_setof_texts?limit=1', {})).toMatchReply({ text: '["one"]' });
    });
  });

  describe('one row', () => {
    test.each([
      ['of a table', 'first_project', { id: 1, name: 'Quay Wall', client_id: 1 }],
      ['of a composite type', 'ret_point_2d', { x: 10, y: 5 }],
      ['of a domain over a composite type', 'ret_checked_point', { x: 10, y: 5 }],
      ['of a domain over a table', 'first_finished_project?select=id,clients(id)', { id: 1, clients: { id: 1 } }],
      ['that the function did not find', 'no_project', { id: null, name: null, client_id: null }],
      ['of a type in a schema that is not exposed', 'ret_hidden_pair', { a: 1, b: 2 }],
      ['of OUT parameters', 'many_out', { my_int: 10, my_text: 'some text' }],
      ['of one OUT parameter', 'single_out?num=5', { num_plus_one: 6 }],
      ['of one INOUT parameter', 'single_inout?num=2', { num: 3 }],
      ['of INOUT parameters', 'many_inout?num=1&str=Hi', { num: 1, str: 'Hi more' }],
    ])('%s is an object', async (_, call, row) => {
      expect(await rest.get(`/rpc/${call}`)).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-0/*' },
        json: row,
      });
    });

    test('some of its columns', async () => {
      expect(await rest.get('/rpc/ret_point_2d?select=y')).toMatchReply({ text: '{"y":5}' });
      expect(await rest.get('/rpc/many_out?select=n:my_int')).toMatchReply({ text: '{"n":10}' });
      expect(await rest.get('/rpc/ret_hidden_pair?select=b::text')).toMatchReply({ text: '{"b":"2"}' });
      expect(await rest.get('/rpc/first_project?select=id,clients(name)')).toMatchReply({
        json: { id: 1, clients: { name: 'Harbour Office' } },
      });
    });

    test('a filter that it does not pass leaves null', async () => {
      expect(await rest.get('/rpc/ret_point_2d?x=eq.10')).toMatchReply({ text: '{"x":10,"y":5}' });
      expect(await rest.get('/rpc/ret_point_2d?x=eq.11')).toMatchReply({ status: 200, text: 'null' });
    });
  });

  describe('a set of rows', () => {
    test.each([
      ['of a table', 'getproject?id=1', [{ id: 1, name: 'Quay Wall', client_id: 1 }]],
      ['of a view', 'get_projects_view?limit=1', [{ id: 1, name: 'Quay Wall', client_id: 1 }]],
      [
        'of a composite type',
        'ret_point_2ds',
        [
          { x: 10, y: 5 },
          { x: 1, y: 2 },
        ],
      ],
      ['of TABLE columns', 'ret_table?low=3', [{ id: 3, label: 'row 3' }]],
      [
        'of a domain over a table',
        'get_finished_projects?id=eq.2&select=id,clients(id)',
        [{ id: 2, clients: { id: 1 } }],
      ],
      [
        'of OUT parameters',
        'set_by_out?a=1',
        [
          { a: 1, b: 'x' },
          { a: 2, b: 'y' },
        ],
      ],
      ['of one TABLE column', 'ret_table_one_column', [{ n: 1 }, { n: 2 }]],
      ['none', 'getproject?id=99', []],
    ])('%s is an array of objects', async (_, call, rows) => {
      expect(await rest.get(`/rpc/${call}`)).toMatchReply({ status: 200, json: rows });
    });

    test('an empty select is all columns', async () => {
      expect(await rest.get('/rpc/ret_table?low=3&select=')).toMatchReply({ json: [{ id: 3, label: 'row 3' }] });
    });

    test('a column that is not there is the database error it is', async () => {
      expect(await rest.get('/rpc/ret_table?select=zzz')).toMatchReply(
        failure(400, '42703', 'column ret_table.zzz does not exist'),
      );
      expect(await rest.get('/rpc/getallprojects?select=zzz')).toMatchReply(
        failure(400, '42703', 'column projects.zzz does not exist'),
      );
    });
  });

  describe('records without declared columns', () => {
    test('are shown as they come', async () => {
      expect(await rest.get('/rpc/ret_record')).toMatchReply({ status: 200, json: { '?column?': 1, text: 'one' } });
      expect(await rest.get('/rpc/ret_records', { prefer: 'count=exact' })).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-1/2' },
        json: [
          { column1: 1, column2: 'one' },
          { column1: 2, column2: 'two' },
        ],
      });
    });

    test('and have no columns to select', async () => {
      expect(await rest.get('/rpc/ret_record?select=text')).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=42703' },
      });
    });
  });
});
