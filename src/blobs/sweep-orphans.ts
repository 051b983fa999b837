// Blobs that nothing refers to: left by requests that were cut off, by records that were deleted. Young ones are left alone, for
// what refers to them may just be on its way, and so is whatever was not made by those who sweep.

import type { BlobKind, BlobStore } from './blob-store.ts';

export type SweepOptions = {
  /** Which of these keys stay: something refers to them, or they are somebody else's. */
  readonly kept: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly olderThanMs: number;
  readonly now: number;
  /** Looks, and removes nothing. */
  readonly isTrial?: boolean;
};

const KINDS: readonly BlobKind[] = ['documents', 'uploads', 'thumbnails', 'rasters', 'basemaps'];
const KEYS_AT_ONCE = 500;

/** Returns the keys of what was found. */
export async function sweepOrphans(blobs: BlobStore, options: SweepOptions): Promise<readonly string[]> {
  const found: string[] = [];
  let keys: string[] = [];
  const judge = async (): Promise<void> => {
    const kept = await options.kept(keys);
    for (const key of keys) {
      if (kept.has(key)) continue;
      found.push(key);
      if (options.isTrial !== true) await blobs.remove(key);
    }
    keys = [];
  };
  for (const kind of KINDS) {
    for await (const { key, modifiedMs } of blobs.list(`${kind}/`)) {
      if (modifiedMs > options.now - options.olderThanMs) continue;
      keys.push(key);
      if (keys.length >= KEYS_AT_ONCE) await judge();
    }
  }
  if (keys.length > 0) await judge();
  return found;
}
