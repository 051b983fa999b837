// What lies at the place that was clicked, the topmost first: features that the map has drawn, and the numbers of rasters, which the
// server is asked for.

import { useCallback, useEffect, useRef, useState } from 'react';
import { rasterValues } from '../../api/raster.ts';
import type { Layer } from '../../api/types.ts';
import type { Picked } from '../../map/MapView.tsx';

/** From the top to the bottom. */
export type Identified = { readonly key: string; readonly layer: Layer; readonly visible: boolean };

export type Identify = {
  readonly found: readonly Picked[];
  readonly pick: (at: readonly [number, number], features: readonly Picked[]) => void;
  readonly clear: () => void;
};

export function useIdentify(layers: readonly Identified[]): Identify {
  const [found, setFound] = useState<readonly Picked[]>([]);
  const now = useRef(layers);
  now.current = layers;
  const asking = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => asking.current?.abort(), []);
  const clear = useCallback(() => {
    asking.current?.abort();
    setFound([]);
  }, []);
  const pick = useCallback((at: readonly [number, number], features: readonly Picked[]): void => {
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
        return properties === undefined ? [] : [{ drawn: key, id: undefined, properties }];
      }),
    ).then(
      (values) => setFound(inOrder([...features, ...values.flat()])),
      () => undefined,
    );
  }, []);
  return { found, pick, clear };
}
