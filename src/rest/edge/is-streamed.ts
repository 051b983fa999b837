// Whether the body of a request is read in pieces: large inserts that want no rows back. Everything else is held as a whole.

import type { IncomingMessage } from 'node:http';
import type { RestConfig } from '../config/config.ts';
import { REST_V1 } from '../pipeline/rest-v1.ts';
import { splitKind } from '../pipeline/streamed-insert.ts';
import { HELD_BYTES } from '../request/limits.ts';

export function isStreamed(
  { method, headers, httpVersion }: Pick<IncomingMessage, 'method' | 'headers' | 'httpVersion'>,
  path: string,
  { serverBatchPath, serverMaxBodySize }: RestConfig,
): boolean {
  // Who allows only small bodies means all of them.
  if (serverMaxBodySize < HELD_BYTES) return false;
  const announced = headers['content-length'];
  // What announces nothing may become anything; that of HTTP/1.0 ends with its connection.
  const isLarge =
    announced === undefined
      ? headers['transfer-encoding'] !== undefined && httpVersion !== '1.0'
      : Number(announced) > HELD_BYTES;
  if (!isLarge || method !== 'POST' || splitKind({ headers }) === undefined) return false;
  if (wantsRows(headers['prefer'])) return false;
  const own = path.startsWith(`${REST_V1}/`) ? path.slice(REST_V1.length) : path;
  // One segment, the name of a relation: no function, no batch, no question that came as a body.
  return /^\/[^/]+$/.test(own) && own !== `/${serverBatchPath}`;
}

function wantsRows(prefer: string | string[] | undefined): boolean {
  return String(prefer ?? '').includes('return=representation');
}
