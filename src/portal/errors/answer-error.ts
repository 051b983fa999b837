// Writes a failure as the reply of a request. What is a bug goes to the log in full, and to the client as a reference to it.

import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, VISITOR } from '../../auth/caller.ts';
import { isAskedByPage } from '../../http/asked-by-page.ts';
import { noteCause } from '../../http/request-notes.ts';
import { DISK_FAULTS } from '../../kernel/disk-fault.ts';
import type { Observe } from '../../kernel/observation.ts';
import { isClosedToVisitors } from './closed-to-visitors.ts';
import { dbFailure } from './db-failure.ts';
import type { PortalError } from './portal-error.ts';
import { portalReply } from './portal-reply.ts';

/** The end of a route that failed: `return answer(request, reply, error, caller)`. */
export type AnswerError = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: PortalError,
  /** Whom the request was found to come from; a visitor until then. */
  caller?: Caller,
) => FastifyReply;

export function makeAnswerError(observe: Observe): AnswerError {
  return (request, reply, given, caller = VISITOR) => {
    const error = withReference(given, observe);
    if (error.kind === 'database') noteCause(request.raw, error.error);
    if (error.kind === 'disk')
      noteCause(request.raw, error.cause ?? `a file could not be stored: ${DISK_FAULTS[error.fault]}`);
    if (error.kind === 'internal') noteCause(request.raw, `unexpected failure ${error.reference}`);
    const { status, headers, body } = portalReply(error, {
      isVisitor: caller.kind === 'visitor',
      // What is below /account/ is for pages alone.
      isScript: isAskedByPage(request.headers) || request.url.startsWith('/account/'),
      isClosed: isClosedToVisitors(request.url),
    });
    reply.code(status).headers(headers).header('Cache-Control', 'no-store');
    return body === undefined ? reply.send() : reply.type('application/json').send(JSON.stringify(body));
  };
}

function withReference(error: PortalError, observe: Observe): PortalError {
  if (error.kind !== 'database') return error;
  const failure = dbFailure(error.error);
  if (failure.kind === 'bug') return internalError(new Error(`the database said ${failure.message}`), observe);
  return error;
}

export function internalError(cause: unknown, observe: Observe): PortalError {
  const reference = randomUUID();
  observe({ kind: 'bug', id: reference, cause });
  return { kind: 'internal', reference };
}
