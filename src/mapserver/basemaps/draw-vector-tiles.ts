// Tiles of vectors → a picture in the quiet style of vector archives. Each tile is cut to its place, as viewers do: what reaches beyond it is
// drawn by its neighbour.

import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Box } from '../../geo/projection.ts';
import { parseStyle } from '../../geo/style/style-layer.ts';
import type { View } from '../../geo/view.ts';
import type { Stage } from '../../kernel/in-slices.ts';
import { compileStyle } from '../render/compile-style.ts';
import { drawFeatures, forgetColors } from '../render/draw.ts';
import { drawLabels, type LabelCandidate } from '../render/label.ts';
import type { Feature } from '../render/read-features.ts';
import { type ReadLayer, readTile } from './read-tile.ts';
import { streetLayers } from './street-style.ts';
import type { PlacedTile } from './view-tiles.ts';

/** With the tile's bytes, unpacked. */
export type VectorTile = PlacedTile & { readonly bytes: Buffer };

/** Of a layer in a tile: more can hardly be told apart in a small picture. */
const MAX_SHAPES = 20_000;

/** `layers`: those that the archive says it has. */
export function* drawVectorTiles(
  context: SKRSContext2D,
  view: View,
  tiles: readonly VectorTile[],
  layers: readonly string[],
): Stage<void> {
  const style = streetLayers(layers, false);
  const compiled = style.layers.flatMap((layer) => {
    const parsed = parseStyle([layer]);
    return parsed.ok ? [{ name: layer['source-layer'], style: compileStyle(parsed.value) }] : [];
  });
  const names = new Set(compiled.map(({ name }) => name));
  // Read before anything is drawn: a tile that cannot be read leaves no half of a picture behind.
  const read: { readonly box: Box; readonly layers: readonly ReadLayer[] }[] = [];
  for (const { box, bytes } of tiles) {
    read.push({ box, layers: readTile(bytes, names, MAX_SHAPES) });
    yield;
  }
  context.fillStyle = style.ground;
  context.fillRect(0, 0, view.width, view.height);
  const labels: LabelCandidate[] = [];
  for (const { box, layers: found } of read) {
    const placed = new Map<string, readonly Feature[]>();
    for (const layer of found) {
      placed.set(layer.name, featuresOf(layer, box));
      yield;
    }
    const [left, top, right, bottom] = box;
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    for (const { name, style: look } of compiled) {
      const features = placed.get(name);
      if (features === undefined) continue;
      forgetColors(context);
      yield* drawFeatures({ context, zoom: view.zoom, labels }, features, look);
    }
    context.restore();
    forgetColors(context);
  }
  yield* drawLabels(context, [labels], view.width, view.height);
  forgetColors(context);
}

/** Units of the tile → pixels of the picture. */
function featuresOf({ name, extent, shapes }: ReadLayer, [left, top, right, bottom]: Box): readonly Feature[] {
  const [sx, sy] = [(right - left) / extent, (bottom - top) / extent];
  const isInside = (part: Float64Array): boolean => part.every((unit) => unit >= 0 && unit < extent);
  return shapes.map(({ type, parts, properties }, i) => ({
    id: `${name}.${i}`,
    type,
    // A place beyond the edge is named by the neighbour.
    parts: (type === 'Point' ? parts.filter(isInside) : parts).map((part) =>
      part.map((unit, at) => (at % 2 === 0 ? left + unit * sx : top + unit * sy)),
    ),
    properties,
  }));
}
