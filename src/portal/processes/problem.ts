// Failures of OGC API Processes as problems of RFC 7807, with the types that its standard names. Whatever any request can fail by has the status
// and the words that it has elsewhere.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { ProcessFault } from '../../layer-ports/process.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';

const TYPES = 'http://www.opengis.net/def/exceptions/ogcapi-processes-1/1.0';

export type Problem = {
  readonly status: number;
  readonly type: 'no-such-process' | 'no-such-job' | 'result-not-ready' | 'job-failed' | 'bad-inputs' | 'too-many-jobs';
  readonly title: string;
  readonly detail: string;
  /** By input. */
  readonly inputs?: Readonly<Record<string, string>>;
};

export type ProcessFailure = Problem | { readonly kind: 'portal'; readonly error: PortalError };

export const portalFailure = (error: PortalError): ProcessFailure => ({ kind: 'portal', error });

export function failureOf(fault: ProcessFault): ProcessFailure {
  switch (fault.kind) {
    case 'no-such-process':
      return NO_SUCH_PROCESS;
    case 'bad-inputs': {
      const detail = Object.entries(fault.inputs)
        .map(([name, said]) => `${name}: ${said}`)
        .join(' ');
      return { status: 400, type: 'bad-inputs', title: 'The inputs cannot be used.', detail, inputs: fault.inputs };
    }
    case 'refused':
      return { status: 400, type: 'bad-inputs', title: 'This cannot be done.', detail: fault.said };
    case 'database':
      return portalFailure({ kind: 'database', error: fault.error });
  }
}

export const NO_SUCH_PROCESS: Problem = {
  status: 404,
  type: 'no-such-process',
  title: 'There is no such process.',
  detail: 'The list of processes names those that there are.',
};

export const NO_SUCH_JOB: Problem = {
  status: 404,
  type: 'no-such-job',
  title: 'There is no such job.',
  detail: 'It is not there, not yours, or was dismissed.',
};

export function sendProblem(
  context: PortalContext,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: ProcessFailure,
  caller?: Caller,
): FastifyReply {
  if ('kind' in failure) return context.answerError(request, reply, failure.error, caller);
  const { status, type, title, detail, inputs } = failure;
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('application/problem+json')
    .send(
      JSON.stringify({ type: `${TYPES}/${type}`, title, status, detail, ...(inputs === undefined ? {} : { inputs }) }),
    );
}
