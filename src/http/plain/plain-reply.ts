// A reply → the bytes of its head, and head and body as one chunk where that costs less than two.

import { STATUS_CODES } from 'node:http';
import type { HttpReply } from '../http-message.ts';

/** Up to here a body is copied behind its head, into memory that Buffer has ready; beyond, copying costs more than a gathered write. */
const COPY_UP_TO = 4000;
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

/** Throws when a header could not be sent as one: written, it would be read as something else. */
export function plainReply(reply: HttpReply, context: ReplyContext): readonly Uint8Array[] {
  const { status } = reply;
  const hasBody = !context.isHead && status !== 204 && status !== 304;
  const body = hasBody ? bytesOf(reply.body) : undefined;
  if (reply.statusText !== undefined && NO_TEXT.test(reply.statusText)) throw unfit('the reason phrase');
  let head = `HTTP/1.1 ${status} ${reply.statusText ?? STATUS_CODES[status] ?? ''}\r\n`;
  let saysLength = false;
  for (const [name, value] of reply.headers) {
    if (NO_NAME.test(name) || NO_TEXT.test(value)) throw unfit(`the header ${JSON.stringify(name)}`);
    head += `${name}: ${value}\r\n`;
    if (name.length === 14 && name.toLowerCase() === 'content-length') saysLength = true;
  }
  if (hasBody && !saysLength) head += `Content-Length: ${body?.length ?? 0}\r\n`;
  head += context.isLast ? `Date: ${context.date}\r\nConnection: close\r\n\r\n` : `Date: ${context.date}\r\n\r\n`;
  const bodyLength = body?.length ?? 0;
  if (body === undefined || bodyLength > COPY_UP_TO) {
    const bytes = Buffer.from(head, 'latin1');
    return body === undefined ? [bytes] : [bytes, body];
  }
  const whole = Buffer.allocUnsafe(head.length + bodyLength);
  whole.write(head, 0, 'latin1');
  whole.set(body, head.length);
  return [whole];
}

function bytesOf(body: HttpReply['body']): Uint8Array | undefined {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function unfit(what: string): Error {
  return new Error(`${what} of a reply has characters that it cannot be sent with`);
}
