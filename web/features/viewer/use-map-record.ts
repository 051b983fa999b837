// A map of the catalogue with its configuration and those of its layers that the reader may see.

import { useCallback } from 'react';
import type { Failure } from '../../api/failure.ts';
import type { Layer, MapRecord } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { type MapConfig, parseMapConfig, USUAL_SHOWS } from '../../lib/map-config.ts';
import { NO_LOOK } from '../../lib/presentation.ts';

export type OpenedMap =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly again: () => void }
  | {
      readonly kind: 'loaded';
      readonly record: MapRecord;
      readonly config: MapConfig;
      readonly layers: readonly Layer[];
      /** From before; the answer of now is on its way. */
      readonly isStale: boolean;
      readonly again: () => void;
    };

export function useMapRecord(id: number | undefined): OpenedMap {
  const [map, mapAgain] = useLoaded(
    id === undefined
      ? undefined
      : `/api/v2/maps/${id}/?include[]=data&include[]=sharing&include[]=hidden_layers&include[]=favorite`,
  );
  const [layers, layersAgain] = useLoaded(id === undefined ? undefined : `/api/v2/maps/${id}/local_layers/`);
  const again = useCallback(() => {
    mapAgain();
    layersAgain();
  }, [mapAgain, layersAgain]);
  if (map.kind === 'failed') return { ...map, again };
  if (layers.kind === 'failed') return { ...layers, again };
  if (map.kind === 'loading' || layers.kind === 'loading') return { kind: 'loading' };
  const record = map.value.map;
  const config =
    record.data === null || record.data === undefined
      ? {
          center: [record.center_x, record.center_y] as const,
          zoom: record.zoom,
          layers: [],
          groups: [],
          annotations: [],
          bookmarks: [],
          swipe: undefined,
          basemap: undefined,
          shows: USUAL_SHOWS,
        }
      : parseMapConfig(record.data);
  // A map without viewer data still has its layers.
  const shown =
    config.layers.length > 0 || record.data
      ? config.layers
      : layers.value.map(({ alternate, name, title }) => ({
          alternate: alternate ?? name,
          title,
          visible: true,
          opacity: 1,
          style: undefined,
          own: undefined,
          filter: undefined,
          controls: [],
          look: NO_LOOK,
          group: undefined,
        }));
  return {
    kind: 'loaded',
    record,
    config: { ...config, layers: shown },
    layers: layers.value,
    isStale: map.isStale || layers.isStale,
    again,
  };
}
