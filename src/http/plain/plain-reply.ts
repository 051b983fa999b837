// A reply → its bytes: head and body as one chunk where there is room for both, because a gathered write costs more than a copy.

import { STATUS_CODES } from 'node:http';
import type { HttpReply } from '../http-message.ts';

/** What would end a header, or the whole head, early. */
const NO_TEXT = /[^\t\x20-\x7e\x80-\xff]/;
const NO_NAME = /[^!#$%&'*+.^_`|~0-9A-Za-z-]|^$/;

export type ReplyContext = {
  readonly isHead: boolean;
  /** The connection ends with this answer. */
  readonly isLast: boolean;
  /** Value of the Date header. */
  readonly date: string;
};

/**
 * Throws when a header could not be sent as one: written, it would be read as something else. Head and body stand in `into`
 * where they fit, and the chunk is then a view of it.
 */
export function plainReply(reply: HttpReply, context: ReplyContext, into?: Buffer): readonly Uint8Array[] {
  const { status } = reply;
  const hasBody = !context.isHead && status !== 204 && status !== 304;
  const body = hasBody ? bytesOf(reply.body) : undefined;
  let texts = reply.statusText ?? '';
  let head = `HTTP/1.1 ${status} ${reply.statusText ?? STATUS_CODES[status] ?? ''}\r\n`;
  let saysLength = false;
  for (const [name, value] of reply.headers) {
    if (!isName(name)) throw unfit(`the header ${JSON.stringify(name)}`);
    texts += value;
    head += `${name}: ${value}\r\n`;
    if (name.length === 14 && name.toLowerCase() === 'content-length') saysLength = true;
  }
  // One look at all of them together; which it was is looked for when there is one.
  if (NO_TEXT.test(texts)) throw unfit(unfitPart(reply));
  if (hasBody && reply.stream !== undefined) head += saysLength ? '' : 'Transfer-Encoding: chunked\r\n';
  else if (hasBody && !saysLength) head += `Content-Length: ${body?.length ?? 0}\r\n`;
  head += context.isLast ? `Date: ${context.date}\r\nConnection: close\r\n\r\n` : `Date: ${context.date}\r\n\r\n`;
  const length = head.length + (body?.length ?? 0);
  if (into === undefined || length > into.length) {
    const bytes = Buffer.from(head, 'latin1');
    return body === undefined ? [bytes] : [bytes, body];
  }
  into.write(head, 0, 'latin1');
  if (body !== undefined) into.set(body, head.length);
  return [into.subarray(0, length)];
}

function unfitPart({ headers }: HttpReply): string {
  const found = headers.find(([, value]) => NO_TEXT.test(value));
  return found === undefined ? 'the reason phrase' : `the header ${JSON.stringify(found[0])}`;
}

// The same few names again and again; a bound, because the database may name its own.
const names = new Set<string>();
const MAX_NAMES = 1000;

function isName(name: string): boolean {
  if (names.has(name)) return true;
  if (NO_NAME.test(name)) return false;
  if (names.size < MAX_NAMES) names.add(name);
  return true;
}

function bytesOf(body: HttpReply['body']): Uint8Array | undefined {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function unfit(what: string): Error {
  return new Error(`${what} of a reply has characters that it cannot be sent with`);
}
