// The numbers of a planned answer, read from the file: a part of it as it lies there, or for each pixel of the answer the nearest one
// of the level of detail that fits.

import type { Crs } from '../../geo/projection.ts';
import { makeProject } from '../../geo/projection.ts';
import { makeView } from '../../geo/view.ts';
import { inSlices, type Stage } from '../../kernel/in-slices.ts';
import type { Level, Numbers, OpenRaster } from '../raster/open-raster.ts';
import { makeMesh, meshRow, meshScale, meshWindow } from '../raster/warp.ts';
import { type CoveragePlan, MAX_NUMBERS, type Window } from './plan-coverage.ts';

/** Reading the answer would need more numbers than fit: the file has no overviews for it. */
export class TooMuchToRead extends Error {}

export async function readCoverage(raster: OpenRaster, native: Crs, plan: CoveragePlan): Promise<readonly Numbers[]> {
  const [whole] = raster.levels;
  if (whole === undefined) throw new Error('the file has no picture');
  const bands = [...plan.bands];
  if (plan.window !== undefined) return readWindow(whole, plan.window, bands);
  const { width, height } = plan;
  const view = makeView(plan.crs, plan.box, width, height);
  const mesh = makeMesh(view, makeProject(plan.crs, native), raster.affine);
  const scale = meshScale(mesh);
  const level = raster.levels.findLast((one) => whole.width / one.width <= Math.max(1, scale)) ?? whole;
  const [fx, fy] = [level.width / whole.width, level.height / whole.height];
  const seen = meshWindow(mesh, whole.width, whole.height);
  const template = emptyBands(whole, bands.length, width * height, raster.nodata);
  if (seen === undefined) return template;
  const window: Window = [
    Math.max(0, Math.floor(seen[0] * fx) - 1),
    Math.max(0, Math.floor(seen[1] * fy) - 1),
    Math.min(level.width, Math.ceil(seen[2] * fx) + 1),
    Math.min(level.height, Math.ceil(seen[3] * fy) + 1),
  ];
  const [columns, rows] = [window[2] - window[0], window[3] - window[1]];
  if (columns * rows * bands.length > MAX_NUMBERS) throw new TooMuchToRead();
  const source = await readWindow(level, window, bands);
  await inSlices(
    (function* (): Stage<void> {
      const places = new Float64Array(width * 2);
      for (let y = 0; y < height; y++) {
        meshRow(mesh, y, places);
        for (let x = 0; x < width; x++) {
          const column = Math.floor((places[x * 2] ?? Number.NaN) * fx - window[0] + EPSILON);
          const row = Math.floor((places[x * 2 + 1] ?? Number.NaN) * fy - window[1] + EPSILON);
          if (!(column >= 0 && row >= 0 && column < columns && row < rows)) continue;
          for (let band = 0; band < template.length; band++) {
            const [to, from] = [template[band], source[band]];
            if (to !== undefined && from !== undefined) to[y * width + x] = from[row * columns + column] ?? 0;
          }
        }
        yield;
      }
    })(),
  );
  return template;
}

/** Middles of pixels are calculated; one that falls on an edge by rounding belongs to the pixel behind it. */
const EPSILON = 1e-9;

async function readWindow(level: Level, window: Window, bands: number[]): Promise<readonly Numbers[]> {
  const read = await level.image.readRasters({ window: [...window], samples: bands });
  return read as unknown as readonly Numbers[];
}

function emptyBands({ image }: Level, count: number, length: number, nodata: number | null): readonly Numbers[] {
  return Array.from({ length: count }, () => {
    const numbers = image.getArrayForSample(0, length) as unknown as Numbers;
    if (nodata !== null) numbers.fill(nodata);
    return numbers;
  });
}
