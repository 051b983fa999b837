// Boxes: xmin, ymin, xmax, ymax. Pure.

import { WORLD_HALF } from './tile.ts';

export type Box = readonly [number, number, number, number];

/** The part of a box (in degrees) in which a layer is; undefined: it is not there. */
export function meeting(box: Box, extent: Box | undefined): Box | 'everything' | undefined {
  if (extent === undefined) return 'everything';
  // A little more than the recorded extent, which is rounded, and whose edges are curves elsewhere.
  const slack = Math.max(extent[2] - extent[0], extent[3] - extent[1]) * 0.05 + 1e-6;
  const [xmin, ymin, xmax, ymax] = [extent[0] - slack, extent[1] - slack, extent[2] + slack, extent[3] + slack];
  if (box[0] > xmax || box[2] < xmin || box[1] > ymax || box[3] < ymin) return undefined;
  if (box[0] <= xmin && box[1] <= ymin && box[2] >= xmax && box[3] >= ymax) return 'everything';
  return [Math.max(box[0], xmin), Math.max(box[1], ymin), Math.min(box[2], xmax), Math.min(box[3], ymax)];
}

/** Beyond it Mercator runs off to infinity. */
export const MAX_LATITUDE = 85.06;

/** Degrees → metres of EPSG:3857, poles cut off. */
export function toMercator([west, south, east, north]: Box): Box {
  const y = (latitude: number): number => {
    const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
    return (Math.asinh(Math.tan((clamped * Math.PI) / 180)) / Math.PI) * WORLD_HALF;
  };
  return [(west / 180) * WORLD_HALF, y(south), (east / 180) * WORLD_HALF, y(north)];
}

export function fromMercator([xmin, ymin, xmax, ymax]: Box): Box {
  const latitude = (y: number): number => (Math.atan(Math.sinh((y / WORLD_HALF) * Math.PI)) * 180) / Math.PI;
  return [(xmin / WORLD_HALF) * 180, latitude(ymin), (xmax / WORLD_HALF) * 180, latitude(ymax)];
}

/** As far as longitudes run: some count them from 0 to 360. */
const MAX_LONGITUDE = 360;

/**
 * A box of degrees → the boxes in which things that lie there can be recorded: once as −180…180, once in another turn of the globe. One whose west
 * is larger than its east runs across the line of 180°, and one may lie beyond it.
 */
export function turnsOf([west, south, east, north]: Box): readonly [Box, ...Box[]] {
  if (east - west >= 360) return [[-MAX_LONGITUDE, south, MAX_LONGITUDE, north]];
  const turn = west >= -180 && west <= 180 ? 0 : -360 * Math.floor((west + 180) / 360);
  const first = west + turn;
  const last = east + turn + (east < west ? 360 * Math.ceil((west - east) / 360) : 0);
  const others = [-720, -360, 360]
    .map((shift): Box => [first + shift, south, last + shift, north])
    .filter(([from, , to]) => to >= -MAX_LONGITUDE && from <= MAX_LONGITUDE);
  return [[first, south, last, north], ...others];
}

/** The same place as a box inside −180…180, for schemas that allow no other longitudes; one across the line of 180° becomes a belt around the world. */
export function insideWorld(box: Box): Box {
  const [west, south, east, north] = box;
  if (west >= -180 && east <= 180) return box;
  if (west >= 180) return [west - 360, south, Math.min(180, east - 360), north];
  if (east <= -180) return [Math.max(-180, west + 360), south, east + 360, north];
  return [-180, south, 180, north];
}
