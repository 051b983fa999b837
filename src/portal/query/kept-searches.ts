// Has the database keep what a search by words finds, once the same words are asked for again (0121). That is done beside the request, which has its
// answer already; what fails is made up for by a later one.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { arrayText } from '../fields/bound-value.ts';
import type { ReadPlan } from './catalogue-sql.ts';
import { isWordSearch } from './condition-sql.ts';

export type KeptSearches = {
  /** Was answered. */
  noted(plan: Pick<ReadPlan, 'source' | 'query'>): void;
};

/** Different words that are remembered as asked for once. */
const MAX_WORDS = 1000;
/** What is kept is looked after so often while it is asked for; in between, the database looks at what was written since. */
const AGAIN_MS = 60_000;
/** Between two that are kept, whoever asks for what. */
const PAUSE_MS = 1000;
/** What takes longer to find than any request may is not kept. */
const LIMIT = { text: "select set_config('statement_timeout', '30s', true)", params: [] };

export function makeKeptSearches(db: CallerDb, clock: Clock): KeptSearches {
  /** When they may be kept; the longest unasked first. */
  const due = new Map<string, number>();
  /** From when on another one may be kept. */
  let next = 0;
  const keep = async (words: string): Promise<void> => {
    next = Number.POSITIVE_INFINITY;
    try {
      await db.service([LIMIT, { text: 'select portal.keep_search($1::text[])', params: [words] }]);
    } catch {
      // Nobody waits for it, so nobody is told; others go on being kept.
    } finally {
      next = clock.now() + PAUSE_MS;
    }
  };
  return {
    noted({ source, query }) {
      const search = query.conditions.find((condition) => isWordSearch(condition, source));
      if (search?.kind !== 'search') return;
      const words = arrayText(search.words);
      const from = due.get(words);
      due.delete(words);
      const now = clock.now();
      const isDue = from !== undefined && from <= now && next <= now;
      due.set(words, isDue ? now + AGAIN_MS : (from ?? now));
      const [oldest] = due.keys();
      if (due.size > MAX_WORDS && oldest !== undefined) due.delete(oldest);
      if (isDue) void keep(words);
    },
  };
}
