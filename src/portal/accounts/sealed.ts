// Values that a browser keeps for us and can neither read nor change: encrypted JWTs with an end, under a key made from the portal's own. Each has a
// purpose, and none is taken for another.

import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Clock } from '../../kernel/clock.ts';

export type Sealing<T extends object> = {
  seal(value: T): Promise<string>;
  /** Undefined: not one of ours, for something else, or over. */
  open(sealed: string | undefined): Promise<T | undefined>;
  readonly seconds: number;
};

const MAX_SEALED = 4000;

export function makeSealing<T extends object>(
  purpose: string,
  secret: string,
  seconds: number,
  clock: Clock,
): Sealing<T> {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', `survest ${purpose}`, 32));
  return {
    seconds,
    seal: (value) =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(clock.now() / 1000) + seconds)
        .encrypt(key),
    async open(sealed) {
      if (sealed === undefined || sealed.length > MAX_SEALED) return undefined;
      try {
        const opened = await jwtDecrypt(sealed, key, {
          currentDate: new Date(clock.now()),
          requiredClaims: ['exp'],
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return opened.payload['value'] as T;
      } catch {
        return undefined;
      }
    },
  };
}
