// `server-max-memory`: what clients do not take is held in memory up to a bound; beyond it answers wait on disk, and bodies wait outside.

import { once } from 'node:events';
import { createServer, get, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryBudget } from '../../../src/http/memory-budget.ts';
import { attachPlainFront } from '../../../src/http/plain/plain-front.ts';
import { refusal, restListener } from '../../../src/rest/edge/listener.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

/** More than the system takes off our hands for a client that does not read. */
const LARGE = 24_000_000;

type Answer = {
  readonly status: number;
  readonly length: string | undefined;
  readonly code: unknown;
  readonly body: Buffer;
};

onEachEngine('memory', { fixtures: REST_FIXTURE }, (db) => {
  const budget = new MemoryBudget(1_000_000, 50);
  const rest = useRest(db);
  const servers: Server[] = [];
  const ports: number[] = [];
  let stalled: Socket;

  beforeAll(async () => {
    await db().script(`
      create function test.large_text() returns text stable language sql as $$ select repeat('abcdefgh', ${LARGE / 8}) $$;
      grant execute on function test.large_text() to rest_anon`);
    await rest.client().service.reloadSchema();
    const { service } = rest.client();
    for (const isPlain of [true, false]) {
      const server = createServer(restListener(service, budget));
      if (isPlain)
        attachPlainFront(server, {
          handle: (http, client) => service.answer(http, { ...client, memory: budget }),
          fit: (reply) => budget.fit(reply) ?? refusal(service, { kind: 'memory-full' }),
          onFailure: service.failed,
          idleMs: 60_000,
          stalledMs: 60_000,
        });
      budget.watch(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      servers.push(server);
      ports.push((server.address() as AddressInfo).port);
    }
    // Somebody asks, and takes nothing.
    stalled = connect(ports[0] ?? 0, '127.0.0.1');
    stalled.write('GET /rpc/large_text HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => stalled.once('readable', resolve));
  });
  afterAll(() => {
    stalled.destroy();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  function answer(port: number | undefined, target: string, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path: target, agent: false };
      const sent =
        body === undefined
          ? get(options)
          : request({ ...options, method: 'POST', headers: { 'Content-Type': 'application/json' } });
      sent.on('error', reject).on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
        response.on('end', () => {
          const whole = Buffer.concat(parts);
          const isError = (response.statusCode ?? 0) >= 400;
          resolve({
            status: response.statusCode ?? 0,
            length: response.headers['content-length'],
            code: isError ? JSON.parse(whole.toString()).code : undefined,
            body: whole,
          });
        });
      });
      if (body !== undefined) sent.end(body);
    });
  }

  test('that is in use puts further answers on disk, whole and with their length', async () => {
    const { onDisk } = budget.stats();
    for (const port of ports) {
      const { status, length, body } = await answer(port, '/rpc/large_text');
      expect(status).toBe(200);
      expect(length).toBe(String(LARGE + 2));
      expect(body.equals(Buffer.from(`"${'abcdefgh'.repeat(LARGE / 8)}"`))).toBe(true);
    }
    expect(budget.stats().onDisk).toBe(onDisk + 2);
    expect((await answer(ports[0], '/items?id=eq.1')).status).toBe(200);
  });

  test('that stays in use refuses to make a batch larger by its references, however small it came', async () => {
    const parts = [{ path: '/items?id=eq.1' }, { method: 'POST', path: '/rpc/sayhello', body: { name: '$1' } }];
    const body = JSON.stringify(parts);
    // In one piece, so that the body itself is taken without asking for room.
    const client = connect(ports[0] ?? 0, '127.0.0.1');
    client.write(
      `POST /batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const [reply] = await once(client, 'data');
    client.destroy();
    expect(String(reply)).toMatch(/^HTTP\/1\.1 503 /);
    expect(String(reply)).toContain('SVRST195');
    expect(String(reply)).toContain('424');
  });

  test('that stays in use refuses bodies, and takes them again when it is free', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(200_000) });
    const refused = await answer(ports[1], '/rpc/sayhello', body);
    expect(refused).toMatchObject({ status: 503, code: 'SVRST195' });
    stalled.destroy();
    await new Promise((resolve) => stalled.once('close', resolve));
    expect((await answer(ports[1], '/rpc/sayhello', body)).status).toBe(200);
    await expect.poll(() => budget.stats().held).toBe(0);
  });
});
