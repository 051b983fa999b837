// The page of a layer: on the map, its legend, its attributes, its downloads, its addresses.

import { useMemo, useState } from 'react';
import type { Layer } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { addressColumns } from '../../lib/address-columns.ts';
import { extentOf } from '../../lib/bbox.ts';
import { useText } from '../../lib/i18n/text.ts';
import { layerFeatureFilter, parseLayerFilter } from '../../lib/layer-filter.ts';
import { downloadPath } from '../../lib/row-paths.ts';
import { useSession } from '../../lib/session.ts';
import { withLink } from '../../lib/share-link.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import { drawnOf, legendEntries } from '../../map/layer-source.ts';
import { keyOf, useLayerSources } from '../../map/use-layer-sources.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Failed, Waiting, WhenLoaded } from '../../ui/States.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { AnalysisDialog } from '../analysis/AnalysisDialog.tsx';
import { GeocodeReview } from '../analysis/GeocodeReview.tsx';
import { LineagePanel } from '../analysis/LineagePanel.tsx';
import { Comments } from '../social/Comments.tsx';
import { ExternalLegend, hasLegend } from '../viewer/ExternalLegend.tsx';
import { FilterChips } from '../viewer/FilterChips.tsx';
import { FoundFeatures } from '../viewer/FoundFeatures.tsx';
import { StateMap } from '../viewer/StateMap.tsx';
import { useIdentify } from '../viewer/use-identify.ts';
import { changeViewer, EMPTY, remoteOf } from '../viewer/viewer-state.ts';
import { About, FactsPanel } from './About.tsx';
import { AttributesTab } from './AttributesTab.tsx';
import { DataTab } from './columns/DataTab.tsx';
import { DisplayTab } from './DisplayTab.tsx';
import { EditHistory } from './EditHistory.tsx';
import { attributeNames, Legend } from './Legend.tsx';
import { LinksTab } from './LinksTab.tsx';
import { PlainTable } from './PlainTable.tsx';
import { ProvenancePanel } from './ProvenancePanel.tsx';
import { ResourceHead } from './ResourceHead.tsx';

/** By id, or by the name that the catalogue's addresses have: `store:workspace:name` or `workspace:name`. */
export function LayerPage({ name }: { readonly name: string }) {
  return /^\d+$/.test(name) ? <LayerById id={name} /> : <LayerByName name={name} />;
}

function LayerByName({ name }: { readonly name: string }) {
  const alternate = name.split(':').slice(-2).join(':');
  const [found, again] = useLoaded(`/api/v2/layers/?filter{alternate}=${encodeURIComponent(alternate)}&page_size=1`);
  return (
    <WhenLoaded loaded={found} onRetry={again}>
      {({ layers: [layer] }) =>
        layer === undefined ? <Failed failure={{ kind: 'not-found' }} /> : <LayerById id={layer.pk} />
      }
    </WhenLoaded>
  );
}

function LayerById({ id }: { readonly id: string }) {
  const [loaded, again] = useLoaded(`/api/v2/layers/${id}/?include[]=sharing&include[]=favorite`);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ layer }) => <LayerView layer={layer} onChanged={again} />}
    </WhenLoaded>
  );
}

type TabName = 'about' | 'review' | 'attributes' | 'display' | 'history' | 'data' | 'links';

