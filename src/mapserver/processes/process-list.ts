// The processes there are, in the order in which they are listed.

import { DISSOLVE } from './query/dissolve.ts';
import { HEXAGONS } from './query/hexagons.ts';
import { MERGE } from './query/merge.ts';
import { CLIP, INTERSECTION } from './query/overlay.ts';
import type { Process } from './query/process.ts';
import { BUFFER, CENTROIDS, FILTER } from './query/row-process.ts';
import { POINTS_IN_POLYGONS, SPATIAL_JOIN } from './query/spatial-join.ts';

export const PROCESSES: readonly Process[] = [
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
];
