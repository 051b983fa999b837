// Asks the database whether the caller may store as much as the request announces, before a byte of it is read.

import type { FastifyRequest } from 'fastify';
import type { Statement } from '../../pg/driver.ts';

/** Raises where it is too much; what a request does not announce is looked at when its files are entered. */
export function spaceFor({ headers }: FastifyRequest): Statement {
  const announced = Number(headers['content-length'] ?? 0);
  const bytes = Number.isSafeInteger(announced) && announced > 0 ? announced : 0;
  return { name: 'portal_check_storage', text: 'select portal.check_storage($1::bigint)', params: [String(bytes)] };
}
