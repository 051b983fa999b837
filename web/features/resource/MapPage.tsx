// The page of a map: how it looks, what it is made of, what is known of it.

import { useMemo, useState } from 'react';
import type { Extent } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import type { LayerDetail } from '../../map/use-details.ts';
import { useLayerSources } from '../../map/use-layer-sources.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Failed, Waiting } from '../../ui/States.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Comments } from '../social/Comments.tsx';
import type { Destination } from '../viewer/destination.ts';
import { refOf, useDrawnLayers } from '../viewer/drawn-layers.ts';
import { HiddenLayers } from '../viewer/HiddenLayers.tsx';
import { MapContents } from '../viewer/MapContents.tsx';
import { PlaceSearch } from '../viewer/PlaceSearch.tsx';
import { drawnAnnotations } from '../viewer/use-annotating.ts';
import { useExternalFeatures } from '../viewer/use-external-features.ts';
import { type OpenedMap, useMapRecord } from '../viewer/use-map-record.ts';
import { useReaderChoices } from '../viewer/use-reader-choices.ts';
import { hasData, openMap, seenLayers } from '../viewer/viewer-state.ts';
import { About, FactsPanel } from './About.tsx';
import { LinksTab } from './LinksTab.tsx';
import { ResourceHead } from './ResourceHead.tsx';

export function MapPage({ id }: { readonly id: number }) {
  const opened = useMapRecord(id);
  switch (opened.kind) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <Failed failure={opened.failure} onRetry={opened.again} />;
    case 'loaded':
      return <MapRecordView opened={opened} />;
  }
}

function MapRecordView({ opened }: { readonly opened: Extract<OpenedMap, { kind: 'loaded' }> }) {
  const t = useText();
  const { record, config, layers } = opened;
  const [tab, setTab] = useState<'about' | 'links'>('about');
  const state = useMemo(() => openMap(config, layers), [config, layers]);
  const sources = useLayerSources(state.layers.filter(hasData).map(refOf));
  const [extent, setExtent] = useState<Extent>();
  const seen = useMemo(() => seenLayers(state), [state]);
  const choices = useReaderChoices(seen);
  const shown = useDrawnLayers(choices.layers, sources, useExternalFeatures(choices.layers, extent));
  const [details, setDetails] = useState<readonly LayerDetail[]>([]);
  const [goTo, go] = useState<Destination>();
  const { shows } = state;
  const drawn = useMemo(() => [...shown, ...drawnAnnotations(state.annotations)], [shown, state.annotations]);
  return (
    <article>
      <ResourceHead item={record} onChanged={opened.again}>
        <Link className="button primary" to={`/viewer/${record.pk}`}>
          <Icon name="map" />
          {t('resource.open-viewer')}
        </Link>
      </ResourceHead>
      <div className="resource-body">
        <div className="stack">
          <div className="resource-map">
            <LazyMap
              label={t('resource.map-of', { title: record.title })}
              drawn={drawn}
              start={{ center: config.center, zoom: config.zoom }}
              goTo={goTo}
              furniture={shows}
              basemap={state.basemap}
              onDetails={setDetails}
              onMoved={(to) => setExtent(to.extent)}
            />
            {shows.search && <PlaceSearch onGo={(camera) => go({ camera })} />}
          </div>
          <Tabs
            label={t('resource.parts')}
            chosen={tab}
            onChoose={setTab}
            tabs={[
              { name: 'about', label: t('resource.about') },
              { name: 'links', label: t('resource.links') },
            ]}
          >
            {tab === 'about' ? <About item={record} /> : <LinksTab item={record} />}
          </Tabs>
          <Comments item={record} />
        </div>
        <aside className="side">
          <section className="panel">
            <h2>{t('resource.layers')}</h2>
            <HiddenLayers hidden={record.hidden_layers ?? 0} shown={state.layers.length} />
            {state.layers.length === 0 && (record.hidden_layers ?? 0) > 0 ? null : state.layers.length === 0 ? (
              <p className="soft">{t('viewer.no-layers')}</p>
            ) : (
              <MapContents choices={choices} sources={sources} shows={shows} details={details} hasLinks />
            )}
          </section>
          <FactsPanel item={record} />
        </aside>
      </div>
    </article>
  );
}
