// The layers of a map as what the map view draws, from the bottom to the top.

import { useMemo } from 'react';
import { externalAddress, isPicture } from '../../lib/external-layer.ts';
import { layerFeatureFilter } from '../../lib/layer-filter.ts';
import { useLiveLayers } from '../../lib/use-live-layers.ts';
import type { Drawn, FeatureFilter } from '../../map/drawn.ts';
import { drawnOf, type LayerSource } from '../../map/layer-source.ts';
import { keyOf, type LoadedSources } from '../../map/use-layer-sources.ts';
import type { ExternalFeatures } from './use-external-features.ts';
import {
  type AnyLayer,
  externalOf,
  hasData,
  isExternal,
  type ViewerExternal,
  type ViewerLayer,
} from './viewer-state.ts';

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
  /** By the id of a layer, how often it was saved here: its tiles are loaded anew at once. */
  readonly saved: ReadonlyMap<string, number>;
};

const NOTHING_EDITED: EditedLayers = { key: undefined, filter: undefined, saved: new Map() };
const NO_CHANGES: ReadonlyMap<number, number> = new Map();

/** Of the layers that are seen, how often their rows have changed since the page was opened. */
export function useChanges(layers: readonly AnyLayer[]): ReadonlyMap<number, number> {
  const ids = layers.filter(hasData).flatMap(({ layer, visible }) => (visible ? [Number(layer.pk)] : []));
  return useLiveLayers(ids, 'map');
}

export function useDrawnLayers(
  layers: readonly AnyLayer[],
  sources: LoadedSources,
  features: ExternalFeatures,
  { key: edited, filter: editFilter, saved }: EditedLayers = NOTHING_EDITED,
  changes = NO_CHANGES,
): readonly Drawn[] {
  return useMemo(
    () =>
      [...layers].reverse().flatMap((one) => {
        const external = externalOf(one);
        if (external !== undefined || isExternal(one))
          return external === undefined ? [] : drawnExternal(external, features);
        const source = sources.get(keyOf(refOf(one)));
        if (source?.ok !== true) return [];
        return [
          drawnOf(renewed(source.value, saved.get(one.layer.pk), changes.get(Number(one.layer.pk))), one.key, {
            opacity: one.opacity,
            visible: one.visible,
            title: one.layer.title,
            layers: one.draft ?? one.own,
            filter: bothOf(
              bothOf(layerFeatureFilter(one.filter, source.value.fields), one.passing),
              one.key === edited ? asEdited(editFilter) : undefined,
            ),
          }),
        ];
      }),
    [layers, sources, features, edited, editFilter, saved, changes],
  );
}

/** Tiles finer than these are rare; coarser ones are drawn larger. */
const MAX_ZOOM = 19;

function drawnExternal(
  { key, external, visible, opacity }: ViewerExternal,
  features: ExternalFeatures,
): readonly Drawn[] {
  if (isPicture(external)) {
    const { bbox: bounds, attribution } = external;
    if (external.kind === 'image') {
      if (bounds === undefined) return [];
      const url = window.location.origin + externalAddress(external, 'picture');
      return [{ kind: 'image', id: key, url, bounds, opacity, visible }];
    }
    const tiles = window.location.origin + externalAddress(external, 'tiles/{z}/{x}/{y}');
    return [{ kind: 'picture', id: key, tiles, bounds, opacity, visible, attribution, maxzoom: MAX_ZOOM }];
  }
  const found = features.get(key);
  if (found === undefined || found === 'failed' || !visible) return [];
  return [{ kind: 'shapes', id: key, look: 'external', data: found, opacity, attribution: external.attribution }];
}

/** A map keeps the tiles of an address, so after every change they have another one. */
function renewed(source: LayerSource, saved = 0, changed = 0): LayerSource {
  if (saved + changed === 0 || source.kind !== 'vector') return source;
  const { tiles, labelTiles } = source;
  const after = `?edits=${saved + changed}`;
  return { ...source, tiles: tiles + after, labelTiles: labelTiles === undefined ? undefined : labelTiles + after };
}

/** What is being edited is on the page alone, so the server cannot leave it out. */
function asEdited(filter: unknown): FeatureFilter | undefined {
  return filter === undefined ? undefined : { map: filter, cql: undefined };
}

export function bothOf(one: FeatureFilter | undefined, other: FeatureFilter | undefined): FeatureFilter | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  // What one side alone understands cannot be joined with what the other alone does: then the server's counts.
  if (one.map === undefined && other.cql === undefined) return one;
  if (other.map === undefined && one.cql === undefined) return other;
  const isAsked = one.cql !== undefined && other.cql !== undefined;
  const isDrawn = one.map !== undefined && other.map !== undefined;
  return {
    map: isDrawn ? ['all', one.map, other.map] : undefined,
    cql: isAsked ? { op: 'and', args: [one.cql, other.cql] } : undefined,
  };
}
