// A layer of somebody else's service, as a map keeps it and as requests name it: which protocol it speaks, where it is, and what it is called there.
// Pure.

export const REMOTE_KINDS = ['wms', 'tiles', 'features', 'arcgis-map', 'arcgis-features', 'wfs', 'image'] as const;
/** `tiles`: an address with {z}, {x}, {y}, which WMTS and OGC API Tiles come down to, too. `image`: one picture of a place, such as the preview of a scene. */
type RemoteKind = (typeof REMOTE_KINDS)[number];

/** What a WMS tells of a place in; the first that a service has is asked for. */
export const INFO_FORMATS = [
  'application/json',
  'application/geo+json',
  'application/vnd.ogc.gml',
  'text/xml',
  'text/plain',
] as const;
type InfoFormat = (typeof INFO_FORMATS)[number];

/** Of WMS the first two, of WFS the others. */
export const REMOTE_VERSIONS = ['1.1.1', '1.3.0', '1.1.0', '2.0.0'] as const;

export type RemoteLayer = {
  readonly kind: RemoteKind;
  /** Of the service; of tiles the template; of features the collection or layer itself. */
  readonly url: string;
  /** Of WMS, WFS and ArcGIS maps: what the service calls it. Else empty. */
  readonly name: string;
  /** Of WMS and WFS. */
  readonly version: (typeof REMOTE_VERSIONS)[number];
  readonly style: string;
  /** What its pictures are; not `format`, which everywhere in the API is that of the answer. */
  readonly image: 'image/png' | 'image/jpeg';
  /** Undefined: the service tells nothing of places. */
  readonly info: InfoFormat | undefined;
  /** Of WFS: what the service calls GeoJSON; empty: it gives GML. */
  readonly output: string;
  /** Of WFS: what the service calls a system in degrees; empty: the usual name. */
  readonly srs: string;
};

export const MAX_REMOTE_ADDRESS = 2000;
const MAX_NAME = 500;
export const MAX_FORMAT = 200;

type Fields = (name: string) => string | undefined;

/** A complaint, or the layer. */
export function parseRemoteLayer(field: Fields): RemoteLayer | string {
  const kind = REMOTE_KINDS.find((one) => one === field('kind'));
  if (kind === undefined) return `kind is one of ${REMOTE_KINDS.join(', ')}.`;
  const url = field('url') ?? '';
  if (url === '' || url.length > MAX_REMOTE_ADDRESS)
    return `url is an address of ${MAX_REMOTE_ADDRESS} characters at most.`;
  if (!isAddress(url)) return 'url is an address that begins with http:// or https://.';
  if (kind === 'tiles' && !isTemplate(url)) return 'url has {z}, {x} and {y} behind its host.';
  const [name, style] = [field('name') ?? '', field('style') ?? ''];
  const [output, srs] = [field('output') ?? '', field('srs') ?? ''];
  if (output.length > MAX_FORMAT || srs.length > MAX_FORMAT)
    return `output and srs have ${MAX_FORMAT} characters at most.`;
  const versions = kind === 'wfs' ? (['2.0.0', '1.1.0'] as const) : (['1.3.0', '1.1.1'] as const);
  if (name.length > MAX_NAME || style.length > MAX_NAME) return `name and style have ${MAX_NAME} characters at most.`;
  if ((kind === 'wms' || kind === 'wfs' || kind === 'arcgis-map') && name === '')
    return 'name is what the service calls the layer.';
  return {
    kind,
    url,
    name,
    style,
    version: versions.find((one) => one === field('version')) ?? versions[0],
    image: field('image') === 'image/jpeg' ? 'image/jpeg' : 'image/png',
    info: INFO_FORMATS.find((one) => one === field('info')),
    output,
    srs,
  };
}

/** Of HTTP, with a host that no placeholder is part of. */
function isAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { host } = new URL(text);
  return host !== '' && !/[{}]|%7b/i.test(host);
}

export function isTemplate(text: string): boolean {
  return text.includes('{z}') && text.includes('{x}') && (text.includes('{y}') || text.includes('{-y}'));
}
