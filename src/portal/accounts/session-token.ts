// The secrets of a login session. The token is in the browser alone: the database has its hash, so a stolen backup opens
// nothing; and the proof against forged requests is made from it, so that it fits this session and no other.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const SESSION_COOKIE = 'sessionid';
export const CSRF_COOKIE = 'csrftoken';

/** Two weeks, whatever happens in between. */
export const SESSION_SECONDS: number = 14 * 24 * 3600;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function newSessionToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** Undefined: no text of ours, the database need not be asked. */
export function sessionHash(token: string): Buffer | undefined {
  return TOKEN.test(token) ? hashOf(token) : undefined;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

/** For somebody without a session: pages that sign people in prove with it that the form was theirs. */
export function newVisitorCsrfToken(): string {
  return randomBytes(32).toString('base64url');
}

export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
