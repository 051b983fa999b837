import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { err, ok } from '../kernel/result.ts';
import type { DbError, Driver } from '../pg/driver.ts';
import { type HealthParts, makeHealth } from './health.ts';

type Execute = Driver['execute'];

const EMPTY = { open: async () => {}, remove: async () => ok(undefined), async *list() {} };
const BLOBS = { ...EMPTY, put: async () => ok({ size: 2 }) } as unknown as Parameters<
  ReturnType<typeof makeHealth>['prepared']
>[0];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function ready(parts: Partial<HealthParts>, execute: Execute, overlap = false) {
  const stats = (): ReturnType<Driver['stats']> => ({ max: 1, open: 1, idle: 0, waiting: 7, waits: 0, waitedMs: 0 });
  const can = { copy: overlap, overlap, share: overlap, encodeTiles: overlap };
  const health = makeHealth({ driver: { execute, can, stats }, space: async () => [], ...parts });
  health.prepared(BLOBS);
  const server = createServer((request, response) => void health.answer(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ready`);
  return [reply.status, await reply.json()] as const;
}

const answers: Execute = async (_batch, options) => {
  options?.onAcquired?.();
  return ok([]);
};
const waits: Execute = () => new Promise(() => {});
const fails =
  (error: DbError): Execute =>
  async () =>
    err(error);

test('a database that answers, and files that can be written, are ready', async () => {
  expect(await ready({}, answers)).toMatchObject([200, { status: 'ready', checks: { database: 'ok', files: 'ok' } }]);
});

test('a check that waits for the one session of the embedded database is ready, and says how many wait and how long', async () => {
  let now = 0;
  const clock = (): number => {
    now += 3000;
    return now;
  };
  expect(await ready({ now: clock }, waits)).toMatchObject([
    200,
    {
      status: 'ready',
      checks: { database: expect.stringMatching(/^busy: 7 wait for it, this check for [1-9]\d* s$/) },
    },
  ]);
});

test('a full queue of the embedded database is no reason to be taken out of service', async () => {
  expect(await ready({}, fails({ kind: 'pool-full', waiting: 1000 }))).toMatchObject([
    200,
    { checks: { database: expect.stringMatching(/^busy: /) } },
  ]);
});

test('a database that cannot be reached is not ready, and a pool of a server that gives no connection neither', async () => {
  const away = { kind: 'unreachable', message: 'gone', fatal: false } as const;
  for (const [execute, overlap] of [
    [fails(away), false],
    [fails({ kind: 'pool-timeout', afterMs: 10 }), true],
  ] as const)
    expect(await ready({}, execute, overlap)).toMatchObject([503, { checks: { database: 'does not answer' } }]);
});

test('little free space is a warning', async () => {
  const low = { name: 'files', folder: '/data/files', free: 30, total: 1000, isLow: true } as const;
  expect(await ready({ space: async () => [low] }, answers)).toMatchObject([
    200,
    {
      status: 'ready',
      space: { files: { free: 30, percent: 3 } },
      warnings: ['files: only 3 % of the disk is free'],
    },
  ]);
});
