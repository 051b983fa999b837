import { createServer, get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryBudget } from '../http/memory-budget.ts';
import { withBudget } from './with-budget.ts';

/** More than the system takes off our hands for a client that does not read. */
const LARGE = 24_000_000;
const budget = new MemoryBudget(1_000_000, 50);
let begun = 0;
const server = createServer(
  withBudget((request, response) => {
    begun += 1;
    response.end(request.url === '/large' ? Buffer.alloc(LARGE, 'x') : 'small');
  }, budget),
);
budget.watch(server);
let port = 0;
let stalled: Socket;

function ask(
  path: string,
): Promise<{ readonly status: number; readonly retry: string | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, retry: headers['retry-after'], body: Buffer.concat(parts).toString() });
        });
    }).on('error', reject);
  });
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  // Somebody asks, and takes nothing.
  stalled = connect(port, '127.0.0.1');
  stalled.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => stalled.once('readable', resolve));
});
afterAll(() => {
  stalled.destroy();
  server.closeAllConnections();
  server.close();
});

test('while memory is in use a request does not begin, and is told when to come again', async () => {
  const before = begun;
  const refused = await ask('/small');
  expect([refused.status, refused.retry]).toEqual([503, '5']);
  expect(JSON.parse(refused.body)).toEqual({
    success: false,
    errors: ['The server is using all the memory it is allowed. Try again later.'],
    code: 'memory_full',
  });
  expect(begun).toBe(before);
  expect(budget.stats()).toMatchObject({ refused: 1 });
});

test('one that waits begins when there is room again', async () => {
  const patient = new MemoryBudget(1_000_000, 60_000);
  expect(await patient.take(2_000_000)).toBe(true);
  const waiting = createServer(withBudget((_, response) => response.end('late'), patient));
  await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve));
  const answered = new Promise<string>((resolve, reject) => {
    get({ host: '127.0.0.1', port: (waiting.address() as AddressInfo).port, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    }).on('error', reject);
  });
  await new Promise((resolve) => waiting.once('request', resolve));
  patient.give(2_000_000);
  expect(await answered).toBe('late');
  waiting.close();
});

test('and others are answered when whoever took nothing is gone', async () => {
  stalled.destroy();
  await new Promise((resolve) => stalled.once('close', resolve));
  await expect.poll(() => budget.stats().held).toBe(0);
  expect(await ask('/small')).toMatchObject({ status: 200, body: 'small' });
});
