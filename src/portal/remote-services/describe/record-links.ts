// The links of a catalogue's record → what a map can show of it: a service that draws it, tiles, features; or why there is nothing. Pure.

import { isTemplate, MAX_REMOTE_ADDRESS, type RemoteLayer } from '../remote-layer.ts';
import { arcgisPlace } from './arcgis-service.ts';
import { type OfferReason, PLAIN_LAYER } from './remote-service.ts';

export type RecordLink = {
  readonly href: string;
  /** `OGC:WMS` and the like; empty: the record does not say. */
  readonly protocol: string;
  /** What the service calls the layer. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly rel: string;
  readonly title: string;
};

export const NO_LINK: RecordLink = { href: '', protocol: '', name: '', type: '', rel: '', title: '' };

type Protocol = 'wms' | 'wmts' | 'wfs';

export type LinkChoice =
  | { readonly kind: 'layer'; readonly layer: RemoteLayer; readonly page: string | undefined }
  /** A service whose capabilities say the rest; `guess`: what is likely, if they cannot be read. */
  | {
      readonly kind: 'service';
      readonly url: string;
      readonly name: string;
      readonly protocol: Protocol;
      readonly guess: RemoteLayer | undefined;
      readonly page: string | undefined;
    }
  | { readonly kind: 'none'; readonly reason: OfferReason; readonly page: string | undefined };

/** Of a record that links to much. */
const MAX_LINKS = 100;

/** `base`: what its addresses are relative to. */
export function chooseLink(links: readonly RecordLink[], base: string): LinkChoice {
  const whole = links.slice(0, MAX_LINKS).flatMap((link) => {
    const href = wholeAddress(link.href, base);
    return href === undefined ? [] : [{ ...link, href }];
  });
  const page = pageOf(whole);
  const found = whole.flatMap((link) => {
    const one = ofLink(link);
    return one === undefined ? [] : [one];
  });
  const rank = ({ kind, protocol, layer }: Found): number => ORDER.indexOf(kind === 'service' ? protocol : layer.kind);
  const [best] = found.sort((one, other) => rank(one) - rank(other));
  if (best?.kind === 'layer') return { kind: 'layer', layer: best.layer, page };
  if (best?.kind === 'service') {
    const { url, name, protocol } = best;
    return { kind: 'service', url, name, protocol, guess: guessOf(best), page };
  }
  const hasFiles = whole.some((link) => isFile(link));
  return { kind: 'none', reason: hasFiles ? 'files' : page !== undefined ? 'page' : 'no-links', page };
}

type Found =
  | {
      readonly kind: 'service';
      readonly protocol: Protocol;
      readonly url: string;
      readonly name: string;
      readonly layer?: undefined;
    }
  | { readonly kind: 'layer'; readonly layer: RemoteLayer; readonly protocol?: undefined };

/** What is drawn by its service first, then what is drawn from features. */
const ORDER: readonly (string | undefined)[] = [
  'tiles',
  'wms',
  'wmts',
  'arcgis-map',
  'features',
  'arcgis-features',
  'wfs',
];
/** Those that lead through the catalogue itself. */
const OF_CATALOGUE: ReadonlySet<string> = new Set([
  'self',
  'collection',
  'parent',
  'root',
  'next',
  'prev',
  'alternate',
  'preview',
  'icon',
]);

function ofLink(link: RecordLink): Found | undefined {
  if (OF_CATALOGUE.has(link.rel)) return undefined;
  const { href } = link;
  if (isTemplate(href))
    return /\{(?!-?[xyz]\})/.test(href)
      ? undefined
      : { kind: 'layer', layer: { ...PLAIN_LAYER, kind: 'tiles', url: href } };
  const url = new URL(href);
  const params = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const protocol = protocolOf(link, url, params);
  if (protocol !== undefined) {
    const asked = params.get('layers') ?? params.get('layer') ?? params.get('typenames') ?? params.get('typename');
    const name = (asked === undefined || asked.includes(',') ? link.name : asked).slice(0, 500);
    return { kind: 'service', protocol, url: serviceAddress(url), name };
  }
  const arcgis = arcgisPlace(href);
  if (arcgis?.layer !== undefined) {
    const { service, layer: name } = arcgis;
    const isFeatures = new URL(service).pathname.endsWith('/FeatureServer');
    const layer: RemoteLayer = isFeatures
      ? { ...PLAIN_LAYER, kind: 'arcgis-features', url: href }
      : { ...PLAIN_LAYER, kind: 'arcgis-map', url: service, name, info: 'application/json' };
    return { kind: 'layer', layer };
  }
  const collection = /^(.{1,1500}\/collections\/[^/]{1,300})(?:\/items)?\/?$/.exec(url.pathname)?.[1];
  const isApi = /json/.test(link.type) || /ogc.{0,5}api|features/i.test(link.protocol.slice(0, 200));
  return collection === undefined || !isApi
    ? undefined
    : { kind: 'layer', layer: { ...PLAIN_LAYER, kind: 'features', url: url.origin + collection } };
}

function protocolOf(link: RecordLink, url: URL, params: ReadonlyMap<string, string>): Protocol | undefined {
  const said = [params.get('service') ?? '', link.protocol, link.rel, link.title, url.pathname.split('/').at(-1) ?? ''];
  for (const one of said) {
    const word = /(?:^|[^a-z])(wmts|wms|wfs)(?:$|[^a-z])/i.exec(one.slice(0, 200))?.[1]?.toLowerCase();
    if (word === 'wms' || word === 'wmts' || word === 'wfs') return word;
  }
  return undefined;
}

const ASKED: ReadonlySet<string> = new Set(
  'service request version acceptversions layers layer styles style format width height bbox crs srs srsname transparent typename typenames outputformat count maxfeatures'.split(
    ' ',
  ),
);

/** Without what the link asks for: the rest of it belongs to the service. */
export function serviceAddress(url: URL): string {
  const plain = new URL(url.href);
  for (const name of [...plain.searchParams.keys()]) if (ASKED.has(name.toLowerCase())) plain.searchParams.delete(name);
  plain.hash = '';
  return plain.href;
}

function guessOf({ protocol, url, name }: Extract<Found, { kind: 'service' }>): RemoteLayer | undefined {
  if (name === '') return undefined;
  if (protocol === 'wms') return { ...PLAIN_LAYER, kind: 'wms', url, name, info: 'application/json' };
  return protocol === 'wfs' ? { ...PLAIN_LAYER, kind: 'wfs', url, name, version: '2.0.0' } : undefined;
}

function isFile({ protocol, rel, type }: RecordLink): boolean {
  if (rel === 'enclosure' || /download|^data$|file/i.test(protocol.slice(0, 200))) return true;
  return rel === 'item' && type !== '' && type !== 'text/html';
}

function pageOf(links: readonly RecordLink[]): string | undefined {
  const isPage = ({ type, protocol }: RecordLink): boolean =>
    type === 'text/html' || protocol === 'html' || /www:link/i.test(protocol.slice(0, 200));
  const own = links.find(
    (link) => isPage(link) && ['alternate', 'canonical', 'about', 'describedby', ''].includes(link.rel),
  );
  return (own ?? links.find((link) => isPage(link) && link.rel !== 'related') ?? links.find(isFile))?.href;
}

/** Of HTTP, and of a length that is kept. */
export function wholeAddress(href: string, base: string): string | undefined {
  if (href === '' || href.length > MAX_REMOTE_ADDRESS) return undefined;
  if (isTemplate(href)) return /^https?:\/\//i.test(href) ? href : undefined;
  if (!URL.canParse(href, base)) return undefined;
  const { href: whole, protocol } = new URL(href, base);
  return (protocol === 'https:' || protocol === 'http:') && whole.length <= MAX_REMOTE_ADDRESS ? whole : undefined;
}
