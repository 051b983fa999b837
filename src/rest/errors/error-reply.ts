// The last word on a failed request: an error as data in, a reply out. Every error has the same four members in the same
// order, and `Proxy-Status` says the code once more for those who see only headers.

import { isBodiless } from '../../http/header-text.ts';
import type { HttpReply } from '../../http/http-message.ts';
import { authFaces } from './auth-faces.ts';
import { dbFaces } from './db-faces.ts';
import { type CodeSpelling, spellCode } from './error-codes.ts';
import type { Face, FaceContext, FaceTable } from './face.ts';
import { planFaces } from './plan-faces.ts';
import { requestFaces } from './request-faces.ts';
import type { RestError } from './rest-error.ts';
import { runFaces } from './run-faces.ts';

export type ErrorContext = FaceContext & {
  /** HEAD: the head of the reply alone. */
  readonly isHead: boolean;
  /** When the next attempt to reach the database is due; sent with every 503. */
  readonly retryAfterSeconds: number;
  /** How the service's own codes are spelled. */
  readonly codes?: CodeSpelling | undefined;
};

const SERVICE = 'Survest';

export const faces: FaceTable<RestError> = { ...authFaces, ...requestFaces, ...planFaces, ...dbFaces, ...runFaces };

export function errorReply(error: RestError, context: ErrorContext): HttpReply {
  return faceReply(faceOf(error, context), context);
}

function faceOf(error: RestError, context: FaceContext): Face {
  // The table has for each kind the function that takes it; TypeScript cannot follow that through an index.
  const face = faces[error.kind] as (error: RestError, context: FaceContext) => Face;
  return face(error, context);
}

function faceReply(face: Face, { isHead, retryAfterSeconds, codes = 'svrst' }: ErrorContext): HttpReply {
  const { status, message, details = null, hint = null } = face;
  const code = spellCode(face.code, codes);
  // Bytes, not text: Node writes the head in the encoding of a text body, and raised headers are bytes already (headerBytes).
  const body = isBodiless(status) ? undefined : Buffer.from(JSON.stringify({ code, details, hint, message }));
  const headers: [string, string][] = [];
  if (body !== undefined) {
    headers.push(['Content-Type', 'application/json; charset=utf-8']);
    if (!isHead) headers.push(['Content-Length', String(body.length)]);
  }
  if (status === 401) headers.push(['WWW-Authenticate', 'Bearer']);
  if (status === 503) headers.push(['Retry-After', String(Math.max(0, Math.ceil(retryAfterSeconds)))]);
  const own = overlay(headers, face.headers ?? []);
  own.push(['Proxy-Status', `${SERVICE}; error=${asToken(code)}`]);
  return {
    status,
    ...(face.statusText === undefined ? {} : { statusText: face.statusText }),
    headers: own,
    ...(body === undefined || isHead ? {} : { body }),
  };
}

/** A header that the face brings takes the place of the usual one; Proxy-Status always says the code. */
function overlay(usual: readonly [string, string][], brought: NonNullable<Face['headers']>): [string, string][] {
  const replaced = new Set(brought.map(([name]) => name.toLowerCase()));
  const kept = usual.filter(([name]) => !replaced.has(name.toLowerCase()));
  const added = brought
    .filter(([name]) => name.toLowerCase() !== 'proxy-status')
    .map(([name, value]): [string, string] => [name, value]);
  return [...kept, ...added];
}

/** A code is whatever the database raised; in the header it is a token (RFC 8941), so what a token cannot hold is left out. */
function asToken(code: string): string {
  return code.replace(/[^!#$%&'*+.^_`|~:/0-9A-Za-z-]+/g, '');
}
