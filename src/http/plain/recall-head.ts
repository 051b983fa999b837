// A cache of parsed request heads, for requests without a body: clients ask for the same again and again (a list, a picture's rows, the
// state of something), and the same bytes are the same request, whoever sends them. A head that comes again is the object it was before.
//
// Not for requests with a body: of those only the head could be remembered, which saves 1.9 µs of 35 to 48, and what others made of the
// head must then never be taken for the whole.

import { makeTextCache } from '../../kernel/text-cache.ts';
import type { HttpRequest } from '../http-message.ts';

/** Longer heads are not kept. */
const LONGEST = 2048;
const before = makeTextCache<HttpRequest>(512, LONGEST);
// What comes once is not worth keeping. So it is let in when it comes again: here stand the marks of those seen last.
const marks = new Int32Array(1024);

/** `chunk` begins with the head. */
export function recallHead(
  head: string,
  chunk: Buffer,
  read: (head: string) => HttpRequest | undefined,
): HttpRequest | undefined {
  if (head.length > LONGEST || !isMarked(chunk, head.length)) return read(head);
  const known = before.get(head);
  if (known !== undefined) return known;
  const request = read(head);
  if (request === undefined) return undefined;
  const kept = { ...request, isRepeated: true };
  before.set(head, kept);
  return kept;
}

/**
 * Whether this head was seen a short while ago; from now on it was. By all of it: clients that number their requests say so at the end, and
 * if the beginning counted, each of theirs would push one out that does come again.
 */
function isMarked(chunk: Buffer, length: number): boolean {
  let mark = length;
  for (let i = 0; i < length; i++) mark = Math.imul(mark ^ (chunk[i] as number), 0x01000193);
  const at = (mark ^ (mark >>> 16)) & (marks.length - 1);
  if (marks[at] === mark) return true;
  marks[at] = mark;
  return false;
}