function LayerView({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const t = useText();
  const { user } = useSession();
  const [tab, setTab] = useState<TabName>('about');
  const isPlain = layer.subtype === 'tabular';
  const isRemote = layer.remote !== null;
  const isVector = layer.storeType !== 'coverageStore' && !isPlain && !isRemote;
  const columns = layer.attribute_set.map(({ attribute }) => attribute);
  const isGeocodedLayer = columns.includes('geocode_state');
  const hasAddresses = Object.keys(addressColumns(columns)).length > 0;
  const [isAnalysing, setAnalysing] = useState(false);
  const isReadable = layer.perms.includes('download_resourcebase') || layer.perms.includes('change_layer_data');
  const mayAnalyse = !isRemote && isReadable && user !== null && user !== undefined;
  return (
    <article>
      <ResourceHead item={layer} onChanged={onChanged}>
        {!isPlain && (
          <Link className="button primary" to={`/viewer?layer=${layer.pk}`}>
            <Icon name="map" />
            {t('resource.open-viewer')}
          </Link>
        )}
        {!isRemote && layer.perms.includes('download_resourcebase') && <DownloadMenu layer={layer} />}
        {(isVector || isPlain) && user !== null && user !== undefined && (
          <Link className="button" to={`/apps/new?layer=${layer.pk}`}>
            <Icon name="geoapp" />
            {t('dash.from-layer')}
          </Link>
        )}
        {mayAnalyse && !(isPlain && hasAddresses) && (
          <Button icon="layer" onClick={() => setAnalysing(true)}>
            {t(isPlain ? 'geocode.button' : 'process.button')}
          </Button>
        )}
      </ResourceHead>
      <div className="resource-body">
        <div className="stack">
          {isPlain && mayAnalyse && hasAddresses && (
            <p className="notice">
              <Icon name="info" />
              <span>{t('geocode.offer')}</span>
              <Button onClick={() => setAnalysing(true)}>{t('geocode.button')}</Button>
            </p>
          )}
          {isVector && layer.ll_bbox_polygon === null && (
            <p className="notice">
              <Icon name="info" />
              <span>{t(layer.perms.includes('change_layer_data') ? 'layer.empty-draw' : 'layer.empty')}</span>
            </p>
          )}
          {isPlain ? (
            <PlainTable layer={layer} onChanged={onChanged} />
          ) : isRemote ? (
            <RemoteMap layer={layer} />
          ) : (
            // Places are reviewed on a map of their own.
            tab !== 'review' && <LayerMap layer={layer} />
          )}
          <Tabs
            label={t('resource.parts')}
            chosen={tab}
            onChoose={setTab}
            tabs={[
              { name: 'about', label: t('resource.about') },
              ...(isVector && isGeocodedLayer && layer.perms.includes('change_layer_data')
                ? [{ name: 'review' as const, label: t('geocode.review') }]
                : []),
              ...(isVector ? [{ name: 'attributes' as const, label: t('resource.attributes') }] : []),
              ...((isVector || isPlain) && !layer.is_registered && layer.perms.includes('download_resourcebase')
                ? [{ name: 'history' as const, label: t('history.title') }]
                : []),
              ...((isVector || isPlain) && layer.perms.includes('change_layer_data')
                ? [{ name: 'data' as const, label: t('data.title') }]
                : []),
              ...((isVector || isPlain) && layer.perms.includes('change_resourcebase')
                ? [{ name: 'display' as const, label: t('look.title') }]
                : []),
              { name: 'links', label: t('resource.links') },
            ]}
          >
            {tab === 'about' && (
              <div className="stack">
                <About item={layer} />
                {(isVector || isPlain) && <LineagePanel layer={layer} onChanged={onChanged} />}
              </div>
            )}
            {tab === 'review' && <GeocodeReview layer={layer} />}
            {tab === 'attributes' && <AttributesTab layer={layer} />}
            {tab === 'history' && <EditHistory layer={layer} />}
            {tab === 'data' && <DataTab layer={layer} onChanged={onChanged} />}
            {tab === 'display' && <DisplayTab layer={layer} onChanged={onChanged} />}
            {tab === 'links' && <LinksTab item={layer} layer={layer} />}
          </Tabs>
          <Comments item={layer} />
        </div>
        <aside className="side">
          {!isPlain && (isRemote ? <RemoteLegend layer={layer} /> : <LayerLegend layer={layer} />)}
          <FactsPanel item={layer} />
          <ProvenancePanel layer={layer} />
        </aside>
      </div>
      {isAnalysing && <AnalysisDialog layer={layer} onClose={() => setAnalysing(false)} />}
    </article>
  );
}

/** Of a registered service: drawn by it, as maps draw it. */
function RemoteMap({ layer }: { readonly layer: Layer }) {
  const state = useMemo(() => changeViewer(EMPTY, { kind: 'add', layer }), [layer]);
  return (
    <div className="resource-map">
      <StateMap state={state} start={extentOf(layer.ll_bbox_polygon)} title={layer.title} />
    </div>
  );
}

function LayerMap({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const shown = useMemo(() => [{ key: 'layer', layer, visible: true }], [layer]);
  const identify = useIdentify(shown, () => 0);
  const { marked, pick, clear } = identify;
  const sources = useLayerSources([layer]);
  const loaded = sources.get(keyOf({ pk: layer.pk, storeType: layer.storeType }));
  const [filter, setFilter] = useState(() => parseLayerFilter(layer.default_filter));
  const drawn = useMemo(() => {
    if (loaded?.ok !== true) return [];
    const passing = layerFeatureFilter(filter, loaded.value.fields);
    return [drawnOf(loaded.value, 'layer', { opacity: 1, visible: true, filter: passing }), ...marked];
  }, [loaded, marked, filter]);
  if (loaded === undefined)
    return <div className="resource-map skeleton" role="status" aria-label={t('state.loading')} />;
  if (!loaded.ok) return <p className="notice warm">{t('resource.no-map')}</p>;
  return (
    <>
      {filter !== undefined && <FilterChips filter={filter} names={attributeNames(layer)} onChange={setFilter} />}
      <div className="resource-map">
        <LazyMap
          label={t('resource.map-of', { title: layer.title })}
          drawn={drawn}
          start={extentOf(layer.ll_bbox_polygon)}
          onPick={pick}
        />
        <FoundFeatures identify={identify} layers={shown} onClose={clear} />
      </div>
    </>
  );
}

/** As its service draws it; those that have none are not asked. */
function RemoteLegend({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const external = remoteOf(layer);
  if (external === undefined || !hasLegend(external)) return null;
  return (
    <section className="panel">
      <h2>{t('resource.legend')}</h2>
      <ExternalLegend external={external} />
    </section>
  );
}

function LayerLegend({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const sources = useLayerSources([layer]);
  const loaded = sources.get(keyOf({ pk: layer.pk, storeType: layer.storeType }));
  return (
    <section className="panel">
      <h2>{t('resource.legend')}</h2>
      {loaded === undefined && <Waiting />}
      {loaded?.ok === true && (
        <Legend
          entries={legendEntries(loaded.value)}
          layer={layer.pk}
          title={layer.title}
          names={attributeNames(layer)}
        />
      )}
      {loaded?.ok === false && <p className="soft">{t('resource.no-map')}</p>}
    </section>
  );
}

const VECTOR_FORMATS = ['geojson', 'gpkg', 'shp.zip', 'csv', 'xlsx', 'kml', 'kmz', 'fgb', 'parquet'] as const;
const TABLE_FORMATS = ['csv', 'xlsx', 'json', 'gpkg', 'parquet'] as const;

function DownloadMenu({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const [hasAliases, setAliases] = useState(false);
  const formats =
    layer.subtype === 'tabular'
      ? TABLE_FORMATS
      : layer.storeType === 'coverageStore'
        ? (['tif'] as const)
        : VECTOR_FORMATS;
  return (
    <Menu label={t('resource.download')} icon="download" align="left">
      {(close) => (
        <>
          {layer.attribute_set.length > 0 && (
            <label className="check small-text item">
              <input type="checkbox" checked={hasAliases} onChange={(event) => setAliases(event.target.checked)} />
              {t('download.aliases')}
            </label>
          )}
          {formats.map((format) => (
            <a
              key={format}
              className="item"
              href={withLink(downloadPath(layer.pk, format, undefined, hasAliases))}
              download={`${layer.name}.${format}`}
              onClick={close}
            >
              <Icon name="download" />
              {t(`format.${format}`)}
            </a>
          ))}
        </>
      )}
    </Menu>
  );
}
