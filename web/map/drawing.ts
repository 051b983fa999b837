// Drawing on a map, as data: which tool is at work, on what, and who hears of the result. `draw-tools.ts` does it.

import type { Geometry } from 'geojson';
import type { SnapTargets } from '../lib/edit/snap.ts';

export type DrawTool = 'point' | 'line' | 'polygon' | 'move' | 'reshape' | 'prune' | 'cut';

export type Drawing = {
  readonly tool: DrawTool;
  /** What is moved or reshaped. */
  readonly subject: { readonly key: string; readonly geometry: Geometry } | undefined;
  /** Undefined: snapping is off. */
  readonly targets: SnapTargets | undefined;
  /** A new shape, or the line to cut along. */
  readonly onDrawn: (geometry: Geometry) => void;
  readonly onShaped: (key: string, geometry: Geometry) => void;
};

/** Beyond these, handles on all vertices would be too slow to use. */
export const MAX_HANDLES = 5000;
