import { describe, expect, test } from 'vitest';
import type { PortalError } from './portal-error.ts';
import { portalReply } from './portal-reply.ts';

const account = { isVisitor: false, isScript: false };
const visitor = { isVisitor: true, isScript: false };
const BASIC = 'Basic realm="api", charset="UTF-8", Bearer realm="api"';

const detail = (text: string): object => ({ detail: text });

describe('the reply to a failure', () => {
  test.each<[PortalError, number, unknown]>([
    [{ kind: 'csrf', reason: 'missing-cookie' }, 403, detail('CSRF Failed: CSRF cookie not set.')],
    [{ kind: 'csrf', reason: 'mismatch' }, 403, detail('CSRF Failed: CSRF token missing or incorrect.')],
    [{ kind: 'forbidden' }, 403, detail('You do not have permission to perform this action.')],
    [{ kind: 'not-found' }, 404, detail('Not found.')],
    [{ kind: 'invalid-page' }, 404, detail('Invalid page.')],
    [
      { kind: 'invalid-fields', fields: { title: ['This field is required.'] } },
      400,
      { title: ['This field is required.'] },
    ],
    [{ kind: 'invalid-request', messages: ['Invalid filter field: nope'] }, 400, ['Invalid filter field: nope']],
    [{ kind: 'bad-request', detail: '"0" is not valid for patch-all' }, 400, detail('"0" is not valid for patch-all')],
    [
      { kind: 'invalid-elements', member: 'maps', elements: [{ detail: { title: ['x'] }, source: { a: 1 } }] },
      400,
      { maps: [], errors: [{ detail: { title: ['x'] }, source: { a: 1 } }] },
    ],
    [{ kind: 'method-not-allowed', method: 'PUT' }, 405, detail('Method "PUT" not allowed.')],
    [{ kind: 'nothing-named' }, 405, undefined],
    [{ kind: 'not-acceptable' }, 406, detail('Could not satisfy the request Accept header.')],
    [{ kind: 'precondition-failed' }, 412, detail('It has been changed in the meantime.')],
    [
      { kind: 'unsupported-media-type', type: 'text/plain' },
      415,
      detail('Unsupported media type "text/plain" in request.'),
    ],
    [{ kind: 'too-large', limit: 10 }, 413, detail('The request is larger than the 10 bytes that are accepted here.')],
    [{ kind: 'internal', reference: 'abc' }, 500, { detail: 'A server error occurred.', reference: 'abc' }],
    [
      {
        kind: 'database',
        error: { kind: 'sql', sqlstate: 'XX000', message: 'inner secret', detail: 'more', hint: null, statement: 0 },
      },
      500,
      detail('A server error occurred.'),
    ],
  ])('%j', (error, status, body) => {
    expect(portalReply(error, account)).toEqual({ status, headers: {}, body });
  });

  test('who has not signed in is asked to, and a page’s script without a dialog', () => {
    const body = detail('Authentication credentials were not provided.');
    for (const error of [{ kind: 'not-authenticated' }, { kind: 'forbidden' }] as const) {
      expect(portalReply(error, visitor)).toEqual({ status: 401, headers: { 'WWW-Authenticate': BASIC }, body });
      expect(portalReply(error, { ...visitor, isScript: true })).toEqual({
        status: 401,
        headers: { 'WWW-Authenticate': 'Bearer realm="api"' },
        body,
      });
    }
  });

  test('what the database refuses to a visitor may be allowed to somebody', () => {
    const error: PortalError = {
      kind: 'database',
      error: {
        kind: 'sql',
        sqlstate: '42501',
        message: 'permission denied for table x',
        detail: null,
        hint: null,
        statement: 0,
      },
    };
    expect(portalReply(error, visitor).status).toBe(401);
    expect(portalReply(error, account)).toMatchObject({
      status: 403,
      body: { detail: expect.not.stringContaining('table') },
    });
  });

  test.each([
    ['password', 401, 'Invalid username/password.', BASIC],
    ['inactive', 401, 'User inactive or deleted.', BASIC],
    ['token', 401, 'Invalid token.', `${BASIC}, error="invalid_token"`],
    ['scope', 403, 'The token was not issued for this.', 'Bearer realm="api", error="insufficient_scope"'],
    ['read-only', 403, 'This token may only read.', 'Bearer realm="api", error="insufficient_scope"'],
  ] as const)('wrong credentials: %s', (reason, status, said, header) => {
    expect(portalReply({ kind: 'bad-credentials', reason }, visitor)).toEqual({
      status,
      headers: { 'WWW-Authenticate': header },
      body: { detail: said },
    });
  });

  test.each([
    [1, '1 second'],
    [30, '30 seconds'],
  ])('who has to wait is told how long: %d', (retryAfterSeconds, words) => {
    expect(portalReply({ kind: 'throttled', retryAfterSeconds }, visitor)).toEqual({
      status: 429,
      headers: { 'Retry-After': String(retryAfterSeconds) },
      body: { detail: `Request was throttled. Expected available in ${words}.` },
    });
  });

  test('a database that is away may be back in a moment', () => {
    const error: PortalError = {
      kind: 'database',
      error: { kind: 'unreachable', message: 'db.internal refused', fatal: false },
    };
    expect(portalReply(error, account)).toEqual({
      status: 503,
      headers: { 'Retry-After': '1' },
      body: { detail: 'Service temporarily unavailable, try again later.' },
    });
  });
});
