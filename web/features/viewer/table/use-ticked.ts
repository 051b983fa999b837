// The rows of a page that are ticked, to do something with all of them, or all rows that match on whatever page. Another page begins with none.

import { useEffect, useState } from 'react';

type Names = readonly (string | number)[];

export type Ticked = {
  readonly names: ReadonlySet<string | number>;
  /** All rows that match are meant, and not only those that are named. */
  readonly isAll: boolean;
  readonly tickAll: () => void;
  readonly tick: (names: Names, isTicked: boolean) => void;
  readonly clear: () => void;
};

const NONE: ReadonlySet<string | number> = new Set();

/** `page`: what is asked for, as text. */
export function useTicked(page: string): Ticked {
  const [names, setNames] = useState(NONE);
  const [isAll, setAll] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are shown.
  useEffect(() => {
    setNames(NONE);
    setAll(false);
  }, [page]);
  return {
    names,
    isAll,
    tickAll: () => setAll(true),
    tick(changed, isTicked) {
      setAll(false);
      const next = new Set(names);
      for (const name of changed) {
        if (isTicked) next.add(name);
        else next.delete(name);
      }
      setNames(next);
    },
    clear() {
      setNames(NONE);
      setAll(false);
    },
  };
}
