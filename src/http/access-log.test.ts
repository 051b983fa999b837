import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Observation } from '../kernel/observation.ts';
import { withAccessLog } from './access-log.ts';
import { LOOPBACK } from './client-address.ts';
import { noteCause, notesOf } from './request-notes.ts';

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Serves with the handler; `next` resolves with what was observed once there are so many. */
async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<{
  url: string;
  until(count: number): Promise<readonly Observation[]>;
}> {
  const observed: Observation[] = [];
  let wake = (): void => {};
  const observe = (observation: Observation): void => {
    observed.push(observation);
    wake();
  };
  const server = createServer(
    withAccessLog(handler, { service: 'portal', observe, trustedProxies: LOOPBACK, now: () => 1000 }),
  );
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async until(count) {
      while (observed.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return observed;
    },
  };
}

test('a request is told with its account, its length, and no secret', async () => {
  const { url, until } = await serve((request, response) => {
    Object.assign(notesOf(request), { role: 'survest_user', account: { id: 7, name: 'ada' } });
    request.url = '/rewritten';
    response.writeHead(201, { 'Content-Length': '2' }).end('ok');
  });
  const headers = { referer: 'https://site/?code=abc', 'user-agent': 'test', 'x-forwarded-for': '203.0.113.7' };
  await fetch(`${url}/api?token=abc&page=1`, { headers });
  expect(await until(1)).toMatchObject([
    {
      kind: 'request',
      service: 'portal',
      remoteAddress: '203.0.113.7',
      atMs: 1000,
      role: 'survest_user',
      account: { id: 7, name: 'ada' },
      method: 'GET',
      target: '/api?token=***&page=1',
      status: 201,
      bytes: 2,
      referer: 'https://site/?code=***',
      userAgent: 'test',
    },
  ]);
});

test('a failure of ours leaves its first cause', async () => {
  const { url, until } = await serve((request, response) => {
    noteCause(request, { kind: 'sql', sqlstate: '53300', message: 'too many clients already' });
    noteCause(request, 'what followed from it');
    response.writeHead(503).end();
  });
  const answer = await fetch(`${url}/wms`, { headers: { 'X-Request-Id': 'quoted' } });
  expect(answer.headers.get('X-Request-Id')).toBe('quoted');
  const [, failed] = await until(2);
  expect(failed).toEqual({
    kind: 'request-failed',
    id: 'quoted',
    service: 'portal',
    status: 503,
    target: '/wms',
    cause: 'too many clients already (SQLSTATE 53300)',
  });
});

test('who left before the answer is told as such, and as no failure of ours', async () => {
  let answer = (): void => {};
  const { url, until } = await serve((request, response) => {
    answer = () => {
      noteCause(request, 'cancelled');
      response.writeHead(500).end();
    };
    response.on('close', answer);
    leaving.destroy();
  });
  const leaving = httpRequest(url).on('error', () => {});
  leaving.end();
  expect(await until(1)).toMatchObject([{ kind: 'request', status: 499 }]);
});
