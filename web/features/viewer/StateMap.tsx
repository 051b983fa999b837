// A map with its layers and nothing beside it, within stories and apps.

import { useMemo, useState } from 'react';
import type { Extent } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import type { Moved } from '../../map/MapView.tsx';
import { useLayerSources } from '../../map/use-layer-sources.ts';
import { refOf, useDrawnLayers } from './drawn-layers.ts';
import { drawnAnnotations } from './use-annotating.ts';
import { useExternalFeatures } from './use-external-features.ts';
import { hasData, seenLayers, type ViewerState } from './viewer-state.ts';

export function StateMap({
  state,
  start,
  title,
  isFlown = false,
  onMoved,
}: {
  readonly state: ViewerState;
  readonly start: React.ComponentProps<typeof LazyMap>['start'];
  readonly title: string;
  /** Another start is flown to, over a distance. */
  readonly isFlown?: boolean;
  readonly onMoved?: (to: Moved) => void;
}) {
  const t = useText();
  const [layers] = useState(() => seenLayers(state));
  const [annotations] = useState(state.annotations);
  const refs = useMemo(() => layers.filter(hasData).map(refOf), [layers]);
  const [extent, setExtent] = useState<Extent>();
  const sources = useLayerSources(refs);
  const shown = useDrawnLayers(layers, sources, useExternalFeatures(layers, extent));
  const drawn = useMemo(() => [...shown, ...drawnAnnotations(annotations)], [shown, annotations]);
  return (
    <LazyMap
      label={t('resource.map-of', { title })}
      drawn={drawn}
      start={start}
      goTo={
        start === undefined
          ? undefined
          : 'zoom' in start
            ? { camera: start, isFlown }
            : isFlown
              ? { extent: start }
              : undefined
      }
      onMoved={(to) => {
        setExtent(to.extent);
        onMoved?.(to);
      }}
    />
  );
}
