// Slows guessing down. Every try at a password takes a drop from three buckets that fill up again with time: the account's
// at this address, the address's, the account's. Who runs dry waits. A right password gives its drops back.
//
// The buckets are in the memory of this copy of the program: with several copies somebody has as many tries as there are
// copies, which is still far too few to guess with.

import type { Clock } from '../../kernel/clock.ts';
import { err, ok, type Result } from '../../kernel/result.ts';

export type SignInThrottle = {
  /** Taken before the password is looked at, so that a burst of guesses does not slip through. */
  take(username: string, address: string): Result<Try, { readonly retryAfterSeconds: number }>;
};

type Try = { succeeded(): void };

type Size = { readonly tries: number; readonly refillMs: number };

const PAIR: Size = { tries: 10, refillMs: 30_000 };
const ADDRESS: Size = { tries: 50, refillMs: 6000 };
// Wide, because somebody else can empty it and lock the owner out: only against guesses from very many addresses.
const ACCOUNT: Size = { tries: 200, refillMs: 3000 };

const MAX_BUCKETS = 20_000;

type Bucket = { used: number; at: number; readonly size: Size };

export function makeSignInThrottle(clock: Clock): SignInThrottle {
  const buckets = new Map<string, Bucket>();

  const bucket = (name: string, size: Size): Bucket => {
    const now = clock.ticks();
    const found = buckets.get(name) ?? { used: 0, at: now, size };
    found.used = Math.max(0, found.used - (now - found.at) / size.refillMs);
    found.at = now;
    // Last in the order of the map: room is made among those not touched for longest.
    buckets.delete(name);
    const oldest = buckets.size >= MAX_BUCKETS ? buckets.keys().next() : undefined;
    if (oldest?.done === false) buckets.delete(oldest.value);
    buckets.set(name, found);
    return found;
  };

  return {
    take(username, address) {
      const account = username.toLowerCase().slice(0, 200);
      const from = networkOf(address);
      const pair = bucket(`pair ${from} ${account}`, PAIR);
      const taken = [pair, bucket(`address ${from}`, ADDRESS), bucket(`account ${account}`, ACCOUNT)];
      const waitMs = Math.max(...taken.map(({ used, size }) => (used + 1 - size.tries) * size.refillMs));
      if (waitMs > 0) return err({ retryAfterSeconds: Math.ceil(waitMs / 1000) });
      for (const each of taken) each.used += 1;
      return ok({
        succeeded() {
          for (const each of taken) each.used = Math.max(0, each.used - 1);
          pair.used = 0;
        },
      });
    },
  };
}

/** One subscriber has a whole /64 of IPv6 addresses. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('::', 1);
  return `${head.split(':').slice(0, 4).join(':')}::`;
}
