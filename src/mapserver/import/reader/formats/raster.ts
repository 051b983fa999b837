// Rasters (GeoTIFF, ASCII grid) → a cloud-optimised GeoTIFF with overviews, and what is in it.

import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../../../kernel/result.ts';
import type { ImportFailure } from '../../import-failure.ts';
import type { RasterBand, RasterResult } from '../../import-task.ts';
import { asks, failed, type ImportFormat, type ReadContext, type ReadEnd, type Stop } from '../format.ts';

type Info = {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly size?: readonly number[];
  readonly geoTransform?: readonly number[];
  readonly coordinateSystem?: { readonly wkt?: string };
  readonly stac?: { readonly 'proj:epsg'?: number | null };
  readonly bands?: readonly {
    readonly type?: string;
    readonly noDataValue?: unknown;
    readonly colorInterpretation?: string;
  }[];
};

export const geotiff: ImportFormat = {
  title: 'GeoTIFF',
  read: ({ base }, context) => readRaster({ name: base.name, path: base.path, driver: 'GTiff' }, context),
};

/** Text with one number per cell; its coordinate system stands in a .prj beside it, or is asked for. */
export const asciiGrid: ImportFormat = {
  title: 'ASCII grid',
  async read({ base, parts }, context) {
    // GDAL finds the .prj by its name.
    const path = join(context.folder, 'data.asc');
    await rename(base.path, path);
    const projection = parts.get('.prj');
    if (projection !== undefined) await rename(projection.path, join(context.folder, 'data.prj'));
    return readRaster({ name: base.name, path, driver: 'AAIGrid' }, context);
  },
};

type Source = { readonly name: string; readonly path: string; readonly driver: 'GTiff' | 'AAIGrid' };

async function readRaster(file: Source, context: ReadContext): Promise<Result<ReadEnd, Stop>> {
  const gdal = await context.gdal();
  const before = await gdal.rasterInfo(file.path, file.driver);
  if (!before.ok) return failed({ kind: 'unreadable', file: file.name, said: before.said });
  const source = before.info as Info;
  if (source.metadata?.['OVERVIEWS'] !== undefined)
    return failed({
      kind: 'forbidden-content',
      file: file.name,
      what: 'the name of another file with its overviews',
    });
  if (source.geoTransform === undefined) return failed({ kind: 'not-georeferenced', file: file.name });
  const tooLarge = pixelFault(file.name, source, context.limits.unpackedBytes);
  if (tooLarge !== undefined) return failed(tooLarge);
  const hasCrs = (source.coordinateSystem?.wkt ?? '') !== '';
  if (!hasCrs && context.answers.crs === undefined) return asks({ kind: 'crs', file: file.name });

  const { size } = await stat(file.path);
  context.begin('UTF-8');
  const path = join(context.folder, 'cog.tif');
  const made = await gdal.makeCog(file, path, context.answers.crs, (read) =>
    context.progress(Math.min(read, size), size),
  );
  if (!made.ok) return failed({ kind: 'unreadable', file: file.name, said: made.said });
  const after = await gdal.rasterInfo(path, 'GTiff');
  if (!after.ok) return failed({ kind: 'unreadable', file: file.name, said: after.said });
  const raster = rasterOf(after.info as Info, path);
  if (raster === undefined) return failed({ kind: 'not-georeferenced', file: file.name });
  return { ok: true, value: { kind: 'raster', raster, warnings: made.warnings } };
}

/** By type, as GDAL calls them. */
const SAMPLE_BYTES: Readonly<Record<string, number>> = {
  Byte: 1,
  Int8: 1,
  UInt16: 2,
  Int16: 2,
  UInt32: 4,
  Int32: 4,
  Float32: 4,
  CInt16: 4,
};

/** A file of some kilobytes can say that it has a million million pixels, all of them empty: the work is done for each. */
function pixelFault(file: string, { size, bands = [] }: Info, limit: number): ImportFailure | undefined {
  const [width = 0, height = 0] = size ?? [];
  const sample = bands.reduce((sum, { type }) => sum + (SAMPLE_BYTES[type ?? ''] ?? 8), 0);
  const bytes = width * height * sample;
  return bytes > limit
    ? { kind: 'too-many-pixels', file, width, height, bands: bands.length, bytes, limit }
    : undefined;
}

function rasterOf(info: Info, path: string): RasterResult | undefined {
  const [width = 0, height = 0] = info.size ?? [];
  const [x0 = 0, dx = 0, rx = 0, y0 = 0, ry = 0, dy = 0] = info.geoTransform ?? [];
  if (info.geoTransform === undefined || width <= 0 || height <= 0) return undefined;
  const xs = [x0, x0 + width * dx, x0 + height * rx, x0 + width * dx + height * rx];
  const ys = [y0, y0 + width * ry, y0 + height * dy, y0 + width * ry + height * dy];
  const wkt = info.coordinateSystem?.wkt ?? '';
  return {
    path,
    width,
    height,
    bands: (info.bands ?? []).map(
      ({ type, noDataValue, colorInterpretation }): RasterBand => ({
        type: type ?? 'Unknown',
        nodata: typeof noDataValue === 'number' && Number.isFinite(noDataValue) ? noDataValue : null,
        color: colorInterpretation ?? 'Undefined',
      }),
    ),
    extent: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    epsg: info.stac?.['proj:epsg'] ?? epsgOf(wkt),
    wkt,
  };
}

/** The identifier at the very end of a WKT names the whole system. */
function epsgOf(wkt: string): number | undefined {
  const found = /(?:ID|AUTHORITY)\["EPSG",\s*"?(\d+)"?\]\s*\]\s*$/i.exec(wkt.trim());
  return found === null ? undefined : Number(found[1]);
}
