// Capabilities of a WFS (2.0, 1.1) → what it offers: its feature types, and in which format each gives its features. GeoJSON is asked for where the
// service has it, else GML. Pure.

import { parseCrs } from '../../../geo/crs.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../../../geo/style/xml-tree.ts';
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
export function parseWfs(root: XmlElement, url: string): RemoteService | undefined {
  if (root.name !== 'WFS_Capabilities') return undefined;
  const about = childOf(root, 'ServiceIdentification');
  const version = (root.attributes['version'] ?? '').startsWith('1.1') ? '1.1.0' : '2.0.0';
  const output = jsonFormat(root);
  const all = childrenOf(childOf(root, 'FeatureTypeList'), 'FeatureType');
  return {
    kind: 'wfs',
    title: bounded(textOf(childOf(about, 'Title')), 255),
    abstract: bounded(textOf(childOf(about, 'Abstract')), 2000),
    offers: all.slice(0, MAX_OFFERS).flatMap((type): readonly RemoteOffer[] => {
      const name = textOf(childOf(type, 'Name')).slice(0, 500);
      if (name === '') return [];
      const box = childOf(type, 'WGS84BoundingBox');
      const corners = ['LowerCorner', 'UpperCorner'].flatMap((corner) => textOf(childOf(box, corner)).split(/\s/));
      const own = childrenOf(childOf(type, 'OutputFormats'), 'Format').map(textOf);
      return [
        {
          name,
          title: bounded(textOf(childOf(type, 'Title')), 255) || name,
          abstract: bounded(textOf(childOf(type, 'Abstract')), 2000),
          keywords: keywordsOf(childrenOf(childOf(type, 'Keywords'), 'Keyword').map(textOf)),
          bbox: box === undefined ? undefined : boxOf(corners),
          attribution: '',
          layer: {
            ...PLAIN_LAYER,
            kind: 'wfs',
            url,
            name,
            version,
            output: (jsonAmong(own) ?? output).slice(0, 100),
            srs: degreesOf(type),
          },
        },
      ];
    }),
    truncated: all.length > MAX_OFFERS,
  };
}

/** The name that the service gives to a system in degrees; empty: it names none, and is asked for the usual one. */
function degreesOf(type: XmlElement): string {
  const names = childrenOf(type, 'DefaultCRS', 'OtherCRS', 'DefaultSRS', 'OtherSRS').map(textOf);
  const known = names.slice(0, 1000).map((name) => ({ name, crs: parseCrs(name.slice(0, 200)) }));
  const found = known.find(({ crs }) => crs?.isCrs84) ?? known.find(({ crs }) => crs?.srid === 4326);
  return found?.name.slice(0, 200) ?? '';
}

function jsonFormat(root: XmlElement): string {
  const operation = childrenOf(childOf(root, 'OperationsMetadata'), 'Operation').find(
    ({ attributes }) => attributes['name'] === 'GetFeature',
  );
  const parameter = childrenOf(operation, 'Parameter').find(
    ({ attributes }) => attributes['name']?.toLowerCase() === 'outputformat',
  );
  // 2.0 has them in AllowedValues, 1.1 has them at once.
  const values = [...childrenOf(childOf(parameter, 'AllowedValues'), 'Value'), ...childrenOf(parameter, 'Value')];
  return jsonAmong(values.map(textOf)) ?? '';
}

/** As the service calls it; undefined: it has none. */
function jsonAmong(formats: readonly string[]): string | undefined {
  const forms = formats.slice(0, 200).filter((one) => one.length <= 100);
  const geo = forms.find((one) => /geo\+?json/i.test(one) && !/zip|csv|callback/i.test(one));
  return geo ?? forms.find((one) => /^(?:application\/)?json$/i.test(one));
}
