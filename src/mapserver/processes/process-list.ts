// The processes there are, in the order in which they are listed.

import { DISSOLVE } from './query/dissolve.ts';
import { geocode, PLACES_BY_KEY } from './query/geocode.ts';
import { HEXAGONS } from './query/hexagons.ts';
import { ISOLINES } from './query/isolines.ts';
import { JOIN_BY_KEY } from './query/join-by-key.ts';
import { MERGE } from './query/merge.ts';
import { CLIP, INTERSECTION } from './query/overlay.ts';
import type { Process } from './query/process.ts';
import { BUFFER, CENTROIDS, FILTER } from './query/row-process.ts';
import { POINTS_IN_POLYGONS, SPATIAL_JOIN } from './query/spatial-join.ts';
import { ZONAL_STATISTICS } from './query/zonal-statistics.ts';

const ALWAYS: readonly Process[] = [
  FILTER,
  BUFFER,
  CENTROIDS,
  DISSOLVE,
  CLIP,
  INTERSECTION,
  SPATIAL_JOIN,
  POINTS_IN_POLYGONS,
  HEXAGONS,
  MERGE,
  ZONAL_STATISTICS,
  ISOLINES,
  JOIN_BY_KEY,
  PLACES_BY_KEY,
];

export function processList(hasGeocoder: boolean): readonly Process[] {
  return [...ALWAYS, geocode(hasGeocoder)];
}
