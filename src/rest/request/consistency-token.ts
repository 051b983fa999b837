// The consistency token: how far the primary's log was when a write was answered, as a text that clients keep and send back without
// looking into it.

import { Buffer } from 'node:buffer';

const PREFIX = 'v1.';
const LONGEST = 32;

export function consistencyToken(lsn: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(lsn);
  return `${PREFIX}${bytes.toString('base64url')}`;
}

/** Undefined: it was not made here. */
export function readConsistencyToken(token: string): bigint | undefined {
  if (token.length > LONGEST || !token.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
  return bytes.length === 8 ? bytes.readBigUInt64BE() : undefined;
}
