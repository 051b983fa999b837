// The last word on a failed request: an error as data in, a reply out. Every error has the same four members in the same
// order, and `Proxy-Status` says the code once more for those who see only headers.

import { isBodiless } from '../../http/header-text.ts';
import type { HttpReply } from '../../http/http-message.ts';
import { authMessages } from './auth-messages.ts';
import { dbMessages } from './db-messages.ts';
import { type CodeSpelling, spellCode } from './error-codes.ts';
import type { ErrorMessage, MessageContext, MessageTable } from './error-message.ts';
import { planMessages } from './plan-messages.ts';
import { requestMessages } from './request-messages.ts';
import type { RestError } from './rest-error.ts';
import { runMessages } from './run-messages.ts';

export type ErrorContext = MessageContext & {
  /** HEAD: the head of the reply alone. */
  readonly isHead: boolean;
  /** When the next attempt to reach the database is due; sent with every 503. */
  readonly retryAfterSeconds: number;
  /** How the service's own codes are spelled. */
  readonly codes?: CodeSpelling | undefined;
};

const SERVICE = 'Survest';

export const messages: MessageTable<RestError> = {
  ...authMessages,
  ...requestMessages,
  ...planMessages,
  ...dbMessages,
  ...runMessages,
};

export function errorReply(error: RestError, context: ErrorContext): HttpReply {
  return messageReply(messageOf(error, context), context);
}

function messageOf(error: RestError, context: ErrorContext): ErrorMessage {
  // The table has for each kind the function that takes it; TypeScript cannot follow that through an index.
  const message = messages[error.kind] as (error: RestError, context: ErrorContext) => ErrorMessage;
  return message(error, context);
}

function messageReply(error: ErrorMessage, { isHead, retryAfterSeconds, codes = 'svrst' }: ErrorContext): HttpReply {
  const { status, message, details = null, hint = null } = error;
  const code = spellCode(error.code, codes);
  // Bytes, not text: Node writes the head in the encoding of a text body, and raised headers are bytes already (headerBytes).
  const body = isBodiless(status) ? undefined : Buffer.from(JSON.stringify({ code, details, hint, message }));
  const headers: [string, string][] = [];
  if (body !== undefined) {
    headers.push(['Content-Type', 'application/json; charset=utf-8']);
    if (!isHead) headers.push(['Content-Length', String(body.length)]);
  }
  if (status === 401) headers.push(['WWW-Authenticate', 'Bearer']);
  if (status === 503) headers.push(['Retry-After', String(Math.max(0, Math.ceil(retryAfterSeconds)))]);
  const own = error.headers === undefined ? headers : overlay(headers, error.headers);
  own.push(['Proxy-Status', `${SERVICE}; error=${asToken(code)}`]);
  return {
    status,
    ...(error.statusText === undefined ? {} : { statusText: error.statusText }),
    headers: own,
    ...(body === undefined || isHead ? {} : { body }),
  };
}

/** A header that the message brings takes the place of the usual one; Proxy-Status always says the code. */
function overlay(
  usual: readonly [string, string][],
  brought: NonNullable<ErrorMessage['headers']>,
): [string, string][] {
  const replaced = new Set(brought.map(([name]) => name.toLowerCase()));
  const kept = usual.filter(([name]) => !replaced.has(name.toLowerCase()));
  const added = brought
    .filter(([name]) => name.toLowerCase() !== 'proxy-status')
    .map(([name, value]): [string, string] => [name, value]);
  return [...kept, ...added];
}

const TOKEN = /^[0-9A-Z]+$/;

/** A code is whatever the database raised; in the header it is a token (RFC 8941), so what a token cannot hold is left out. */
function asToken(code: string): string {
  return TOKEN.test(code) ? code : code.replace(/[^!#$%&'*+.^_`|~:/0-9A-Za-z-]+/g, '');
}
