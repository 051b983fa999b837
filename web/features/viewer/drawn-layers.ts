// The layers of a map as what the map view draws, from the bottom to the top.

import { useMemo } from 'react';
import type { Drawn } from '../../map/drawn.ts';
import { drawnOf, type LayerSource } from '../../map/layer-source.ts';
import { keyOf, type LoadedSources } from '../../map/use-layer-sources.ts';
import type { ViewerLayer } from './viewer-state.ts';

export const refOf = ({
  layer,
  style,
}: ViewerLayer): { pk: string; storeType: string | null; style: string | undefined } => ({
  pk: layer.pk,
  storeType: layer.storeType,
  style,
});

export type EditedLayers = {
  /** The one whose features an editor draws itself, but for those that pass the filter. */
  readonly key: string | undefined;
  readonly filter: unknown;
  /** By the id of a layer, how often it was saved: a map keeps the tiles of an address, so each time they have another one. */
  readonly saved: ReadonlyMap<string, number>;
};

const NOTHING_EDITED: EditedLayers = { key: undefined, filter: undefined, saved: new Map() };

export function useDrawnLayers(
  layers: readonly ViewerLayer[],
  sources: LoadedSources,
  { key: edited, filter: editFilter, saved }: EditedLayers = NOTHING_EDITED,
): readonly Drawn[] {
  return useMemo(
    () =>
      [...layers].reverse().flatMap((one) => {
        const source = sources.get(keyOf(refOf(one)));
        if (source?.ok !== true) return [];
        return [
          drawnOf(renewed(source.value, saved.get(one.layer.pk)), one.key, {
            opacity: one.opacity,
            visible: one.visible,
            layers: one.draft ?? one.own,
            filter: one.key === edited ? bothOf(one.filter, editFilter) : one.filter,
          }),
        ];
      }),
    [layers, sources, edited, editFilter, saved],
  );
}

function renewed(source: LayerSource, times: number | undefined): LayerSource {
  if (times === undefined || source.kind !== 'vector') return source;
  const { tiles, labelTiles } = source;
  const after = `?edits=${times}`;
  return { ...source, tiles: tiles + after, labelTiles: labelTiles === undefined ? undefined : labelTiles + after };
}

function bothOf(one: unknown, other: unknown): unknown {
  return one === undefined ? other : other === undefined ? one : ['all', one, other];
}
