// What a write shows of the rows it wrote: columns, embeds, forms; and which privileges that needs.

import { describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { denied, failure, OBJECT } from './expected.ts';

const SHOWN = { prefer: 'return=representation' };

onEachEngine('what a write returns', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db, { 'db-tx-end': 'rollback', 'db-max-rows': '1', 'db-aggregates-enabled': 'true' });

  const send = (
    method: string,
    target: string,
    body: unknown,
    headers: Record<string, string> = SHOWN,
  ): Promise<Reply> => rest.request(method, target, { body, headers });

  describe('columns', () => {
    test.each([
      ['all, by default', '', [{ id: 400, name: 'p', client_id: 1 }]],
      ['all, by an empty select', '?select=', [{ id: 400, name: 'p', client_id: 1 }]],
      ['some', '?select=name', [{ name: 'p' }]],
      ['under other names', '?select=the_id:id,name', [{ the_id: 400, name: 'p' }]],
      ['cast', '?select=id::text', [{ id: '400' }]],
      ['the same one twice', '?select=a:id,b:id', [{ a: 400, b: 400 }]],
    ])('%s', async (_, query, rows) => {
      expect(await send('POST', `/projects${query}`, { id: 400, name: 'p', client_id: 1 })).toMatchReply({
        status: 201,
        json: rows,
      });
    });

    test('a way into JSON', async () => {
      expect(
        await send('POST', '/json_table?select=data->foo->>bar,whole:data,binary_data->0', {
          data: { foo: { bar: 'x' } },
          binary_data: [7],
        }),
      ).toMatchReply({ status: 201, json: [{ bar: 'x', whole: { foo: { bar: 'x' } }, binary_data: 7 }] });
    });

    test('computed by functions of the row', async () => {
      expect(
        await send('PATCH', '/villagers?id=eq.1&select=id,initials,words->>last,shouted', { first_name: 'Zoe' }),
      ).toMatchReply({
        status: 200,
        json: [{ id: 1, initials: 'ZO', last: 'Oman', shouted: 'OMAN' }],
      });
    });

    test('aggregates over the written rows', async () => {
      expect(
        await send('POST', '/shelves?select=count(),amount.sum()', [
          { id: 1, amount: 3 },
          { id: 2, amount: 4 },
        ]),
      ).toMatchReply({
        status: 201,
        json: [{ count: 2, sum: 7 }],
      });
      expect(await send('DELETE', '/invoices?select=project_id,total.max()&order=project_id', undefined)).toMatchReply({
        status: 200,
        json: [
          { project_id: 1, max: 200 },
          { project_id: 2, max: 700 },
          { project_id: 3, max: 2000 },
          { project_id: 4, max: 4000 },
        ],
      });
    });

    test('db-max-rows is for reading: every written row is shown, and every row in its embeds', async () => {
      expect(await send('POST', '/shelves?select=id', [{ id: 1 }, { id: 2 }, { id: 3 }])).toMatchReply({
        status: 201,
        json: [{ id: 1 }, { id: 2 }, { id: 3 }],
      });
      expect(
        await send('PATCH', '/clients?id=eq.1&select=id,projects(id)&projects.order=id', { name: 'x' }),
      ).toMatchReply({
        json: [{ id: 1, projects: [{ id: 1 }, { id: 2 }] }],
      });
    });
  });

  describe('order', () => {
    test('by a column that is not shown, by a computed one', async () => {
      expect(await send('PATCH', '/projects?id=lt.4&select=id&order=name.desc', { client_id: 1 })).toMatchReply({
        json: [{ id: 1 }, { id: 3 }, { id: 2 }],
      });
      expect(
        await send('PATCH', '/villagers?id=lt.4&select=id&order=initials.desc,id.desc', { born: null }),
      ).toMatchReply({
        json: [{ id: 2 }, { id: 1 }, { id: 3 }],
      });
    });

    test('by the one related row', async () => {
      expect(
        await send('PATCH', '/projects?id=lt.5&select=id,clients(name)&order=clients(name),id.desc', { name: 'x' }),
      ).toMatchReply({
        json: [
          { id: 4, clients: { name: 'City Museum' } },
          { id: 3, clients: { name: 'City Museum' } },
          { id: 2, clients: { name: 'Harbour Office' } },
          { id: 1, clients: { name: 'Harbour Office' } },
        ],
      });
      expect(await send('PATCH', '/projects?id=eq.1&select=id&order=clients(name)', { name: 'x' })).toMatchReply(
        failure(400, 'SVRST108', "'clients' is not an embedded resource in this request", {
          hint: "Verify that 'clients' is included in the 'select' query parameter.",
        }),
      );
      expect(
        await send('PATCH', '/clients?id=eq.1&select=id,projects(id)&order=projects(id)', { name: 'x' }),
      ).toMatchReply(
        failure(400, 'SVRST118', "A related order on 'projects' is not possible", {
          details: "'clients' and 'projects' do not form a many-to-one or one-to-one relationship",
        }),
      );
    });
  });

  describe('embeds', () => {
    test('to one, to many, through a junction, and deeper', async () => {
      expect(
        await send('POST', '/projects?select=id,clients(name),tasks(id),users(name)', {
          id: 401,
          name: 'p',
          client_id: 1,
        }),
      ).toMatchReply({
        status: 201,
        json: [{ id: 401, clients: { name: 'Harbour Office' }, tasks: [], users: [] }],
      });
      expect(
        await send('PATCH', '/tasks?id=eq.1&select=name,projects(name,clients(name)),users(name)&users.order=name', {
          name: 'x',
        }),
      ).toMatchReply({
        status: 200,
        json: [
          {
            name: 'x',
            projects: { name: 'Quay Wall', clients: { name: 'Harbour Office' } },
            users: [{ name: 'Amira Haddad' }, { name: 'Chen Wei' }],
          },
        ],
      });
    });

    test('the new reference is followed, not the old one', async () => {
      expect(await send('PATCH', '/projects?id=eq.1&select=clients(name)', { client_id: 2 })).toMatchReply({
        json: [{ clients: { name: 'City Museum' } }],
      });
      expect(await send('PATCH', '/projects?id=eq.1&select=clients(name)', { client_id: null })).toMatchReply({
        json: [{ clients: null }],
      });
    });

    test('filtered, ordered, spread, empty', async () => {
      expect(
        await send('PATCH', '/clients?id=lt.3&select=id,projects(name)&projects.name=like.L*&order=id', { name: 'x' }),
      ).toMatchReply({
        json: [
          { id: 1, projects: [{ name: 'Lighthouse' }] },
          { id: 2, projects: [] },
        ],
      });
      expect(await send('PATCH', '/projects?id=eq.1&select=id,...clients(client:name)', { name: 'x' })).toMatchReply({
        json: [{ id: 1, client: 'Harbour Office' }],
      });
      expect(await send('PATCH', '/projects?id=eq.1&select=id,clients()', { name: 'x' })).toMatchReply({
        json: [{ id: 1 }],
      });
    });

    test('of a table in itself, up and down', async () => {
      expect(
        await send('PATCH', '/web_content?id=eq.1&select=name,web_content(name,web_content(name)),up:p_web_id(name)', {
          name: 'x',
        }),
      ).toMatchReply({
        json: [{ name: 'x', web_content: [{ name: 'staff', web_content: [{ name: 'foo' }] }], up: { name: 'home' } }],
      });
      expect(
        await send('POST', '/web_content?select=name,up:p_web_id(name)', { id: 9, name: 'n', p_web_id: 4 }),
      ).toMatchReply({
        status: 201,
        json: [{ name: 'n', up: { name: 'foo' } }],
      });
    });

    test('an inner embed hides rows, and they are not counted', async () => {
      const rows = [
        { id: 402, name: 'p', client_id: 1 },
        { id: 403, name: 'q', client_id: null },
      ];
      expect(
        await send('POST', '/projects?select=id,clients!inner(id)', rows, {
          prefer: 'return=representation, count=exact',
        }),
      ).toMatchReply({ status: 201, headers: { 'content-range': '*/1' }, json: [{ id: 402, clients: { id: 1 } }] });
    });

    test('by functions of the row', async () => {
      expect(
        await send('PATCH', '/designers?id=eq.1&select=name,computed_videogames(name)', { name: 'S' }),
      ).toMatchReply({
        json: [{ name: 'S', computed_videogames: [{ name: 'Civilization I' }, { name: 'Civilization II' }] }],
      });
      expect(
        await send('POST', '/videogames?select=id,computed_designers(name)', { id: 9, name: 'x', designer_id: 2 }),
      ).toMatchReply({ status: 201, json: [{ id: 9, computed_designers: { name: 'Hironobu Sakaguchi' } }] });
    });

    test('ambiguous and unknown ones', async () => {
      expect(await send('POST', '/orders?select=id,addresses(id)', { id: 9 })).toMatchReply({
        status: 300,
        headers: { 'proxy-status': 'Survest; error=SVRST201' },
      });
      expect(
        await send('POST', '/orders?select=id,billing_address_id(address)', { id: 9, billing_address_id: 1 }),
      ).toMatchReply({
        status: 201,
        json: [{ id: 9, billing_address_id: { address: '1 Quay Street' } }],
      });
    });
  });

  describe('forms', () => {
    test('nulls left out', async () => {
      expect(
        await send('POST', '/projects', { id: 404, name: 'p' }, { ...SHOWN, accept: `${OBJECT};nulls=stripped` }),
      ).toMatchReply({
        status: 201,
        headers: { 'content-type': 'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8' },
        text: '{"id":404,"name":"p"}',
      });
      expect(
        await send('POST', '/projects', [{ id: 404, name: 'p' }], {
          ...SHOWN,
          accept: 'application/vnd.pgrst.array+json;nulls=stripped',
        }),
      ).toMatchReply({ status: 201, text: '[{"id":404,"name":"p"}]' });
    });

    test('CSV of no row is a line end', async () => {
      expect(await send('DELETE', '/projects?id=eq.999', undefined, { ...SHOWN, accept: 'text/csv' })).toMatchReply({
        status: 200,
        headers: { 'content-type': 'text/csv; charset=utf-8', 'content-length': '1' },
        text: '\n',
      });
    });

    test('GeoJSON in and out', async () => {
      expect(
        await send(
          'POST',
          '/shops?select=id,shop_geom',
          { id: 9, shop_geom: { type: 'Point', coordinates: [1, 2] } },
          { ...SHOWN, accept: 'application/geo+json' },
        ),
      ).toMatchReply({
        status: 201,
        headers: { 'content-type': 'application/geo+json; charset=utf-8' },
        json: {
          type: 'FeatureCollection',
          features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] }, properties: { id: 9 } }],
        },
      });
    });

    test('types that the database makes', async () => {
      const row = { id: 9, name: 'New' };
      expect(await send('POST', '/clients', row, { ...SHOWN, accept: 'application/vnd.survest.names' })).toMatchReply({
        status: 201,
        headers: { 'content-type': 'application/vnd.survest.names', 'content-length': '4' },
        text: 'New;',
      });
      expect(
        await send('POST', '/clients?select=name', row, { ...SHOWN, accept: 'application/vnd.survest.names' }),
      ).toMatchReply({
        status: 406,
      });
      expect(
        await send('POST', '/clients?select=name', row, { ...SHOWN, accept: 'text/tab-separated-values' }),
      ).toMatchReply({
        status: 201,
        headers: { 'content-type': 'text/tab-separated-values' },
        text: 'New\n',
      });
    });
  });

  describe('privileges', () => {
    test('to insert is enough to insert, whatever select says', async () => {
      expect(await send('POST', '/insertonly', { v: 'a' }, {})).toMatchReply({ status: 201, text: '' });
      expect(await send('POST', '/insertonly?select=v', { v: 'a' }, { prefer: 'return=minimal' })).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'return=minimal' },
      });
      expect(await send('POST', '/insertonly', [{ v: 'a' }, { v: 'b' }], { prefer: 'count=exact' })).toMatchReply({
        status: 201,
        headers: { 'content-range': '*/2' },
      });
      // There is no key to look up.
      expect(await send('POST', '/insertonly', { v: 'a' }, { prefer: 'return=headers-only' })).toMatchReply({
        status: 201,
        headers: { location: null },
      });
    });

    test('to be shown the row it must be readable', async () => {
      expect(await send('POST', '/insertonly', { v: 'a' })).toMatchReply(denied('insertonly'));
    });

    test('another role may not even insert', async () => {
      expect(await rest.request('POST', '/insertonly', { body: { v: 'a' }, as: AUTHOR })).toMatchReply(
        failure(403, '42501', 'permission denied for table insertonly', { headers: { 'www-authenticate': null } }),
      );
    });

    test('only the columns that are shown are read', async () => {
      const row = { id: 10, shown: 'x' };
      expect(await send('POST', '/limited_columns?select=id,shown', row)).toMatchReply({ status: 201, json: [row] });
      expect(await send('POST', '/limited_columns?select=shown', row)).toMatchReply({
        status: 201,
        json: [{ shown: 'x' }],
      });
      expect(await send('POST', '/limited_columns', row)).toMatchReply(denied('limited_columns'));
      expect(await send('POST', '/limited_columns?select=*', row)).toMatchReply(denied('limited_columns'));
      expect(await send('POST', '/limited_columns?select=hidden', row)).toMatchReply(denied('limited_columns'));
      expect(await send('POST', '/limited_columns', row, { prefer: 'return=headers-only' })).toMatchReply({
        status: 201,
        headers: { location: '/limited_columns?id=eq.10' },
      });
      expect(await send('PATCH', '/limited_columns?id=eq.1&select=id', { shown: 'y' })).toMatchReply({
        status: 200,
        json: [{ id: 1 }],
      });
      expect(await send('DELETE', '/limited_columns?id=eq.2&select=shown', undefined)).toMatchReply({
        status: 200,
        json: [{ shown: 'two' }],
      });
      expect(await send('DELETE', '/limited_columns?id=eq.2', undefined)).toMatchReply(denied('limited_columns'));
    });

    test('columns that may not be written, columns that may not be looked at', async () => {
      expect(await send('POST', '/limited_columns', { id: 11, hidden: 'x' }, {})).toMatchReply(
        denied('limited_columns'),
      );
      expect(await send('PATCH', '/limited_columns?hidden=eq.secret', { shown: 'x' }, {})).toMatchReply(
        denied('limited_columns'),
      );
      expect(await send('PATCH', '/limited_updates?id=eq.1', { may_change: 'x' })).toMatchReply({
        status: 200,
        json: [{ id: 1, may_change: 'x', may_not: 'b' }],
      });
      expect(await send('POST', '/select_only', { id: 5 }, {})).toMatchReply(denied('select_only'));
    });

    test('policies speak on what is written and on what is shown', async () => {
      expect(await send('POST', '/stuff', { id: 3, name: 'three' })).toMatchReply({
        status: 201,
        json: [{ id: 3, name: 'three' }],
      });
      expect(await send('POST', '/stuff', { id: 0, name: 'zero' })).toMatchReply(
        failure(401, '42501', 'new row violates row-level security policy for table "stuff"', {
          headers: { 'www-authenticate': 'Bearer' },
        }),
      );
      expect(await send('PATCH', '/stuff?id=eq.2', { name: 'x' })).toMatchReply({ status: 200, text: '[]' });
      expect(await send('PATCH', '/stuff?id=eq.1', { name: 'x' })).toMatchReply({
        status: 200,
        json: [{ id: 1, name: 'x' }],
      });
    });
  });
});
