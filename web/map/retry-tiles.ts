// Retry with back-off for tiles that failed: a server that was busy or away for a moment is asked again, a little later each time,
// for as long as the tile is in view. What was refused for good is not asked for again.

import type { ErrorEvent, Map as GlMap, MapSourceDataEvent } from 'maplibre-gl';

type TileName = { readonly x: number; readonly y: number; readonly z: number };
/** MapLibre's own, as far as it is of interest here. */
type LoadingTile = { readonly tileID: { readonly canonical: TileName }; state: string };
type Failing = {
  readonly source: string;
  readonly tile: TileName;
  /** Of each turn of the world. */
  readonly copies: Set<LoadingTile>;
  tries: number;
  timer: number | undefined;
};

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** Doubles with each try. Up to a quarter less, by chance: tiles that failed together do not come back together. */
export function retryDelay(tries: number, chance: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 20)) * (1 - chance / 4);
}

/** No answer, too many at once, or trouble of the server: it may pass. */
export function mayPass(status: number | undefined): boolean {
  return status === undefined || status === 0 || status === 408 || status === 429 || status >= 500;
}

export type TileRetries = {
  /** All that failed, at once. */
  now(): void;
  end(): void;
};

/** `onTrouble` hears which sources have tiles that failed, whenever that changes. */
export function retryTiles(map: GlMap, onTrouble: (sources: readonly string[]) => void): TileRetries {
  const failing = new Map<string, Failing>();
  let told = '';
  const tell = (): void => {
    const sources = [...new Set([...failing.values()].map(({ source }) => source))].sort();
    if (sources.join(' ') === told) return;
    told = sources.join(' ');
    onTrouble(sources);
  };
  const drop = (key: string): void => {
    const one = failing.get(key);
    if (one === undefined) return;
    window.clearTimeout(one.timer);
    failing.delete(key);
    tell();
  };
  const ask = (one: Failing): void => {
    window.clearTimeout(one.timer);
    one.timer = undefined;
    if (map.getSource(one.source) === undefined) drop(keyOf(one.source, one.tile));
    else {
      map.refreshTiles(one.source, [{ ...one.tile }]);
      // It is marked as one that has expired, which is drawn until the new one is there. A picture that never came cannot be: that would be an exception in each
      // frame, and what stands above it would not be drawn. A vector tile without features can, and has to be marked so to be asked for.
      if (map.getSource(one.source)?.type === 'raster')
        for (const copy of one.copies) if (copy.state === 'expired') copy.state = 'loading';
    }
    map.triggerRepaint();
  };
  const onError = (event: ErrorEvent): void => {
    const { tile, sourceId, error } = event as ErrorEvent & {
      readonly sourceId?: string;
      readonly tile?: LoadingTile;
      readonly error: { readonly status?: number };
    };
    if (tile === undefined || sourceId === undefined || !mayPass(error.status)) return;
    const { x, y, z } = tile.tileID.canonical;
    const key = keyOf(sourceId, { x, y, z });
    const one = failing.get(key) ?? {
      source: sourceId,
      tile: { x, y, z },
      copies: new Set(),
      tries: 0,
      timer: undefined,
    };
    one.copies.add(tile);
    failing.set(key, one);
    window.clearTimeout(one.timer);
    one.timer = window.setTimeout(() => ask(one), retryDelay(one.tries, Math.random()));
    one.tries += 1;
    tell();
  };
  const onData = (event: MapSourceDataEvent): void => {
    const { tile, sourceId } = event as MapSourceDataEvent & {
      readonly tile?: LoadingTile;
    };
    if (tile?.state === 'loaded') drop(keyOf(sourceId, tile.tileID.canonical));
  };
  /** Whatever was asked for has come or failed again: what neither did is not on the map any more. */
  const onIdle = (): void => {
    for (const [key, { timer }] of failing) if (timer === undefined) drop(key);
  };
  const onMoved = (): void => {
    for (const [key, one] of failing) if (!isInView(map, one)) drop(key);
  };
  map.on('error', onError);
  map.on('sourcedata', onData);
  map.on('idle', onIdle);
  map.on('moveend', onMoved);
  return {
    now() {
      for (const one of failing.values()) ask(one);
    },
    end() {
      for (const { timer } of failing.values()) window.clearTimeout(timer);
      failing.clear();
    },
  };
}

function keyOf(source: string, { x, y, z }: TileName): string {
  return `${source} ${z}/${x}/${y}`;
}

function isInView(map: GlMap, { source, tile: { x, y, z } }: Failing): boolean {
  const deepest = map.getSource(source) as { readonly maxzoom?: number } | undefined;
  // Tiles one level above or below stand in for others.
  if (deepest === undefined || Math.abs(Math.min(deepest.maxzoom ?? 22, map.getZoom()) - z) > 2) return false;
  const n = 2 ** z;
  const bounds = map.getBounds();
  const lat = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / n))) * 180) / Math.PI;
  const [west, east] = [(x / n) * 360 - 180, ((x + 1) / n) * 360 - 180];
  const overlaps = [-360, 0, 360].some((turn) => west + turn < bounds.getEast() && east + turn > bounds.getWest());
  return overlaps && lat(y + 1) < bounds.getNorth() && lat(y) > bounds.getSouth();
}
