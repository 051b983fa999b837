// Media types that the database makes itself: functions and aggregates whose result is a domain named like the type.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('media types of the database', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  const notAcceptable = (types: string): object => ({
    status: 406,
    json: problem('SVRST107', `None of these media types are available: ${types}`),
  });

  describe('aggregates of one relation', () => {
    const accept = 'application/vnd.survest.names';

    test('make the body of its rows', async () => {
      expect(await rest.get('/clients?order=id', { accept })).toMatchReply({
        status: 200,
        headers: { 'content-type': accept, 'content-range': '0-2/*', 'content-length': '38' },
        text: 'Harbour Office;City Museum;Nobody Yet;',
      });
    });

    test.each([
      ['filtered', '/clients?id=eq.2', 'City Museum;'],
      ['paged', '/clients?order=id.desc&limit=1', 'Nobody Yet;'],
      ['of no rows', '/clients?id=eq.9', ''],
      ['with a star', '/clients?select=*&id=eq.1', 'Harbour Office;'],
    ])('%s', async (_, target, text) => {
      expect(await rest.get(target, { accept })).toMatchReply({
        status: 200,
        headers: { 'content-type': accept },
        text,
      });
    });

    test('among others that are accepted', async () => {
      expect(await rest.get('/clients?id=eq.1', { accept: `${accept}, application/json` })).toMatchReply({
        text: 'Harbour Office;',
      });
    });

    test.each(['/clients?select=id', '/clients?select=id,name', '/clients?select=*,projects(id)'])(
      'take whole rows only: %s',
      async (target) => {
        expect(await rest.get(target, { accept })).toMatchReply(notAcceptable(accept));
      },
    );

    test('do not know other relations', async () => {
      expect(await rest.get('/projects', { accept })).toMatchReply(notAcceptable(accept));
      expect(await rest.get('/clients_view', { accept })).toMatchReply(notAcceptable(accept));
    });

    test('HEAD', async () => {
      expect(await rest.head('/clients', { accept })).toMatchReply({
        status: 200,
        headers: { 'content-type': accept, 'content-range': '0-2/*', 'content-length': null },
        text: '',
      });
    });

    test('rows of a function that returns the relation', async () => {
      await db().script(`
        create function test.first_clients() returns setof test.clients stable language sql as 'select * from test.clients where id < 3 order by id'`);
      await rest.client().service.reloadSchema();
      expect(await rest.get('/rpc/first_clients', { accept })).toMatchReply({
        status: 200,
        headers: { 'content-type': accept },
        text: 'Harbour Office;City Museum;',
      });
    });
  });

  describe('a built-in type, made another way for one relation', () => {
    test('takes the place of the built-in form', async () => {
      expect(await rest.get('/chores?order=id', { accept: 'text/csv' })).toMatchReply({
        status: 200,
        headers: { 'content-type': 'text/csv; charset=utf-8' },
        text: '\uFEFFid,name\n1,sweep\n2,wash\n3,mend\n',
      });
    });

    test('which stays for selected columns and for others', async () => {
      expect(await rest.get('/chores?select=id&order=id', { accept: 'text/csv' })).toMatchReply({
        text: 'id\n1\n2\n3',
      });
      expect(await rest.get('/items?id=eq.1', { accept: 'text/csv' })).toMatchReply({ text: 'id\n1' });
    });

    test('leaves the other types alone', async () => {
      expect(await rest.get('/chores?id=eq.1')).toMatchReply({ json: [{ id: 1, name: 'sweep', done: true }] });
    });
  });

  describe('one type for every relation', () => {
    const accept = 'text/tab-separated-values';
    test.each([
      ['/chores?id=lt.3&order=id', '1\tsweep\ttrue\n2\twash\tfalse\n'],
      ['/chores?select=name&id=eq.1', 'sweep\n'],
      ['/projects?select=id,...clients(client:name)&id=eq.1', '1\tHarbour Office\n'],
      ['/rpc/getproject?id=1&select=name', 'Quay Wall\n'],
      // As text, an embed is what jsonb is as text.
      ['/projects?select=id,clients(id)&id=eq.1', '1\t{"id": 1}\n'],
      ['/projects?select=id,clients(id)&id=eq.1&order=id&limit=1', '1\t{"id": 1}\n'],
      ['/clients?select=id,projects(id)&id=eq.1', '1\t[{"id": 1}, {"id": 2}]\n'],
      ['/rpc/getproject?id=1&select=id,clients(id)', '1\t{"id": 1}\n'],
    ])('%s', async (target, text) => {
      expect(await rest.get(target, { accept })).toMatchReply({
        status: 200,
        headers: { 'content-type': accept },
        text,
      });
    });
  });

  describe('every type for one relation', () => {
    test.each([undefined, '*/*', 'application/json', 'text/csv', 'image/png', 'application/whatever'])(
      '%s',
      async (accept) => {
        expect(
          await rest.get('/files?order=filename.desc,project', accept === undefined ? {} : { accept }),
        ).toMatchReply({ status: 200, headers: { 'content-type': 'application/octet-stream' }, text: 'onethreetwo' });
      },
    );

    test('but the vendor types are what they are', async () => {
      expect(
        await rest.get('/files?filename=eq.costs.csv', { accept: 'application/vnd.pgrst.object+json' }),
      ).toMatchReply({ status: 200, json: { project: 'quay', filename: 'costs.csv', content: 'two' } });
    });

    test('not of selected columns', async () => {
      expect(await rest.get('/files?select=content&filename=eq.costs.csv')).toMatchReply({
        headers: { 'content-type': 'application/json; charset=utf-8' },
        json: [{ content: 'two' }],
      });
      expect(await rest.get('/files?select=content', { accept: 'image/png' })).toMatchReply(notAcceptable('image/png'));
    });
  });

  describe('functions', () => {
    test.each([
      ['/rpc/welcome.html', 'text/html', 'text/html', '<html><body>Welcome</body></html>'],
      ['/rpc/welcome_text', 'text/plain', 'text/plain; charset=utf-8', 'Welcome'],
      ['/rpc/null_text', 'text/plain', 'text/plain; charset=utf-8', ''],
      ['/rpc/ret_xml', 'text/xml', 'text/xml; charset=utf-8', '<note/>'],
      ['/rpc/private_media', 'application/vnd.private', 'application/vnd.private', 'private'],
      [
        '/rpc/own_description',
        'application/openapi+json',
        'application/openapi+json; charset=utf-8',
        '{"swagger": "2.0"}',
      ],
    ])('%s', async (target, accept, type, text) => {
      expect(await rest.get(target, { accept })).toMatchReply({ status: 200, headers: { 'content-type': type }, text });
      expect(await rest.head(target, { accept })).toMatchReply({
        status: 200,
        headers: { 'content-type': type },
        text: '',
      });
    });

    test.each([
      ['/rpc/ret_bytes', 'application/octet-stream', '00ff10'],
      ['/rpc/one_pixel', 'image/png', /^89504e470d0a1a0a/],
    ])('%s: bytes stay bytes', async (target, accept, hex) => {
      const reply = await rest.get(target, { accept });
      expect(reply).toMatchReply({ status: 200, headers: { 'content-type': accept } });
      const seen = Buffer.from(reply.body).toString('hex');
      if (typeof hex === 'string') expect(seen).toBe(hex);
      else expect(seen).toMatch(hex);
    });

    test('a browser that accepts the type among others gets it', async () => {
      const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      expect(await rest.get('/rpc/welcome.html', { accept })).toMatchReply({
        headers: { 'content-type': 'text/html' },
        text: '<html><body>Welcome</body></html>',
      });
    });

    test('another type is not acceptable', async () => {
      expect(await rest.get('/rpc/welcome.html', { accept: 'text/plain' })).toMatchReply(notAcceptable('text/plain'));
    });

    test.each(['application/x-mine', 'text/plain', 'application/json'])(
      'one for every type says itself what it made: %s',
      async (accept) => {
        expect(await rest.get('/rpc/any_media', { accept })).toMatchReply({
          status: 200,
          headers: { 'content-type': accept },
          text: 'any',
        });
      },
    );

    test('one for every type refuses what it does not want', async () => {
      expect(await rest.get('/rpc/any_media', { accept: 'application/x-refused' })).toMatchReply({
        status: 415,
        statusText: 'Unsupported Media Type',
        json: problem('PT415', 'Unsupported Media Type'),
      });
    });
  });
});
