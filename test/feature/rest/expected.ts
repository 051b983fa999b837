// What tests expect of a failed request: its status and headers, and the body to the byte.

import type { ExpectedReply } from '../../testkit/reply-matcher.ts';

export type FailureWords = {
  readonly details?: string | null;
  readonly hint?: string | null;
  readonly headers?: ExpectedReply['headers'];
};

export function failure(
  status: number,
  code: string,
  message: string,
  { details = null, hint = null, headers = {} }: FailureWords = {},
): ExpectedReply {
  const text = JSON.stringify({ code, details, hint, message });
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'proxy-status': `Survest; error=${code}`,
      'preference-applied': null,
      'content-location': null,
      location: null,
      ...headers,
    },
    text,
  };
}

/** Anonymous and not allowed to. */
export function denied(what: string): ExpectedReply {
  return failure(401, '42501', `permission denied for table ${what}`, { headers: { 'www-authenticate': 'Bearer' } });
}

export function unknownColumn(table: string, column: string): ExpectedReply {
  return failure(400, 'SVRST204', `Could not find the '${column}' column of '${table}' in the schema cache`);
}

export function badBody(message: string): ExpectedReply {
  return failure(400, 'SVRST102', message);
}

export function badContentType(type: string): ExpectedReply {
  return failure(415, 'SVRST107', `Content-Type not acceptable: ${type}`);
}

export function unavailable(types: string): ExpectedReply {
  return failure(406, 'SVRST107', `None of these media types are available: ${types}`);
}

export function notSingular(rows: number): ExpectedReply {
  return failure(406, 'SVRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });
}

/** The same reply with other headers looked at as well. */
export function withHeaders(reply: ExpectedReply, headers: NonNullable<ExpectedReply['headers']>): ExpectedReply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

export const OBJECT = 'application/vnd.pgrst.object+json';
export const JSON_UTF8 = 'application/json; charset=utf-8';
