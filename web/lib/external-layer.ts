// A layer of somebody else's service in a map ⇄ the map's data and the requests for it. Read from whatever is there. Pure.

import type { Extent } from './catalogue-state.ts';

const EXTERNAL_KINDS = ['wms', 'tiles', 'features', 'arcgis-map', 'arcgis-features', 'wfs', 'image'] as const;
const VERSIONS = ['1.3.0', '1.1.1', '2.0.0', '1.1.0'] as const;

export type ExternalLayer = {
  readonly kind: (typeof EXTERNAL_KINDS)[number];
  readonly url: string;
  /** What the service calls it. */
  readonly name: string;
  readonly version: (typeof VERSIONS)[number];
  readonly style: string;
  readonly image: 'image/png' | 'image/jpeg';
  /** In what the service tells of places; null: it does not. */
  readonly info: string | null;
  /** Of WFS: what the service calls GeoJSON, and what it calls a system in degrees; empty: its own ways. */
  readonly output: string;
  readonly srs: string;
  readonly title: string;
  readonly attribution: string;
  readonly bbox: Extent | undefined;
};

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown, most: number): string => (typeof value === 'string' ? value.slice(0, most) : '');

/** Undefined: it is none. */
export function parseExternal(value: unknown): ExternalLayer | undefined {
  if (!isObject(value)) return undefined;
  const kind = EXTERNAL_KINDS.find((one) => one === value['kind']);
  const url = text(value['url'], 2000);
  if (kind === undefined || !/^https?:\/\//i.test(url)) return undefined;
  const { bbox, info } = value;
  const isBox = Array.isArray(bbox) && bbox.length === 4 && bbox.every((one) => Number.isFinite(one));
  return {
    kind,
    url,
    name: text(value['name'], 500),
    version: VERSIONS.find((one) => one === value['version']) ?? '1.3.0',
    style: text(value['style'], 500),
    image: value['image'] === 'image/jpeg' ? 'image/jpeg' : 'image/png',
    info: typeof info === 'string' && info !== '' ? info.slice(0, 100) : null,
    output: text(value['output'], 200),
    srs: text(value['srs'], 200),
    title: text(value['title'], 255) || text(value['name'], 255) || url.slice(0, 255),
    attribution: text(value['attribution'], 500),
    bbox: isBox ? (bbox as unknown as Extent) : undefined,
  };
}

/** Drawn by its service, and not from its features. */
export function isPicture({ kind }: ExternalLayer): boolean {
  return kind === 'wms' || kind === 'tiles' || kind === 'arcgis-map' || kind === 'image';
}

/** `what`: `legend`, `info`, `features`, `picture`, `tiles/{z}/{x}/{y}`. */
export function externalAddress(
  layer: ExternalLayer,
  what: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const { kind, url, name, version, style, image, info, output, srs } = layer;
  const params = new URLSearchParams({
    kind,
    url,
    ...(name === '' ? {} : { name }),
    ...(kind === 'wms' ? { version, image } : {}),
    ...(kind === 'wfs' ? { version } : {}),
    ...(output === '' ? {} : { output }),
    ...(srs === '' ? {} : { srs }),
    ...(style === '' ? {} : { style }),
    ...(info === null ? {} : { info }),
    ...more,
  });
  return `/api/v2/remote/${what}/?${params}`;
}

/** The name of its protocol, as people know it. */
export const PROTOCOLS: Readonly<Record<ExternalLayer['kind'], string>> = {
  wms: 'WMS',
  tiles: 'XYZ / WMTS',
  features: 'OGC API Features',
  'arcgis-map': 'ArcGIS',
  'arcgis-features': 'ArcGIS',
  wfs: 'WFS',
  image: 'STAC',
};
