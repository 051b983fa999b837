// Clients ask for the same again and again: a list, a picture's rows, the state of something. The same bytes are the same request,
// whoever sends them, and of one with a body that goes for its head: a head that comes again is the object it was before.

import { makeTextCache } from '../../kernel/text-cache.ts';
import type { HttpRequest } from '../http-message.ts';

const before = makeTextCache<HttpRequest>(512, 2048);
// What comes once is not worth keeping. So it is let in when it comes again: here stand the marks of those seen last.
const marks = new Int32Array(1024);
const MARKED = 256;

/** `chunk` begins with the head. */
export function recallHead(
  head: string,
  chunk: Buffer,
  read: (head: string) => HttpRequest | undefined,
): HttpRequest | undefined {
  if (!isMarked(chunk, head.length)) return read(head);
  const known = before.get(head);
  if (known !== undefined) return known;
  const request = read(head);
  if (request === undefined) return undefined;
  const kept = { ...request, isRepeated: true };
  before.set(head, kept);
  return kept;
}

/** Whether a head with this beginning was seen a short while ago; from now on it was. */
function isMarked(chunk: Buffer, length: number): boolean {
  let mark = length;
  const end = Math.min(length, MARKED);
  for (let i = 0; i < end; i++) mark = Math.imul(mark ^ (chunk[i] ?? 0), 0x01000193);
  const at = (mark ^ (mark >>> 16)) & (marks.length - 1);
  if (marks[at] === mark) return true;
  marks[at] = mark;
  return false;
}
