// A reply with a body gets a tag of its bytes; a client that names the tag it has gets 304 instead of the bytes.
//
// Weak tags: the same rows compressed, or not, are the same to whoever asks.

import { firstHeader, type HttpHeaders, type HttpReply } from './http-message.ts';

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
  return `W/"${body.length.toString(36)}-${mixed(body)}"`;
}

/** Whether a tag stands in the list of an If-None-Match header; `*` is any. */
export function isAmong(tag: string, list: string): boolean {
  if (list.trim() === '*') return true;
  const wanted = opaque(tag);
  return list.split(',').some((one) => opaque(one.trim()) === wanted);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

// Words instead of bytes, whatever address the body came to: it is copied to where words begin, piece by piece.
const PIECE = 65_536;
const words = new Uint32Array(PIECE / 4);
const place = new Uint8Array(words.buffer);

/**
 * Four chains of one multiplication a word, so that the processor runs them beside each other; every step can be undone,
 * so another word is another state. Not against an adversary: it is his own cache. A third of the time of SHA-1, which Node could do.
 */
function mixed(bytes: Uint8Array): string {
  let a = 0x9e3779b1;
  let b = 0x85ebca77;
  let c = 0xc2b2ae3d;
  let d = 0x27d4eb2f;
  for (let from = 0; from < bytes.length; from += PIECE) {
    const length = Math.min(PIECE, bytes.length - from);
    const end = (length + 15) & ~15;
    place.set(length === bytes.length ? bytes : bytes.subarray(from, from + length));
    place.fill(0, length, end);
    for (let i = 0; i < end >>> 2; i += 4) {
      a = Math.imul(a ^ (words[i] ?? 0), 0x9e3779b1);
      b = Math.imul(b ^ (words[i + 1] ?? 0), 0x85ebca77);
      c = Math.imul(c ^ (words[i + 2] ?? 0), 0xc2b2ae3d);
      d = Math.imul(d ^ (words[i + 3] ?? 0), 0x27d4eb2f);
      a = (a << 13) | (a >>> 19);
      b = (b << 13) | (b >>> 19);
      c = (c << 13) | (c >>> 19);
      d = (d << 13) | (d >>> 19);
    }
  }
  return half(a, b) + half(c, d);
}

function half(one: number, other: number): string {
  let x = Math.imul(one ^ (one >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13) ^ other, 0xc2b2ae35);
  x ^= x >>> 16;
  return `${digits(x)}${digits(x >>> 10)}${digits(x >>> 20)}${x >>> 30}`;
}

// Two digits of 32 at a time; what a number says of itself in another base is ten times as slow.
const PAIRS: readonly string[] = Array.from({ length: 1024 }, (_, i) => i.toString(32).padStart(2, '0'));

function digits(x: number): string {
  return PAIRS[x & 1023] ?? '';
}
