// What was made with effort, kept by key as long as there is room: the longest unused goes first. Keys say the version of what they
// stand for, so nothing in here is ever out of date.

export type ByteCache<T> = {
  get(key: string): T | undefined;
  /** `bytes`: what it weighs. Larger than a quarter of the room: not kept. */
  set(key: string, value: T, bytes: number): void;
  readonly bytes: number;
};

/** An entry is more than its bytes: key, headers, and the map's own. */
const OVERHEAD = 400;

export function makeByteCache<T>(maxBytes: number): ByteCache<T> {
  const entries = new Map<string, { readonly value: T; readonly bytes: number }>();
  let held = 0;
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A map remembers the order in which its keys came: the one just used is the youngest again.
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      const weight = bytes + OVERHEAD;
      const before = entries.get(key);
      if (before !== undefined) {
        held -= before.bytes;
        entries.delete(key);
      }
      if (weight > maxBytes / 4) return;
      entries.set(key, { value, bytes: weight });
      held += weight;
      for (const [oldest, entry] of entries) {
        if (held <= maxBytes) break;
        entries.delete(oldest);
        held -= entry.bytes;
      }
    },
    get bytes() {
      return held;
    },
  };
}
