// A MapLibre style document of somebody else → what of it is drawn here, from the ground up. What our renderer does not know (patterns, icons, buildings in
// three dimensions) is left out. Outside data. Pure.

import { parseStyle } from '../../geo/style/style-layer.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { compileStyle } from '../render/compile-style.ts';
import type { Sheet } from './draw-sheets.ts';

export type StyleSource = {
  readonly kind: 'shapes' | 'pictures';
  /** With `{z}`, `{x}`, `{y}`; none: its TileJSON says. */
  readonly tiles: readonly string[];
  /** Of its TileJSON. */
  readonly address: string | undefined;
  readonly tileSize: number;
  readonly minzoom: number;
  readonly maxzoom: number;
  /** Rows are counted from the south (TMS). */
  readonly isFromSouth: boolean;
};

export type StyleDocument = {
  readonly sheets: readonly Sheet[];
  /** Those that sheets are drawn from. */
  readonly sources: ReadonlyMap<string, StyleSource>;
};

type Members = Readonly<Record<string, unknown>>;

const MAX_LAYERS = 500;
const MAX_SOURCES = 4;
const MAX_ZOOM = 24;
/** Drawn from an image that is not loaded here: without it, they would be black. */
const PATTERNS = ['background-pattern', 'fill-pattern', 'line-pattern'] as const;

/** `address`: of the document, which others in it may be relative to. */
export function parseStyleDocument(text: string, address: string): Result<StyleDocument, string> {
  const document = membersOf(parseJson(text));
  const { layers } = document;
  if (document['version'] !== 8 || !Array.isArray(layers)) return err('is no MapLibre style of version 8');
  if (layers.length > MAX_LAYERS) return err(`is a style of more than ${MAX_LAYERS} layers`);
  const known = new Map<string, StyleSource>();
  for (const [name, source] of Object.entries(membersOf(document['sources']))) {
    const parsed = parseSource(membersOf(source), address);
    if (parsed !== undefined) known.set(name, parsed);
  }
  const sheets = layers.flatMap((layer) => sheetOf(membersOf(layer), known) ?? []);
  const used = new Set(sheets.flatMap((sheet) => (sheet.kind === 'ground' ? [] : [sheet.source])));
  if (used.size > MAX_SOURCES) return err(`is a style with tiles of more than ${MAX_SOURCES} sources`);
  if (sheets.length === 0) return err('is a style of which nothing can be drawn here');
  return ok({ sheets, sources: new Map([...known].filter(([name]) => used.has(name))) });
}

/** What a TileJSON document adds to the source that names it. */
export function withTileJson(source: StyleSource, text: string): Result<StyleSource, string> {
  const { address = '' } = source;
  const said = membersOf(parseJson(text));
  const tiles = addressesIn(said['tiles'], address);
  if (tiles.length === 0) return err('has a source whose TileJSON names no tiles');
  return ok({ ...source, tiles, ...zoomsOf(said, source), isFromSouth: said['scheme'] === 'tms' });
}

function parseSource(source: Members, base: string): StyleSource | undefined {
  const { type, url, tileSize, scheme } = source;
  if (type !== 'vector' && type !== 'raster') return undefined;
  const tiles = addressesIn(source['tiles'], base);
  const address = typeof url === 'string' ? resolved(url, base) : undefined;
  if (tiles.length === 0 && address === undefined) return undefined;
  return {
    kind: type === 'vector' ? 'shapes' : 'pictures',
    tiles,
    address,
    tileSize: type === 'raster' && tileSize === 256 ? 256 : 512,
    ...zoomsOf(source, { minzoom: 0, maxzoom: 22 }),
    isFromSouth: scheme === 'tms',
  };
}

function sheetOf(layer: Members, sources: ReadonlyMap<string, StyleSource>): Sheet | undefined {
  const { type, source: name } = layer;
  const paint = membersOf(layer['paint']);
  if (PATTERNS.some((pattern) => paint[pattern] !== undefined)) return undefined;
  if (type === 'background') {
    const ground = { 'fill-color': paint['background-color'], 'fill-opacity': paint['background-opacity'] };
    const style = compiled({ ...layer, type: 'fill', paint: ground });
    return style && { kind: 'ground', style };
  }
  if (typeof name !== 'string') return undefined;
  const kind = sources.get(name)?.kind;
  if (kind !== (type === 'raster' ? 'pictures' : 'shapes')) return undefined;
  const style = compiled(layer);
  if (style === undefined) return undefined;
  if (kind === 'pictures') return { kind, source: name, style };
  const within = layer['source-layer'];
  return typeof within === 'string' ? { kind, source: name, layer: within, style } : undefined;
}

/** Undefined: it has something that we do not draw. */
function compiled(layer: Members): Sheet['style'] | undefined {
  const set = (part: unknown): Members =>
    Object.fromEntries(Object.entries(membersOf(part)).filter(([, value]) => value !== undefined));
  const { id, type, minzoom, maxzoom, filter } = layer;
  // Only what MapLibre knows: metadata may have words that mean something to us.
  const parsed = parseStyle([
    { id, type, minzoom, maxzoom, filter, layout: set(layer['layout']), paint: set(layer['paint']) },
  ]);
  return parsed.ok ? compileStyle(parsed.value) : undefined;
}

function zoomsOf(
  { minzoom, maxzoom }: Members,
  otherwise: Pick<StyleSource, 'minzoom' | 'maxzoom'>,
): Pick<StyleSource, 'minzoom' | 'maxzoom'> {
  const zoom = (value: unknown, other: number): number =>
    typeof value === 'number' && value >= 0 ? Math.min(MAX_ZOOM, Math.floor(value)) : other;
  return { minzoom: zoom(minzoom, otherwise.minzoom), maxzoom: zoom(maxzoom, otherwise.maxzoom) };
}

function addressesIn(list: unknown, base: string): readonly string[] {
  return Array.isArray(list) ? list.flatMap((one) => (typeof one === 'string' ? (resolved(one, base) ?? []) : [])) : [];
}

/** Undefined: no address that is asked by HTTP. */
function resolved(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const { protocol, href } = new URL(address, base);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  // A URL has the places for numbers encoded.
  return href.replace(/%7B/gi, '{').replace(/%7D/gi, '}');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
