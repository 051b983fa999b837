// Two services behind the router for several databases, on each engine: what it takes off the path and puts back into addresses.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpReply } from '../../../src/http/http-message.ts';
import type { RestFront } from '../../../src/rest/edge/rest-front.ts';
import { severalDatabases } from '../../../src/rest/edge/several-databases.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { openRest, type RestClient } from '../../testkit/rest-client.ts';

onEachEngine('two services behind one address', { fixtures: REST_FIXTURE }, (db) => {
  let one: RestClient;
  let two: RestClient;
  beforeAll(async () => {
    one = await openRest(db(), { 'db-schemas': 'test' });
    two = await openRest(db(), { 'db-schemas': 'v1', 'server-batch-path': '' });
  });
  afterAll(async () => {
    await one.close();
    await two.close();
  });

  const makeFront = (): RestFront =>
    severalDatabases({
      databases: [
        { name: 'one', service: one.service },
        { name: 'two', service: two.service },
      ],
      config: () => one.service.state().config,
      version: 'test',
      observe: () => {},
    });
  const CLIENT = { signal: undefined, remoteAddress: undefined, httpVersion: '1.1' };

  async function ask(
    method: string,
    target: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<HttpReply> {
    const [path = '', query = ''] = target.split('?');
    const http = { method, path, query, headers, body: Buffer.from(body) };
    return makeFront().answer(http, CLIENT);
  }

  test('the same path is another table in each', async () => {
    const [first, second] = [await ask('GET', '/one/items?limit=1'), await ask('GET', '/two/items?limit=1')];
    expect(first.status).toBe(200);
    expect(second.status).toBe(404);
    expect((await ask('GET', '/three/items')).status).toBe(404);
  });

  test('what is remembered of a request is remembered for its own', async () => {
    const front = makeFront();
    const headers = { accept: '*/*' };
    const send = (path: string): Promise<HttpReply> => {
      const http = { method: 'GET', path, query: 'limit=1', headers, body: new Uint8Array() };
      return front.answer(http, CLIENT);
    };
    for (let i = 0; i < 3; i++) {
      expect((await send('/one/items')).status).toBe(200);
      expect((await send('/two/items')).status).toBe(404);
    }
  });

  test('rows that were made are found where Location says', async () => {
    const made = await ask(
      'POST',
      '/one/shelves',
      { 'content-type': 'application/json', prefer: 'return=headers-only, tx=rollback' },
      '{"id":9123,"label":"x"}',
    );
    expect(made.headers.find(([name]) => name === 'Location')?.[1]).toBe('/one/shelves?id=eq.9123');
  });

  test('the settings that hold before a body is read are those of the one that answers', () => {
    const front = makeFront();
    expect(front.addressee('/two/items', undefined)).toEqual({
      config: two.service.state().config,
      database: 'two',
      path: '/items',
    });
    expect(front.addressee('/two', undefined).path).toBe('/');
    expect(front.addressee('/nobody/items', undefined).config).toBe(one.service.state().config);
  });
});
