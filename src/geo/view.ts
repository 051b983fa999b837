// The picture that is asked for: which part of the world, in which coordinate system, on how many pixels. Pure.

import type { Box, Crs } from './projection.ts';
import { resolutionToZoom } from './style/zoom-scale.ts';

export type View = {
  readonly crs: Crs;
  /** x first, whatever the system's own order is. */
  readonly box: Box;
  readonly width: number;
  readonly height: number;
  /** As map viewers count it; styles ask for it. */
  readonly zoom: number;
};

export function makeView(crs: Crs, box: Box, width: number, height: number): View {
  const [xmin, ymin, xmax, ymax] = box;
  // Pixels need not be square; the finer side decides.
  const resolution = Math.min((xmax - xmin) / width, (ymax - ymin) / height) * crs.metresPerUnit;
  return { crs, box, width, height, zoom: resolutionToZoom(resolution) };
}
