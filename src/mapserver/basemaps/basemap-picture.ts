// Draws a basemap that the operator named onto a small picture: archives of this program from their file, tiles and styles of others through the safe client.
// Bounded in number, size and time. What cannot be drawn here is told to the log, once in a while, and left alone for as long: one server that
// does not answer would keep the pictures of everybody else waiting.

import type { SKRSContext2D } from '@napi-rs/canvas';
import type { View } from '../../geo/view.ts';
import type { RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, ok } from '../../kernel/result.ts';
import type { BasemapSetting, BasemapsNow } from '../../layer-ports/basemap.ts';
import type { DrawNamedBasemap } from '../thumbnails/named-basemap.ts';
import { inTurn, makeAskElsewhere, tileFrom } from './ask-elsewhere.ts';
import { describeBasemap, originsOf } from './describe-basemap.ts';
import { drawArchive } from './draw-archive.ts';
import { type Drawn, drawPicturesAlone } from './draw-pictures.ts';
import { type DrawStyle, makeDrawStyle } from './draw-style.ts';
import type { ArchiveShelf } from './pmtiles-archive.ts';
import { viewTiles } from './view-tiles.ts';

export type BasemapPictureParts = {
  readonly basemaps: BasemapsNow;
  readonly shelf: ArchiveShelf;
  /** Its allow-list has the hosts of the basemaps, see `basemapHosts`. */
  readonly fetch: RemoteFetch;
  readonly observe: Observe;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
};

const REST_MS = 120_000;

type Elsewhere = Exclude<BasemapSetting, { readonly type: 'pmtiles' | 'style' }>;

/** For the allow-list of the client: the sites that styles, tiles and archives come from. */
export function basemapHosts(settings: readonly BasemapSetting[]): readonly string[] {
  const archives = settings.flatMap((one) =>
    one.type === 'pmtiles' && one.place.kind === 'web' ? [one.place.url] : [],
  );
  return [...new Set([...settings.flatMap(originsOf), ...archives].map((address) => new URL(address).host))];
}

export function makeDrawNamedBasemap(parts: BasemapPictureParts): DrawNamedBasemap {
  const { basemaps, now } = parts;
  const resting = new Map<string, number>();
  const drawStyle = makeDrawStyle(parts.fetch, now);
  return async (canvas, view, { id, isOwnAlone }) => {
    const setting = basemaps().find((one) => (id === undefined ? one.isDefault : one.id === id));
    if (setting === undefined || (isOwnAlone && setting.type !== 'pmtiles')) return undefined;
    if ((resting.get(setting.id) ?? 0) > now()) return undefined;
    const drawn = await draw(parts, drawStyle, canvas.getContext('2d'), view, setting);
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

/** An address without a host, which is one of this program as browsers know it. */
function isBrowsersAlone(setting: BasemapSetting): boolean {
  if (setting.type === 'pmtiles') return false;
  const addresses = setting.type === 'xyz' ? setting.urls : [setting.url];
  return !addresses.every((one) => /^https?:/i.test(one));
}

async function draw(
  parts: BasemapPictureParts,
  drawStyle: DrawStyle,
  context: SKRSContext2D,
  view: View,
  setting: BasemapSetting,
): Promise<Drawn> {
  if (isBrowsersAlone(setting)) return err('has an address without a host, which only browsers can ask');
  switch (setting.type) {
    case 'style':
      return drawStyle(context, view, setting.url);
    case 'pmtiles':
      return drawArchive(parts.shelf, context, view, setting);
    case 'xyz':
    case 'wmts':
    case 'wms':
      return drawTiles(parts, context, view, setting);
  }
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
  const found = await inTurn(wanted, (placed) => tileFrom(ask, templates, placed, 'image/*'));
  if (!found.ok) return found;
  return found.value.length === 0 ? ok('nothing') : drawPicturesAlone(context, view, found.value);
}
