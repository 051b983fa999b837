// The headers of a Node request, as every other way of reading HTTP has them: joined by name (RFC 9110, 5.2), whatever the name is.

import type { IncomingMessage } from 'node:http';
import type { HttpHeaders } from './http-message.ts';

/** To Node's object a header of this name would be its prototype, and so it is lost there. */
const LOST = '__proto__';

export function requestHeaders({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): HttpHeaders {
  const lost: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]];
    if (name.length === LOST.length && name.toLowerCase() === LOST) lost.push(value);
  }
  if (lost.length === 0) return headers;
  return Object.assign(Object.create(null), headers, Object.fromEntries([[LOST, lost.join(', ')]]));
}
