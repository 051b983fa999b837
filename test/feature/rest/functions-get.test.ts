// Functions called by GET and HEAD: arguments in the query, filters beside them, and a transaction that cannot write.

import { describe, expect, test } from 'vitest';
import { AUTHOR, READER, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure, JSON_UTF8, notSingular, OBJECT, unavailable } from './expected.ts';

onEachEngine('functions by GET', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const capped = useRest(db, { 'db-max-rows': '2', 'db-aggregates-enabled': 'true' });

  test('arguments by name, the value as the whole body', async () => {
    expect(await rest.get('/rpc/add_them?a=1&b=2')).toMatchReply({
      status: 200,
      headers: {
        'content-type': JSON_UTF8,
        'content-length': '1',
        'content-range': '0-0/*',
        'range-unit': 'items',
        'content-profile': 'test',
        'content-location': null,
        'preference-applied': null,
      },
      text: '3',
    });
  });

  test('in any order, decoded as a query is', async () => {
    expect(await rest.get('/rpc/add_them?b=2&a=1')).toMatchReply({ text: '3' });
    expect(await rest.get('/rpc/sayhello?name=a+b%20c%2Bd%26%C3%A9')).toMatchReply({ json: 'Hello, a b c+d&é' });
    expect(await rest.get('/rpc/sayhello?name=')).toMatchReply({ json: 'Hello, ' });
  });

  test('HEAD: the same head, no body', async () => {
    expect(await rest.request('HEAD', '/rpc/add_them?a=1&b=2', { headers: { prefer: 'count=exact' } })).toMatchReply({
      status: 200,
      headers: {
        'content-type': JSON_UTF8,
        'content-length': null,
        'content-range': '0-0/1',
        'preference-applied': 'count=exact',
      },
      text: '',
    });
    expect(await rest.request('HEAD', '/rpc/getallprojects', { headers: { prefer: 'count=exact' } })).toMatchReply({
      status: 200,
      headers: { 'content-range': '0-4/5', 'content-length': null },
      text: '',
    });
    expect(await rest.request('HEAD', '/rpc/nowhere_at_all')).toMatchReply({
      status: 404,
      headers: { 'proxy-status': 'Survest; error=SVRST202', 'content-length': null },
      text: '',
    });
  });

  describe('rows', () => {
    test('selected, filtered, ordered, paged', async () => {
      expect(
        await rest.get(
          '/rpc/getallprojects?select=id,title:name&client_id=not.is.null&order=id.desc&limit=2&offset=1',
          { prefer: 'count=exact' },
        ),
      ).toMatchReply({
        status: 206,
        headers: { 'content-range': '1-2/4', 'preference-applied': 'count=exact', 'content-location': null },
        json: [
          { id: 3, title: 'Painted Ceiling' },
          { id: 2, title: 'Lighthouse' },
        ],
      });
    });

    test('filtered by logic, and by columns that are not shown', async () => {
      expect(await rest.get('/rpc/getallprojects?select=name&or=(id.eq.1,client_id.is.null)')).toMatchReply({
        json: [{ name: 'Quay Wall' }, { name: 'Orphan' }],
      });
      expect(await rest.get('/rpc/ret_table?select=label&id=gt.1&order=id.desc')).toMatchReply({
        json: [{ label: 'row 3' }, { label: 'row 2' }],
      });
      expect(await rest.get('/rpc/ret_point_2ds?select=y&x=gt.5')).toMatchReply({ json: [{ y: 5 }] });
    });

    test('a name can be argument and filter at once', async () => {
      expect(await rest.get('/rpc/search?id=5&id=gt.2')).toMatchReply({ json: [{ id: 5 }] });
      expect(await rest.get('/rpc/search?id=5&id=gt.7')).toMatchReply({ json: [] });
      expect(await rest.get('/rpc/get_projects_below?id=5&id=gt.2&select=id')).toMatchReply({
        json: [{ id: 3 }, { id: 4 }],
      });
    });

    test('with embeds', async () => {
      expect(
        await rest.get(
          '/rpc/getallprojects?select=id,clients!inner(name),tasks(id)&clients.name=like.City*&tasks.order=id.desc&order=id&limit=1',
        ),
      ).toMatchReply({ json: [{ id: 3, clients: { name: 'City Museum' }, tasks: [{ id: 6 }, { id: 5 }] }] });
      expect(await rest.get('/rpc/getallusers?select=name,tasks(name)&id=eq.3&tasks.order=id')).toMatchReply({
        json: [{ name: 'Chen Wei', tasks: [{ name: 'Survey Quay' }, { name: 'Clean Ceiling' }] }],
      });
      expect(await rest.get('/rpc/get_projects_view?select=id,clients(id)&id=eq.1')).toMatchReply({
        json: [{ id: 1, clients: { id: 1 } }],
      });
      expect(await rest.get('/rpc/first_project?select=id,...clients(client:name)')).toMatchReply({
        json: { id: 1, client: 'Harbour Office' },
      });
      expect(await rest.get('/rpc/getallprojects?select=id,articles(id)')).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=SVRST200' },
      });
      expect(await rest.get('/rpc/getallprojects?clients.name=eq.x')).toMatchReply(
        failure(400, 'SVRST108', "'clients' is not an embedded resource in this request", {
          hint: "Verify that 'clients' is included in the 'select' query parameter.",
        }),
      );
    });

    test('with aggregates', async () => {
      expect(
        await capped.get('/rpc/getallprojects?select=client_id,count()&order=client_id&client_id=not.is.null'),
      ).toMatchReply({
        json: [
          { client_id: 1, count: 2 },
          { client_id: 2, count: 2 },
        ],
      });
      expect(await rest.get('/rpc/getallprojects?select=count()')).toMatchReply(
        failure(400, 'SVRST123', 'Use of aggregate functions is not allowed'),
      );
    });

    test('the Range header is a window too', async () => {
      expect(await rest.get('/rpc/getallprojects?select=id', { range: '1-2' })).toMatchReply({
        status: 200,
        headers: { 'content-range': '1-2/*' },
        json: [{ id: 2 }, { id: 3 }],
      });
      expect(await rest.get('/rpc/getallprojects', { range: '3-1' })).toMatchReply(
        failure(416, 'SVRST103', 'Requested range not satisfiable', {
          details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
        }),
      );
    });

    test('counts', async () => {
      const counted = (query: string, kind: string) =>
        rest.get(`/rpc/getallprojects?select=id${query}`, { prefer: `count=${kind}` });
      expect(await counted('', 'exact')).toMatchReply({ status: 200, headers: { 'content-range': '0-4/5' } });
      expect(await counted('&limit=2', 'exact')).toMatchReply({ status: 206, headers: { 'content-range': '0-1/5' } });
      expect(await counted('&limit=2', 'estimated')).toMatchReply({
        status: 206,
        headers: { 'content-range': '0-1/5', 'preference-applied': 'count=estimated' },
      });
      expect(await counted('&limit=2', 'planned')).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-1/*', 'preference-applied': 'count=planned' },
      });
      expect(await counted('&offset=5', 'exact')).toMatchReply({
        status: 206,
        headers: { 'content-range': '*/5' },
        text: '[]',
      });
      expect(await counted('&offset=6', 'exact')).toMatchReply(
        failure(416, 'SVRST103', 'Requested range not satisfiable', {
          details: 'An offset of 6 was requested, but there are only 5 rows.',
          headers: { 'content-range': '*/5' },
        }),
      );
      expect(await counted('&id=eq.0', 'exact')).toMatchReply({
        status: 200,
        headers: { 'content-range': '*/0' },
        text: '[]',
      });
      expect(await counted('&limit=0', 'exact')).toMatchReply({
        status: 206,
        headers: { 'content-range': '*/5' },
        text: '[]',
      });
    });

    test('no more than db-max-rows, of values as of rows, in embeds too', async () => {
      expect(await capped.get('/rpc/getallprojects?select=id')).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-1/*' },
        json: [{ id: 1 }, { id: 2 }],
      });
      expect(await capped.get('/rpc/ret_setof_integers', { prefer: 'count=exact' })).toMatchReply({
        status: 206,
        headers: { 'content-range': '0-1/3' },
        text: '[1, 2]',
      });
      expect(await capped.get('/rpc/getallprojects?select=id&limit=1&offset=2')).toMatchReply({ json: [{ id: 3 }] });
      expect(await capped.get('/rpc/add_them?a=1&b=2')).toMatchReply({ text: '3' });
    });
  });

  describe('forms', () => {
    test('one object', async () => {
      const headers = { accept: OBJECT };
      expect(await rest.get('/rpc/getproject?id=1&select=id', headers)).toMatchReply({
        status: 200,
        headers: { 'content-type': `${OBJECT}; charset=utf-8` },
        text: '{"id":1}',
      });
      expect(await rest.get('/rpc/getallprojects', headers)).toMatchReply(notSingular(5));
      expect(await rest.get('/rpc/getproject?id=99', headers)).toMatchReply(notSingular(0));
      expect(await rest.get('/rpc/first_project?select=id', headers)).toMatchReply({ status: 200, text: '{"id":1}' });
      expect(await rest.get('/rpc/add_them?a=1&b=2', headers)).toMatchReply({ status: 200, text: '3' });
      expect(await rest.get('/rpc/ret_setof_integers', headers)).toMatchReply(notSingular(3));
    });

    test('CSV', async () => {
      expect(await rest.get('/rpc/getallprojects?select=id,name&id=lt.3', { accept: 'text/csv' })).toMatchReply({
        status: 200,
        headers: { 'content-type': 'text/csv; charset=utf-8' },
        text: 'id,name\n1,"Quay Wall"\n2,Lighthouse',
      });
      expect(await rest.get('/rpc/ret_setof_integers', { accept: 'text/csv' })).toMatchReply({
        text: 'pgrst_scalar\n1\n2\n3',
      });
    });

    test('types that the function itself returns', async () => {
      expect(await rest.get('/rpc/welcome.html', { accept: 'text/html' })).toMatchReply({
        status: 200,
        headers: { 'content-type': 'text/html', 'content-range': '0-0/*' },
        text: '<html><body>Welcome</body></html>',
      });
      expect(await rest.get('/rpc/welcome_text', { accept: 'text/plain' })).toMatchReply({
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        text: 'Welcome',
      });
      expect(await rest.get('/rpc/null_text', { accept: 'text/plain' })).toMatchReply({
        status: 200,
        headers: { 'content-length': '0' },
        text: '',
      });
      const bytes = await rest.get('/rpc/ret_bytes', { accept: 'application/octet-stream' });
      expect(bytes).toMatchReply({
        status: 200,
        headers: { 'content-type': 'application/octet-stream', 'content-length': '3' },
      });
      expect(Buffer.from(bytes.body as Uint8Array).toString('hex')).toBe('00ff10');
      expect(await rest.get('/rpc/ret_xml', { accept: 'text/xml' })).toMatchReply({
        headers: { 'content-type': 'text/xml; charset=utf-8' },
        text: '<note/>',
      });
      expect(await rest.get('/rpc/private_media', { accept: 'application/vnd.private' })).toMatchReply({
        text: 'private',
      });
    });

    test('a function for every type says itself which', async () => {
      expect(await rest.get('/rpc/any_media', { accept: 'app/chico' })).toMatchReply({
        status: 200,
        headers: { 'content-type': 'app/chico' },
        text: 'any',
      });
      expect(await rest.get('/rpc/any_media', { accept: 'application/x-refused' })).toMatchReply({ status: 415 });
    });

    test('a type that nobody makes', async () => {
      expect(await rest.get('/rpc/add_them?a=1&b=2', { accept: 'text/plain' })).toMatchReply(unavailable('text/plain'));
      expect(await rest.get('/rpc/welcome_text', { accept: 'text/html' })).toMatchReply(unavailable('text/html'));
      expect(await rest.get('/rpc/ret_void', { accept: 'text/plain' })).toMatchReply(unavailable('text/plain'));
    });
  });

  test('the schema is named by Accept-Profile', async () => {
    expect(await rest.get('/rpc/get_parents_below?id=4', { 'accept-profile': 'v2' })).toMatchReply({
      status: 200,
      headers: { 'content-profile': 'v2' },
      json: [{ id: 3, name: 'parent v2-3' }],
    });
    expect(await rest.get('/rpc/only_in_v2', { 'accept-profile': 'v1' })).toMatchReply(
      failure(404, 'SVRST202', 'Could not find the function v1.only_in_v2 without parameters in the schema cache', {
        details:
          'Searched for the function v1.only_in_v2 without parameters, but no matches were found in the schema cache.',
      }),
    );
    expect(await rest.get('/rpc/add_them?a=1&b=2', { 'accept-profile': 'private' })).toMatchReply({ status: 406 });
  });

  test('who may call it', async () => {
    expect(await rest.get('/rpc/privileged_hello?name=you')).toMatchReply(
      failure(401, '42501', 'permission denied for function privileged_hello', {
        headers: { 'www-authenticate': 'Bearer' },
      }),
    );
    expect(await rest.request('GET', '/rpc/privileged_hello?name=you', { as: READER })).toMatchReply(
      failure(403, '42501', 'permission denied for function privileged_hello'),
    );
    expect(await rest.request('GET', '/rpc/privileged_hello?name=you', { as: AUTHOR })).toMatchReply({
      status: 200,
      json: 'Privileged hello to you',
    });
    expect(await rest.request('GET', '/rpc/definer_secrets', { as: AUTHOR })).toMatchReply({
      json: ['opensesame', 'swordfish'],
    });
  });

  test('names that need encoding', async () => {
    expect(await rest.get('/rpc/quoted%20Function%21?%22the%20%5C%22arg%5C%22%22=1')).toMatchReply({ json: '12' });
    expect(await rest.get('/rpc/%D8%AA%D8%A7%D8%A8%D8%B9?%D9%88%D8%B1%D9%88%D8%AF%DB%8C=x')).toMatchReply({
      json: 'x',
    });
  });

  test('what is not callable is not there', async () => {
    for (const name of ['an_aggregate', 'set_answer', 'unnamed_integer_param', 'mixed_unnamed_param', '']) {
      expect(await rest.get(`/rpc/${name}`)).toMatchReply({
        status: 404,
        headers: { 'proxy-status': 'Survest; error=SVRST202' },
      });
    }
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'FOO'])('%s is not for functions', async (method) => {
    expect(await rest.request(method, '/rpc/sayhello')).toMatchReply(
      failure(405, 'SVRST101', `Cannot use the ${method} method on RPC`),
    );
    expect(await rest.request(method, '/rpc/nowhere_at_all')).toMatchReply({ status: 405 });
  });

  test('/rpc alone is a table, and more than one segment behind it is no path', async () => {
    expect(await rest.get('/rpc')).toMatchReply({ status: 200, json: [{ id: 1 }] });
    for (const path of ['/rpc/add_them/', '/rpc/add_them/x', '/rpcx/add_them', '//add_them']) {
      expect(await rest.get(path)).toMatchReply(failure(404, 'SVRST125', 'Invalid path specified in request URL'));
    }
  });
});
