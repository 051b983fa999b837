// Where a thumbnail looks: at the extent of a layer or a map, or at the place a map opens with. Pure.

import { type Box, makeProject, WEB_MERCATOR, WGS84 } from '../../geo/projection.ts';
import { WORLD_HALF } from '../../geo/tile.ts';
import { makeView, type View } from '../../geo/view.ts';
import type { ThumbnailSubject } from '../../layer-ports/thumbnail-store.ts';

export const WIDTH = 480;
export const HEIGHT = 320;
/** Lists cut pictures to 16:9. What has to be seen lies within that. */
const SEEN_HEIGHT = (WIDTH * 9) / 16;
/** Pixels around it, so that symbols at the edge are whole. */
const ROOM = 26;
/** In metres of a web map. What is smaller than the first is one place, and is shown with the coasts and borders around it. */
const PLACE_SPAN = 200;
const AROUND_PLACE = 700_000;
const LEAST_SPAN = 2000;

const toMercator = makeProject(WGS84, WEB_MERCATOR);

/** The extent with some room around it, in the shape of the picture. */
export function viewOfExtent(extent: Box | undefined): View {
  const [west, south, east, north] = extent ?? [-180, -60, 180, 75];
  const clamp = (latitude: number): number => Math.max(-85, Math.min(85, latitude));
  const [xmin, ymin] = toMercator(west, clamp(south)) ?? [-WORLD_HALF, -WORLD_HALF];
  const [xmax, ymax] = toMercator(east, clamp(north)) ?? [WORLD_HALF, WORLD_HALF];
  const span = Math.max(xmax - xmin, ymax - ymin);
  const least = span < PLACE_SPAN ? AROUND_PLACE : LEAST_SPAN;
  return viewAround(
    [(xmin + xmax) / 2, (ymin + ymax) / 2],
    Math.max(Math.max(least, xmax - xmin) / (WIDTH - 2 * ROOM), (ymax - ymin) / (SEEN_HEIGHT - 2 * ROOM)),
  );
}

/** All of a box (in metres of a web map), and nothing around it but what the shape of the picture asks for. */
export function viewOfBox([xmin, ymin, xmax, ymax]: Box): View {
  const resolution = Math.max(xmax - xmin, 1) / WIDTH;
  return viewAround([(xmin + xmax) / 2, (ymin + ymax) / 2], Math.max(resolution, Math.max(ymax - ymin, 1) / HEIGHT));
}

/** `resolution`: metres of a web map in a pixel. */
function viewAround([x, y]: readonly [number, number], resolution: number): View {
  const fine = Math.min((2 * WORLD_HALF) / WIDTH, resolution);
  const [dx, dy] = [(fine * WIDTH) / 2, (fine * HEIGHT) / 2];
  // Above the highest and below the lowest place of a web map there is nothing to see.
  const middle = Math.max(-WORLD_HALF + dy, Math.min(WORLD_HALF - dy, y));
  return makeView(WEB_MERCATOR, [x - dx, middle - dy, x + dx, middle + dy], WIDTH, HEIGHT);
}

/** A map has its extent, or the middle and zoom it opens with. */
export function viewOfMap({ extent, center, zoom }: Extract<ThumbnailSubject, { kind: 'map' }>): View {
  if (extent !== undefined) return viewOfExtent(extent);
  const [x, y] = center;
  const isDegrees = Math.abs(x) <= 180 && Math.abs(y) <= 90;
  const middle = isDegrees ? (toMercator(x, Math.max(-85, Math.min(85, y))) ?? [0, 0]) : ([x, y] as const);
  // As much as a window of about a thousand pixels shows.
  const span = ((2 * WORLD_HALF) / 256 / 2 ** Math.max(0, Math.min(22, zoom))) * 1000;
  return viewAround(middle, span / WIDTH);
}
