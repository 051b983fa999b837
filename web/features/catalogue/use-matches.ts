// Where the words of a search stand in the items that are shown, asked for once they are.

import { useEffect, useState } from 'react';
import { get } from '../../api/client.ts';
import type { Resource } from '../../api/types.ts';
import { type CatalogueState, matchesPath } from '../../lib/catalogue-state.ts';

export type Match = { readonly words: readonly string[]; readonly terms: readonly string[] };

export type Matches = {
  /** Nothing was guessed. */
  readonly exact: boolean;
  /** By the number of the item. */
  readonly of: ReadonlyMap<string, Match>;
};

/** `items`: undefined while they are on their way. */
export function useMatches(state: CatalogueState, items: readonly Resource[] | undefined): Matches | undefined {
  const path =
    items === undefined
      ? undefined
      : matchesPath(
          state,
          items.map(({ pk }) => pk),
        );
  const [found, setFound] = useState<{ readonly path: string; readonly matches: Matches }>();
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    // Without an answer the items are shown as ever, only without marks.
    void get(path, gone.signal).then(
      (reply) => {
        if (!reply.ok) return;
        const { exact, matches } = reply.value;
        setFound({ path, matches: { exact, of: new Map(matches.map(({ pk, ...match }) => [pk, match])) } });
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [path]);
  return found?.path === path ? found?.matches : undefined;
}
