// Remembers what was made from a text, for parameters whose text carries no values and so comes again and again.
// Two generations instead of a linked list: a hit in the young one costs one look-up and moves nothing; when the young
// one is full it becomes the old one, and what was not asked for during a whole generation is dropped with it.

export type TextCache<T> = {
  readonly get: (text: string) => T | undefined;
  readonly set: (text: string, value: T) => void;
  /** How many texts are held, for tests of the bound. */
  readonly size: () => number;
};

/** Holds at most `2 * generation` texts, none longer than `longest`. */
export function makeTextCache<T>(generation: number, longest = 1024): TextCache<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();

  const set = (text: string, value: T): void => {
    if (text.length > longest) return;
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
  };

  const get = (text: string): T | undefined => {
    const recent = young.get(text);
    if (recent !== undefined) return recent;
    const aged = old.get(text);
    if (aged !== undefined) set(text, aged);
    return aged;
  };

  return { get, set, size: () => young.size + old.size };
}
