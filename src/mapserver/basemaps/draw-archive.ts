// Draws an archive of tiles that this program serves: pictures as they are, vectors in a quiet style.

import type { SKRSContext2D } from '@napi-rs/canvas';
import { parseStyle } from '../../geo/style/style-layer.ts';
import type { View } from '../../geo/view.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { BasemapSetting } from '../../layer-ports/basemap.ts';
import { compileStyle } from '../render/compile-style.ts';
import { inTurn } from './ask-elsewhere.ts';
import { type Drawn, drawPicturesAlone } from './draw-pictures.ts';
import { drawSheets, type Sheet, type TileBytes } from './draw-sheets.ts';
import { type Archive, type ArchiveShelf, unpacked } from './pmtiles-archive.ts';
import { streetLayers } from './street-style.ts';
import { shapesOf } from './tile-contents.ts';
import { type PlacedTile, type TileGrid, viewTiles } from './view-tiles.ts';

export async function drawArchive(
  shelf: ArchiveShelf,
  context: SKRSContext2D,
  view: View,
  setting: Extract<BasemapSetting, { readonly type: 'pmtiles' }>,
): Promise<Drawn> {
  const opened = await shelf.get(setting.id, setting.place);
  if (!opened.ok) return opened;
  const { header, layers } = opened.value;
  const { minzoom, maxzoom } = header;
  const isVectors = header.tileType === 'mvt';
  const grid: TileGrid = isVectors
    ? { kind: 'vectors', tileSize: 512, minzoom, maxzoom }
    : { kind: 'pictures', tileSize: setting.tileSize, minzoom, maxzoom };
  const wanted = viewTiles(view, grid);
  if (wanted === undefined) return ok('nothing');
  const tiles = await inTurn(wanted, (tile) => archiveTile(opened.value, tile));
  if (!tiles.ok) return tiles;
  if (tiles.value.length === 0) return ok('nothing');
  if (!isVectors) return drawPicturesAlone(context, view, tiles.value);
  const sheets = archiveSheets(layers);
  const read = await shapesOf(tiles.value, sheets, ARCHIVE);
  if (!read.ok) return read;
  await inSlices(drawSheets(context, view, sheets, new Map([[ARCHIVE, read.value]])));
  return ok('drawn');
}

/** Name of the source that an archive is. */
const ARCHIVE = 'archive';

/** In the quiet style of vector archives. `names`: layers that the archive says it has. */
function archiveSheets(names: readonly string[]): readonly Sheet[] {
  const { ground, layers } = streetLayers(names, false);
  const below = { id: 'ground', type: 'fill', paint: { 'fill-color': ground } };
  return [below, ...layers].flatMap((layer): readonly Sheet[] => {
    const parsed = parseStyle([layer]);
    if (!parsed.ok) return [];
    const style = compileStyle(parsed.value);
    return 'source-layer' in layer
      ? [{ kind: 'shapes', source: ARCHIVE, layer: layer['source-layer'], style }]
      : [{ kind: 'ground', style }];
  });
}

async function archiveTile(
  { header, tile }: Archive,
  placed: PlacedTile,
): Promise<Result<TileBytes | undefined, string>> {
  const { z, x, y } = placed.tile;
  const stored = await tile(z, x, y);
  if (!stored.ok || stored.value === undefined) return stored.ok ? ok(undefined) : stored;
  const bytes = await unpacked(stored.value, header.tileCompression);
  return bytes.ok ? ok({ ...placed, bytes: bytes.value }) : bytes;
}
