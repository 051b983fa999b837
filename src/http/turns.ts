// So many at once, the others in the order they came. Whoever is under way for long does not count any more: turns are about order, and nobody who is slow
// keeps the others from theirs.

export type Turns = {
  /** `start` is called when it is its turn, never before `take` has returned. What is returned ends the turn, or the waiting for it; more than once is no harm. */
  take(start: () => void): () => void;
};

export function makeTurns({ atOnce, longestMs }: { readonly atOnce: number; readonly longestMs: number }): Turns {
  const waiting = new Set<() => void>();
  // Kept from one to the next: a new one walks over everything that was ever taken from the front.
  let order = waiting.values();
  let underWay = 0;

  function next(): void {
    underWay -= 1;
    if (waiting.size === 0) return;
    let first = order.next();
    // One that has come to the end stays there.
    if (first.done === true) {
      order = waiting.values();
      first = order.next();
    }
    if (first.done === true) return;
    waiting.delete(first.value);
    first.value();
  }

  return {
    take(start) {
      let end = (): void => {
        waiting.delete(begin);
      };
      const begin = (): void => {
        underWay += 1;
        const timer = setTimeout(() => end(), longestMs).unref();
        end = () => {
          end = () => {};
          clearTimeout(timer);
          next();
        };
        // Not from here: who answers at once would end its turn within the end of the one before, and so on.
        queueMicrotask(start);
      };
      if (underWay < atOnce) begin();
      else waiting.add(begin);
      return () => end();
    },
  };
}
