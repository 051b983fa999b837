// Draws a basemap that is a MapLibre style of another server: the style, the TileJSON of its sources, and the tiles of the view are asked for.

import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { View } from '../../geo/view.ts';
import type { RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import { inSlices, TooManySteps } from '../../kernel/in-slices.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type AskElsewhere, inTurn, makeAskElsewhere, tileFrom } from './ask-elsewhere.ts';
import type { Drawn } from './draw-pictures.ts';
import { drawSheets, type SourceTiles, type TileBytes } from './draw-sheets.ts';
import { unpacked } from './pmtiles-archive.ts';
import { parseStyleDocument, type StyleDocument, type StyleSource, withTileJson } from './style-document.ts';
import { picturesOf, shapesOf } from './tile-contents.ts';
import { viewTiles } from './view-tiles.ts';

/** For so long a style is not asked for again. */
const STYLE_MS = 600_000;
/** Of sixteen shapes that are drawn, about: several times what a city has, and some seconds. */
const MAX_STEPS = 20_000;

export type DrawStyle = (context: SKRSContext2D, view: View, address: string) => Promise<Drawn>;

/** `now`: milliseconds of a clock that only goes forward. */
export function makeDrawStyle(fetch: RemoteFetch, now: () => number): DrawStyle {
  /** By address: as many as the settings have. */
  const kept = new Map<string, { readonly document: StyleDocument; readonly until: number }>();
  return async (context, view, address) => {
    const ask = makeAskElsewhere(fetch, now);
    const known = kept.get(address);
    if (known !== undefined && known.until > now()) return drawDocument(ask, context, view, known.document);
    const asked = await askForStyle(ask, address);
    if (!asked.ok) return asked;
    kept.set(address, { document: asked.value, until: now() + STYLE_MS });
    return drawDocument(ask, context, view, asked.value);
  };
}

async function drawDocument(
  ask: AskElsewhere,
  context: SKRSContext2D,
  view: View,
  { sheets, sources }: StyleDocument,
): Promise<Drawn> {
  const found = new Map<string, SourceTiles>();
  for (const [name, source] of sources) {
    const tiles = await styleTiles(ask, source, view);
    if (!tiles.ok) return tiles;
    if (tiles.value.length === 0) continue;
    const read = source.kind === 'shapes' ? await shapesOf(tiles.value, sheets, name) : await picturesOf(tiles.value);
    if (!read.ok) return read;
    found.set(name, read.value);
  }
  if (sources.size > 0 && found.size === 0) return ok('nothing');
  // On a sheet of its own: one that is given up leaves no half of a picture behind.
  const picture = createCanvas(view.width, view.height);
  try {
    await inSlices(drawSheets(picture.getContext('2d'), view, sheets, found), { left: MAX_STEPS, of: 'a style' });
  } catch (error) {
    if (error instanceof TooManySteps) return err('is a style with too much to draw for a small picture');
    throw error;
  }
  context.drawImage(picture, 0, 0);
  return ok('drawn');
}

async function askForStyle(ask: AskElsewhere, url: string): Promise<Result<StyleDocument, string>> {
  const text = await ask(url, 'application/json');
  if (!text.ok) return text;
  const document = parseStyleDocument(text.value?.toString() ?? '', url);
  if (!document.ok) return document;
  const sources = new Map<string, StyleSource>();
  for (const [name, source] of document.value.sources) {
    const { address, tiles } = source;
    const described = address === undefined || tiles.length > 0 ? undefined : await ask(address, 'application/json');
    if (described?.ok === false) return described;
    const whole = described === undefined ? ok(source) : withTileJson(source, described.value?.toString() ?? '');
    if (!whole.ok) return whole;
    sources.set(name, whole.value);
  }
  return ok({ ...document.value, sources });
}

async function styleTiles(
  ask: AskElsewhere,
  source: StyleSource,
  view: View,
): Promise<Result<readonly TileBytes[], string>> {
  const { kind, tiles: templates, isFromSouth } = source;
  const wanted = viewTiles(view, { ...source, kind: kind === 'shapes' ? 'vectors' : 'pictures' });
  const accept = kind === 'shapes' ? 'application/x-protobuf, */*' : 'image/*';
  return inTurn(wanted ?? [], async (placed) => {
    const { z, x, y } = placed.tile;
    const asked = isFromSouth ? { ...placed, tile: { z, x, y: 2 ** z - 1 - y } } : placed;
    const found = await tileFrom(ask, templates, asked, accept);
    if (!found.ok || found.value === undefined || kind === 'pictures') return found;
    const { bytes, box } = found.value;
    // Many servers send them as they are stored, whatever was asked for.
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = await unpacked(bytes, isPacked ? 'gzip' : 'none');
    return plain.ok ? ok({ tile: placed.tile, box, bytes: plain.value }) : plain;
  });
}
