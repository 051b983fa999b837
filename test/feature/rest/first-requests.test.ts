// The rows of the behaviour table that every client meets first, whole replies.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { openRest, type RestClient } from '../../testkit/rest-client.ts';

onEachEngine('first requests', { fixtures: REST_FIXTURE }, (db) => {
  let rest: RestClient;
  beforeAll(async () => {
    rest = await openRest(db());
  });
  afterAll(() => rest.close());

  test('one row by its key', async () => {
    expect(await rest.get('/items?id=eq.5')).toMatchReply({
      status: 200,
      headers: {
        'content-range': '0-0/*',
        'range-unit': 'items',
        'content-length': '10',
        'content-type': 'application/json; charset=utf-8',
      },
      text: '[{"id":5}]',
    });
  });

  test('a page of a counted table is partial', async () => {
    expect(await rest.get('/items?limit=3&offset=2&order=id', { prefer: 'count=exact' })).toMatchReply({
      status: 206,
      headers: { 'content-range': '2-4/15', 'preference-applied': 'count=exact' },
      json: [{ id: 3 }, { id: 4 }, { id: 5 }],
    });
  });
});
