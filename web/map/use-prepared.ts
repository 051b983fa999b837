// While the summary of a layer with very many features is being prepared, its tiles hold a sample. Asked again until it is there, and then drawn anew.

import { useEffect, useMemo, useState } from 'react';
import { getFor } from '../api/client.ts';
import type { TileOverview } from '../lib/detail.ts';
import type { Drawn } from './drawn.ts';
import { isTileJson, leftOutOf } from './layer-source.ts';

type Vector = Extract<Drawn, { readonly kind: 'vector' }>;
type Prepared = Pick<Vector, 'overview' | 'leftOut'>;

const EVERY_MS = 5000;
/** Half an hour: what takes longer is seen when the page is opened again. */
const MAX_TURNS = 360;

export function usePrepared(drawn: readonly Drawn[]): readonly Drawn[] {
  const [prepared, setPrepared] = useState<ReadonlyMap<string, Prepared>>(new Map());
  const missing = drawn.flatMap((one) =>
    one.kind === 'vector' && one.visible && isUnfinished(one.overview) && !prepared.has(one.tiles) ? [one.tiles] : [],
  );
  const wanted = JSON.stringify([...new Set(missing)]);
  useEffect(() => {
    const addresses = JSON.parse(wanted) as readonly string[];
    if (addresses.length === 0) return;
    const asked = new AbortController();
    let turns = 0;
    const timer = setInterval(() => {
      // A page that nobody looks at asks nothing.
      if (document.visibilityState === 'hidden') return;
      turns += 1;
      if (turns >= MAX_TURNS) clearInterval(timer);
      for (const address of addresses)
        void askFor(address, asked.signal).then(
          (found) => {
            if (found !== undefined) setPrepared((before) => new Map(before).set(address, found));
          },
          () => undefined,
        );
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      asked.abort();
    };
  }, [wanted]);
  return useMemo(
    () =>
      drawn.map((one) => {
        const now = one.kind === 'vector' ? prepared.get(one.tiles) : undefined;
        return now === undefined ? one : { ...one, ...now, isPrepared: true };
      }),
    [drawn, prepared],
  );
}

function isUnfinished(overview: TileOverview | undefined): boolean {
  return overview?.state === 'preparing' || overview?.state === 'updating';
}

/** Undefined: not yet, or the server has no answer now. */
async function askFor(tiles: string, signal: AbortSignal): Promise<Prepared | undefined> {
  const address = tiles.replace(window.location.origin, '').replace('/{z}/{x}/{y}.mvt', '.json');
  const reply = await getFor(isTileJson, address, signal);
  const layer = reply.ok ? reply.value.vector_layers[0] : undefined;
  if (layer === undefined || isUnfinished(layer.overview)) return undefined;
  return { overview: layer.overview, leftOut: leftOutOf(layer.fields ?? {}, layer.overview) };
}
