// What lies at the place that was clicked, the topmost first: features that the map has drawn, and the numbers of rasters, which the
// server is asked for.

import type { Geometry } from 'geojson';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { featureShape } from '../../api/features.ts';
import { rasterValues } from '../../api/raster.ts';
import type { Layer } from '../../api/types.ts';
import type { Drawn } from '../../map/drawn.ts';
import type { Picked } from '../../map/MapView.tsx';

/** From the top to the bottom. */
export type Identified = { readonly key: string; readonly layer: Layer; readonly visible: boolean };

export type Identify = {
  readonly found: readonly Picked[];
  /** Which of them is told of. */
  readonly at: number;
  readonly go: (at: number) => void;
  /** That one on the map. */
  readonly marked: readonly Drawn[];
  readonly pick: (at: readonly [number, number], features: readonly Picked[]) => void;
  readonly clear: () => void;
};

export function useIdentify(layers: readonly Identified[]): Identify {
  const [found, setFoundOnly] = useState<readonly Picked[]>([]);
  const [at, setAt] = useState(0);
  // Another place begins with its first feature.
  const setFound = useCallback((next: readonly Picked[]): void => {
    setFoundOnly(next);
    setAt(0);
  }, []);
  const now = useRef(layers);
  now.current = layers;
  const asking = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => asking.current?.abort(), []);
  const clear = useCallback(() => {
    asking.current?.abort();
    setFound([]);
  }, [setFound]);
  const pick = useCallback(
    (at: readonly [number, number], features: readonly Picked[]): void => {
      asking.current?.abort();
      const shown = now.current.filter(({ visible }) => visible);
      const rasters = shown.filter(({ layer }) => layer.storeType === 'coverageStore');
      const inOrder = (hits: readonly Picked[]): readonly Picked[] =>
        shown.flatMap(({ key }) => hits.filter(({ drawn }) => drawn === key));
      if (rasters.length === 0) {
        setFound(inOrder(features));
        return;
      }
      const asked = new AbortController();
      asking.current = asked;
      Promise.all(
        rasters.map(async ({ key, layer }): Promise<readonly Picked[]> => {
          const properties = await rasterValues(layer.alternate ?? layer.name, at, asked.signal);
          return properties === undefined ? [] : [{ drawn: key, id: undefined, properties, shape: undefined }];
        }),
      ).then(
        (values) => setFound(inOrder([...features, ...values.flat()])),
        () => undefined,
      );
    },
    [setFound],
  );
  const feature = found[at];
  const layer = layers.find(({ key }) => key === feature?.drawn)?.layer;
  const shape = useWholeShape(feature, layer);
  const marked = useMemo<readonly Drawn[]>(
    () => (shape === undefined ? [] : [{ kind: 'shapes', id: 'identified', look: 'chosen', data: shape }]),
    [shape],
  );
  return { found, at, go: setAt, marked, pick, clear };
}

/** What the map has of a feature ends at the edges of a tile: the whole of it is asked for. */
function useWholeShape(feature: Picked | undefined, layer: Layer | undefined): Geometry | undefined {
  const [whole, setWhole] = useState<{ readonly of: Picked; readonly shape: Geometry }>();
  useEffect(() => {
    if (feature?.id === undefined || layer === undefined || feature.shape?.type === 'Point') return;
    const asked = new AbortController();
    void featureShape(layer.name, feature.id, asked.signal).then((shape) => {
      if (shape !== undefined) setWhole({ of: feature, shape });
    });
    return () => asked.abort();
  }, [feature, layer]);
  return whole !== undefined && whole.of === feature ? whole.shape : feature?.shape;
}
