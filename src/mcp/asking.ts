// How a tool asks: it sends a request to a service of this very program, in the name of whoever called the tool, and reads a bounded answer. There is no
// other way out of a tool, so none reaches another address, and what a caller may do is decided where it always is.

import { firstHeader, type HttpHeaders, type HttpReply } from '../http/http-message.ts';

type Asked = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query, encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
};

export type Answered = {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: Buffer;
  /** False: it was longer than a tool reads, and the rest was left. */
  readonly isWhole: boolean;
};

export type Ask = (asked: Asked) => Promise<Answered>;

/** Most that is read of one answer: more than a model is ever given, so that rows can be counted before they are cut. */
const MAX_ANSWER_BYTES: number = 8 * 1024 * 1024;

/** What of a request goes along with what its tools ask: who asks, and from where. */
const CARRIED: readonly string[] = [
  'authorization',
  'forwarded',
  'host',
  'traceparent',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

export function carriedHeaders(headers: HttpHeaders): Record<string, string> {
  const carried: Record<string, string> = {};
  for (const name of CARRIED) {
    const value = firstHeader(headers, name);
    if (value !== undefined) carried[name] = value;
  }
  return carried;
}

/** A reply of the REST service, as far as a tool reads it. */
export async function readReply(reply: HttpReply): Promise<Answered> {
  const headers = Object.fromEntries(reply.headers.map(([name, value]) => [name.toLowerCase(), value]));
  if (reply.stream !== undefined) return { status: reply.status, headers, ...(await readBounded(reply.stream)) };
  const bytes = Buffer.from(reply.body ?? '');
  // Its memory is used again, so it is copied first.
  const body = Buffer.from(bytes.subarray(0, MAX_ANSWER_BYTES));
  reply.onSent?.();
  return { status: reply.status, headers, body, isWhole: bytes.length <= MAX_ANSWER_BYTES };
}

export async function readBounded(
  stream: AsyncIterable<Uint8Array> & { destroy(): unknown },
): Promise<{ readonly body: Buffer; readonly isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length <= MAX_ANSWER_BYTES) continue;
    stream.destroy();
    return { body: Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES), isWhole: false };
  }
  return { body: Buffer.concat(parts), isWhole: true };
}
