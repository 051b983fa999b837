// What the layers on a map show in place of every feature, at the place and zoom where somebody looks. Whether few enough features pass a filter
// to be drawn one by one, the server alone knows: it is asked once for each filter.

import { useEffect, useMemo, useState } from 'react';
import { getFor } from '../api/client.ts';
import { type Detail, detailAt, type TileOverview } from '../lib/detail.ts';
import type { Drawn } from './drawn.ts';
import { isTileJson } from './layer-source.ts';
import { askedFilter } from './map-style.ts';

export type LayerDetail = { readonly id: string; readonly title: string; readonly detail: Detail };
export type Looked = { readonly zoom: number; readonly lat: number };
type Vector = Extract<Drawn, { readonly kind: 'vector' }>;

/** By address of the filtered layer: how its tiles are summarised; null: they are not. */
const known = new Map<string, TileOverview | null>();
const MAX_KNOWN = 200;

export function useDetails(drawn: readonly Drawn[]): (at: Looked) => readonly LayerDetail[] {
  const summarised = useMemo(
    () => drawn.filter((one): one is Vector => one.kind === 'vector' && one.visible && one.overview !== undefined),
    [drawn],
  );
  const addresses = summarised.flatMap((one) => addressOf(one) ?? []);
  const wanted = JSON.stringify([...new Set(addresses)]);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const asked = new AbortController();
    const missing = (JSON.parse(wanted) as readonly string[]).filter((address) => !known.has(address));
    for (const address of missing)
      void getFor(isTileJson, address, asked.signal).then(
        (reply) => {
          // A filter that the server refuses hides the layer: there is nothing to say of it.
          const overview = reply.ok ? reply.value.vector_layers[0]?.overview : undefined;
          if (known.size >= MAX_KNOWN) known.clear();
          known.set(address, overview ?? null);
          setTurn((n) => n + 1);
        },
        () => undefined,
      );
    return () => asked.abort();
  }, [wanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn is an answer that has come.
  return useMemo(
    () => (at) =>
      summarised.flatMap((one): readonly LayerDetail[] => {
        const address = addressOf(one);
        const overview = address === undefined ? one.overview : (known.get(address) ?? undefined);
        const detail = detailAt(overview, one.layers, at);
        return detail === undefined ? [] : [{ id: one.id, title: one.title ?? '', detail }];
      }),
    [summarised, turn],
  );
}

/** Undefined: all of the layer is shown. */
function addressOf({ tiles, filter }: Vector): string | undefined {
  const asked = askedFilter(filter);
  const [before = ''] = tiles.split('/{z}/{x}/{y}.mvt');
  return asked === undefined ? undefined : `${before.replace(window.location.origin, '')}.json?${asked}`;
}
