// The rows of a page that are ticked, to do something with all of them. Another page begins with none.

import { useEffect, useState } from 'react';

type Names = readonly (string | number)[];

export type Ticked = {
  readonly names: ReadonlySet<string | number>;
  readonly tick: (names: Names, isTicked: boolean) => void;
  readonly clear: () => void;
};

const NONE: ReadonlySet<string | number> = new Set();

/** `page`: what is asked for, as text. */
export function useTicked(page: string): Ticked {
  const [names, setNames] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are shown.
  useEffect(() => setNames(NONE), [page]);
  return {
    names,
    tick(changed, isTicked) {
      const next = new Set(names);
      for (const name of changed) {
        if (isTicked) next.add(name);
        else next.delete(name);
      }
      setNames(next);
    },
    clear: () => setNames(NONE),
  };
}
