// Failures of portal requests → status, headers and body: every word a client is told stands here.

import { CLOSED_RETRY_SECONDS } from '../../http/service-mode.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import type { DiskFault } from '../../kernel/disk-fault.ts';
import { dbFailure } from './db-failure.ts';
import { DISK_ANSWERS } from './disk-answers.ts';
import type { PortalError } from './portal-error.ts';

export type PortalReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined: no body. */
  readonly body: unknown;
};

export type ReplyContext = {
  /** Nobody has signed in: what is refused to a visitor may be allowed to somebody. */
  readonly isVisitor: boolean;
  /** A page asked, not a person's browser: a Basic challenge would open a dialog over the page. */
  readonly isScript: boolean;
  /** Visitors are refused here, not challenged. */
  readonly isClosed?: boolean;
};

const NOT_PROVIDED = 'Authentication credentials were not provided.';
const NO_PERMISSION = 'You do not have permission to perform this action.';

const WRONG_CREDENTIALS = {
  password: 'Invalid username/password.',
  inactive: 'User inactive or deleted.',
  token: 'Invalid token.',
  scope: 'The token was not issued for this.',
  'read-only': 'This token may only read.',
  'any-token': 'A token cannot do this: sign in with the account itself.',
  'second-factor':
    'This account has a second factor: its password alone is not enough here. Use an access token, made on the account page.',
} as const;

const FORGED = {
  'missing-cookie': 'CSRF Failed: CSRF cookie not set.',
  mismatch: 'CSRF Failed: CSRF token missing or incorrect.',
} as const;

export function portalReply(error: PortalError, context: ReplyContext): PortalReply {
  switch (error.kind) {
    case 'not-authenticated':
      return context.isClosed === true
        ? detail(403, NOT_PROVIDED)
        : { ...detail(401, NOT_PROVIDED), headers: challenge(context, '') };
    case 'bad-credentials':
      return wrongCredentials(error.reason, context);
    case 'throttled':
      return {
        ...detail(429, `Request was throttled. Expected available in ${seconds(error.retryAfterSeconds)}.`),
        headers: { 'Retry-After': String(error.retryAfterSeconds) },
      };
    case 'csrf':
      return detail(403, FORGED[error.reason]);
    case 'forbidden':
      return context.isVisitor
        ? portalReply({ kind: 'not-authenticated' }, context)
        : detail(403, error.detail ?? NO_PERMISSION);
    case 'not-found':
      return detail(404, 'Not found.');
    case 'invalid-page':
      return detail(404, 'Invalid page.');
    case 'invalid-fields':
      return reply(400, error.fields);
    case 'invalid-elements':
      return reply(400, { [error.member]: [], errors: error.elements });
    case 'invalid-request':
      return reply(400, error.messages);
    case 'bad-request':
      return detail(400, error.detail);
    case 'method-not-allowed':
      return detail(405, `Method "${error.method}" not allowed.`);
    case 'nothing-named':
      return reply(405, undefined);
    case 'not-acceptable':
      return detail(406, 'Could not satisfy the request Accept header.');
    case 'precondition-failed':
      return detail(412, 'It has been changed in the meantime.');
    case 'unsupported-media-type':
      return detail(415, `Unsupported media type "${error.type}" in request.`);
    case 'too-large':
      return detail(413, `The request is larger than the ${error.limit} bytes that are accepted here.`);
    case 'disk':
      return diskReply(error.fault);
    case 'quota-exceeded':
      return reply(413, { detail: error.message, code: 'quota_exceeded' });
    case 'service-closed':
      return {
        ...reply(503, { detail: error.message, code: error.mode }),
        headers: { 'Retry-After': String(CLOSED_RETRY_SECONDS) },
      };
    case 'remote-failed':
      return detail(502, error.detail);
    case 'database':
      return databaseReply(error, context);
    case 'internal':
      return reply(500, { detail: 'A server error occurred.', reference: error.reference });
    default:
      return assertNever(error);
  }
}

function diskReply(fault: DiskFault): PortalReply {
  const { status, said, headers } = DISK_ANSWERS[fault];
  return { ...detail(status, said), headers };
}

/** RFC 6750, 3.1. */
function wrongCredentials(reason: keyof typeof WRONG_CREDENTIALS, context: ReplyContext): PortalReply {
  const said = WRONG_CREDENTIALS[reason];
  switch (reason) {
    case 'any-token':
      return detail(403, said);
    case 'scope':
    case 'read-only':
      return {
        ...detail(403, said),
        headers: { 'WWW-Authenticate': 'Bearer realm="api", error="insufficient_scope"' },
      };
    case 'token':
      return { ...detail(401, said), headers: challenge(context, ', error="invalid_token"') };
    case 'second-factor':
      // Without a challenge for the password, which would have browsers ask for it again and again.
      return { ...detail(401, said), headers: { 'WWW-Authenticate': 'Bearer realm="api"' } };
    case 'password':
    case 'inactive':
      return { ...detail(401, said), headers: challenge(context, '') };
    default:
      return assertNever(reason);
  }
}

function databaseReply({ error }: PortalError & { kind: 'database' }, context: ReplyContext): PortalReply {
  const failure = dbFailure(error);
  if (error.kind === 'pool-full') {
    const text = `${error.waiting} requests wait for the database already. Try again in a moment.`;
    return { ...detail(503, text), headers: { 'Retry-After': '1' } };
  }
  switch (failure.kind) {
    case 'unavailable':
      return {
        ...detail(503, 'Service temporarily unavailable, try again later.'),
        headers: { 'Retry-After': '1' },
      };
    case 'bug':
      return detail(500, 'A server error occurred.');
    default:
      return portalReply(failure, context);
  }
}

function reply(status: number, body: unknown): PortalReply {
  return { status, headers: {}, body };
}

function detail(status: number, text: string): PortalReply {
  return reply(status, { detail: text });
}

function challenge({ isScript }: ReplyContext, why: string): PortalReply['headers'] {
  const bearer = `Bearer realm="api"${why}`;
  return { 'WWW-Authenticate': isScript ? bearer : `Basic realm="api", charset="UTF-8", ${bearer}` };
}

function seconds(count: number): string {
  return count === 1 ? '1 second' : `${count} seconds`;
}
