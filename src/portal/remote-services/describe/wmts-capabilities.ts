// Capabilities of a WMTS → what it offers, each as an address with {z}, {x} and {y}. Layers are left out whose tiles are not those of web maps: another
// coordinate system, other scales, or matrices without a number at the end of their names. Pure.

import { childOf, childrenOf, textOf, type XmlElement } from '../../../geo/style/xml-tree.ts';
import { withParams } from '../remote-request.ts';
import { bounded, boxOf, MAX_OFFERS, PLAIN_LAYER, type RemoteOffer, type RemoteService } from './remote-service.ts';

/** Of zoom 0, with tiles of 256 pixels. */
const WORLD_SCALE = 559_082_264.0287178;

export function parseWmts(root: XmlElement, url: string): RemoteService | undefined {
  if (root.name !== 'Capabilities') return undefined;
  const contents = childOf(root, 'Contents');
  if (contents === undefined || childOf(contents, 'Layer') === undefined) return undefined;
  const about = childOf(root, 'ServiceIdentification');
  const prefixes = new Map(
    childrenOf(contents, 'TileMatrixSet').flatMap((set) => {
      const prefix = webMatrixPrefix(set);
      return prefix === undefined ? [] : [[textOf(childOf(set, 'Identifier')), prefix] as const];
    }),
  );
  const all = childrenOf(contents, 'Layer');
  return {
    kind: 'wmts',
    title: bounded(textOf(childOf(about, 'Title')), 255),
    abstract: bounded(textOf(childOf(about, 'Abstract')), 2000),
    offers: all.slice(0, MAX_OFFERS).flatMap((layer) => offerOf(layer, prefixes, url)),
    truncated: all.length > MAX_OFFERS,
  };
}

function offerOf(layer: XmlElement, prefixes: ReadonlyMap<string, string>, url: string): readonly RemoteOffer[] {
  const name = textOf(childOf(layer, 'Identifier')).slice(0, 500);
  const set = childrenOf(layer, 'TileMatrixSetLink')
    .map((link) => textOf(childOf(link, 'TileMatrixSet')))
    .find((one) => prefixes.has(one));
  const formats = childrenOf(layer, 'Format').map(textOf);
  const format =
    formats.find((one) => one === 'image/png') ?? formats.find((one) => /^image\/(?:jpe?g|png8?|webp)$/.test(one));
  if (name === '' || set === undefined || format === undefined) return [];
  const styles = childrenOf(layer, 'Style');
  const style = textOf(
    childOf(styles.find(({ attributes }) => attributes['isDefault'] === 'true') ?? styles[0], 'Identifier'),
  );
  const parts: Readonly<Record<string, string>> = {
    tilematrixset: encodeURIComponent(set),
    tilematrix: `${encodeURIComponent(prefixes.get(set) ?? '')}{z}`,
    tilecol: '{x}',
    tilerow: '{y}',
    style: encodeURIComponent(style),
  };
  const resource = childrenOf(layer, 'ResourceURL').find(
    ({ attributes }) => attributes['resourceType'] === 'tile' && attributes['format'] === format,
  )?.attributes['template'];
  const defaults = new Map(
    childrenOf(layer, 'Dimension').map((one) => [
      textOf(childOf(one, 'Identifier')).toLowerCase(),
      textOf(childOf(one, 'Default')),
    ]),
  );
  const template =
    resource === undefined
      ? keyedTemplate(url, { layer: name, style, format, tilematrixset: set }, prefixes.get(set) ?? '')
      : resource.replace(/\{([^{}]{1,60})\}/g, (_whole, part: string) => {
          const key = part.toLowerCase();
          return parts[key] ?? encodeURIComponent(defaults.get(key) ?? '');
        });
  const box = childOf(layer, 'WGS84BoundingBox');
  const corners = ['LowerCorner', 'UpperCorner'].flatMap((corner) => textOf(childOf(box, corner)).split(/\s/));
  return [
    {
      name,
      title: bounded(textOf(childOf(layer, 'Title')), 255) || name,
      abstract: bounded(textOf(childOf(layer, 'Abstract')), 2000),
      keywords: [],
      bbox: box === undefined ? undefined : boxOf(corners),
      attribution: '',
      layer: { ...PLAIN_LAYER, kind: 'tiles', url: template },
    },
  ];
}

function keyedTemplate(url: string, params: Readonly<Record<string, string>>, prefix: string): string {
  const { origin, pathname } = new URL(url);
  const whole = withParams(origin + pathname, url, {
    service: 'WMTS',
    request: 'GetTile',
    version: '1.0.0',
    ...params,
  });
  return `${whole}&tilematrix=${encodeURIComponent(prefix)}{z}&tilecol={x}&tilerow={y}`;
}

/** What stands before the zoom in the names of its matrices; undefined: it is not the grid of web maps. */
function webMatrixPrefix(set: XmlElement): string | undefined {
  const crs = textOf(childOf(set, 'SupportedCRS'));
  if (!/[:/](?:3857|900913)$/.test(crs) || !/EPSG/i.test(crs)) return undefined;
  const matrices = childrenOf(set, 'TileMatrix');
  const prefixes = matrices.map((matrix) => {
    const scale = Number(textOf(childOf(matrix, 'ScaleDenominator')));
    const zoom = Math.log2(WORLD_SCALE / scale);
    const id = textOf(childOf(matrix, 'Identifier'));
    const number = String(Math.round(zoom));
    const isOfWeb = Math.abs(zoom - Math.round(zoom)) < 0.01 && textOf(childOf(matrix, 'TileWidth')) === '256';
    return isOfWeb && id.endsWith(number) ? id.slice(0, -number.length) : undefined;
  });
  const [first] = prefixes;
  return first !== undefined && prefixes.every((one) => one === first) ? first : undefined;
}
