// A layer of somebody else's service and what is wanted of it (a tile, what lies at a place, its legend, features of a box) → the address that
// its protocol has for it. Pure.

import { isNorthFirstName } from '../../geo/gml.ts';
import type { RemoteLayer } from './remote-layer.ts';

export type Tile = { readonly z: number; readonly x: number; readonly y: number };
export type Box = readonly [west: number, south: number, east: number, north: number];

const HALF_M = 20_037_508.342789244;
const TILE_PIXELS = 256;
/** Around a place that was clicked, in pixels. */
const INFO_PIXELS = 101;

export const MAX_FEATURES = 1000;
const MAX_INFO = 10;

/** Undefined: layers of that kind have no tiles. */
export function tileAddress(layer: RemoteLayer, tile: Tile): string | undefined {
  switch (layer.kind) {
    case 'tiles':
      return filledTemplate(layer.url, tile);
    case 'wms':
    case 'arcgis-map':
      return mapAddress(layer, mercatorBox(tile), [TILE_PIXELS, TILE_PIXELS]);
    case 'features':
    case 'arcgis-features':
    case 'wfs':
    case 'image':
      return undefined;
  }
}

/** A picture of a box in metres of web maps; undefined: the service draws none. */
export function mapAddress(
  layer: RemoteLayer,
  box: Box,
  [width, height]: readonly [width: number, height: number],
): string | undefined {
  switch (layer.kind) {
    case 'wms':
      return wmsMap(layer, box, [width, height], { request: 'GetMap', format: layer.image });
    case 'arcgis-map':
      return withParams(`${pathOf(layer.url)}/export`, layer.url, {
        bbox: box.join(','),
        bboxSR: '3857',
        imageSR: '3857',
        size: `${width},${height}`,
        format: 'png32',
        transparent: 'true',
        layers: `show:${layer.name}`,
        f: 'image',
      });
    case 'tiles':
    case 'features':
    case 'arcgis-features':
    case 'wfs':
    case 'image':
      return undefined;
  }
}

const MAX_TILES = 12;
const MAX_TILE_ZOOM = 19;

/** The tiles that cover a box in metres of web maps, so coarse that there are a dozen at most. */
export function tilesWithin(
  [xmin, ymin, xmax, ymax]: Box,
  pixels: number,
): readonly { readonly tile: Tile; readonly box: Box }[] {
  const near = Math.round(Math.log2((2 * HALF_M) / TILE_PIXELS / ((xmax - xmin) / pixels)));
  for (let z = Math.max(0, Math.min(MAX_TILE_ZOOM, near)); ; z--) {
    const size = (2 * HALF_M) / 2 ** z;
    const cell = (metres: number): number => Math.max(0, Math.min(2 ** z - 1, Math.floor(metres / size)));
    const [left, right] = [cell(xmin + HALF_M), cell(xmax + HALF_M)];
    const [top, bottom] = [cell(HALF_M - ymax), cell(HALF_M - ymin)];
    if (z > 0 && (right - left + 1) * (bottom - top + 1) > MAX_TILES) continue;
    return Array.from({ length: bottom - top + 1 }, (_row, j) =>
      Array.from({ length: right - left + 1 }, (_column, i) => ({ z, x: left + i, y: top + j })),
    )
      .flat()
      .map((tile) => ({ tile, box: mercatorBox(tile) }));
  }
}

/** Undefined: the service tells nothing of places. `zoom`: how near one looks, which says how near is near enough. */
export function infoAddress(
  layer: RemoteLayer,
  [lng, lat]: readonly [number, number],
  zoom: number,
): string | undefined {
  const [x, y] = toMercator(lng, lat);
  const half = (INFO_PIXELS / 2) * (HALF_M / (TILE_PIXELS * 2 ** zoom));
  const box: Box = [x - half, y - half, x + half, y + half];
  const middle = String((INFO_PIXELS - 1) / 2);
  switch (layer.kind) {
    case 'wms':
      return layer.info === undefined
        ? undefined
        : wmsMap(layer, box, [INFO_PIXELS, INFO_PIXELS], {
            request: 'GetFeatureInfo',
            format: layer.image,
            query_layers: layer.name,
            info_format: layer.info,
            feature_count: String(MAX_INFO),
            ...(layer.version === '1.3.0' ? { i: middle, j: middle } : { x: middle, y: middle }),
          });
    case 'arcgis-map':
      return withParams(`${pathOf(layer.url)}/identify`, layer.url, {
        geometry: `${x},${y}`,
        geometryType: 'esriGeometryPoint',
        sr: '3857',
        layers: `all:${layer.name}`,
        tolerance: '4',
        mapExtent: box.join(','),
        imageDisplay: `${INFO_PIXELS},${INFO_PIXELS},96`,
        returnGeometry: 'false',
        f: 'json',
      });
    case 'tiles':
    case 'features':
    case 'arcgis-features':
    case 'wfs':
    case 'image':
      return undefined;
  }
}

