// Time-based one-time passwords (TOTP, RFC 6238) as authenticator apps make them: six digits, SHA-1, another one every thirty seconds. Pure.

import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = mac.readUInt8(19) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Which step a code is of: now, or one before or after, for clocks that differ. Undefined: of none of them. */
export function stepOfCode(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / STEP_MS);
  const sent = Buffer.from(code);
  let found: number | undefined;
  for (const step of [now - 1, now, now + 1]) {
    const right = Buffer.from(totpCode(secret, step));
    if (right.length === sent.length && timingSafeEqual(right, sent)) found = step;
  }
  return found;
}

/** RFC 4648, without padding: what a person types where there is no camera. */
export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31];
}

/** What authenticator apps read from the picture. */
export function totpAddress(site: string, username: string, secret: Uint8Array): string {
  const label = `${encodeURIComponent(site)}:${encodeURIComponent(username)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(site)}`;
}
