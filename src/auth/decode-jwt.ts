// Token text in, its parts out, nothing trusted yet: only the header is read, because it says which key to try.

import { err, ok, type Result } from '../kernel/result.ts';
import { isJwtAlgorithm } from './jwt-algorithm.ts';
import type { JwtError } from './jwt-error.ts';
import type { SignedToken } from './signature.ts';
import { decodeBase64Url } from './strict-base64.ts';

/** Four times the room Node leaves for all headers of a request unless told otherwise. */
const MAX_TOKEN_LENGTH = 65_536;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function decodeJwt(token: string): Result<SignedToken, JwtError> {
  if (token === '') return err({ kind: 'jwt-empty' });
  if (token.length > MAX_TOKEN_LENGTH) return err({ kind: 'jwt-undecodable' });
  const parts = token.split('.');
  const [head, body, seal] = parts;
  if (parts.length !== 3 || head === undefined || body === undefined || seal === undefined) {
    return err({ kind: 'jwt-parts', parts: parts.length });
  }
  const headBytes = decodeBase64Url(head);
  const header = headBytes === undefined ? undefined : parseJsonObject(decodeUtf8(headBytes));
  if (header === undefined) return err({ kind: 'jwt-undecodable' });
  const { alg, crit } = header;
  // Some libraries write the members that have no value.
  const kid = header['kid'] ?? undefined;
  if (alg === 'none') return err({ kind: 'jwt-unsecured' });
  // `crit` names extensions that must be understood or refused (RFC 7515, 4.1.11); none is understood here.
  if (!isJwtAlgorithm(alg) || crit !== undefined || (kid !== undefined && typeof kid !== 'string')) {
    return err({ kind: 'jwt-undecodable' });
  }
  const payload = decodeBase64Url(body);
  const signature = decodeBase64Url(seal);
  if (payload === undefined || signature === undefined) return err({ kind: 'jwt-undecodable' });
  return ok({ alg, kid, token, signed: token.slice(0, head.length + 1 + body.length), signature, payload });
}

/** The name of the key that a token says it is signed with; nothing of it is checked. */
export function keyIdOf(token: string): string | undefined {
  const end = token.indexOf('.');
  const bytes = end < 0 || end > MAX_TOKEN_LENGTH ? undefined : decodeBase64Url(token.slice(0, end));
  const kid = bytes === undefined ? undefined : parseJsonObject(decodeUtf8(bytes))?.['kid'];
  return typeof kid === 'string' ? kid : undefined;
}

/** UTF-8 bytes as text, or undefined: a wrong byte, and a byte order mark too, is an error, never replaced. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** JSON.parse makes `__proto__` a plain own member, and takes the last of repeated ones, as PostgreSQL does. */
export function parseJsonObject(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
