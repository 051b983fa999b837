// What the HTTP framework throws → the failure it stands for; undefined: nobody expected it.

import type { FastifyRequest } from 'fastify';
import { DbException } from '../../pg/db-exception.ts';
import type { PortalError } from './portal-error.ts';
import { RequestFailure } from './request-failure.ts';

/** Of addresses that no file can have, such as one with a NUL in it or `///`: what sends the pages' files has no codes for them. */
const NO_FILE: ReadonlySet<string> = new Set(['BadRequestError', 'ForbiddenError', 'NotFoundError']);

export function frameworkFailure(error: unknown, request: FastifyRequest): PortalError | undefined {
  if (error instanceof RequestFailure) return error.failure;
  if (error instanceof DbException) return { kind: 'database', error: error.error };
  if (error instanceof Error && NO_FILE.has(error.name)) return { kind: 'not-found' };
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return { kind: 'unsupported-media-type', type: shown(request.headers['content-type']) };
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { kind: 'too-large', limit: request.routeOptions.bodyLimit };
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return { kind: 'bad-request', detail: 'JSON parse error - the body is empty or not JSON' };
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return { kind: 'bad-request', detail: 'The body is not as long as Content-Length says.' };
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
    // A path that would lead out of the folder of the pages.
    case 'FST_STATIC_FORBIDDEN_PATH':
      return { kind: 'not-found' };
    // The client went away in the middle of its body.
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return { kind: 'bad-request', detail: 'The body ended too soon.' };
    default:
      return undefined;
  }
}

function shown(type: string | undefined): string {
  return (type ?? '').split(';', 1)[0]?.trim().slice(0, 100) ?? '';
}
