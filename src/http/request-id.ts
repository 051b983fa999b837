// Request ids (`X-Request-Id`): that of the client or proxy where it is fit to be written into logs, otherwise one of our own, which nobody else has.

import { randomBytes } from 'node:crypto';
import { firstHeader, type HttpHeaders } from './http-message.ts';

export const REQUEST_ID = 'X-Request-Id';

/** What proxies and tracers use; no blanks, quotes or control characters. */
const FIT = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;

const prefix = randomBytes(6).toString('hex');
let count = 0;

export function requestId(headers: HttpHeaders): string {
  const given = firstHeader(headers, 'x-request-id');
  if (given !== undefined && FIT.test(given)) return given;
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}
