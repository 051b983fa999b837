// Rasters (GeoTIFF, ASCII grid, ERDAS Imagine, pictures with a world file) → a cloud-optimised GeoTIFF with overviews, and what is in it.

import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../../../kernel/result.ts';
import type { ImportFailure } from '../../import-failure.ts';
import type { RasterBand, RasterResult } from '../../import-task.ts';
import { asks, failed, type ImportFormat, type ReadContext, type ReadEnd, type Stop } from '../format.ts';
import { WORLD_EXTENSIONS } from '../sniff.ts';

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

type Driver = 'GTiff' | 'AAIGrid' | 'HFA' | 'PNG' | 'JPEG';

export const geotiff: ImportFormat = rasterFormat('GeoTIFF', 'GTiff', '.tif');
/** Text with one number per cell. */
export const asciiGrid: ImportFormat = rasterFormat('ASCII grid', 'AAIGrid', '.asc');
export const erdasImagine: ImportFormat = rasterFormat('ERDAS Imagine', 'HFA', '.img');
export const png: ImportFormat = rasterFormat('PNG', 'PNG', '.png');
export const jpeg: ImportFormat = rasterFormat('JPEG', 'JPEG', '.jpg');

/** Where a file does not say it itself, a world file beside it says where it is, and a .prj in which coordinate system. */
function rasterFormat(title: string, driver: Driver, extension: string): ImportFormat {
  return {
    title,
    async read({ base, parts }, context) {
      // GDAL finds both by their names.
      const path = join(context.folder, `data${extension}`);
      if (base.path !== path) await rename(base.path, path);
      const [, world] = [...parts].find(([part]) => WORLD_EXTENSIONS.has(part)) ?? [];
      if (world !== undefined) await rename(world.path, join(context.folder, 'data.wld'));
      const projection = parts.get('.prj');
      const wkt = projection === undefined ? undefined : await wktIn(projection.path);
      if (projection !== undefined) await rename(projection.path, join(context.folder, 'data.prj'));
      return readRaster({ name: base.name, path, driver, wkt }, context);
    },
  };
}

/** A system in words is short. */
const MAX_WKT = 20_000;
const IS_WKT = /^(?:PROJCS|GEOGCS|COMPD_CS|PROJCRS|GEOGCRS|GEODCRS|COMPOUNDCRS|BOUNDCRS)\s{0,9}\[/i;

/** Undefined: it is no WKT. Anything else GDAL would take for the name of a file, or an address. */
async function wktIn(path: string): Promise<string | undefined> {
  const { size } = await stat(path);
  if (size > MAX_WKT) return undefined;
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '').trim();
  return IS_WKT.test(text) && !text.includes('\0') ? text : undefined;
}

type Source = {
  readonly name: string;
  readonly path: string;
  readonly driver: Driver;
  /** Of a .prj, for drivers that do not look for one. */
  readonly wkt: string | undefined;
};

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
  const beside = hasCrs || file.wkt === undefined ? undefined : `ESRI::${file.wkt}`;
  const crs = context.answers.crs ?? beside;
  if (!hasCrs && crs === undefined) return asks({ kind: 'crs', file: file.name });

  const { size } = await stat(file.path);
  context.begin('UTF-8');
  const path = join(context.folder, 'cog.tif');
  const made = await gdal.makeCog(file, path, crs, (read) => context.progress(Math.min(read, size), size));
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
