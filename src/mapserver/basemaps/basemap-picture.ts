// Draws a basemap that the operator named onto a small picture: archives of this program from their file, tiles of others through the safe client.
// Bounded in number, size and time. What cannot be drawn here is told to the log, once in a while, and left alone for as long: one server that
// does not answer would keep the pictures of everybody else waiting.

import { loadImage, type SKRSContext2D } from '@napi-rs/canvas';
import type { View } from '../../geo/view.ts';
import type { RemoteFetch } from '../../http/remote/remote-fetch.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { BasemapSetting } from '../../layers/basemap.ts';
import type { DrawNamedBasemap } from '../thumbnails/named-basemap.ts';
import { pictureSize } from '../thumbnails/picture-size.ts';
import { inTurn, makeAskElsewhere, tileAddress } from './ask-elsewhere.ts';
import { describeBasemap, originsOf } from './describe-basemap.ts';
import { drawVectorTiles, type VectorTile } from './draw-vector-tiles.ts';
import { type Archive, type ArchiveShelf, unpacked } from './pmtiles-archive.ts';
import { type PlacedTile, type TileGrid, viewTiles } from './view-tiles.ts';

export type BasemapPictureParts = {
  readonly settings: readonly BasemapSetting[];
  readonly shelf: ArchiveShelf;
  /** Its allow-list has the hosts of the basemaps, see `basemapHosts`. */
  readonly fetch: RemoteFetch;
  readonly observe: Observe;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
};

const MAX_TILE_PIXELS = 1024 * 1024;
const REST_MS = 120_000;
/** Behind tiles that are not there, or show through; as viewers have it. */
const GROUND = '#dbe5e6';

type Elsewhere = Exclude<BasemapSetting, { readonly type: 'pmtiles' | 'style' }>;

/** For the allow-list of the client: the sites that tiles come from. */
export function basemapHosts(settings: readonly BasemapSetting[]): readonly string[] {
  const origins = settings.flatMap((setting) => (setting.type === 'style' ? [] : originsOf(setting)));
  return [...new Set(origins.map((origin) => new URL(origin).host))];
}

export function makeDrawNamedBasemap(parts: BasemapPictureParts): DrawNamedBasemap {
  const { settings, now } = parts;
  const resting = new Map<string, number>();
  return async (canvas, view, { id, isOwnAlone }) => {
    const setting = settings.find((one) => (id === undefined ? one.isDefault : one.id === id));
    if (setting === undefined || (isOwnAlone && setting.type !== 'pmtiles')) return undefined;
    if ((resting.get(setting.id) ?? 0) > now()) return undefined;
    const drawn = await draw(parts, canvas.getContext('2d'), view, setting);
    if (drawn.ok) return drawn.value === 'drawn' ? setting.attribution : undefined;
    // What no wait will change is said once.
    resting.set(setting.id, isBrowsersAlone(setting) ? Number.POSITIVE_INFINITY : now() + REST_MS);
    parts.observe({
      kind: 'job-failed',
      message: `thumbnails are drawn on the packaged map for now: the basemap ${setting.id} ${drawn.error}`,
    });
    return undefined;
  };
}

/** A style, or an address without a host, which is one of this program as browsers know it. */
function isBrowsersAlone(setting: BasemapSetting): boolean {
  if (setting.type === 'pmtiles') return false;
  const addresses = setting.type === 'xyz' ? setting.urls : [setting.url];
  return setting.type === 'style' || !addresses.every((one) => /^https?:/i.test(one));
}

/** `nothing`: the basemap has no tile in the view. */
type Drawn = Result<'drawn' | 'nothing', string>;

async function draw(
  parts: BasemapPictureParts,
  context: SKRSContext2D,
  view: View,
  setting: BasemapSetting,
): Promise<Drawn> {
  if (isBrowsersAlone(setting)) return err('is a style or has an address without a host, which only browsers draw');
  switch (setting.type) {
    case 'style':
      return ok('nothing');
    case 'pmtiles':
      return drawArchive(parts, context, view, setting);
    case 'xyz':
    case 'wmts':
    case 'wms':
      return drawTiles(parts, context, view, setting);
  }
}

async function drawArchive(
  { shelf }: BasemapPictureParts,
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
  if (!isVectors) return drawPictures(context, view, tiles.value);
  try {
    await inSlices(drawVectorTiles(context, view, tiles.value, layers));
    return ok('drawn');
  } catch (error) {
    return err(`has a tile that cannot be read (${error instanceof Error ? error.message : 'unknown'})`);
  }
}

async function archiveTile(
  { header, tile }: Archive,
  placed: PlacedTile,
): Promise<Result<VectorTile | undefined, string>> {
  const { z, x, y } = placed.tile;
  const stored = await tile(z, x, y);
  if (!stored.ok || stored.value === undefined) return stored.ok ? ok(undefined) : stored;
  const bytes = await unpacked(stored.value, header.tileCompression);
  return bytes.ok ? ok({ ...placed, bytes: bytes.value }) : bytes;
}

async function drawTiles(
  { fetch, now }: BasemapPictureParts,
  context: SKRSContext2D,
  view: View,
  setting: Elsewhere,
): Promise<Drawn> {
  const described = describeBasemap(setting);
  if (described.kind !== 'raster') return ok('nothing');
  const { tiles: templates, tile_size: tileSize, minzoom, maxzoom } = described;
  const wanted = viewTiles(view, { kind: 'pictures', tileSize, minzoom, maxzoom });
  if (wanted === undefined) return ok('nothing');
  const ask = makeAskElsewhere(fetch, now);
  const found = await inTurn(wanted, async (placed): Promise<Result<VectorTile | undefined, string>> => {
    const { x, y } = placed.tile;
    const bytes = await ask(tileAddress(templates[(x + y) % templates.length] ?? '', placed), 'image/*');
    if (!bytes.ok || bytes.value === undefined) return bytes.ok ? ok(undefined) : bytes;
    return ok({ ...placed, bytes: bytes.value });
  });
  if (!found.ok) return found;
  return found.value.length === 0 ? ok('nothing') : drawPictures(context, view, found.value);
}

/** Unpacked before anything is drawn, so that one that is no picture leaves no half of a picture behind. */
async function drawPictures(context: SKRSContext2D, view: View, tiles: readonly VectorTile[]): Promise<Drawn> {
  const pictures = [];
  for (const { bytes, box } of tiles) {
    const size = pictureSize(bytes);
    const isFine = size !== undefined && size.width * size.height <= MAX_TILE_PIXELS;
    const picture = isFine ? await loadImage(bytes).catch(() => undefined) : undefined;
    if (picture === undefined) return err('has a tile that is no PNG, JPEG, GIF or WebP of up to a million pixels');
    pictures.push({ picture, box });
  }
  context.fillStyle = GROUND;
  context.fillRect(0, 0, view.width, view.height);
  for (const { picture, box } of pictures) {
    const [left, top, right, bottom] = box;
    context.drawImage(picture, left, top, right - left, bottom - top);
  }
  return ok('drawn');
}
