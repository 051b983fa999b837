// Errors that database code raised to control the whole answer:
//   RAISE SQLSTATE 'PT402'  → that status, the message as reason phrase
//   RAISE SQLSTATE 'SV303'  → 401, the token is no longer good (db-token-check)
//   RAISE SQLSTATE 'SVRST'  → code and words from JSON in MESSAGE, status and headers from JSON in DETAIL
// 'PGRST' means the same as 'SVRST': scripts written for the model service keep working.
//
// JSON that is not as it should be is SVRST121, and so is a status no reply can have or a header no reply can carry: whoever
// wrote the RAISE sees it at once. Headers of the transport itself (Content-Length and such) are left out.

import {
  belongsToServer,
  headerBytes,
  isFinalStatus,
  isHeaderName,
  isHeaderValue,
  reasonPhrase,
} from '../../http/header-text.ts';
import type { SqlError } from '../../pg/driver.ts';
import { revokedMessage } from './auth-messages.ts';
import type { ErrorMessage } from './error-message.ts';

/** The message the database asked for; undefined when it is an ordinary error. */
export function raisedMessage(error: SqlError): ErrorMessage | undefined {
  if (error.sqlstate.startsWith('PT')) return statusMessage(error);
  if (error.sqlstate === 'SV303') return revokedMessage();
  if (error.sqlstate === 'SVRST' || error.sqlstate === 'PGRST') return customMessage(error);
  return undefined;
}

function statusMessage(error: SqlError): ErrorMessage {
  const digits = /^PT([0-9]{3})$/.exec(error.sqlstate)?.[1];
  const asked = digits === undefined ? undefined : Number(digits);
  const status = asked !== undefined && isFinalStatus(asked) ? asked : 500;
  return {
    status,
    ...withReason(status === asked ? error.message : undefined),
    code: error.sqlstate,
    message: error.message,
    details: error.detail,
    hint: error.hint,
  };
}

function customMessage(error: SqlError): ErrorMessage {
  const words = parseWords(error.message);
  if (words === undefined) return unreadable(error, `Invalid JSON value for MESSAGE: '${error.message}'`, MESSAGE_HINT);
  if (error.detail === null) return unreadable(error, 'DETAIL is missing in the RAISE statement', DETAIL_HINT);
  const frame = parseFrame(error.detail);
  if (frame === undefined) return unreadable(error, `Invalid JSON value for DETAIL: '${error.detail}'`, DETAIL_HINT);
  return { ...words, status: frame.status, ...withReason(frame.statusText), headers: frame.headers };
}

const MESSAGE_HINT =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.";
const DETAIL_HINT =
  "DETAIL must be a JSON object with obligatory key: 'status' and optional keys: 'headers', 'status_text'.";

function unreadable(error: SqlError, details: string, hint: string): ErrorMessage {
  const message = `Could not parse JSON in the "RAISE SQLSTATE '${error.sqlstate}'" error`;
  return { status: 500, code: 'SVRST121', message, details, hint };
}

type Words = Pick<ErrorMessage, 'code' | 'message' | 'hint'> & { readonly details: string | null };

function parseWords(text: string): Words | undefined {
  const object = parseObject(text);
  if (object === undefined) return undefined;
  const { code, message, details = null, hint = null } = object;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return isTextOrNull(details) && isTextOrNull(hint) ? { code, message, details, hint } : undefined;
}

type Frame = {
  readonly status: number;
  readonly statusText: string | undefined;
  readonly headers: readonly (readonly [string, string])[];
};

function parseFrame(text: string): Frame | undefined {
  const object = parseObject(text);
  if (object === undefined) return undefined;
  const { status, headers = null, status_text: statusText = null } = object;
  if (typeof status !== 'number' || !isFinalStatus(status) || !isTextOrNull(statusText)) return undefined;
  const pairs = headers === null ? [] : parseHeaders(headers);
  return pairs === undefined ? undefined : { status, statusText: statusText ?? undefined, headers: pairs };
}

function parseHeaders(headers: unknown): readonly (readonly [string, string])[] | undefined {
  if (!isObject(headers)) return undefined;
  const pairs: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || !isHeaderName(name) || !isHeaderValue(value)) return undefined;
    if (!belongsToServer(name)) pairs.push([name, headerBytes(value)]);
  }
  return pairs;
}

function withReason(text: string | undefined): { readonly statusText?: string } {
  const statusText = text === undefined ? undefined : reasonPhrase(text);
  return statusText === undefined ? {} : { statusText };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
