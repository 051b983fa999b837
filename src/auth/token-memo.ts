// A bounded map from token text to what is known of it. A hit only marks the entry; when room is needed, entries not hit
// since the last round go first (second chance), so a stream of tokens used once does not drive out those in use.
//
// Entries are found by the end of the token, which is signature and as good as random, and then compared whole: hashing all of
// a token's 600 letters on every request cost more than everything else about it.

type Entry<T> = { readonly token: string; readonly value: T; hit: boolean };

export type TokenMemo<T> = {
  get(token: string): T | undefined;
  set(token: string, value: T): void;
  delete(token: string): void;
  readonly size: number;
};

/** Longer tokens are verified each time: a few of them would fill the memory meant for thousands. */
const MAX_REMEMBERED_LENGTH = 16_384;

/** The length of the shortest signature there is, that of HS256. */
const TAIL = 43;

export function makeTokenMemo<T>(maxEntries: number): TokenMemo<T> {
  const entries = new Map<string, Entry<T>>();

  const makeRoom = (): void => {
    // Ends after at most one round: every entry passed over has lost its mark.
    for (const [tail, entry] of entries) {
      entries.delete(tail);
      if (!entry.hit) return;
      entry.hit = false;
      entries.set(tail, entry);
    }
  };

  return {
    get(token) {
      const entry = entries.get(token.slice(-TAIL));
      if (entry === undefined || entry.token !== token) return undefined;
      entry.hit = true;
      return entry.value;
    },
    set(token, value) {
      if (token.length > MAX_REMEMBERED_LENGTH || maxEntries < 1) return;
      const tail = token.slice(-TAIL);
      entries.delete(tail);
      if (entries.size >= maxEntries) makeRoom();
      entries.set(tail, { token, value, hit: false });
    },
    delete(token) {
      entries.delete(token.slice(-TAIL));
    },
    get size() {
      return entries.size;
    },
  };
}
