// The description of an ArcGIS service (MapServer, ImageServer, FeatureServer; `?f=json`) → what it offers. Pure.

import { isObject } from '../remote-content.ts';
import type { RemoteLayer } from '../remote-layer.ts';
import type { Box } from '../remote-request.ts';
import { bounded, boxOf, MAX_OFFERS, PLAIN_LAYER, type RemoteOffer, type RemoteService } from './remote-service.ts';

/** The service, and the number of a layer if the address names one. */
export function arcgisPlace(url: string): { readonly service: string; readonly layer: string | undefined } | undefined {
  const { origin, pathname, search } = new URL(url);
  const found = /^(.{0,1500}?\/(?:Map|Feature)Server)(?:\/(\d{1,9}))?\/?$/.exec(pathname);
  const [, path, layer] = found ?? [];
  return path === undefined ? undefined : { service: origin + path + search, layer };
}

type Json = Readonly<Record<string, unknown>>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function parseArcgis(answer: Json, service: string, only: string | undefined): RemoteService | undefined {
  const { layers } = answer;
  if (!Array.isArray(layers)) return undefined;
  const { origin, pathname, search } = new URL(service);
  const isFeatures = pathname.endsWith('/FeatureServer');
  const info = isObject(answer['documentInfo']) ? answer['documentInfo'] : {};
  const bbox = boxOfExtent(answer['fullExtent'] ?? answer['initialExtent']);
  const attribution = bounded(text(answer['copyrightText']), 500);
  const shown = layers
    .filter(isObject)
    // Groups are headings; tables have no places.
    .filter((one) => !Array.isArray(one['subLayerIds']) && one['type'] !== 'Group Layer' && one['type'] !== 'Table')
    .filter(({ id }) => only === undefined || String(id) === only);
  return {
    kind: 'arcgis',
    title: bounded(text(info['Title']) || text(answer['mapName']) || lastName(pathname), 255),
    abstract: bounded(text(answer['serviceDescription']) || text(answer['description']), 2000),
    offers: shown.slice(0, MAX_OFFERS).map((one): RemoteOffer => {
      const name = String(one['id']);
      const layer: RemoteLayer = isFeatures
        ? { ...PLAIN_LAYER, kind: 'arcgis-features', url: `${origin}${pathname}/${name}${search}` }
        : { ...PLAIN_LAYER, kind: 'arcgis-map', url: service, name, info: 'application/json' };
      return {
        name,
        title: bounded(text(one['name']), 255) || name,
        abstract: bounded(text(one['description']), 2000),
        keywords: [],
        bbox,
        attribution,
        layer,
      };
    }),
    truncated: shown.length > MAX_OFFERS,
  };
}

function lastName(pathname: string): string {
  return decodeURIComponent(pathname.split('/').at(-2) ?? '');
}

/** In degrees, or in metres of web maps. */
function boxOfExtent(extent: unknown): Box | undefined {
  if (!isObject(extent)) return undefined;
  const { xmin, ymin, xmax, ymax, spatialReference } = extent;
  const sides = [xmin, ymin, xmax, ymax];
  const wkid = isObject(spatialReference) ? (spatialReference['latestWkid'] ?? spatialReference['wkid']) : undefined;
  if (wkid === 4326) return boxOf(sides);
  if (wkid !== 3857 && wkid !== 102100) return undefined;
  const half = 20_037_508.342789244;
  const degrees = sides.map((side, i) => {
    const part = Number(side) / half;
    return i % 2 === 0 ? part * 180 : (Math.atan(Math.sinh(part * Math.PI)) * 180) / Math.PI;
  });
  return boxOf(degrees);
}
