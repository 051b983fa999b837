// The client's address behind reverse proxies: `X-Forwarded-For` is read from the right, as long as whoever added an entry is a
// trusted proxy (`server-trusted-proxies`). What stands left of the first address that is not trusted, anybody may have written.

import { BlockList, isIP } from 'node:net';
import { allHeaders, type HttpHeaders } from './http-message.ts';

/** Addresses and CIDR ranges. */
export type TrustedProxies = readonly string[];

export const LOOPBACK: TrustedProxies = ['127.0.0.0/8', '::1'];

/** `peer`: the other end of the connection; undefined (a Unix socket, or a client that left) is never trusted. */
export function clientAddress(
  peer: string | undefined,
  headers: HttpHeaders,
  trusted: TrustedProxies,
): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined || peer === undefined) return peer;
  const entries = allHeaders(headers, 'x-forwarded-for').join(',').split(',');
  const proxies = blockListOf(trusted);
  let client = peer;
  while (isTrusted(client, proxies)) {
    const entry = entries.pop();
    const next = entry === undefined ? undefined : bareAddress(entry);
    // Where a proxy says no address (`unknown`, nothing), the last known one is that of the proxy itself.
    if (next === undefined) break;
    client = next;
  }
  return client;
}

/** Undefined: `range` is an address or a CIDR range; else what is wrong with it. */
export function rangeComplaint(range: string): string | undefined {
  return parseRange(range) === undefined ? `has "${range}", which is neither an address nor a CIDR range` : undefined;
}

type Range = { readonly address: string; readonly family: 'ipv4' | 'ipv6'; readonly bits: number };

function parseRange(range: string): Range | undefined {
  const [, address = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  return bits > most ? undefined : { address, family: version === 4 ? 'ipv4' : 'ipv6', bits };
}

// Settings are read once and asked with every request.
const lists = new WeakMap<TrustedProxies, BlockList>();

function blockListOf(trusted: TrustedProxies): BlockList {
  let list = lists.get(trusted);
  if (list === undefined) {
    list = new BlockList();
    for (const text of trusted) {
      const range = parseRange(text);
      if (range !== undefined) list.addSubnet(range.address, range.bits, range.family);
    }
    lists.set(trusted, list);
  }
  return list;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`: the address in it; IPv4 in IPv6 as IPv4. */
function bareAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  if (isIP(address) === 0) return undefined;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped !== undefined && isIP(mapped) === 4 ? mapped : address;
}
