// Keeps the dictionary of the search: words of items that were written since are entered some seconds later, by a job of each copy of the
// program. Until then these items are found by their own words, only not by misspelt ones.

import type { CallerDb } from '../../auth/caller-db.ts';

const EVERY_MS = 20_000;
/** While there is more to do. */
const AGAIN_MS = 200;

/** Returns how to stop. What fails is made up for by the next turn. */
export function startFillingSearch(db: CallerDb): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const turn = async (): Promise<void> => {
    const executed = await db.service([{ text: 'select portal.fill_search()', params: [] }]);
    const filled = executed.ok ? Number(executed.value[0]?.rows[0]?.[0]?.toString() ?? 0) : 0;
    if (isOver) return;
    timer = setTimeout(() => void turn(), filled > 0 ? AGAIN_MS : EVERY_MS);
    timer.unref();
  };
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
