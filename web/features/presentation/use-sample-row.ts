// A row of a layer, to show what its pop-up looks like. Undefined: it has none, or it is not told.

import { useEffect, useState } from 'react';
import { itemRows } from '../../api/features.ts';
import { restRows } from '../../api/rest.ts';
import type { Layer } from '../../api/types.ts';
import { hasPlaces } from '../../lib/dashboard/columns.ts';
import { useSession } from '../../lib/session.ts';

type Row = Readonly<Record<string, unknown>>;

export function useSampleRow(layer: Layer): Row | undefined {
  const { user } = useSession();
  const [row, setRow] = useState<Row>();
  const { name } = layer;
  const isPlaced = hasPlaces(layer);
  useEffect(() => {
    if (user === undefined) return;
    const gone = new AbortController();
    const path = encodeURIComponent(name);
    const asking = isPlaced
      ? itemRows(`/ogc/collections/${path}/items?f=json&skipGeometry=true&limit=1`, undefined, gone.signal)
      : restRows(`${path}?limit=1`, user !== null, gone.signal);
    asking.then(
      (reply) => setRow(reply.ok ? reply.value.rows[0] : undefined),
      () => undefined,
    );
    return () => gone.abort();
  }, [name, isPlaced, user]);
  return row;
}
