// Addresses that take questions by POST, since they may be too long for an address: a token that may only read is let in there. What would write
// (transactions of a WFS) the database then refuses to it: `portal.check_writable` looks at the token's scope. What a tool of `/mcp` asks is a request with a
// verb of its own.

import type { FastifyRequest } from 'fastify';

const ADDRESSES: ReadonlySet<string> = new Set(['/wfs', '/wms', '/wcs', '/ows', '/csw', '/stac/search', '/mcp']);

export function isReadByPost({ method, routeOptions }: Pick<FastifyRequest, 'method' | 'routeOptions'>): boolean {
  return method === 'POST' && ADDRESSES.has(routeOptions.url ?? '');
}
