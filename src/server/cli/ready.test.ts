import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { askReady, readyAddress } from './ready.ts';

describe('the address to ask', () => {
  test.each([
    ['!4', undefined, 'http://127.0.0.1:3001/ready'],
    ['*', undefined, 'http://127.0.0.1:3001/ready'],
    ['!6', undefined, 'http://[::1]:3001/ready'],
    ['::', undefined, 'http://[::1]:3001/ready'],
    ['fe80::1', undefined, 'http://[fe80::1]:3001/ready'],
    ['!4', 'admin.local', 'http://admin.local:3001/ready'],
  ])('server-host %s, admin-server-host %s → %s', (serverHost, adminServerHost, expected) => {
    expect(readyAddress({ serverHost, adminServerHost, adminServerPort: 3001 })).toBe(expected);
  });

  test('there is none without an admin server, or with a port only it knows', () => {
    for (const adminServerPort of [undefined, 0]) {
      expect(readyAddress({ serverHost: '!4', adminServerHost: undefined, adminServerPort })).toBeUndefined();
    }
  });
});

test('ready is 200 and nothing else', async () => {
  let status = 200;
  const server = createServer((_, reply) => reply.writeHead(status, { location: '/live' }).end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const config = {
    serverHost: '!4',
    adminServerHost: undefined,
    adminServerPort: (server.address() as AddressInfo).port,
  };
  const address = readyAddress(config);
  expect(await askReady(config)).toEqual({ ok: true, value: { address } });
  for (status of [503, 500, 302, 204]) {
    expect(await askReady(config)).toEqual({ ok: false, error: { kind: 'not-ready', address, status } });
  }
  await new Promise((closed) => server.close(closed));
  expect(await askReady(config)).toEqual({ ok: false, error: { kind: 'unreachable', address } });
});
