// A layer and one of its styles → the style document that map viewers load: sources with their addresses, and the layers on them.
// Pure.

import { groupKey, groupOf, groupTiles } from '../../geo/style/group.ts';
import type { Json, JsonObject, StyleLayer } from '../../geo/style/style-layer.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { LayerStyle } from '../../layer-ports/layer-access.ts';

export type StyleDocument = {
  readonly version: 8;
  /** Title of the style. */
  readonly name: string;
  readonly metadata: JsonObject;
  /** Where letters and marks are loaded from; whole addresses, for styles are copied to other places. */
  readonly glyphs: string;
  readonly sprite: string;
  readonly sources: JsonObject;
  readonly layers: readonly JsonObject[];
};

const MAX_ZOOM = 22;

export function makeStyleDocument(
  layer: Layer,
  style: LayerStyle | undefined,
  layers: readonly StyleLayer[],
  baseUrl: string,
): StyleDocument {
  const address = encodeURIComponent(layer.name);
  const bounds: Json = layer.extent === undefined ? [-180, -85.0511, 180, 85.0511] : [...layer.extent.wgs84];
  // Drawn without the style's opacity: the viewer does that.
  const look = style === undefined ? '' : `&style=${style.id}`;
  const source: JsonObject =
    layer.kind === 'vector'
      ? { type: 'vector', url: `${baseUrl}/tiles/${address}.json` }
      : {
          type: 'raster',
          tiles: [`${baseUrl}/rastertiles/${address}/{z}/{x}/{y}.png?opacity=1${look}`],
          tileSize: 256,
          bounds,
          maxzoom: MAX_ZOOM,
        };
  return {
    version: 8,
    name: style?.title ?? style?.name ?? layer.title,
    metadata: {
      'survest:layer': layer.name,
      'survest:style': style?.name ?? null,
      'survest:style-id': style?.id ?? null,
      'survest:default': style !== undefined && style.id === layer.defaultStyle,
    },
    glyphs: `${baseUrl}/fonts/{fontstack}/{range}.pbf`,
    sprite: `${baseUrl}/sprites/marks`,
    sources: {
      [layer.name]: source,
      ...(layer.kind === 'vector' ? groupSources(layer.name, layers, baseUrl, bounds) : {}),
    },
    layers: layers.map((one) => ({
      ...(one as unknown as JsonObject),
      source: sourceOf(layer.name, one),
      ...(layer.kind === 'vector' ? { 'source-layer': layer.name } : {}),
    })),
  };
}

function sourceOf(name: string, layer: StyleLayer): string {
  const group = groupOf(layer);
  return group === undefined ? name : `${name}: ${groupKey(group)}`;
}

/** Where the groups that a style draws come from. */
function groupSources(name: string, layers: readonly StyleLayer[], baseUrl: string, bounds: Json): JsonObject {
  const sources: Record<string, Json> = {};
  for (const layer of layers) {
    const group = groupOf(layer);
    if (group === undefined) continue;
    const tiles = `${baseUrl}/tiles/${encodeURIComponent(name)}${groupTiles(group)}`;
    sources[sourceOf(name, layer)] = { type: 'vector', tiles: [tiles], bounds, maxzoom: MAX_ZOOM };
  }
  return sources;
}
