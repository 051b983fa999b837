// Passwords that were right a moment ago. Clients that send name and password with every request would otherwise wait for
// argon2 every time, which is slow on purpose.
//
// Remembered is only a keyed hash of the two, and which stored hash it was right for: the account's current one is read from
// the database with every request, so a changed password is forgotten in the very next one. The key is made up at each
// start and never leaves the memory.

import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';

export type VerifiedPasswords = {
  /** A name for the three that tells nothing about them. */
  fingerprint(username: string, password: string, storedHash: string): string;
  has(fingerprint: string): boolean;
  add(fingerprint: string): void;
};

const KEEP_MS = 5 * 60_000;
const MAX_ENTRIES = 1000;

export function makeVerifiedPasswords(clock: Clock, maxEntries: number = MAX_ENTRIES): VerifiedPasswords {
  const key = randomBytes(32);
  const knownUntil = new Map<string, number>();
  return {
    fingerprint: (username, password, storedHash) =>
      createHmac('sha256', key)
        .update(JSON.stringify([username, password, storedHash]))
        .digest('base64'),
    has(fingerprint) {
      const until = knownUntil.get(fingerprint);
      if (until === undefined) return false;
      if (until > clock.ticks()) return true;
      knownUntil.delete(fingerprint);
      return false;
    },
    add(fingerprint) {
      knownUntil.delete(fingerprint);
      // The one that was remembered longest ago stands first.
      const oldest = knownUntil.size >= maxEntries ? knownUntil.keys().next() : undefined;
      if (oldest?.done === false) knownUntil.delete(oldest.value);
      knownUntil.set(fingerprint, clock.ticks() + KEEP_MS);
    },
  };
}
