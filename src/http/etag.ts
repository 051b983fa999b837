// A reply with a body gets a tag of its bytes; a client that names the tag it has gets 304 instead of the bytes.
//
// Weak tags: the same rows compressed, or not, are the same to whoever asks.

import { createHash } from 'node:crypto';
import { firstHeader, type HttpHeaders, type HttpReply } from './http-message.ts';

/** Past this size the hash behind Node's call is quicker than one of our own. */
const OWN_UP_TO = 4096;
/** What a 304 says anew: where it is, how long it lasts, for whom. */
const KEPT: ReadonlySet<string> = new Set([
  'cache-control',
  'content-location',
  'date',
  'expires',
  'vary',
  'etag',
  'link',
]);

/** For answers to GET. One the reply has already is taken as it is. */
export function withEtag(reply: HttpReply, headers: HttpHeaders): HttpReply {
  const { body, status } = reply;
  if (body === undefined || (status !== 200 && status !== 206)) return reply;
  const own = reply.headers.find(([name]) => name.length === 4 && name.toLowerCase() === 'etag')?.[1];
  const tag = own ?? etagOf(typeof body === 'string' ? Buffer.from(body) : body);
  const known = firstHeader(headers, 'if-none-match');
  const all = own === undefined ? [...reply.headers, ['ETag', tag] as const] : reply.headers;
  if (known === undefined || !isAmong(tag, known)) return { ...reply, headers: all };
  return { status: 304, headers: all.filter(([name]) => KEPT.has(name.toLowerCase())) };
}

export function etagOf(body: Uint8Array): string {
  const hash = body.length <= OWN_UP_TO ? mixed(body) : createHash('sha1').update(body).digest('base64url');
  return `W/"${body.length.toString(36)}-${hash}"`;
}

/** Whether a tag stands in the list of an If-None-Match header; `*` is any. */
function isAmong(tag: string, list: string): boolean {
  if (list.trim() === '*') return true;
  const wanted = opaque(tag);
  return list.split(',').some((one) => opaque(one.trim()) === wanted);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** Two multiplications a byte in two chains: 64 bits that change when any byte does. Not against an adversary: it is his own cache. */
function mixed(bytes: Uint8Array): string {
  let a = 0x9e3779b1;
  let b = 0x85ebca77;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    a = Math.imul(a ^ byte, 0x9e3779b1);
    b = Math.imul(b ^ byte, 0xc2b2ae3d);
    b ^= b >>> 15;
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}