/** Undefined: layers of that kind have none. */
export function legendAddress(layer: RemoteLayer): string | undefined {
  switch (layer.kind) {
    case 'wms':
      return withParams(pathOf(layer.url), layer.url, {
        service: 'WMS',
        version: layer.version,
        request: 'GetLegendGraphic',
        layer: layer.name,
        style: layer.style,
        format: 'image/png',
        // Of 1.3.0 with SLD; others pass over it.
        sld_version: '1.1.0',
      });
    case 'arcgis-map':
      return withParams(`${pathOf(layer.url)}/legend`, layer.url, { f: 'json' });
    case 'tiles':
    case 'features':
    case 'arcgis-features':
    case 'wfs':
    case 'image':
      return undefined;
  }
}

/** Of a layer that is one picture; undefined: it is none. */
export function pictureAddress({ kind, url }: RemoteLayer): string | undefined {
  return kind === 'image' ? url : undefined;
}

/** Undefined: layers of that kind are drawn by their service. */
export function featuresAddress(layer: RemoteLayer, box: Box): string | undefined {
  switch (layer.kind) {
    case 'features':
      return withParams(`${pathOf(layer.url)}/items`, layer.url, { bbox: box.join(','), limit: String(MAX_FEATURES) });
    case 'arcgis-features':
      return withParams(`${pathOf(layer.url)}/query`, layer.url, {
        where: '1=1',
        geometry: box.join(','),
        geometryType: 'esriGeometryEnvelope',
        inSR: '4326',
        outSR: '4326',
        outFields: '*',
        resultRecordCount: String(MAX_FEATURES),
        f: 'geojson',
      });
    case 'wfs':
      return wfsFeatures(layer, box);
    case 'wms':
    case 'tiles':
    case 'arcgis-map':
    case 'image':
      return undefined;
  }
}

/** What coordinates are asked for and read in, where the service names no system itself. */
const USUAL_SRS = 'urn:ogc:def:crs:EPSG::4326';

export function srsOf({ srs }: RemoteLayer): string {
  return srs === '' ? USUAL_SRS : srs;
}

function wfsFeatures(layer: RemoteLayer, [west, south, east, north]: Box): string {
  const srs = srsOf(layer);
  const box = isNorthFirstName(srs) ? [south, west, north, east] : [west, south, east, north];
  const isOld = layer.version === '1.1.0';
  return withParams(pathOf(layer.url), layer.url, {
    service: 'WFS',
    version: layer.version,
    request: 'GetFeature',
    [isOld ? 'typename' : 'typenames']: layer.name,
    [isOld ? 'maxfeatures' : 'count']: String(MAX_FEATURES),
    srsname: srs,
    bbox: `${box.join(',')},${srs}`,
    ...(layer.output === '' ? {} : { outputformat: layer.output }),
  });
}

function wmsMap(
  layer: RemoteLayer,
  box: Box,
  [width, height]: readonly [number, number],
  more: Readonly<Record<string, string>>,
): string {
  return withParams(pathOf(layer.url), layer.url, {
    service: 'WMS',
    version: layer.version,
    layers: layer.name,
    styles: layer.style,
    [layer.version === '1.3.0' ? 'crs' : 'srs']: 'EPSG:3857',
    bbox: box.join(','),
    width: String(width),
    height: String(height),
    transparent: layer.image === 'image/png' ? 'TRUE' : 'FALSE',
    exceptions: layer.version === '1.3.0' ? 'XML' : 'application/vnd.ogc.se_xml',
    ...more,
  });
}

function filledTemplate(template: string, { z, x, y }: Tile): string {
  return template
    .replaceAll('{z}', String(z))
    .replaceAll('{x}', String(x))
    .replaceAll('{y}', String(y))
    .replaceAll('{-y}', String(2 ** z - 1 - y));
}

/** Without query and slash at its end. */
function pathOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname);
}

/** What the address has in its query stays (`map=…` of MapServer), unless it is asked for here; names are compared as OGC does. */
export function withParams(path: string, address: string, params: Readonly<Record<string, string>>): string {
  const asked = new Set(Object.keys(params).map((name) => name.toLowerCase()));
  const kept = [...new URL(address).searchParams].filter(([name]) => !asked.has(name.toLowerCase()));
  return `${path}?${new URLSearchParams([...kept, ...Object.entries(params)])}`;
}

function mercatorBox({ z, x, y }: Tile): Box {
  const size = (2 * HALF_M) / 2 ** z;
  const [west, north] = [x * size - HALF_M, HALF_M - y * size];
  return [west, north - size, west + size, north];
}

function toMercator(lng: number, lat: number): readonly [number, number] {
  const y = Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / Math.PI;
  return [(lng / 180) * HALF_M, y * HALF_M];
}
