// Capabilities of a WMS (1.1.1, 1.3.0) → what it offers. Layers without a name are headings; what they say holds for those below them. Pure.

import { childOf, childrenOf, textOf, type XmlElement } from '../../../geo/style/xml-tree.ts';
import { INFO_FORMATS, type RemoteLayer } from '../remote-layer.ts';
import type { Box } from '../remote-request.ts';
import {
  bounded,
  boxOf,
  keywordsOf,
  MAX_OFFERS,
  PLAIN_LAYER,
  type RemoteOffer,
  type RemoteService,
} from './remote-service.ts';

/** `url`: where the capabilities were asked for. */
export function parseWms(root: XmlElement, url: string): RemoteService | undefined {
  if (root.name !== 'WMS_Capabilities' && root.name !== 'WMT_MS_Capabilities') return undefined;
  const about = childOf(root, 'Service');
  const capability = childOf(root, 'Capability');
  const requests = childOf(capability, 'Request');
  const formats = (name: string): readonly string[] => childrenOf(childOf(requests, name), 'Format').map(textOf);
  const version = root.attributes['version'] === '1.3.0' ? '1.3.0' : '1.1.1';
  const infos = formats('GetFeatureInfo').map((one) => one.toLowerCase());
  const info = INFO_FORMATS.find((one) => infos.includes(one));
  const image = formats('GetMap').some((one) => one.startsWith('image/png')) ? 'image/png' : 'image/jpeg';
  const offers: RemoteOffer[] = [];
  let truncated = false;
  const visit = (layer: XmlElement, above: { readonly bbox: Box | undefined; readonly attribution: string }): void => {
    const bbox = boxOfLayer(layer) ?? above.bbox;
    const attribution = bounded(textOf(childOf(childOf(layer, 'Attribution'), 'Title')), 500) || above.attribution;
    const name = textOf(childOf(layer, 'Name'));
    if (name !== '' && offers.length >= MAX_OFFERS) truncated = true;
    else if (name !== '') {
      const one: RemoteLayer = {
        ...PLAIN_LAYER,
        kind: 'wms',
        url,
        name: name.slice(0, 500),
        version,
        image,
        info: layer.attributes['queryable'] === '1' ? info : undefined,
      };
      offers.push({
        name: one.name,
        title: bounded(textOf(childOf(layer, 'Title')), 255) || one.name,
        abstract: bounded(textOf(childOf(layer, 'Abstract')), 2000),
        keywords: keywordsOf(childrenOf(childOf(layer, 'KeywordList'), 'Keyword').map(textOf)),
        bbox,
        attribution,
        layer: one,
      });
    }
    for (const child of childrenOf(layer, 'Layer')) visit(child, { bbox, attribution });
  };
  for (const layer of childrenOf(capability, 'Layer')) visit(layer, { bbox: undefined, attribution: '' });
  return {
    kind: 'wms',
    title: bounded(textOf(childOf(about, 'Title')), 255),
    abstract: bounded(textOf(childOf(about, 'Abstract')), 2000),
    offers,
    truncated,
  };
}

function boxOfLayer(layer: XmlElement): Box | undefined {
  const geographic = childOf(layer, 'EX_GeographicBoundingBox');
  if (geographic !== undefined) {
    const side = (name: string): string => textOf(childOf(geographic, name));
    return boxOf(['westBoundLongitude', 'southBoundLatitude', 'eastBoundLongitude', 'northBoundLatitude'].map(side));
  }
  const old = childOf(layer, 'LatLonBoundingBox')?.attributes;
  return old === undefined ? undefined : boxOf([old['minx'], old['miny'], old['maxx'], old['maxy']]);
}
