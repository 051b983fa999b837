// Requests that come while the service starts.

import { expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { makeRest } from '../../testkit/rest-client.ts';

onEachEngine('a start', { fixtures: REST_FIXTURE }, (db) => {
  test('the first request with a token is answered when the schema is there, not refused before', async () => {
    const rest = await makeRest(db(), { 'db-anon-role': '' });
    const starting = rest.service.start();
    const replies = await Promise.all([
      rest.request('GET', '/items?select=id&limit=1', { as: AUTHOR }),
      rest.request('GET', '/items?select=id&limit=1'),
    ]);
    expect(replies[0]).toMatchReply({ status: 200, json: [{ id: 1 }] });
    expect(replies[1]).toMatchReply({ status: 401 });
    await starting;
    await rest.close();
  });
});
