// A map or a layer alone, for frames on other sites: no header, no tools, a link to the whole page.

import { useMemo, useRef, useState } from 'react';
import { useCountView } from '../../api/use-count-view.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { extentOf } from '../../lib/bbox.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { parseView } from '../../lib/view-hash.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import type { Camera, Moved } from '../../map/MapView.tsx';
import { useLayerSources } from '../../map/use-layer-sources.ts';
import { Failed, Waiting, WhenLoaded } from '../../ui/States.tsx';
import { AnnotationCard } from './AnnotationCard.tsx';
import { refOf, useChanges, useDrawnLayers } from './drawn-layers.ts';
import { FoundFeatures } from './FoundFeatures.tsx';
import { SwipeTool } from './SwipeTool.tsx';
import { drawnAnnotations, pickedAnnotation } from './use-annotating.ts';
import { useExternalFeatures } from './use-external-features.ts';
import { useIdentify } from './use-identify.ts';
import { useMapRecord } from './use-map-record.ts';
import { changeViewer, EMPTY, hasData, openMap, seenLayers, type ViewerState } from './viewer-state.ts';
import './viewer.css';

export function EmbedPage({ what, name }: { readonly what: 'layer' | 'map'; readonly name: string }) {
  return what === 'map' ? <EmbeddedMap id={Number(name)} /> : <EmbeddedLayer name={name} />;
}

function EmbeddedMap({ id }: { readonly id: number }) {
  const opened = useMapRecord(id);
  const { hash } = usePlace();
  useCountView(opened.kind === 'loaded' ? opened.record.pk : undefined);
  switch (opened.kind) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <Failed failure={opened.failure} onRetry={opened.again} />;
    case 'loaded': {
      const { config, layers, record } = opened;
      return (
        <Embedded
          title={record.title}
          path={`/maps/${record.pk}`}
          state={openMap(config, layers)}
          start={parseView(hash) ?? { center: config.center, zoom: config.zoom }}
        />
      );
    }
  }
}

function EmbeddedLayer({ name }: { readonly name: string }) {
  const filter = /^\d+$/.test(name)
    ? `filter{pk}=${name}`
    : `filter{alternate}=${encodeURIComponent(name.split(':').slice(-2).join(':'))}`;
  const [found, again] = useLoaded(`/api/v2/layers/?${filter}&page_size=1`);
  return (
    <WhenLoaded loaded={found} onRetry={again}>
      {({ layers: [layer] }) =>
        layer === undefined ? (
          <Failed failure={{ kind: 'not-found' }} />
        ) : (
          <Embedded
            title={layer.title}
            path={`/layers/${layer.pk}`}
            state={changeViewer(EMPTY, { kind: 'add', layer })}
            start={extentOf(layer.ll_bbox_polygon)}
          />
        )
      }
    </WhenLoaded>
  );
}

function Embedded({
  title,
  path,
  state,
  start,
}: {
  readonly title: string;
  readonly path: string;
  readonly state: ViewerState;
  readonly start: Camera | Extent | undefined;
}) {
  const t = useText();
  usePageTitle(title);
  const [layers] = useState(() => seenLayers(state));
  const [note, setNote] = useState<string>();
  const [swipe, setSwipe] = useState(state.swipe);
  const view = useRef<Moved | undefined>(undefined);
  const [extent, setExtent] = useState<Extent>();
  const identify = useIdentify(layers, () => view.current?.zoom ?? 1);
  const { marked, pick, clear } = identify;
  const sources = useLayerSources(useMemo(() => layers.filter(hasData).map(refOf), [layers]));
  const features = useExternalFeatures(layers, extent);
  const shown = useDrawnLayers(layers, sources, features, undefined, useChanges(layers));
  const { annotations } = state;
  const drawn = useMemo(() => [...shown, ...drawnAnnotations(annotations), ...marked], [shown, annotations, marked]);
  const noted = annotations.find(({ id }) => id === note);
  return (
    <div className="embed">
      <LazyMap
        label={t('resource.map-of', { title })}
        drawn={drawn}
        start={start}
        onMoved={(to) => {
          view.current = to;
          setExtent(to.extent);
        }}
        onPick={(at, features) => {
          const id = pickedAnnotation(features);
          setNote(id);
          if (id === undefined) pick(at, features);
          else clear();
        }}
        onCluster={() => {
          setNote(undefined);
          clear();
        }}
        basemap={state.basemap}
        swipe={swipe}
        hasTools
      />
      <h1 className="embed-title">
        <a href={path} target="_blank" rel="noopener">
          {title}
        </a>
      </h1>
      {swipe !== undefined && (
        <SwipeTool swipe={swipe} layers={layers} onChange={setSwipe} onClose={() => setSwipe(undefined)} />
      )}
      <FoundFeatures identify={identify} layers={layers} onClose={clear} />
      {noted !== undefined && <AnnotationCard one={noted} onClose={() => setNote(undefined)} />}
    </div>
  );
}
