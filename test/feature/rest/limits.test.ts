// Settings of our own that spare the database and the wire: cost, rate, compression. Each is off unless asked for.

import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';

function header(reply: Reply, name: string): string | undefined {
  if (reply.headers instanceof Headers) return reply.headers.get(name) ?? undefined;
  return Object.entries(reply.headers)
    .filter(([other]) => other === name)
    .flatMap(([, value]) => value ?? [])[0];
}

onEachEngine('limits', { fixtures: REST_FIXTURE }, (db) => {
  describe('db-max-cost', () => {
    beforeAll(() =>
      db().script(`
        create function test.costly() returns int language plpgsql cost 100000000 as $$ begin return 1; end $$;
        grant execute on function test.costly() to rest_anon`),
    );
    const rest = useRest(db, { 'db-max-cost': '2000' });
    test('lets through what is cheap', async () => {
      expect(await rest.get('/items?id=eq.1&select=id')).toMatchReply({ status: 200, json: [{ id: 1 }] });
    });
    test('refuses what is not before it runs, and does not say what the planner knows', async () => {
      const reply = await rest.get('/rpc/costly');
      expect(reply.status).toBe(400);
      expect(JSON.parse(String(reply.body))).toMatchObject({ code: 'SVRST192', message: 'The query is too expensive' });
      expect(JSON.parse(String(reply.body)).details).toBe(
        'PostgreSQL estimates a higher cost than the 2000 that db-max-cost allows.',
      );
    });
  });

  describe('server-rate-limit per address', () => {
    const rest = useRest(db, { 'server-rate-limit': '2/h' });
    test('the third is told when to come again', async () => {
      expect((await rest.get('/items?limit=1')).status).toBe(200);
      expect((await rest.request('GET', '/items?limit=1', { headers: { authorization: 'Bearer x' } })).status).toBe(
        401,
      );
      const reply = await rest.get('/items?limit=1');
      expect(reply.status).toBe(429);
      expect(Number(header(reply, 'Retry-After'))).toBeGreaterThan(0);
      expect(JSON.parse(String(reply.body))).toMatchObject({ code: 'SVRST191' });
    });
  });

  describe('server-rate-limit behind a proxy', () => {
    const rest = useRest(db, { 'server-rate-limit': '1/h' });
    const from = async (chain: string): Promise<number> =>
      (await rest.get('/items?limit=1', { 'x-forwarded-for': chain })).status;
    test('counts the client that a trusted proxy names, whatever that client says itself', async () => {
      expect(await from('203.0.113.7')).toBe(200);
      expect(await from('198.51.100.1, 203.0.113.7')).toBe(429);
      expect(await from('203.0.113.8')).toBe(200);
    });
  });

  describe('server-rate-limit without trusted proxies', () => {
    const rest = useRest(db, { 'server-rate-limit': '1/h', 'server-trusted-proxies': '' });
    test('counts the other end of the connection', async () => {
      expect((await rest.get('/items?limit=1', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
      expect((await rest.get('/items?limit=1', { 'x-forwarded-for': '203.0.113.8' })).status).toBe(429);
    });
  });

  describe('server-rate-limit per role', () => {
    const rest = useRest(db, { 'server-rate-limit': '1/h per role' });
    test('counts each role by itself', async () => {
      expect((await rest.get('/items?limit=1')).status).toBe(200);
      expect((await rest.get('/items?limit=1')).status).toBe(429);
      expect((await rest.request('GET', '/items?limit=1', { as: AUTHOR })).status).not.toBe(429);
      expect((await rest.request('GET', '/items?limit=1', { as: AUTHOR })).status).toBe(429);
    });
  });

  describe('server-compression-min-size', () => {
    const rest = useRest(db, { 'server-compression-min-size': '50' });
    test('a large answer comes compressed to who accepts it', async () => {
      const plain = await rest.get('/items?order=id');
      const small = await rest.get('/items?order=id', { 'accept-encoding': 'gzip' });
      expect(header(small, 'Content-Encoding')).toBe('gzip');
      expect(gunzipSync(Buffer.from(small.body)).toString()).toBe(String(plain.body));
      expect(header(plain, 'Content-Encoding')).toBeUndefined();
    });
    test('a small one, and the head of one, do not', async () => {
      for (const [method, target] of [
        ['GET', '/items?limit=1&select=id'],
        ['HEAD', '/items'],
      ] as const) {
        const reply = await rest.request(method, target, { headers: { 'accept-encoding': 'gzip' } });
        expect(header(reply, 'Content-Encoding')).toBeUndefined();
      }
    });
  });
});
