// The root of the API: its description, a function in its place, or nothing.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('the root', { fixtures: REST_FIXTURE }, (db) => {
  describe('describes the API', () => {
    const rest = useRest(db);

    test.each([undefined, '*/*', 'application/json', 'application/openapi+json', 'text/html, */*;q=0.1'])(
      'to whoever accepts %s',
      async (accept) => {
        const headers = accept === undefined ? {} : { accept };
        expect(await rest.get('/', headers)).toMatchReply({
          status: 200,
          headers: { 'content-type': 'application/openapi+json; charset=utf-8', 'content-range': null },
          json: expect.objectContaining({ swagger: '2.0', info: expect.objectContaining({ title: 'Test API' }) }),
        });
        expect(await rest.head('/', headers)).toMatchReply({
          status: 200,
          headers: { 'content-type': 'application/openapi+json; charset=utf-8', 'content-length': null },
          text: '',
        });
      },
    );

    test.each(['text/csv', 'text/html', 'application/vnd.pgrst.object+json'])('not in %s', async (accept) => {
      expect(await rest.get('/', { accept })).toMatchReply({
        status: 406,
        json: problem('SVRST107', `None of these media types are available: ${accept}`),
      });
    });

    test('of the schema asked for', async () => {
      expect(await rest.get('/', { 'accept-profile': 'v1' })).toMatchReply({
        status: 200,
        headers: { 'content-profile': 'v1' },
        json: expect.objectContaining({ info: expect.objectContaining({ title: 'First version' }) }),
      });
    });

    test('whatever the query says', async () => {
      expect(await rest.get('/?select=id&x=y')).toMatchReply({ status: 200 });
    });
  });

  describe('is switched off', () => {
    const rest = useRest(db, { 'openapi-mode': 'disabled', 'db-root-spec': 'test.root' });
    test.each(['GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE'])('%s', async (method) => {
      expect(await rest.request(method, '/')).toMatchReply({
        status: 404,
        headers: { 'proxy-status': 'Survest; error=SVRST126' },
        ...(method === 'HEAD' ? { text: '' } : { json: problem('SVRST126', 'Root endpoint metadata is disabled') }),
      });
    });
  });

  describe('is a function', () => {
    const rest = useRest(db, { 'db-root-spec': 'test.root' });
    test.each(['GET', 'POST'])('%s', async (method) => {
      expect(await rest.request(method, '/')).toMatchReply({
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        json: { swagger: '2.0', info: { title: 'Own root' } },
      });
    });
  });

  describe('is a function that makes the media type', () => {
    const rest = useRest(db, { 'db-root-spec': 'own_description' });
    test('when it is asked for', async () => {
      expect(await rest.get('/', { accept: 'application/openapi+json' })).toMatchReply({
        status: 200,
        headers: { 'content-type': 'application/openapi+json; charset=utf-8' },
        json: { swagger: '2.0' },
      });
    });
  });
});
