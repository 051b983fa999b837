// Text fields of a request's body, with the messages people know for what is missing.

import type { FastifyRequest } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';

const REQUIRED = 'This field is required.';
const BLANK = 'This field may not be blank.';
const NOT_TEXT = 'Not a valid string.';

/** Every one of the names as text that is not empty. Other members are not looked at. */
export function textFields<N extends string>(
  body: unknown,
  names: readonly N[],
): Result<Readonly<Record<N, string>>, PortalError> {
  const given = membersOf(body);
  const found: Partial<Record<N, string>> = {};
  const fields: Record<string, readonly string[]> = {};
  for (const name of names) {
    const value = given[name];
    if (value === undefined || value === null) fields[name] = [REQUIRED];
    else if (typeof value !== 'string') fields[name] = [NOT_TEXT];
    else if (value === '') fields[name] = [BLANK];
    else found[name] = value;
  }
  return Object.keys(fields).length === 0 ? ok(found as Record<N, string>) : err({ kind: 'invalid-fields', fields });
}

/** The members of an object; of anything else there are none. */
export function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};
}

export function isFormRequest(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}

export function isJsonRequest(request: FastifyRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}
