// The work of the person who is signed in: asked when a page is opened, when somebody comes back to the tab, and when something was begun or has
// ended here. How far it is, the portal tells by itself.

import { useCallback, useEffect, useState } from 'react';
import { get } from '../../api/client.ts';
import { followImport, onFollowed } from '../../api/follow-imports.ts';
import type { ImportNews } from '../../api/import-news.ts';
import { isOver, type JobEntry, jobEntries, stateOfNews } from '../../lib/job-entry.ts';

const MOST = 10;
const NONE: readonly JobEntry[] = [];

/** `n` counts pages; undefined user: nobody is signed in. */
export function useJobs(user: string | undefined, n: number): readonly [readonly JobEntry[], again: () => void] {
  const [listed, setListed] = useState(NONE);
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((now) => now + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, and another turn, ask again.
  useEffect(() => {
    if (user === undefined) return;
    const gone = new AbortController();
    const ask = (): void => {
      if (document.visibilityState === 'hidden') return;
      const own = `filter{user}=${encodeURIComponent(user)}`;
      get(`/api/v2/executionrequest/?${own}&page_size=${MOST}&sort[]=-created`, gone.signal).then(
        (reply) => {
          if (reply.ok) setListed(jobEntries(reply.value.requests, Date.now()));
        },
        () => undefined,
      );
    };
    ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      gone.abort();
      document.removeEventListener('visibilitychange', ask);
    };
  }, [user, n, turn]);
  const known = listed.map(({ id }) => id).join();
  useEffect(() => {
    const ids = new Set(known.split(',').map(Number));
    return onFollowed((id) => {
      if (!ids.has(id)) again();
    });
  }, [known, again]);
  const going = listed.flatMap(({ id, state }) => (isOver(state) ? [] : [id])).join();
  useEffect(() => {
    if (going === '') return;
    const stops = going.split(',').map((id) =>
      followImport(Number(id), (news) => {
        setListed((now) => now.map((entry) => (entry.id === news.id ? told(entry, news) : entry)));
        if (isOver(stateOfNews(news.state))) again();
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [going, again]);
  return [user === undefined ? NONE : listed, again];
}

function told(entry: JobEntry, { state, progress, layer }: ImportNews): JobEntry {
  const now = stateOfNews(state);
  return {
    ...entry,
    state: now,
    progress,
    page: now === 'done' && layer !== null ? `/layers/${layer}` : entry.page,
  };
}
