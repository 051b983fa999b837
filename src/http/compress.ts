// A reply → the same reply in fewer bytes, for a client that accepts it and where it is worth the work.

import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { HttpHeaders, HttpReply } from './http-message.ts';
import { allHeaders } from './http-message.ts';

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Fast settings: an answer is compressed once for one client, not kept. */
const GZIP = { level: 4 } as const;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } as const;

/** Not events: each has to leave at once. */
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/(?:geo\+json|javascript)\b)/i;

export type Coding = 'br' | 'gzip';

export async function compressReply(
  reply: HttpReply,
  request: { readonly method: string; readonly headers: HttpHeaders },
  minSize: number,
): Promise<HttpReply> {
  const { body, stream } = reply;
  if (stream !== undefined && minSize > 0) return compressStream(reply, stream, request.headers);
  if (minSize === 0 || body === undefined || body.length < minSize || request.method === 'HEAD') return reply;
  if (!isCompressible(reply)) return reply;
  const coding = acceptedCoding(allHeaders(request.headers, 'accept-encoding').join(','));
  if (coding === undefined) return { ...reply, headers: withVary(reply.headers) };
  const small = coding === 'br' ? await toBrotli(body, BROTLI) : await toGzip(body, GZIP);
  const kept = reply.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return {
    ...reply,
    headers: [...withVary(kept), ['Content-Encoding', coding], ['Content-Length', String(small.length)]],
    body: small,
  };
}

function compressStream(reply: HttpReply, stream: Readable, headers: HttpHeaders): HttpReply {
  if (!isCompressible(reply)) return reply;
  const coding = acceptedCoding(allHeaders(headers, 'accept-encoding').join(','));
  if (coding === undefined) return { ...reply, headers: withVary(reply.headers) };
  const smaller = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  // Whichever of the two ends early takes the other with it.
  pipeline(stream, smaller, () => {});
  return { ...reply, headers: [...withVary(reply.headers), ['Content-Encoding', coding]], stream: smaller };
}

function isCompressible({ headers }: HttpReply): boolean {
  const of = (wanted: string): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  return of('content-encoding') === undefined && COMPRESSIBLE.test(of('content-type') ?? '');
}

/** The one the client likes better; brotli where it likes both the same. */
export function acceptedCoding(header: string): Coding | undefined {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = q === undefined ? 1 : Number(q);
    if (name !== '') weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  const of = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const best: Coding = of('gzip') > of('br') ? 'gzip' : 'br';
  return of(best) > 0 ? best : undefined;
}

/** The answer depends on the header even where it stayed as it was: a cache must know. */
function withVary(headers: HttpReply['headers']): HttpReply['headers'] {
  const at = headers.findIndex(([name]) => name.toLowerCase() === 'vary');
  const present = headers[at];
  if (present === undefined) return [...headers, ['Vary', 'Accept-Encoding']];
  return headers.map((header, i) => (i === at ? ([present[0], `${present[1]}, Accept-Encoding`] as const) : header));
}
