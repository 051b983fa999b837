// When rows of a dashboard's layers change: by a live stream for a few small layers, since a browser has few connections and a stream begins with all of
// its rows; by looking again from time to time (polling) for the others, while the page is seen.

import { useEffect, useState } from 'react';
import { whenRowsChange } from '../../api/live.ts';
import { countRows, restName } from '../../api/rest.ts';
import type { Layer } from '../../api/types.ts';
import { hasRows } from '../../lib/dashboard/columns.ts';
import { useSession } from '../../lib/session.ts';

const MOST_STREAMS = 2;
const MOST_ROWS = 5000;
const TOGETHER_MS = 500;
const LOOK_MS = 30_000;

export function useLiveLayers(layers: ReadonlyMap<number, Layer> | undefined): ReadonlyMap<number, number> {
  const { user } = useSession();
  const [changes, setChanges] = useState<ReadonlyMap<number, number>>(new Map());
  const wanted = [...(layers ?? new Map<number, Layer>())]
    .filter(([, layer]) => hasRows(layer))
    .map(([id, { name }]) => `${id} ${name}`)
    .join('\n');
  useEffect(() => {
    if (user === undefined || wanted === '') return;
    const gone = new AbortController();
    const timers = new Map<number, number>();
    const note = (id: number): void => {
      if (timers.has(id)) return;
      timers.set(
        id,
        window.setTimeout(() => {
          timers.delete(id);
          setChanges((all) => new Map(all).set(id, (all.get(id) ?? 0) + 1));
        }, TOGETHER_MS),
      );
    };
    const looked = new Set<number>();
    const follow = async (id: number, name: string, mayStream: boolean): Promise<void> => {
      const rows = mayStream ? await countRows(name, user !== null, gone.signal) : undefined;
      if (gone.signal.aborted) return;
      if (rows === undefined || rows > MOST_ROWS) {
        looked.add(id);
        return;
      }
      await whenRowsChange(`${encodeURIComponent(restName(name))}`, user !== null, () => note(id), gone.signal);
      // The stream was refused.
      looked.add(id);
    };
    wanted.split('\n').forEach((line, i) => {
      const [id = '', ...name] = line.split(' ');
      void follow(Number(id), name.join(' '), i < MOST_STREAMS);
    });
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') for (const id of looked) note(id);
    }, LOOK_MS);
    return () => {
      gone.abort();
      window.clearInterval(timer);
      for (const one of timers.values()) window.clearTimeout(one);
    };
  }, [wanted, user]);
  return changes;
}
