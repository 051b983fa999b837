// The behaviour table: one line a request, one line a reply. Whatever else changes, these stay.

import { beforeEach, expect, test } from 'vitest';
import { READER, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { ExpectedReply } from '../../testkit/reply-matcher.ts';
import type { RequestOptions } from '../../testkit/rest-client.ts';
import { ids, useRest } from '../../testkit/use-rest.ts';
import { failure, notSingular, OBJECT, unavailable } from './expected.ts';

const COUNTED = { prefer: 'count=exact' };
const RANGE_ERROR = 'Requested range not satisfiable';

type Line = readonly [request: string, options: RequestOptions, reply: ExpectedReply];

const LINES: readonly Line[] = [
  [
    'GET /items?id=eq.5',
    {},
    { status: 200, headers: { 'content-range': '0-0/*', 'content-length': '10' }, text: '[{"id":5}]' },
  ],
  ['GET /items?limit=3&offset=2&order=id', {}, { status: 200, headers: { 'content-range': '2-4/*' } }],
  [
    'GET /items?limit=3&offset=2&order=id',
    { headers: COUNTED },
    { status: 206, headers: { 'content-range': '2-4/15' } },
  ],
  [
    'GET /items?offset=100',
    { headers: COUNTED },
    failure(416, 'SVRST103', RANGE_ERROR, {
      details: 'An offset of 100 was requested, but there are only 15 rows.',
      headers: { 'content-range': '*/15' },
    }),
  ],
  ['GET /items?offset=15', { headers: COUNTED }, { status: 206, headers: { 'content-range': '*/15' }, text: '[]' }],
  [
    'GET /items?limit=-1',
    {},
    failure(416, 'SVRST103', RANGE_ERROR, { details: 'Limit should be greater than or equal to zero.' }),
  ],
  [
    'GET /items',
    { headers: { range: '1-0' } },
    failure(416, 'SVRST103', RANGE_ERROR, {
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    }),
  ],
  ['GET /items?id=eq.0', { headers: COUNTED }, { status: 200, headers: { 'content-range': '*/0' }, text: '[]' }],
  [
    'HEAD /items?limit=2&offset=3',
    { headers: { prefer: 'count=planned' } },
    { status: 206, headers: { 'content-range': '3-4/15', 'content-length': null }, text: '' },
  ],
  ['GET /no_pk?b=eq.1&a=eq.1', {}, { headers: { 'content-location': '/no_pk?a=eq.1&b=eq.1' } }],
  [
    'GET /first/second/third',
    {},
    failure(404, 'SVRST125', 'Invalid path specified in request URL', { headers: { 'content-length': '96' } }),
  ],
  [
    'GET /simple_pk',
    { headers: { accept: 'text/unknowntype' } },
    { ...unavailable('text/unknowntype'), headers: { 'content-length': '116' } },
  ],
  ['POST /items', { body: {} }, { status: 201, headers: { 'content-length': '0', 'content-type': null }, text: '' }],
  [
    'POST /projects',
    { body: { id: 11, name: 'New' }, headers: { prefer: 'return=headers-only' } },
    {
      status: 201,
      headers: {
        location: '/projects?id=eq.11',
        'content-range': '*/*',
        'preference-applied': 'return=headers-only',
      },
      text: '',
    },
  ],
  [
    'POST /tiobe_pls',
    {
      body: [
        { name: 'Java', rank: 1 },
        { name: 'C', rank: 2 },
        { name: 'Go', rank: 3 },
      ],
      headers: { prefer: 'resolution=merge-duplicates' },
    },
    { status: 201 },
  ],
  [
    'POST /tiobe_pls',
    { body: [{ name: 'Java', rank: 1 }], headers: { prefer: 'resolution=merge-duplicates' } },
    { status: 200 },
  ],
  ['POST /tiobe_pls', { body: [], headers: { prefer: 'resolution=merge-duplicates' } }, { status: 200 }],
  ['PATCH /items?id=eq.2', { body: { id: 42 } }, { status: 204, headers: { 'content-range': '0-0/*' } }],
  ['PATCH /items', { body: {} }, { status: 204, headers: { 'content-range': '*/*' } }],
  [
    'DELETE /items?id=eq.2',
    { headers: { prefer: 'return=representation, count=exact' } },
    {
      status: 200,
      headers: { 'content-range': '*/1', 'preference-applied': 'return=representation, count=exact' },
      text: '[{"id":2}]',
    },
  ],
  [
    'DELETE /items?id=lt.15',
    { headers: { prefer: 'handling=strict, max-affected=10' } },
    failure(400, 'SVRST124', 'Query result exceeds max-affected preference constraint', {
      details: 'The query affects 14 rows',
    }),
  ],
  [
    'PUT /tiobe_pls?name=eq.Go',
    { body: { name: 'Go', rank: 19 }, headers: { prefer: 'return=representation' } },
    { status: 201 },
  ],
  [
    'PUT /tiobe_pls?name=eq.C',
    { body: { name: 'C', rank: 19 }, headers: { prefer: 'return=representation' } },
    { status: 200 },
  ],
  ['PUT /tiobe_pls?name=eq.C', { body: { name: 'C', rank: 19 } }, { status: 204 }],
  [
    'PUT /tiobe_pls?rank=eq.19',
    { body: { name: 'Go', rank: 19 } },
    failure(405, 'SVRST105', "Filters must include all and only primary key columns with 'eq' operators"),
  ],
  ['GET /items?id=gt.0&id=lt.0', { headers: { accept: OBJECT } }, notSingular(0)],
  ['GET /rpc/add_them?a=1&b=2', {}, { status: 200, text: '3' }],
  ['GET /rpc/add_them?a=1&b=2', { headers: COUNTED }, { status: 200, headers: { 'content-range': '0-0/1' } }],
  [
    'GET /rpc/add_them?a=1&b=2&smthelse=x',
    {},
    failure(404, 'SVRST202', 'Could not find the function test.add_them(a, b, smthelse) in the schema cache', {
      details:
        'Searched for the function test.add_them with parameters a, b, smthelse, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function test.add_them(a, b)',
    }),
  ],
  [
    'POST /rpc/ret_void',
    { body: {} },
    { status: 204, headers: { 'content-type': null, 'content-length': null }, text: '' },
  ],
  ['GET /rpc/callcounter', {}, failure(405, '25006', 'cannot execute nextval() in a read-only transaction')],
  [
    'DELETE /rpc/sayhello',
    {},
    failure(405, 'SVRST101', 'Cannot use the DELETE method on RPC', { headers: { 'content-length': '94' } }),
  ],
  [
    'GET /authors_only',
    {},
    failure(401, '42501', 'permission denied for table authors_only', { headers: { 'www-authenticate': 'Bearer' } }),
  ],
  ['GET /authors_only', { as: READER }, failure(403, '42501', 'permission denied for table authors_only')],
  [
    'GET /items',
    { headers: { authorization: 'Bearer two.parts' } },
    failure(401, 'SVRST301', 'Expected 3 parts in JWT; got 2', {
      headers: {
        'www-authenticate': 'Bearer error="invalid_token", error_description="Expected 3 parts in JWT; got 2"',
      },
    }),
  ],
  [
    'OPTIONS /items',
    {},
    {
      status: 200,
      headers: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY', 'content-length': '0' },
      text: '',
    },
  ],
  [
    'OPTIONS /',
    {
      headers: {
        origin: 'http://example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'Foo,Bar',
      },
    },
    {
      status: 200,
      headers: {
        'access-control-allow-headers': 'Authorization, Foo, Bar, Accept, Accept-Language, Content-Language',
        'access-control-allow-origin': '*',
      },
      text: '',
    },
  ],
  [
    'GET /clients?select=*,projects(*)&order=projects(id)',
    {},
    failure(400, 'SVRST118', "A related order on 'projects' is not possible", {
      details: "'clients' and 'projects' do not form a many-to-one or one-to-one relationship",
    }),
  ],
  [
    'GET /entities?or=(and(name.eq.entity 2,id.eq.2),and(name.eq.entity 1,id.eq.1))&select=id&order=id',
    {},
    { status: 200, json: ids(1, 2) },
  ],
  [
    'GET /rpc/raise_pt402',
    {},
    {
      ...failure(402, 'PT402', 'Payment Required', { details: 'Quota exceeded', hint: 'Upgrade your plan' }),
      statusText: 'Payment Required',
    },
  ],
  [
    'GET /rpc/raise_custom_status',
    {},
    {
      ...failure(332, '123', 'ABC', { details: 'DEF', hint: 'XYZ', headers: { 'x-header': 'str' } }),
      statusText: 'My Custom Status',
    },
  ],
];

onEachEngine('the behaviour table', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  beforeEach(() =>
    db().script(`
      truncate test.items, test.tiobe_pls;
      insert into test.items select generate_series(1, 15);
      insert into test.tiobe_pls values ('Java', 1), ('C', 2), ('Python', 4);
      analyze test.items;
    `),
  );

  test.each(LINES.map(([request, options, reply]) => [request, JSON.stringify(options), options, reply] as const))(
    '%s %s',
    async (request, _, options, reply) => {
      const [method = '', target = ''] = /^(\S+) (.*)$/.exec(request)?.slice(1) ?? [];
      expect(await rest.request(method, target, options)).toMatchReply(reply);
    },
  );

  test('what max-affected refused was not done', async () => {
    await rest.request('DELETE', '/items?id=lt.15', { headers: { prefer: 'handling=strict, max-affected=10' } });
    expect(await db().query('select 1 from test.items')).toHaveLength(15);
  });
});
