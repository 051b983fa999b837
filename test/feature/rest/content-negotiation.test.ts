// Accept: which form the rows take, and what is said when none will do.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('content negotiation', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const JSON_TYPE = 'application/json; charset=utf-8';
  const CSV_TYPE = 'text/csv; charset=utf-8';

  describe('the type that is sent', () => {
    test.each([
      [undefined, JSON_TYPE],
      ['', JSON_TYPE],
      ['*/*', JSON_TYPE],
      ['application/json', JSON_TYPE],
      ['APPLICATION/JSON', JSON_TYPE],
      ['application/json; charset=utf-8', JSON_TYPE],
      ['application/json;whatever=1', JSON_TYPE],
      ['application/vnd.pgrst.array', JSON_TYPE],
      ['application/vnd.pgrst.array+json', JSON_TYPE],
      ['text/csv', CSV_TYPE],
      ['text/csv, */*', CSV_TYPE],
      ['*/*, text/csv', CSV_TYPE],
      ['text/csv;q=0.5, application/json;q=0.4', CSV_TYPE],
      ['text/csv;q=0.3, application/json;q=0.4', JSON_TYPE],
      ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', JSON_TYPE],
      ['application/unknown, text/csv;q=0.1', CSV_TYPE],
      ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
      ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json; charset=utf-8'],
      ['application/vnd.svrst.object', 'application/vnd.svrst.object+json; charset=utf-8'],
      ['application/json, application/vnd.pgrst.object+json', JSON_TYPE],
      [
        'application/json, application/vnd.pgrst.object+json;nulls=stripped',
        'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
      ],
      [
        'application/vnd.pgrst.object+json;nulls=stripped',
        'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
      ],
      [
        'application/vnd.pgrst.array+json;nulls=stripped',
        'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
      ],
      ['application/vnd.pgrst.array;nulls=stripped', 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8'],
    ])('%s', async (accept, type) => {
      const headers = accept === undefined ? {} : { accept };
      expect(await rest.get('/clients?id=eq.1', headers)).toMatchReply({
        status: 200,
        headers: { 'content-type': type },
      });
      expect(await rest.head('/clients?id=eq.1', headers)).toMatchReply({
        status: 200,
        headers: { 'content-type': type, 'content-length': null },
        text: '',
      });
    });
  });

  describe('none of them', () => {
    test.each([
      ['text/unknowntype', 'text/unknowntype'],
      ['text/html', 'text/html'],
      ['text/plain', 'text/plain'],
      ['text/xml', 'text/xml'],
      ['application/octet-stream', 'application/octet-stream'],
      ['application/openapi+json', 'application/openapi+json'],
      ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
      ['undefined', 'undefined'],
      ['image/*', 'image/*'],
      ['text/plain;q=0.5, image/png', 'image/png, text/plain'],
      ['application/vnd.pgrst.plan', 'application/vnd.pgrst.plan+text; for="application/json"'],
      ['application/vnd.pgrst.object+text', 'application/vnd.pgrst.object+text'],
    ])('%s', async (accept, shown) => {
      expect(await rest.get('/clients', { accept })).toMatchReply({
        status: 406,
        headers: { 'content-type': JSON_TYPE, 'proxy-status': 'Survest; error=SVRST107' },
        json: problem('SVRST107', `None of these media types are available: ${shown}`),
      });
    });

    test('the length is that of the body', async () => {
      expect(await rest.get('/simple_pk', { accept: 'text/unknowntype' })).toMatchReply({
        status: 406,
        headers: { 'content-length': '116' },
      });
    });

    test('a table that is not there is said first', async () => {
      expect(await rest.get('/nowhere_at_all', { accept: 'text/unknowntype' })).toMatchReply({ status: 404 });
    });
  });

  describe('one object', () => {
    const accept = 'application/vnd.pgrst.object+json';

    test('of one row', async () => {
      expect(await rest.get('/clients?id=eq.1', { accept })).toMatchReply({
        status: 200,
        headers: { 'content-type': `${accept}; charset=utf-8`, 'content-range': '0-0/*', 'content-length': '32' },
        text: '{"id":1,"name":"Harbour Office"}',
      });
    });

    test.each([
      ['/clients?id=eq.9', 0],
      ['/clients', 3],
      ['/items?id=gt.0&id=lt.0', 0],
      ['/items', 15],
    ])('%s has %i', async (target, rows) => {
      const json = problem(
        'SVRST116',
        'Cannot coerce the result to a single JSON object',
        `The result contains ${rows} rows`,
      );
      expect(await rest.get(target, { accept })).toMatchReply({
        status: 406,
        headers: { 'proxy-status': 'Survest; error=SVRST116', 'content-type': JSON_TYPE },
        json,
      });
      expect(await rest.get(target, { accept: `${accept};nulls=stripped` })).toMatchReply({ status: 406, json });
      expect(await rest.head(target, { accept })).toMatchReply({
        status: 406,
        headers: { 'proxy-status': 'Survest; error=SVRST116' },
        text: '',
      });
    });

    test('of a page of one', async () => {
      expect(await rest.get('/items?order=id&limit=1&offset=3', { accept, prefer: 'count=exact' })).toMatchReply({
        status: 206,
        headers: { 'content-range': '3-3/15' },
        json: { id: 4 },
      });
    });

    test('with embeds', async () => {
      expect(
        await rest.get('/projects?id=eq.1&select=id,clients(id),tasks(id)&tasks.order=id', { accept }),
      ).toMatchReply({ json: { id: 1, clients: { id: 1 }, tasks: [{ id: 1 }, { id: 2 }] } });
    });

    test('of a function’s value', async () => {
      expect(await rest.get('/rpc/add_them?a=1&b=2', { accept })).toMatchReply({ status: 200, text: '3' });
      expect(await rest.get('/rpc/getproject?id=1&select=id', { accept })).toMatchReply({ json: { id: 1 } });
      expect(await rest.get('/rpc/getallprojects', { accept })).toMatchReply({
        status: 406,
        json: expect.objectContaining({ code: 'SVRST116', details: 'The result contains 5 rows' }),
      });
    });
  });

  describe('without nulls', () => {
    test('in an array', async () => {
      const accept = 'application/vnd.pgrst.array+json;nulls=stripped';
      expect(await rest.get('/no_pk?order=a', { accept })).toMatchReply({
        status: 200,
        json: [{ a: '1', b: '0' }, { a: '2', b: '0' }, {}],
      });
      expect(await rest.get('/no_pk?a=eq.9', { accept })).toMatchReply({ json: [] });
    });

    test('at every depth', async () => {
      const accept = 'application/vnd.pgrst.array+json;nulls=stripped';
      const target = '/clients?id=eq.3&select=id,projects(id),latest(id)';
      expect(await rest.get(target, { accept })).toMatchReply({ json: [{ id: 3, projects: [] }] });
      expect(await rest.get('/agents?id=eq.2&select=id,departments(id,name)', { accept })).toMatchReply({
        json: [{ id: 2, departments: { id: 2 } }],
      });
      expect(await rest.get('/all_types?id=eq.1&select=a_json', { accept })).toMatchReply({
        json: [{ a_json: { b: 1, a: [true, null] } }],
      });
    });

    test('in an object', async () => {
      const accept = 'application/vnd.pgrst.object+json;nulls=stripped';
      expect(await rest.get('/chores?id=eq.3', { accept })).toMatchReply({ json: { id: 3, name: 'mend' } });
    });
  });

  test('caches are told what the reply depends on', async () => {
    expect(await rest.get('/clients')).toMatchReply({ headers: { vary: /^Accept,.*, Authorization, Cookie$/ } });
    expect(await rest.get('/')).toMatchReply({ headers: { vary: 'Accept, Authorization, Cookie' } });
    expect(await rest.get('/nowhere')).toMatchReply({ status: 404, headers: { vary: 'Authorization, Cookie' } });
  });
});
