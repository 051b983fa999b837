// The layers of a map as what the map view draws, from the bottom to the top.

import { useMemo } from 'react';
import type { Drawn } from '../../map/drawn.ts';
import { drawnOf } from '../../map/layer-source.ts';
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

export function useDrawnLayers(layers: readonly ViewerLayer[], sources: LoadedSources): readonly Drawn[] {
  return useMemo(
    () =>
      [...layers].reverse().flatMap((one) => {
        const source = sources.get(keyOf(refOf(one)));
        if (source?.ok !== true) return [];
        return [
          drawnOf(source.value, one.key, {
            opacity: one.opacity,
            visible: one.visible,
            layers: one.draft ?? one.own,
            filter: one.filter,
          }),
        ];
      }),
    [layers, sources],
  );
}
