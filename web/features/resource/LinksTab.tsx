// Where programs find an item: its record, its rows, its services.

import type { Layer, Resource } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { CopyField } from '../../ui/CopyField.tsx';
import { Link } from '../../ui/Link.tsx';
import { UseLayer } from './UseLayer.tsx';

const COLLECTIONS = {
  layer: 'layers',
  map: 'maps',
  document: 'documents',
  geostory: 'geostories',
  geoapp: 'geoapps',
} as const;

export function LinksTab({ item, layer }: { readonly item: Resource; readonly layer?: Layer }) {
  const t = useText();
  const origin = window.location.origin;
  const isPlain = layer?.subtype === 'tabular';
  // The portal serves no data of somebody else's layer.
  const isRemote = layer?.subtype === 'remote';
  const isVector = layer !== undefined && layer.storeType !== 'coverageStore' && !isPlain && !isRemote;
  const embed = item.embed_url === '' ? undefined : new URL(item.embed_url, origin).pathname;
  return (
    <div className="links-list">
      <p className="soft">{t('links.about')}</p>
      <CopyField label={t('links.record')} value={`${origin}/api/v2/${COLLECTIONS[item.resource_type]}/${item.pk}/`} />
      {(isVector || isPlain) && (
        <CopyField label={t('links.rest')} value={`${origin}/rest/v1/${encodeURIComponent(layer.name)}`} />
      )}
      {isVector && (
        <>
          <CopyField label={t('links.ogc')} value={`${origin}/ogc/collections/${encodeURIComponent(layer.name)}`} />
          <CopyField
            label={t('links.tiles')}
            value={`${origin}/tiles/${encodeURIComponent(layer.name)}/{z}/{x}/{y}.mvt`}
          />
          <CopyField label={t('links.tilejson')} value={`${origin}/tiles/${encodeURIComponent(layer.name)}.json`} />
          <CopyField label="WFS 2.0" value={`${origin}/wfs?service=WFS&version=2.0.0&request=GetCapabilities`} />
        </>
      )}
      {layer !== undefined && !isPlain && !isRemote && (
        <CopyField label="WMS 1.3.0" value={`${origin}/wms?service=WMS&version=1.3.0&request=GetCapabilities`} />
      )}
      {embed !== undefined && !isPlain && (
        <CopyField
          label={t('links.embed')}
          value={`<iframe src="${origin}${embed}" width="800" height="500" title="${item.title.replaceAll('"', '&quot;')}"></iframe>`}
        />
      )}
      {(isVector || isPlain) && <UseLayer layer={{ origin, name: layer.name, hasMap: isVector }} />}
      {(isVector || isPlain) && (
        <p>
          <Link to={`/console?table=${encodeURIComponent(layer.name)}`}>{t('links.try')}</Link>
        </p>
      )}
    </div>
  );
}
