// A basemap of the settings → what a viewer is told: WMTS and WMS are addresses of tiles like any other, so that a viewer knows two kinds
// alone. And the sites it is loaded from, for the content policy. Pure.

import type { Basemap, BasemapSetting } from '../../layer-ports/basemap.ts';

type Elsewhere = Exclude<BasemapSetting, { readonly type: 'pmtiles' }>;

export function describeBasemap(setting: Elsewhere): Basemap {
  const named = {
    id: setting.id,
    title: setting.title,
    attribution: setting.attribution,
    attribution_url: setting.attributionUrl ?? null,
    sites: originsOf(setting),
  };
  if (setting.type === 'style')
    return { ...named, kind: 'style', style: setting.url, dark_style: setting.dark ?? null };
  const { tileSize: tile_size, minzoom, maxzoom } = setting;
  return { ...named, kind: 'raster', tiles: tilesOf(setting), tile_size, minzoom, maxzoom, bounds: null };
}

type Tiled = Exclude<Elsewhere, { readonly type: 'style' }>;

function tilesOf(setting: Tiled): readonly string[] {
  switch (setting.type) {
    case 'xyz':
      return setting.urls;
    case 'wmts':
      return [isTemplate(setting.url) ? filled(setting) : byParameters(setting)];
    case 'wms':
      return [getMap(setting)];
  }
}

/** An address with places in it, as capabilities of WMTS have it (`ResourceURL`). */
function isTemplate(url: string): boolean {
  return /\{TileMatrix\}/i.test(url);
}

function filled(setting: Extract<BasemapSetting, { readonly type: 'wmts' }>): string {
  const values: Readonly<Record<string, string>> = {
    tilematrix: '{z}',
    tilerow: '{y}',
    tilecol: '{x}',
    tilematrixset: encodeURIComponent(setting.matrixSet),
    layer: encodeURIComponent(setting.layer),
    style: encodeURIComponent(setting.style),
  };
  return setting.url.replace(/\{([A-Za-z]{1,20})\}/g, (place, name: string) => values[name.toLowerCase()] ?? place);
}

function byParameters(setting: Extract<BasemapSetting, { readonly type: 'wmts' }>): string {
  const { url, layer, style, matrixSet, format } = setting;
  return withParameters(url, [
    ['SERVICE', 'WMTS'],
    ['REQUEST', 'GetTile'],
    ['VERSION', '1.0.0'],
    ['LAYER', layer],
    ['STYLE', style],
    ['TILEMATRIXSET', matrixSet],
    ['FORMAT', format],
    ['TILEMATRIX', PLACES.z],
    ['TILEROW', PLACES.y],
    ['TILECOL', PLACES.x],
  ]);
}

function getMap(setting: Extract<BasemapSetting, { readonly type: 'wms' }>): string {
  const { url, layers, styles, version, format, tileSize } = setting;
  return withParameters(url, [
    ['SERVICE', 'WMS'],
    ['REQUEST', 'GetMap'],
    ['VERSION', version],
    ['LAYERS', layers],
    ['STYLES', styles],
    [version === '1.3.0' ? 'CRS' : 'SRS', 'EPSG:3857'],
    ['FORMAT', format],
    ['WIDTH', String(tileSize)],
    ['HEIGHT', String(tileSize)],
    ['BBOX', PLACES.bbox],
  ]);
}

/** What a viewer puts in. */
const PLACES = { z: '{z}', x: '{x}', y: '{y}', bbox: '{bbox-epsg-3857}' } as const;

function withParameters(url: string, parameters: readonly (readonly [name: string, value: string])[]): string {
  const isPlace = (value: string): boolean => Object.values<string>(PLACES).includes(value);
  const query = parameters.map(([name, value]) => `${name}=${isPlace(value) ? value : encodeURIComponent(value)}`);
  const end = url.includes('?') ? (/[?&]$/.test(url) ? '' : '&') : '?';
  return `${url}${end}${query.join('&')}`;
}

/** `https://tiles.example.org`: for a content policy, in which a path would be more than is needed. */
export function originsOf(setting: BasemapSetting): readonly string[] {
  if (setting.type === 'pmtiles') return [];
  const addresses = setting.type === 'xyz' ? setting.urls : [setting.url];
  const dark = setting.type === 'style' && setting.dark !== undefined ? [setting.dark] : [];
  const named = [...addresses, ...dark, ...setting.origins];
  // An address without a host is one of this program.
  return [...new Set(named.filter((address) => /^https?:/i.test(address)).map((address) => new URL(address).origin))];
}
