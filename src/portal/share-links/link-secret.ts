// The secret of an unlisted link: 192 random bits, written in 32 characters. The database looks links up by its digest.

import { createHash, randomBytes } from 'node:crypto';

const BYTES = 24;
const SECRET = /^[A-Za-z0-9_-]{32}$/;

export function newLinkSecret(): Buffer {
  return randomBytes(BYTES);
}

/** Undefined: no text of ours, the database need not be asked. */
export function linkDigest(secret: string): string | undefined {
  return SECRET.test(secret) ? createHash('sha256').update(Buffer.from(secret, 'base64url')).digest('hex') : undefined;
}
