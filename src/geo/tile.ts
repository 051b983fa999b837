// Tiles of the web's grid (WebMercatorQuad): address → where it lies. Pure.

import { err, ok, type Result } from '../kernel/result.ts';

export type TileAddress = { readonly z: number; readonly x: number; readonly y: number };

export type TileAddressError = { readonly kind: 'bad-tile'; readonly said: string };

/** Half the width of the world in metres of EPSG:3857. */
export const WORLD_HALF = 20_037_508.342_789_244;

/** Beyond it a tile is smaller than a hand. */
export const MAX_ZOOM = 24;

/** Digits only: what JavaScript also takes for numbers (`1e1`, ` 1`, `0x1`) is no address. */
export function parseTileAddress(z: string, x: string, y: string): Result<TileAddress, TileAddressError> {
  const [zoom, column, row] = [z, x, y].map((text) => (/^\d{1,8}$/.test(text) ? Number(text) : Number.NaN));
  if (zoom === undefined || column === undefined || row === undefined) return bad('a tile has zoom, column and row');
  if ([zoom, column, row].some(Number.isNaN)) return bad('zoom, column and row of a tile are whole numbers');
  if (zoom > MAX_ZOOM) return bad(`there are no tiles beyond zoom ${MAX_ZOOM}`);
  const count = 2 ** zoom;
  if (column >= count || row >= count) return bad(`at zoom ${zoom} columns and rows run from 0 to ${count - 1}`);
  return ok({ z: zoom, x: column, y: row });
}

/** In metres of EPSG:3857. */
export function tileBounds({ z, x, y }: TileAddress): readonly [number, number, number, number] {
  const span = tileSpan(z);
  const xmin = -WORLD_HALF + x * span;
  const ymax = WORLD_HALF - y * span;
  return [xmin, ymax - span, xmin + span, ymax];
}

/** Width of a tile in metres of EPSG:3857. */
export function tileSpan(zoom: number): number {
  return (2 * WORLD_HALF) / 2 ** zoom;
}

/** Degrees that the tile covers. */
export function tileDegrees(tile: TileAddress): readonly [number, number, number, number] {
  const [xmin, ymin, xmax, ymax] = tileBounds(tile);
  return [longitude(xmin), latitude(ymin), longitude(xmax), latitude(ymax)];
}

function longitude(x: number): number {
  return (x / WORLD_HALF) * 180;
}

function latitude(y: number): number {
  return (Math.atan(Math.sinh((y / WORLD_HALF) * Math.PI)) * 180) / Math.PI;
}

function bad(said: string): Result<never, TileAddressError> {
  return err({ kind: 'bad-tile', said });
}
