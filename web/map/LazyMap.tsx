// The map, loaded when one is first shown: its code is larger than all the rest.

import { lazy, Suspense } from 'react';
import { useText } from '../lib/i18n/text.ts';
import type { MapViewProps } from './MapView.tsx';

const MapView = lazy(() => import('./MapView.tsx').then((m) => ({ default: m.MapView })));

export function LazyMap(props: MapViewProps) {
  const t = useText();
  return (
    <Suspense fallback={<div className="map-wait skeleton" role="status" aria-label={t('state.loading')} />}>
      <MapView {...props} />
    </Suspense>
  );
}
