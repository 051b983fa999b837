// The layer on a map, with what the other widgets leave of it. The others show the feature that was clicked, or on demand what lies in its view.

import { useMemo, useRef, useState } from 'react';
import type { Layer } from '../../api/types.ts';
import { extentOf } from '../../lib/bbox.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import type { Widget } from '../../lib/dashboard/dashboard.ts';
import { conditionsOf, mapConditions } from '../../lib/dashboard/selection.ts';
import { parseToWrite } from '../../lib/exact-json.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Drawn, FeatureFilter } from '../../map/drawn.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import { drawnOf } from '../../map/layer-source.ts';
import type { Picked } from '../../map/MapView.tsx';
import { keyOf, useLayerSources } from '../../map/use-layer-sources.ts';
import { useLayerSchema } from '../viewer/table/use-layer-schema.ts';
import { useWidgetScope } from './dashboard-scope.ts';

export function MapWidget({ widget, layer }: { readonly widget: Widget; readonly layer: Layer }) {
  const t = useText();
  const { own, others, select, changes } = useWidgetScope(widget, layer);
  const ref = { pk: layer.pk, storeType: layer.storeType };
  const loaded = useLayerSources([ref]).get(keyOf(ref));
  const map = mapConditions(others);
  const filter = map === undefined ? undefined : JSON.stringify({ map, cql: conditionsOf(others).filter });
  const drawn = useMemo(() => {
    if (loaded?.ok !== true) return [];
    const conditions = filter === undefined ? undefined : (parseToWrite(filter) as FeatureFilter);
    const { tiles, labelTiles } = loaded.value;
    // A map keeps the tiles of an address: changed rows have another one.
    const after = changes === 0 || loaded.value.kind === 'raster' ? '' : `?changes=${changes}`;
    const source = {
      ...loaded.value,
      tiles: tiles + after,
      labelTiles: labelTiles === undefined ? undefined : labelTiles + after,
    };
    return [drawnOf(source, 'layer', { opacity: 1, visible: true, filter: conditions })];
  }, [loaded, filter, changes]);
  const view = useRef<Extent | undefined>(undefined);
  const schema = useLayerSchema(loaded?.ok === true && loaded.value.kind !== 'raster' ? layer.name : undefined);
  const key = schema.isKnown ? schema.key : undefined;
  const [clicked, setClicked] = useState<Picked>();
  const chosen = own?.kind === 'feature' ? own.id : undefined;
  const shape = chosen === undefined || clicked === undefined ? undefined : clicked.shape;
  const shown = useMemo<readonly Drawn[]>(
    () => (shape === undefined ? drawn : [...drawn, { kind: 'shapes', id: 'chosen', look: 'chosen', data: shape }]),
    [drawn, shape],
  );
  /** The same one again, or a place where nothing is, lets go of it. */
  const pick = (features: readonly Picked[]): void => {
    const feature = features.find((one) => one.drawn === 'layer');
    const id = key === undefined ? undefined : (feature?.id ?? feature?.properties[key]);
    if ((typeof id !== 'string' && typeof id !== 'number') || key === undefined || id === chosen) {
      if (chosen !== undefined) select(undefined);
      return;
    }
    setClicked(feature);
    select({ kind: 'feature', column: key, id });
  };
  if (loaded?.ok === false) return <p className="notice warm">{t('resource.no-map')}</p>;
  return (
    <div className="widget-map">
      <LazyMap
        label={t('resource.map-of', { title: widget.title === '' ? layer.title : widget.title })}
        drawn={shown}
        start={extentOf(layer.ll_bbox_polygon)}
        onMoved={({ extent }) => {
          view.current = extent;
          if (own?.kind === 'extent') select({ kind: 'extent', extent });
        }}
        onPick={(_at, features) => pick(features)}
      />
      <label className="check map-follow">
        <input
          type="checkbox"
          checked={own?.kind === 'extent'}
          onChange={(event) =>
            select(
              event.target.checked && view.current !== undefined ? { kind: 'extent', extent: view.current } : undefined,
            )
          }
        />
        {t('dash.follow-map')}
      </label>
    </div>
  );
}
