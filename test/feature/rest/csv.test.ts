// Rows as CSV: a line of names, then PostgreSQL's own record form.

import { expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

onEachEngine('CSV', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const accept = 'text/csv';

  test('the whole reply', async () => {
    expect(await rest.get('/no_pk?order=a', { accept })).toMatchReply({
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-range': '0-2/*',
        'range-unit': 'items',
        'content-length': '13',
      },
      text: 'a,b\n1,0\n2,0\n,',
    });
  });

  test.each([
    ['blanks', '/clients?id=eq.1', 'id,name\n1,"Harbour Office"'],
    ['no rows', '/clients?id=eq.99', '\n'],
    ['booleans and nulls', '/chores?select=id,done&order=id', 'id,done\n1,t\n2,f\n3,'],
    ['commas', '/w_or_wo_comma_names?name=like.Hebdon*', 'name\n"Hebdon, John"'],
    ['quotes', '/w_or_wo_comma_names?name=like.Double%22*', 'name\n"Double""Quote""McGraw"""'],
    ['an empty text', '/w_or_wo_comma_names?name=eq.', 'name\n""'],
    ['a line break', '/hostile_values?id=eq.3&select=value', 'value\n"line\nbreak\ttab"'],
    ['other scripts', '/%D9%85%D9%88%D8%A7%D8%B1%D8%AF?%D9%87%D9%88%DB%8C%D8%AA=eq.1', 'هویت,نام\n1,یک'],
    ['JSON', '/jsonb_test?id=eq.1&select=data', 'data\n"{""a"": {""b"": 2}, ""id"": 1}"'],
    ['arrays and ranges', '/places?id=eq.1&select=languages,opening', 'languages,opening\n"{en,ar}","[8,17)"'],
    ['aliases and casts', '/clients?id=eq.1&select=key:id::text', 'key\n1'],
    ['names that need quotes', '/odd_columns?id=eq.1&select="a,b",id', '"a,b",id\ncm,1'],
    ['a page', '/items?order=id&limit=2&offset=1', 'id\n2\n3'],
    ['a spread', '/projects?id=eq.1&select=id,...clients(client:name)', 'id,client\n1,"Harbour Office"'],
    ['an embed', '/projects?id=eq.1&select=id,clients(id)', 'id,clients\n1,"{""id"": 1}"'],
    ['several embedded rows', '/clients?id=eq.1&select=projects(id)', 'projects\n"[{""id"": 1}, {""id"": 2}]"'],
    ['a view', '/clients_view?id=eq.1&select=id', 'id\n1'],
    ['a function', '/rpc/getallusers?select=id&limit=1', 'id\n1'],
    ['one row of a function', '/rpc/first_project?select=id,name', 'id,name\n1,"Quay Wall"'],
  ])('%s', async (_, target, text) => {
    expect(await rest.get(target, { accept })).toMatchReply({ status: 200, text });
  });

  test('with a count', async () => {
    expect(await rest.get('/items?order=id&limit=2', { accept, prefer: 'count=exact' })).toMatchReply({
      status: 206,
      headers: { 'content-range': '0-1/15', 'preference-applied': 'count=exact' },
      text: 'id\n1\n2',
    });
  });

  test('HEAD', async () => {
    expect(await rest.head('/items', { accept })).toMatchReply({
      status: 200,
      headers: { 'content-type': 'text/csv; charset=utf-8', 'content-length': null },
      text: '',
    });
  });
});
