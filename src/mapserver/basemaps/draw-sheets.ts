// Tiles → a picture, sheet by sheet from the ground up, as a style has them. Each tile is cut to its place, as viewers do: what reaches beyond it is drawn by
// its neighbour.

import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import type { Box } from '../../geo/projection.ts';
import type { View } from '../../geo/view.ts';
import type { Stage } from '../../kernel/in-slices.ts';
import type { CompiledStyle, Scope } from '../render/compile-style.ts';
import { drawFeatures, forgetColors, isShown } from '../render/draw.ts';
import { drawLabels, type LabelCandidate } from '../render/label.ts';
import type { Feature } from '../render/read-features.ts';
import { type ReadLayer, readTile } from './read-tile.ts';
import type { PlacedTile } from './view-tiles.ts';

/** `style`: one layer. */
export type Sheet = { readonly style: CompiledStyle } & (
  | { readonly kind: 'ground' }
  /** `layer`: in the tiles of the source. */
  | { readonly kind: 'shapes'; readonly source: string; readonly layer: string }
  | { readonly kind: 'pictures'; readonly source: string }
);

/** A tile with its bytes, unpacked. */
export type TileBytes = PlacedTile & { readonly bytes: Buffer };

type ShapesTile = { readonly box: Box; readonly layers: ReadonlyMap<string, readonly Feature[]> };
export type PictureTile = { readonly box: Box; readonly picture: Image };

export type SourceTiles =
  | { readonly kind: 'shapes'; readonly tiles: readonly ShapesTile[] }
  | { readonly kind: 'pictures'; readonly tiles: readonly PictureTile[] };

/** Of a layer in a tile: more can hardly be told apart in a small picture. */
const MAX_SHAPES = 20_000;
/** Behind tiles that are not there, or show through; as viewers have it. */
export const GROUND = '#dbe5e6';

export function* drawSheets(
  context: SKRSContext2D,
  view: View,
  sheets: readonly Sheet[],
  sources: ReadonlyMap<string, SourceTiles>,
): Stage<void> {
  const everywhere: Box = [0, 0, view.width, view.height];
  const labels: LabelCandidate[] = [];
  fillBox(context, everywhere, GROUND);
  for (const sheet of sheets) {
    const [look] = sheet.style.layers;
    if (look === undefined || !isShown(look, view.zoom)) continue;
    const scope: Scope = { properties: {}, geometry: 'Polygon', zoom: view.zoom };
    if (sheet.kind === 'ground') {
      if (look.type === 'fill') fillBox(context, everywhere, look.color(scope));
      continue;
    }
    const source = sources.get(sheet.source);
    if (source?.kind === 'pictures') {
      if (look.type === 'raster') drawPictures(context, source.tiles, look.opacity(scope));
    } else if (sheet.kind === 'shapes') {
      for (const { box, layers } of source?.tiles ?? []) {
        const features = layers.get(sheet.layer);
        if (features === undefined) continue;
        context.save();
        clipTo(context, box);
        forgetColors(context);
        yield* drawFeatures({ context, zoom: view.zoom, labels }, features, sheet.style);
        context.restore();
      }
    }
    forgetColors(context);
    yield;
  }
  yield* drawLabels(context, [labels], view.width, view.height);
  forgetColors(context);
}

/** Throws where a tile cannot be read: before anything is drawn, so that no half of a picture is left behind. */
export function* readShapes(tiles: readonly TileBytes[], names: ReadonlySet<string>): Stage<SourceTiles> {
  const read: ShapesTile[] = [];
  for (const { box, bytes } of tiles) {
    const layers = new Map<string, readonly Feature[]>();
    for (const layer of readTile(bytes, names, MAX_SHAPES)) {
      layers.set(layer.name, featuresOf(layer, box));
      yield;
    }
    read.push({ box, layers });
  }
  return { kind: 'shapes', tiles: read };
}

export function drawPictures(context: SKRSContext2D, tiles: readonly PictureTile[], opacity: number): void {
  context.save();
  context.globalAlpha = Math.max(0, Math.min(1, opacity));
  for (const { picture, box } of tiles) {
    const [left, top, right, bottom] = box;
    context.drawImage(picture, left, top, right - left, bottom - top);
  }
  context.restore();
}

export function fillBox(context: SKRSContext2D, [left, top, right, bottom]: Box, color: string | undefined): void {
  if (color === undefined) return;
  context.fillStyle = color;
  context.fillRect(left, top, right - left, bottom - top);
}

function clipTo(context: SKRSContext2D, [left, top, right, bottom]: Box): void {
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
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
