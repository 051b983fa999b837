// Which schema: the first by default, another by the profile headers.

import { describe, expect, test } from 'vitest';
import { EXPOSED_SCHEMAS, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('schemas', { fixtures: REST_FIXTURE }, (db) => {
  describe('of several', () => {
    const rest = useRest(db);
    const SPECIAL = 'SPECIAL "@/\\#~_-';

    test('the first by default', async () => {
      expect(await rest.get('/items?id=eq.1')).toMatchReply({ status: 200, headers: { 'content-profile': 'test' } });
    });

    test.each([
      [
        'v1',
        [
          { id: 1, name: 'parent v1-1' },
          { id: 2, name: 'parent v1-2' },
        ],
      ],
      [
        'v2',
        [
          { id: 3, name: 'parent v2-3' },
          { id: 4, name: 'parent v2-4' },
        ],
      ],
    ])('%s by Accept-Profile', async (schema, json) => {
      expect(await rest.get('/parents?order=id', { 'accept-profile': schema })).toMatchReply({
        status: 200,
        headers: { 'content-profile': schema, 'content-range': '0-1/*' },
        json,
      });
      expect(await rest.head('/parents', { 'accept-profile': schema })).toMatchReply({
        status: 200,
        headers: { 'content-profile': schema },
        text: '',
      });
    });

    test('embeds stay in it', async () => {
      expect(await rest.get('/children?select=id,parents(name)&order=id', { 'accept-profile': 'v1' })).toMatchReply({
        json: [
          { id: 1, parents: { name: 'parent v1-1' } },
          { id: 2, parents: { name: 'parent v1-2' } },
        ],
      });
    });

    test('one with a hostile name', async () => {
      expect(await rest.get('/names?select=name,languages(name)&order=id', { 'accept-profile': SPECIAL })).toMatchReply(
        {
          status: 200,
          headers: { 'content-profile': SPECIAL },
          json: [
            { name: 'John', languages: [{ name: 'English' }] },
            { name: 'Mary', languages: [] },
          ],
        },
      );
    });

    test('functions', async () => {
      expect(await rest.get('/rpc/get_parents_below?id=4', { 'accept-profile': 'v2' })).toMatchReply({
        status: 200,
        headers: { 'content-profile': 'v2' },
        json: [{ id: 3, name: 'parent v2-3' }],
      });
      expect(
        await rest.request('POST', '/rpc/get_parents_below', { headers: { 'content-profile': 'v1' }, body: { id: 2 } }),
      ).toMatchReply({ status: 200, headers: { 'content-profile': 'v1' }, json: [{ id: 1, name: 'parent v1-1' }] });
      expect(await rest.get('/rpc/only_in_v2')).toMatchReply({ status: 404 });
    });

    test('the header of the other direction means nothing', async () => {
      expect(await rest.get('/items?id=eq.1', { 'content-profile': 'v1' })).toMatchReply({
        status: 200,
        headers: { 'content-profile': 'test' },
      });
      expect(await rest.get('/items?id=eq.1', { 'content-profile': 'nowhere' })).toMatchReply({ status: 200 });
      expect(
        await rest.request('POST', '/rpc/add_them', { headers: { 'accept-profile': 'nowhere' }, body: { a: 1, b: 2 } }),
      ).toMatchReply({ status: 200 });
    });

    test.each([
      ['GET', 'accept-profile', '/parents'],
      ['HEAD', 'accept-profile', '/parents'],
      ['OPTIONS', 'accept-profile', '/parents'],
      ['POST', 'content-profile', '/parents'],
      ['PATCH', 'content-profile', '/parents'],
      ['PUT', 'content-profile', '/parents'],
      ['DELETE', 'content-profile', '/parents'],
      ['GET', 'accept-profile', '/rpc/add_them'],
      ['POST', 'content-profile', '/rpc/add_them'],
      ['GET', 'accept-profile', '/'],
    ])('%s with a schema in %s that is not exposed: %s', async (method, header, target) => {
      for (const schema of ['private', 'nowhere', 'TEST', 'pg_catalog']) {
        const body = problem(
          'SVRST106',
          `Invalid schema: ${schema}`,
          null,
          `Only the following schemas are exposed: ${EXPOSED_SCHEMAS.join(', ')}`,
        );
        expect(await rest.request(method, target, { headers: { [header]: schema } })).toMatchReply({
          status: 406,
          headers: { 'proxy-status': 'Survest; error=SVRST106', 'content-profile': null },
          ...(method === 'HEAD' ? { text: '' } : { json: body }),
        });
      }
    });

    test('an error has no profile', async () => {
      expect(await rest.get('/nowhere_at_all')).toMatchReply({ status: 404, headers: { 'content-profile': null } });
    });

    test('a table of another schema is not there', async () => {
      expect(await rest.get('/another_table')).toMatchReply({ status: 404 });
      expect(await rest.get('/another_table?limit=1', { 'accept-profile': 'v2' })).toMatchReply({ status: 200 });
      expect(await rest.get('/items', { 'accept-profile': 'v2' })).toMatchReply({
        status: 404,
        json: problem('SVRST205', "Could not find the table 'v2.items' in the schema cache"),
      });
    });

    test('only it and the extra schemas are on the search path', async () => {
      expect(await rest.get('/rpc/get_setting?name=search_path')).toMatchReply({
        json: expect.stringMatching(/^"test", "extra", "postgis"/),
      });
    });
  });

  describe('of one', () => {
    const rest = useRest(db, { 'db-schemas': 'v1' });

    test('nothing is said of it', async () => {
      expect(await rest.get('/parents')).toMatchReply({ status: 200, headers: { 'content-profile': null } });
    });

    test('unless it was asked for', async () => {
      expect(await rest.get('/parents', { 'accept-profile': 'v1' })).toMatchReply({
        status: 200,
        headers: { 'content-profile': 'v1' },
      });
    });

    test('others are not exposed', async () => {
      expect(await rest.get('/parents', { 'accept-profile': 'v2' })).toMatchReply({
        status: 406,
        json: problem('SVRST106', 'Invalid schema: v2', null, 'Only the following schemas are exposed: v1'),
      });
    });
  });
});
