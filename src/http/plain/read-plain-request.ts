// Bytes of one chunk → the request they are, if they are exactly one complete and ordinary request. Everything else, from
// a second request in the same chunk to a malformed header, is not judged here: Node's own parser gets it.
//
// So this reader never repairs, never guesses and never refuses: what it accepts, every HTTP/1.1 server reads the same way.

import type { HttpHeaders, HttpRequest } from '../http-message.ts';

/** The whole head has to match: one space, one version, header lines without folding or control characters. */
const HEAD =
  /^(GET|HEAD|POST|PATCH|PUT|DELETE|OPTIONS) \/[\x21-\x7e]* HTTP\/1\.1\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+\r\n$/;
const END: Buffer = Buffer.from('\r\n\r\n');
const MAX_HEAD = 16_384;
const NO_BODY = new Uint8Array();

/** Headers that change how the connection is used, or what its bytes mean. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  'trailer',
  'te',
]);

export function readPlainRequest(chunk: Buffer): HttpRequest | undefined {
  const headEnd = chunk.length > MAX_HEAD ? chunk.subarray(0, MAX_HEAD).indexOf(END) : chunk.indexOf(END);
  if (headEnd < 0) return undefined;
  const bodyStart = headEnd + 4;
  const request = readHead(chunk.toString('latin1', 0, bodyStart));
  if (request === undefined) return undefined;
  const length = request.headers['content-length'];
  if (length === undefined) return chunk.length === bodyStart ? request : undefined;
  if (!isWhole(length as string, chunk.length - bodyStart)) return undefined;
  return { ...request, body: chunk.subarray(bodyStart) };
}

/** The request without its body. */
function readHead(head: string): HttpRequest | undefined {
  if (!HEAD.test(head)) return undefined;
  const methodEnd = head.indexOf(' ');
  const lineEnd = head.indexOf('\r\n');
  const headers = readHeaders(head, lineEnd + 2, head.length - 2);
  if (headers === undefined || headers['host'] === undefined) return undefined;
  const targetEnd = lineEnd - ' HTTP/1.1'.length;
  const mark = head.indexOf('?', methodEnd);
  const hasQuery = mark >= 0 && mark < targetEnd;
  return {
    method: head.slice(0, methodEnd),
    path: head.slice(methodEnd + 1, hasQuery ? mark : targetEnd),
    query: hasQuery ? head.slice(mark + 1, targetEnd) : '',
    headers,
    body: NO_BODY,
  };
}

function isWhole(length: string, there: number): boolean {
  return /^\d{1,15}$/.test(length) && Number(length) === there;
}

/** An object on whose prototype nothing stands, as `Object.create(null)`, and yet one that the engine is quick with. */
const Headers = function Headers() {} as unknown as new () => Record<string, string>;
Headers.prototype = Object.create(null);

/** Undefined: a header stands twice, or says that this is no plain exchange. */
function readHeaders(head: string, from: number, to: number): HttpHeaders | undefined {
  const headers = new Headers();
  for (let at = from; at < to; ) {
    const colon = head.indexOf(':', at);
    const end = head.indexOf('\r\n', colon);
    const name = lowerCase(head.slice(at, colon));
    if (name in headers || NOT_PLAIN.has(name)) return undefined;
    const value = trimmed(head, colon + 1, end);
    // Node takes no blank behind a length.
    if (name === 'content-length' && head.charCodeAt(end - 1) <= 0x20) return undefined;
    if (name === 'connection' && value !== 'keep-alive' && value !== 'Keep-Alive') return undefined;
    headers[name] = value;
    at = end + 2;
  }
  return headers;
}

function trimmed(head: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(head.charCodeAt(start))) start++;
  while (end > start && isBlank(head.charCodeAt(end - 1))) end--;
  return head.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

// Clients send the same few names again and again; a bound, because they need not.
const lowered = new Map<string, string>();
const MAX_NAMES = 1000;

function lowerCase(name: string): string {
  let lower = lowered.get(name);
  if (lower === undefined) {
    lower = name.toLowerCase();
    if (lowered.size < MAX_NAMES) lowered.set(name, lower);
  }
  return lower;
}
