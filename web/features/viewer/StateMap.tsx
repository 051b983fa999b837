// A map with its layers and nothing beside it, within stories and apps.

import { useMemo, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import { useLayerSources } from '../../map/use-layer-sources.ts';
import { refOf, useDrawnLayers } from './drawn-layers.ts';
import type { ViewerState } from './viewer-state.ts';

export function StateMap({
  state,
  start,
  title,
}: {
  readonly state: ViewerState;
  readonly start: React.ComponentProps<typeof LazyMap>['start'];
  readonly title: string;
}) {
  const t = useText();
  const [layers] = useState(state.layers);
  const refs = useMemo(() => layers.map(refOf), [layers]);
  const sources = useLayerSources(refs);
  const drawn = useDrawnLayers(layers, sources);
  return (
    <LazyMap
      label={t('resource.map-of', { title })}
      drawn={drawn}
      start={start}
      goTo={start !== undefined && 'zoom' in start ? { camera: start } : undefined}
    />
  );
}
