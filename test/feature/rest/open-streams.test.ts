// Streams under way follow what has changed since they began: a token that expires and a grant that is taken away end them.

import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { restListener } from '../../../src/rest/edge/listener.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';

onEachEngine('a stream under way', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db, { 'live-recheck': '1' });
  let server: Server;

  beforeAll(async () => {
    // More than the system takes off our hands for a client that does not read.
    await db().script(`
      create view test.lasting as select n as id, repeat('x', 4000) as body from generate_series(1, 8000) n;
      grant select on test.lasting to rest_anon, rest_author`);
    await rest.client().service.reloadSchema();
    server = createServer(restListener(rest.client().service));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  afterEach(async () => {
    await db().script('grant select on test.lasting to rest_author');
    await rest.client().service.reloadSchema();
  });

  /** Begins to read, and takes no more. */
  function begin(claims: object): Promise<IncomingMessage> {
    const headers = { Authorization: `Bearer ${tokenFor(claims)}` };
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const sent = get({ port, host: '127.0.0.1', path: '/lasting', agent: false, headers }, (response) => {
        response.once('data', () => {
          response.pause();
          resolve(response);
        });
      });
      sent.on('error', reject);
    });
  }

  /** Reads on: whether the answer came to its end. */
  async function isWhole(response: IncomingMessage): Promise<boolean> {
    await new Promise((resolve) =>
      response
        .on('error', () => {})
        .once('close', resolve)
        .resume(),
    );
    return response.complete;
  }

  function cuts(): readonly string[] {
    return rest.client().seen.flatMap((seen) => (seen.kind === 'stream-cut' ? [seen.why] : []));
  }

  test('waits for its turn where all places are taken, and comes whole', async () => {
    const places = Math.max(1, Math.floor(db().driver.stats().max / 2));
    const all = await Promise.all(Array.from({ length: places + 2 }, () => begin({ role: 'rest_author' })));
    expect(all.map((response) => response.statusCode)).toEqual(all.map(() => 200));
    expect(await Promise.all(all.map(isWhole))).toEqual(all.map(() => true));
  });

  test('ends when its token expires', async () => {
    const before = cuts().length;
    const expiring = await begin({ role: 'rest_author', exp: Math.floor(Date.now() / 1000) + 2 });
    await expect.poll(() => cuts().slice(before)).toEqual(['expired']);
    expect(await isWhole(expiring)).toBe(false);
  });

  test('ends when its caller may no longer read, and goes on for who still may', async () => {
    const before = cuts().length;
    const [revoked, allowed] = [await begin({ role: 'rest_author' }), await begin({ role: 'rest_anon' })];
    await db().script('revoke select on test.lasting from rest_author');
    await rest.client().service.reloadSchema();
    await expect.poll(() => cuts().slice(before)).toEqual(['no-longer-allowed']);
    expect(await isWhole(revoked)).toBe(false);
    expect(await isWhole(allowed)).toBe(true);
  });

  test('ends so, too, where nobody has announced it', async () => {
    const before = cuts().length;
    const [revoked, allowed] = [await begin({ role: 'rest_author' }), await begin({ role: 'rest_anon' })];
    await db().script('revoke select on test.lasting from rest_author');
    await expect.poll(() => cuts().slice(before)).toEqual(['no-longer-allowed']);
    expect([await isWhole(revoked), await isWhole(allowed)]).toEqual([false, true]);
  });
});
