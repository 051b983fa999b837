// What lies at the place that was clicked, the topmost first: features that the map has drawn; where it drew several as one, their rows, which the
// server is asked for, as it is for the numbers of rasters.

import type { Geometry } from 'geojson';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { getFor } from '../../api/client.ts';
import { featureShape } from '../../api/features.ts';
import { featuresWithin } from '../../api/place-info.ts';
import { rasterValues } from '../../api/raster.ts';
import type { Layer } from '../../api/types.ts';
import { type ExternalLayer, externalAddress } from '../../lib/external-layer.ts';
import { isListOf, isObject, isRecordOf } from '../../lib/guard.ts';
import type { Drawn } from '../../map/drawn.ts';
import type { Picked } from '../../map/MapView.tsx';
import { remoteOf } from './viewer-state.ts';

/** From the top to the bottom. */
export type Identified = { readonly key: string; readonly visible: boolean } & (
  | { readonly layer: Layer }
  | { readonly external: ExternalLayer }
);

type OfCatalogue = Extract<Identified, { readonly layer: Layer }>;
type OfOthers = Extract<Identified, { readonly external: ExternalLayer }>;
const isOfCatalogue = (one: Identified): one is OfCatalogue => 'layer' in one;
const isOfOthers = (one: Identified): one is OfOthers => 'external' in one;

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

/** `zoomNow`: how near one looks. */
export function useIdentify(layers: readonly Identified[], zoomNow: () => number): Identify {
  const [found, setFoundOnly] = useState<readonly Picked[]>([]);
  const [at, setAt] = useState(0);
  // Another place begins with its first feature.
  const setFound = useCallback((next: readonly Picked[]): void => {
    setFoundOnly(next);
    setAt(0);
  }, []);
  const now = useRef(layers);
  now.current = layers;
  const zoom = useRef(zoomNow);
  zoom.current = zoomNow;
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
      const rasters = shown
        .filter(isOfCatalogue)
        .filter(({ layer }) => layer.remote === null)
        .filter(({ layer }) => layer.storeType === 'coverageStore');
      const others = shown
        .flatMap((one): readonly OfOthers[] => {
          if (isOfOthers(one)) return [one];
          const external = remoteOf(one.layer);
          return external === undefined ? [] : [{ key: one.key, visible: one.visible, external }];
        })
        .filter(({ external }) => external.info !== null);
      const inOrder = (hits: readonly Picked[]): readonly Picked[] =>
        shown.flatMap(({ key }) => hits.filter(({ drawn }) => drawn === key));
      const crowds = features.filter(({ crowd }) => crowd !== undefined);
      if (rasters.length + others.length + crowds.length === 0) {
        setFound(inOrder(features));
        return;
      }
      const asked = new AbortController();
      asking.current = asked;
      Promise.all([
        ...rasters.map(async ({ key, layer }): Promise<readonly Picked[]> => {
          const properties = await rasterValues(layer.alternate ?? layer.name, at, asked.signal);
          return properties === undefined ? [] : [{ drawn: key, id: undefined, properties, shape: undefined }];
        }),
        ...others.map((one) => externalFacts(one, at, zoom.current(), asked.signal)),
        ...crowds.map((one) => rowsOf(one, shown.filter(isOfCatalogue), asked.signal)),
      ]).then(
        (values) => setFound(inOrder([...features.filter((one) => !crowds.includes(one)), ...values.flat()])),
        () => undefined,
      );
    },
    [setFound],
  );
  const feature = found[at];
  const layer = layers.filter(isOfCatalogue).find(({ key }) => key === feature?.drawn)?.layer;
  const shape = useWholeShape(feature, layer);
  const marked = useMemo<readonly Drawn[]>(
    () => (shape === undefined ? [] : [{ kind: 'shapes', id: 'identified', look: 'chosen', data: shape }]),
    [shape],
  );
  return { found, at, go: setAt, marked, pick, clear };
}

/** As many as anybody goes through one by one. */
const MAX_ROWS = 50;

/** The features that a cell or a hexagon stands for; itself, where they cannot be told. */
async function rowsOf(one: Picked, layers: readonly OfCatalogue[], signal: AbortSignal): Promise<readonly Picked[]> {
  const layer = layers.find(({ key }) => key === one.drawn)?.layer;
  if (layer === undefined || one.crowd === undefined) return [];
  const { extent, filter } = one.crowd;
  const rows = await featuresWithin(layer, extent, { filter, most: MAX_ROWS }, signal);
  if (rows === undefined || rows.length === 0) return [one];
  return rows.map((row) => ({ drawn: one.drawn, ...row, crowd: one.crowd }));
}

const isFacts = isRecordOf<{ readonly found: readonly object[] }>({ found: isListOf(isObject) });

/** A service that does not answer has found nothing. */
async function externalFacts(
  { key, external }: OfOthers,
  [lng, lat]: readonly [number, number],
  zoom: number,
  signal: AbortSignal,
): Promise<readonly Picked[]> {
  const place = { lng: String(lng), lat: String(lat), zoom: zoom.toFixed(2) };
  const reply = await getFor(isFacts, externalAddress(external, 'info', place), signal);
  if (!reply.ok) return [];
  return reply.value.found.map((properties) => ({
    drawn: key,
    id: undefined,
    properties: properties as Picked['properties'],
    shape: undefined,
  }));
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
