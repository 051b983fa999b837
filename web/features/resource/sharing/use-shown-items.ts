// What an item shows of others: the layers of a map; layers, documents and maps of a dashboard or story, with the layers of these maps.

import { useEffect, useState } from 'react';
import { get } from '../../../api/client.ts';
import type { Resource } from '../../../api/types.ts';
import { type ShownItems, shownItems } from '../../../lib/shown-items.ts';

/** A story with more maps is asked about these. */
const MOST_MAPS = 20;
const NOTHING: Shown = { ids: [], rows: [] };

/** Ids of what is shown; of `rows` the rows are listed. */
export type Shown = { readonly ids: readonly string[]; readonly rows: readonly string[] };

/** Ids; none as long as they are not known. `isWanted`: somebody is going to be asked about them. */
export function useShownItems({ pk, resource_type: type }: Resource, isWanted: boolean): Shown {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (!isWanted) return;
    const gone = new AbortController();
    idsOf(pk, type, gone.signal).then(
      (ids) => {
        if (!gone.signal.aborted) setFound(ids);
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [pk, type, isWanted]);
  return found;
}

/** Those in what is being written, which nothing has kept yet. */
export function useItemsIn(data: unknown, isWanted: boolean): Shown {
  const [found, setFound] = useState(NOTHING);
  // The same items again are nothing new to ask about: most of what is typed changes none of them.
  const shown = isWanted ? JSON.stringify(shownItems(data)) : undefined;
  useEffect(() => {
    if (shown === undefined) return setFound(NOTHING);
    const gone = new AbortController();
    withMaps(JSON.parse(shown), gone.signal).then(
      (ids) => {
        if (!gone.signal.aborted) setFound(ids);
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [shown]);
  return found;
}

async function idsOf(pk: string, type: Resource['resource_type'], signal: AbortSignal): Promise<Shown> {
  switch (type) {
    case 'map':
      return { ids: await layersOf(pk, signal), rows: [] };
    case 'geoapp': {
      const reply = await get(`/api/v2/geoapps/${pk}/?include[]=data`, signal);
      return reply.ok ? withMaps(shownItems(reply.value.geoapp.data), signal) : NOTHING;
    }
    case 'geostory': {
      const reply = await get(`/api/v2/geostories/${pk}/?include[]=data`, signal);
      return reply.ok ? withMaps(shownItems(reply.value.geostory.data), signal) : NOTHING;
    }
    default:
      return NOTHING;
  }
}

async function withMaps({ items, maps, rows }: ShownItems, signal: AbortSignal): Promise<Shown> {
  const ids = maps.slice(0, MOST_MAPS).map(String);
  const layers = await Promise.all(ids.map((id) => layersOf(id, signal)));
  return { ids: [...new Set([...items.map(String), ...ids, ...layers.flat()])], rows: rows.map(String) };
}

async function layersOf(map: string, signal: AbortSignal): Promise<readonly string[]> {
  const reply = await get(`/api/v2/maps/${map}/local_layers/`, signal);
  return reply.ok ? reply.value.map(({ pk }) => pk) : [];
}
