// When rows of layers change (polling): one small request for all of them asks for their versions every few seconds, while the page is seen. No rows are
// loaded and no connection is held, however many layers there are and however large. Dashboards count anew, and maps load new tiles, where a version changed.

import { useEffect, useState } from 'react';
import { get } from '../api/client.ts';

const LOOK_MS = 2500;
/** A map may be open in many windows, and new tiles cost more than a number. */
const MAP_LOOK_MS = 5000;
/** After failures, and where nobody notes changes. */
const SELDOM_MS = 30_000;
/** The server names no more at once. */
const MAX_LAYERS = 100;

/** By the id of a layer, how often it has changed since the page was opened. `of`: a map leaves layers alone whose changes nobody notes. */
export function useLiveLayers(ids: readonly number[], of: 'dashboard' | 'map'): ReadonlyMap<number, number> {
  const [changes, setChanges] = useState<ReadonlyMap<number, number>>(new Map());
  const wanted = [...new Set(ids)]
    .sort((a, b) => a - b)
    .slice(0, MAX_LAYERS)
    .map((id) => `pk=${id}`)
    .join('&');
  useEffect(() => {
    if (wanted === '') return;
    const gone = new AbortController();
    const known = new Map<number, string | null>();
    let timer: number | undefined;
    let isAsking = false;
    let lookedAt = Date.now();
    const look = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      const reply = await get(`/api/v2/layers/data_versions/?${wanted}`, gone.signal).catch(() => undefined);
      isAsking = false;
      if (gone.signal.aborted) return;
      if (reply?.ok === true) {
        const isDue = of === 'dashboard' && Date.now() - lookedAt >= SELDOM_MS;
        if (isDue) lookedAt = Date.now();
        const changed = reply.value.versions.flatMap(({ pk, version }) => {
          const before = known.get(Number(pk));
          known.set(Number(pk), version);
          if (before === undefined) return [];
          return version === null ? (isDue ? [Number(pk)] : []) : before === version ? [] : [Number(pk)];
        });
        if (changed.length > 0)
          setChanges((all) => new Map([...all, ...changed.map((id) => [id, (all.get(id) ?? 0) + 1] as const)]));
      }
      wait(reply?.ok !== true ? SELDOM_MS : of === 'map' ? MAP_LOOK_MS : LOOK_MS);
    };
    const wait = (ms: number): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (document.visibilityState === 'visible') void look();
      }, ms);
    };
    // A page that is seen again looks at once.
    const onSeen = (): void => {
      if (document.visibilityState === 'visible') void look();
    };
    document.addEventListener('visibilitychange', onSeen);
    void look();
    return () => {
      gone.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onSeen);
    };
  }, [wanted, of]);
  return changes;
}
