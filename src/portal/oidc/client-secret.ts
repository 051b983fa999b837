// Secrets of confidential clients: shown once when they are made, kept as a hash.

import { createHash, randomBytes } from 'node:crypto';
import { sameText } from '../accounts/session-token.ts';

export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The secret is as random as a key: a plain hash is enough. */
export function hashSecret(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('base64url')}`;
}

export function sameSecret(stored: string | undefined, given: string): boolean {
  return stored !== undefined && sameText(stored, hashSecret(given));
}
