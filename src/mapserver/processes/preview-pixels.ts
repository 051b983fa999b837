// What would become of a sample where a raster is read: the first areas with what their pixels tell, or lines of a coarse overview.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessFault } from '../../layer-ports/process.ts';
import { textRows } from '../../pg/rows.ts';
import { timeLimit } from '../query/layer-sql.ts';
import type { ReadFile } from '../raster/blob-source.ts';
import type { Recipe } from './query/recipe.ts';
import { shapesSql } from './query/shapes-sql.ts';
import { type Isolines, type PixelLimits, sampleIsolines, withZones, type Zones } from './rasters/read-pixels.ts';
import { readZone, statisticCells } from './rasters/zone-rows.ts';
import { faultOf, gisSchema } from './run-recipe.ts';
import { type Sampling, sampleRows } from './sample-rows.ts';

const SAMPLE_ROWS = 20;
/** A million pixels of an overview take a moment, and a screen has no more. */
const LIMITS = { pixels: 1_500_000, vertices: 200_000, lines: 2000 };
const ZONE_PIXELS = 30_000_000;

export type PixelsPreview = Sampling & { readonly readFile: ReadFile; readonly recipe: Recipe };

type Row = { readonly cells: readonly (string | null)[]; readonly shape: string };

/** GeoJSON. */
export async function previewPixels(preview: PixelsPreview): Promise<Result<string, ProcessFault>> {
  const { recipe } = preview;
  const { pixels } = recipe;
  if (pixels === undefined) throw new Error('the process reads no pixels');
  const rows = pixels.kind === 'zones' ? await zoneSample(preview, pixels) : await lineSample(preview, pixels);
  if (!rows.ok) return rows;
  const shapes = await shapesOf(preview, rows.value);
  if (!shapes.ok) return shapes;
  const features = rows.value.map(({ cells }, i) => ({
    type: 'Feature',
    geometry: JSON.parse(shapes.value[i] ?? 'null') as unknown,
    properties: Object.fromEntries(
      recipe.columns.map(({ name, type }, at) => [name, cellValue(cells[at] ?? null, type)]),
    ),
  }));
  return ok(JSON.stringify({ type: 'FeatureCollection', sampleRows: features.length, features }));
}

/** Numbers as numbers; what else there is, as the database writes it. */
function cellValue(cell: string | null, type: string): string | number | null {
  const isNumber = cell !== null && NUMBERS.has(type) && Number.isFinite(Number(cell));
  return isNumber ? Number(cell) : cell;
}

const NUMBERS: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint', 'real', 'double precision']);

async function zoneSample(preview: PixelsPreview, pixels: Zones): Promise<Result<readonly Row[], ProcessFault>> {
  const { readFile, recipe, timeLimitMs } = preview;
  const [part] = recipe.parts;
  if (part === undefined) throw new Error('the areas are rows of a layer');
  const read = await sampleRows(preview, part, SAMPLE_ROWS);
  if (!read.ok) return read;
  const limits: PixelLimits = { ...LIMITS, pixels: ZONE_PIXELS, ms: timeLimitMs };
  return withZones({ readFile, pixels, limits, signal: NEVER }, async (zones, signal) => {
    const rows: Row[] = [];
    for (const row of read.value) {
      const told = statisticCells(await readZone(zones, row.at(-2), signal), pixels.isCounted);
      rows.push({ cells: [...row.slice(0, -2), ...told], shape: row.at(-1) ?? '' });
    }
    return rows;
  });
}

async function lineSample(
  { readFile, timeLimitMs }: PixelsPreview,
  pixels: Isolines,
): Promise<Result<readonly Row[], ProcessFault>> {
  const limits: PixelLimits = { ...LIMITS, ms: timeLimitMs };
  const drawn = await sampleIsolines({ readFile, pixels, limits, signal: NEVER });
  if (!drawn.ok) return drawn;
  const lines = drawn.value.split('\n').slice(0, -1);
  return ok(
    lines.map((line) => {
      const [level = null, shape = ''] = line.split('\t');
      return { cells: [level], shape };
    }),
  );
}

const NEVER: AbortSignal = new AbortController().signal;

async function shapesOf(
  { db, caller, info, recipe, timeLimitMs }: PixelsPreview,
  rows: readonly Row[],
): Promise<Result<readonly (string | null)[], ProcessFault>> {
  if (rows.length === 0) return ok([]);
  const gis = recipe.parts[0]?.layer.gis ?? (await gisSchema(db));
  if (typeof gis !== 'string') return gis;
  const statement = shapesSql(
    gis,
    rows.map(({ shape }) => shape),
  );
  const executed = await db.read(caller, info, [timeLimit(timeLimitMs), statement], { timeLimitMs });
  if (!executed.ok) return err(faultOf(executed.error));
  return ok(textRows(executed.value[1] ?? { rows: [], tag: '' }).map(([shape = null]) => shape));
}
