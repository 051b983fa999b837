// What a recipe reads of a raster: rows with areas → rows with what their pixels tell, or lines along its levels. What is too much, takes too long
// or cannot be read is said in words.

import { open } from 'node:fs/promises';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { ProcessFault } from '../../../layer-ports/process.ts';
import type { ReadFile } from '../../raster/blob-source.ts';
import { type OpenRaster, openRaster } from '../../raster/open-raster.ts';
import type { Pixels } from '../query/recipe.ts';
import { bandOf, readable, UnreadableRaster } from './band.ts';
import { isolineRows, TooManyLines } from './isoline-rows.ts';
import { TooManyVertices } from './isolines.ts';
import { MAX_DISTINCT, TooManyDistinct } from './pixel-statistics.ts';
import { makeZoneReader, TooManyPixels, type ZoneReader } from './zone-reader.ts';
import { zoneRows } from './zone-rows.ts';

export type PixelLimits = {
  /** Read and looked at. */
  readonly pixels: number;
  readonly vertices: number;
  readonly lines: number;
  readonly ms: number;
};

export type PixelRun<P extends Pixels = Pixels> = {
  readonly readFile: ReadFile;
  readonly pixels: P;
  readonly limits: PixelLimits;
  readonly signal: AbortSignal;
};

export type Zones = Extract<Pixels, { kind: 'zones' }>;
export type Isolines = Extract<Pixels, { kind: 'isolines' }>;

/** Blocks of pixels that neighbouring areas share. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** What `work` makes with a reader of areas. */
export function withZones<T>(
  run: PixelRun<Zones>,
  work: (zones: ZoneReader, signal: AbortSignal) => Promise<T>,
): Promise<Result<T, ProcessFault>> {
  const { pixels, limits } = run;
  return inWords(run, (raster, signal) => {
    const [level] = raster.levels;
    if (level === undefined) throw new UnreadableRaster('the file has no picture');
    const band = bandOf(raster, level, pixels.band);
    return work(makeZoneReader(band, pixels.isCounted, { pixels: limits.pixels, cacheBytes: CACHE_BYTES }), signal);
  });
}

/** From a file of rows to another one. */
export function zonesOfFile(
  run: PixelRun<Zones>,
  files: { readonly from: string; readonly to: string },
  onRow: (rows: number) => void,
): Promise<Result<undefined, ProcessFault>> {
  const { isCounted } = run.pixels;
  return withZones(run, async (zones, signal) => {
    await zoneRows({ ...files, zones, isCounted, onRow, signal });
    return undefined;
  });
}

/** How many lines there are in the file. `onRow`: rows of pixels that are read, of how many. */
export function isolinesToFile(
  run: PixelRun<Isolines>,
  to: string,
  onRow: (rows: number, of: number) => void,
): Promise<Result<number, ProcessFault>> {
  const { pixels, limits } = run;
  return inWords(run, async (raster, signal) => {
    const [level] = raster.levels;
    if (level === undefined || level.width * level.height > limits.pixels) throw new TooManyPixels();
    const file = await open(to, 'w', 0o600);
    try {
      return await isolineRows({
        band: bandOf(raster, level, pixels.band),
        levels: pixels.levels,
        srid: pixels.raster.srid,
        limits,
        write: (rows) => file.write(rows),
        onRow: (rows) => onRow(rows, level.height),
        signal,
      });
    } finally {
      await file.close();
    }
  });
}

/** Rows of the finest overview that is small enough; only the first lines where there are too many. */
export function sampleIsolines(run: PixelRun<Isolines>): Promise<Result<string, ProcessFault>> {
  const { pixels, limits } = run;
  return inWords(run, async (raster, signal) => {
    const level = raster.levels.find(({ width, height }) => width * height <= limits.pixels);
    if (level === undefined) throw new TooManyPixels();
    const written: Buffer[] = [];
    const drawing = isolineRows({
      band: bandOf(raster, level, pixels.band),
      levels: pixels.levels,
      srid: pixels.raster.srid,
      limits,
      write: async (rows) => written.push(rows),
      onRow: () => undefined,
      signal,
    });
    await drawing.catch((error: unknown) => {
      if (written.length === 0 || !(error instanceof TooManyLines || error instanceof TooManyVertices)) throw error;
    });
    return Buffer.concat(written).toString('latin1');
  });
}

async function inWords<T>(
  { readFile, pixels, limits, signal: stop }: PixelRun,
  work: (raster: OpenRaster, signal: AbortSignal) => Promise<T>,
): Promise<Result<T, ProcessFault>> {
  const late = AbortSignal.timeout(limits.ms);
  try {
    const raster = await readable(openRaster(readFile, pixels.raster.blob));
    return ok(await work(raster, AbortSignal.any([stop, late])));
  } catch (error) {
    stop.throwIfAborted();
    if (late.aborted) return refused('It took too long: ask for less at once.');
    const said = wordsOf(error, limits);
    if (said === undefined) throw error;
    return refused(said);
  }
}

/** Undefined: nobody has thought of it. */
function wordsOf(error: unknown, { pixels, vertices, lines }: PixelLimits): string | undefined {
  const most = (n: number): string => n.toLocaleString('en');
  if (error instanceof TooManyPixels)
    return `More than ${most(pixels)} pixels would be read: ask for fewer rows with a filter, or take a coarser raster.`;
  if (error instanceof TooManyVertices || error instanceof TooManyLines)
    return `There would be more than ${most(lines)} lines, or ${most(vertices)} vertices in them: choose a larger interval.`;
  if (error instanceof TooManyDistinct)
    return `The pixels of an area have more than ${most(MAX_DISTINCT)} different values: none of them is frequent.`;
  if (error instanceof UnreadableRaster)
    return 'The file of the raster could not be read. Try again, or upload it anew.';
  return undefined;
}

function refused(said: string): Result<never, ProcessFault> {
  return err({ kind: 'refused', said });
}
