import { expect, test } from 'vitest';
import { clientAddress, LOOPBACK, rangeComplaint } from './client-address.ts';

const NETWORK = ['10.0.0.0/8', '::1', '2001:db8:1::/48'];

test.each<
  [what: string, peer: string | undefined, forwarded: string | string[], trusted: readonly string[], string | undefined]
>([
  ['a client that is no proxy says nothing about itself', '192.168.1.5', '203.0.113.7', LOOPBACK, '192.168.1.5'],
  ['a proxy on this machine does', '127.0.0.1', '203.0.113.7', LOOPBACK, '203.0.113.7'],
  ['also when its socket speaks IPv6', '::ffff:127.0.0.1', '203.0.113.7', LOOPBACK, '203.0.113.7'],
  ['the chain ends at the first stranger', '10.0.0.1', '198.51.100.1, 203.0.113.7, 10.2.2.2', NETWORK, '203.0.113.7'],
  ['several headers are one chain', '10.0.0.1', ['198.51.100.1', '203.0.113.7'], NETWORK, '203.0.113.7'],
  ['a chain of proxies alone ends at its first', '10.0.0.1', '10.0.0.3, 10.0.0.2', NETWORK, '10.0.0.3'],
  ['what is no address ends the chain', '10.0.0.1', '203.0.113.7, unknown, 10.0.0.2', NETWORK, '10.0.0.2'],
  ['an empty header is no address', '10.0.0.1', '', NETWORK, '10.0.0.1'],
  ['ports are no part of an address', '10.0.0.1', '203.0.113.7:4711', NETWORK, '203.0.113.7'],
  ['nor are brackets', '2001:db8:1::9', '[2001:db8:2::1]:4711', NETWORK, '2001:db8:2::1'],
  ['nobody is trusted where nobody is named', '127.0.0.1', '203.0.113.7', [], '127.0.0.1'],
  ['a peer without an address is not trusted', undefined, '203.0.113.7', LOOPBACK, undefined],
])('%s', (_what, peer, forwarded, trusted, expected) => {
  expect(clientAddress(peer, { 'x-forwarded-for': forwarded }, trusted)).toBe(expected);
});

test.each(['localhost', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.1/', 'fe80::1%eth0', '*'])(
  '%s is refused as a setting',
  (range) => {
    expect(rangeComplaint(range)).toMatch(/neither an address nor a CIDR range/);
  },
);

test.each(['127.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::/0', 'fd00::/8'])('%s is taken', (range) => {
  expect(rangeComplaint(range)).toBeUndefined();
});
