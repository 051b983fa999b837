// What OGC API Maps, Styles and Tiles say of the pictures and styles of a layer, as JSON. Pure.

import { crsUri } from '../../geo/crs.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { LayerStyle } from '../../layer-ports/layer-access.ts';
import type { StyleName } from '../../layer-ports/style-store.ts';
import { collectionUrl, GRID, JSON_TYPE } from '../features/ogc-documents.ts';

export const MAPLIBRE = 'application/vnd.mapbox.style+json';
export const SLD10 = 'application/vnd.ogc.sld+xml;version=1.0';
const GRID_URI = 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad';
const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** Layers that nobody gave a style have one all the same. */
const PLAIN = 'default';

export function styleList(layer: Layer, styles: readonly LayerStyle[], url: string): Record<string, unknown> {
  const named = styles.length === 0 ? [{ name: PLAIN, title: layer.title }] : styles;
  const standard = styles.find(({ id }) => id === layer.defaultStyle)?.name ?? named[0]?.name ?? PLAIN;
  return {
    default: standard,
    styles: named.map((style) => styleEntry(style, url)),
    links: [{ href: `${url}/styles`, rel: 'self', type: JSON_TYPE, title: 'This document' }],
  };
}

/** The styles of several layers. One that layers share is named with the first of them. */
export function stylesOfLayers(
  layers: readonly Layer[],
  names: readonly StyleName[],
  root: string,
): readonly Record<string, unknown>[] {
  const left = new Map(names.map((name) => [name.id, name]));
  return layers.flatMap((layer) =>
    layer.styles.flatMap((id) => {
      const style = left.get(id);
      if (style === undefined) return [];
      left.delete(id);
      return [styleEntry(style, collectionUrl(root, layer))];
    }),
  );
}

function styleEntry({ name, title }: Pick<StyleName, 'name' | 'title'>, collection: string): Record<string, unknown> {
  const address = `${collection}/styles/${encodeURIComponent(name)}`;
  return {
    id: name,
    title: title ?? name,
    links: [
      { href: `${address}?f=mapbox`, rel: 'stylesheet', type: MAPLIBRE, title: 'For MapLibre and Mapbox' },
      { href: `${address}?f=sld10`, rel: 'stylesheet', type: SLD10, title: 'SLD 1.0' },
      {
        href: `${address}/map`,
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/map',
        type: 'image/png',
        title: 'A map in this style',
      },
    ],
  };
}

export function mapTilesets(layer: Layer, root: string, url: string): Record<string, unknown> {
  return {
    tilesets: [mapTileset(layer, root, url)],
    links: [{ href: `${url}/map/tiles`, rel: 'self', type: JSON_TYPE, title: 'This document' }],
  };
}

export function mapTileset(layer: Layer, root: string, url: string): Record<string, unknown> {
  const address = `${url}/map/tiles/${GRID}`;
  const { extent } = layer;
  return {
    title: layer.title,
    dataType: 'map',
    crs: crsUri(3857),
    tileMatrixSetURI: GRID_URI,
    ...(extent === undefined
      ? {}
      : {
          boundingBox: {
            lowerLeft: [extent.wgs84[0], extent.wgs84[1]],
            upperRight: [extent.wgs84[2], extent.wgs84[3]],
            crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
          },
        }),
    links: [
      { href: address, rel: 'self', type: JSON_TYPE, title: 'About these tiles' },
      {
        href: `${root}/tileMatrixSets/${GRID}`,
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
        type: JSON_TYPE,
        title: 'The grid',
      },
      ...IMAGES.map((type) => ({
        href: `${address}/{tileMatrix}/{tileRow}/{tileCol}?f=${type.slice('image/'.length)}`,
        rel: 'item',
        type,
        title: 'A tile',
        templated: true,
      })),
    ],
  };
}
