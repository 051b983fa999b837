// A map or a layer alone, for frames on other sites: no header, no tools, a link to the whole page, and what its author wants shown beside it.

import { useMemo, useRef, useState } from 'react';
import { useCountView } from '../../api/use-count-view.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { extentOf } from '../../lib/bbox.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { pageWithLink } from '../../lib/share-link.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { parseView } from '../../lib/view-hash.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import type { Camera, Moved } from '../../map/MapView.tsx';
import type { LayerDetail } from '../../map/use-details.ts';
import { useLayerSources } from '../../map/use-layer-sources.ts';
import { Failed, Waiting, WhenLoaded } from '../../ui/States.tsx';
import { AnnotationCard } from './AnnotationCard.tsx';
import type { Destination } from './destination.ts';
import { refOf, useChanges, useDrawnLayers } from './drawn-layers.ts';
import { FoundFeatures } from './FoundFeatures.tsx';
import { MapContents } from './MapContents.tsx';
import { PlaceSearch } from './PlaceSearch.tsx';
import { SwipeTool } from './SwipeTool.tsx';
import { drawnAnnotations, pickedAnnotation } from './use-annotating.ts';
import { useExternalFeatures } from './use-external-features.ts';
import { useIdentify } from './use-identify.ts';
import { useMapRecord } from './use-map-record.ts';
import { useReaderChoices } from './use-reader-choices.ts';
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
          abstract={record.raw_abstract}
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
            abstract={layer.raw_abstract}
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
  abstract,
  path,
  state,
  start,
}: {
  readonly title: string;
  readonly abstract: string;
  readonly path: string;
  readonly state: ViewerState;
  readonly start: Camera | Extent | undefined;
}) {
  const t = useText();
  usePageTitle(title);
  const [seen] = useState(() => seenLayers(state));
  const choices = useReaderChoices(seen);
  const { layers } = choices;
  const { shows } = state;
  const [details, setDetails] = useState<readonly LayerDetail[]>([]);
  const [goTo, go] = useState<Destination>();
  const [note, setNote] = useState<string>();
  const [swipe, setSwipe] = useState(state.swipe);
  const view = useRef<Moved | undefined>(undefined);
  const [extent, setExtent] = useState<Extent>();
  const identify = useIdentify(layers, () => view.current?.zoom ?? 1);
  const { marked, pick, clear } = identify;
  const sources = useLayerSources(useMemo(() => seen.filter(hasData).map(refOf), [seen]));
  const hasControls = seen.some((one) => hasData(one) && one.controls.length > 0);
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
        goTo={goTo}
        onDetails={setDetails}
        furniture={shows}
        hasTools
      />
      <div className="embed-head">
        <h1 className={shows.title ? 'embed-title' : 'visually-hidden'}>
          <a href={pageWithLink(path)} target="_blank" rel="noopener">
            {title}
          </a>
        </h1>
        {shows.description && abstract !== '' && <p>{abstract}</p>}
        {(shows.legend || shows.layers || hasControls) && layers.length > 0 && (
          <details>
            <summary>{t(shows.legend ? 'resource.legend' : 'viewer.layers')}</summary>
            <MapContents choices={choices} sources={sources} shows={shows} details={details} />
          </details>
        )}
      </div>
      {shows.search && <PlaceSearch onGo={(camera) => go({ camera })} />}
      {swipe !== undefined && (
        <SwipeTool swipe={swipe} layers={layers} onChange={setSwipe} onClose={() => setSwipe(undefined)} />
      )}
      <FoundFeatures identify={identify} layers={layers} onClose={clear} />
      {noted !== undefined && <AnnotationCard one={noted} onClose={() => setNote(undefined)} />}
    </div>
  );
}
