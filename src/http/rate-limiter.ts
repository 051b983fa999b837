// How often somebody may come: a bucket of tokens for each, filled evenly. Memory is bounded: who has not come for
// longest is forgotten first, and whoever is forgotten starts with a full bucket.

export type RateLimiter = {
  /** Takes a token of `key`; 0: there was one, else the seconds until there is. */
  take(key: string, rate: Rate, nowMs: number): number;
};

type Rate = { readonly requests: number; readonly perSeconds: number };

type Bucket = { tokens: number; atMs: number };

const MAX_KEYS = 100_000;

export function makeRateLimiter(maxKeys: number = MAX_KEYS): RateLimiter {
  const buckets = new Map<string, Bucket>();
  return {
    take(key, { requests, perSeconds }, nowMs) {
      const perMs = requests / (perSeconds * 1000);
      const bucket = buckets.get(key) ?? { tokens: requests, atMs: nowMs };
      // A clock set back fills nothing and takes nothing.
      const passed = Math.max(0, nowMs - bucket.atMs);
      bucket.tokens = Math.min(requests, bucket.tokens + passed * perMs);
      bucket.atMs = nowMs;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > maxKeys) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return 0;
      }
      return Math.max(1, Math.ceil(((1 - bucket.tokens) * perSeconds) / requests));
    },
  };
}
