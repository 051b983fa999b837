// Whole layers and tables, or what a filter leaves of them, as files: `/download/{layer}.{format}`. Who may download, the database decides: it is
// asked beforehand, for a clear answer, and once more in the statement that reads the rows.

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import yazl from 'yazl';
import { type Caller, turnOf } from '../../auth/caller.ts';
import { whenClientGone } from '../../http/client-gone.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { makeSemaphore } from '../../kernel/semaphore.ts';
import type { RasterLayer, VectorLayer } from '../../layer-ports/layer.ts';
import { toQuery } from '../features/items-query.ts';
import { parseItemsRequest, type Query } from '../features/items-request.ts';
import { streamCopy, streamRows } from '../features/row-stream.ts';
import { csvCopy, geojsonLines, geojsonRows, kmlRows, rowObjects } from '../features/text-formats.ts';
import { findGdal } from '../import/find-gdal.ts';
import { layerFailure, type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import { crsStatement } from '../query/crs-sql.ts';
import { countStatement, FEW, type FeatureQuery } from '../query/feature-query.ts';
import { type CrsBook, makeCrsBook, WGS84 } from '../query/known-crs.ts';
import { mayCondition, timeLimit } from '../query/layer-sql.ts';
import { queryFailure } from '../query-failure.ts';
import { type ConvertError, type Converter, convert } from './convert.ts';
import { convertGeoPackage } from './convert-geopackage.ts';
import { takeHeadings, withHeadings } from './for-people.ts';
import { type GdalFormat, gdalArguments, OUTPUTS, placeholderFeature } from './gdal-formats.ts';
import { parquetRows } from './parquet-rows.ts';
import { workbookRows, zipWorkbook } from './send-workbook.ts';
import { noteTypes, shapefileParts } from './shapefile-parts.ts';
import { LINES, SOURCE, sourceVrt } from './source-vrt.ts';
import { tableQuery } from './table-query.ts';
import { MAX_SHEET_ROWS } from './workbook.ts';
import { zipStream } from './zip-stream.ts';

type DownloadFormat = 'geojson' | 'csv' | 'kml' | 'kmz' | 'xlsx' | 'parquet' | GdalFormat | 'tif';
/** Of a table without places. */
type TableFormat = 'csv' | 'json' | 'gpkg' | 'xlsx' | 'parquet';

const DOWNLOAD_TYPES: Readonly<Record<DownloadFormat | TableFormat, string>> = {
  geojson: 'application/geo+json',
  csv: 'text/csv; charset=utf-8',
  kml: 'application/vnd.google-earth.kml+xml',
  kmz: 'application/vnd.google-earth.kmz',
  gpkg: 'application/geopackage+sqlite3',
  'shp.zip': 'application/zip',
  fgb: 'application/flatgeobuf',
  parquet: 'application/vnd.apache.parquet',
  tif: 'image/tiff; application=geotiff; profile=cloud-optimized',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const FORMATS = Object.keys(DOWNLOAD_TYPES) as readonly (keyof typeof DOWNLOAD_TYPES)[];
const TABLE_FORMATS: readonly TableFormat[] = ['csv', 'json', 'gpkg', 'xlsx', 'parquet'];

/** Of features on their way through GDAL. */
const MAX_WORK_BYTES = 8 * 1024 ** 3;
/** Conversions at once; others wait. */
const MAX_CONVERSIONS = 2;

type Handled = Result<FastifyReply, MapFailure>;
type Ask = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly caller: Caller };

export function registerDownloads(
  app: FastifyInstance,
  context: MapContext,
  /** Undefined: the system's where there is one. */
  chosen?: Converter,
): void {
  const book = makeCrsBook(context.db);
  const turns = makeSemaphore({ room: MAX_CONVERSIONS });
  let converter: Promise<Converter> | undefined = chosen === undefined ? undefined : Promise.resolve(chosen);
  const findConverter = (): Promise<Converter> => {
    converter ??= findGdal().then((gdal) =>
      gdal.kind === 'native'
        ? { kind: 'native', ogr2ogr: gdal.ogr2ogr, ogrinfo: gdal.ogrinfo, sandbox: gdal.sandbox }
        : { kind: 'wasm', ...(gdal.sandbox === undefined ? {} : { sandbox: gdal.sandbox }) },
    );
    return converter;
  };

  app.get<{ Params: { readonly file: string } }>('/download/:file', async (request, reply) => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    const handled = await download({ request, reply, caller }, request.params.file);
    return handled.ok ? handled.value : context.answerError(request, reply, handled.error, caller);
  });

  async function download(ask: Ask, file: string): Promise<Handled> {
    const format = FORMATS.find((one) => file.endsWith(`.${one}`));
    if (format === undefined) return err({ kind: 'not-found' });
    const name = file.slice(0, -format.length - 1);
    const info = requestInfo(ask.request);
    const found = await context.layers.find(ask.caller, info, name);
    if (!found.ok && found.error.kind === 'no-such-layer') return downloadTable(ask, name, format);
    if (!found.ok) return err(layerFailure(found.error));
    const layer = found.value;
    const may = await mayDownload(ask, layer.id);
    if (!may.ok) return may;
    if (format === 'json')
      return err({ kind: 'bad-request', detail: 'Only tables without places are downloaded as json.' });
    if ((layer.kind === 'raster') !== (format === 'tif'))
      return err({
        kind: 'bad-request',
        detail: layer.kind === 'raster' ? 'A raster is downloaded as tif.' : 'Features are not downloaded as tif.',
      });
    sayFile(ask.reply, layer.name, format);
    if (layer.kind === 'raster') return sendRaster(ask, layer);
    const asked = takeHeadings(ask.request.query as Query, format);
    if (!asked.ok) return asked;
    const query = await queryOf(asked.value.others, layer, format, book);
    return query.ok ? sendFeatures(ask, withHeadings(query.value, asked.value.headings), format) : query;
  }

  async function mayDownload({ request, caller }: Ask, id: number): Promise<Result<undefined, MapFailure>> {
    const may = await context.layers.may(caller, requestInfo(request), id, 'download_resourcebase');
    if (!may.ok) return err(layerFailure(may.error));
    return may.value ? ok(undefined) : err({ kind: 'forbidden' });
  }

  /** What the map services do not know: a table without places. */
  async function downloadTable(ask: Ask, name: string, wanted: (typeof FORMATS)[number]): Promise<Handled> {
    const { request, reply, caller } = ask;
    const info = requestInfo(request);
    const found = await context.layers.findTable(caller, info, name);
    if (!found.ok) return err(layerFailure(found.error));
    const may = await mayDownload(ask, found.value.id);
    if (!may.ok) return may;
    const format = TABLE_FORMATS.find((one) => one === wanted);
    if (format === undefined)
      return err({
        kind: 'bad-request',
        detail: `A table without places is downloaded as ${TABLE_FORMATS.join(', ')}.`,
      });
    const wish = takeHeadings(request.query as Query, format);
    if (!wish.ok) return wish;
    const asked = tableQuery(wish.value.others, found.value);
    if (!asked.ok) return asked;
    const query = withHeadings(asked.value, wish.value.headings);
    sayFile(reply, found.value.name, format);
    if (format !== 'json') return sendFeatures(ask, query, format);
    const signal = whenClientGone(reply.raw);
    return sent(reply, await streamRows(context.db, caller, info, rowObjects(query), signal));
  }

  async function sendWorkbook({ request, reply, caller }: Ask, query: FeatureQuery): Promise<Handled> {
    const info = requestInfo(request);
    const counted = await context.db.read(caller, info, [timeLimit(COUNT_MS), countStatement(query)]);
    if (!counted.ok) return err(queryFailure(counted.error));
    if (Number(counted.value[1]?.rows[0]?.[0]?.toString()) >= MAX_SHEET_ROWS)
      return err({ kind: 'bad-request', detail: TOO_LONG_FOR_SHEET });
    const sheet = await streamRows(context.db, caller, info, workbookRows(query), whenClientGone(reply.raw));
    return sent(reply, sheet.ok ? ok(zipWorkbook(query.layer.title, sheet.value)) : sheet);
  }

  async function sendFeatures(ask: Ask, query: FeatureQuery, format: DownloadFormat): Promise<Handled> {
    const { request, reply, caller } = ask;
    const { db } = context;
    const info = requestInfo(request);
    const signal = whenClientGone(reply.raw);
    switch (format) {
      case 'geojson':
      case 'kml': {
        const rows = format === 'kml' ? kmlRows(query) : geojsonRows(query);
        return sent(reply, await streamRows(db, caller, info, rows, signal));
      }
      case 'kmz': {
        const rows = await streamRows(db, caller, info, kmlRows(query), signal);
        return sent(reply, rows.ok ? ok(zipStream('doc.kml', rows.value)) : rows);
      }
      case 'xlsx':
        return sendWorkbook(ask, query);
      case 'parquet':
        return sent(reply, await streamRows(db, caller, info, await parquetRows(query), signal));
      case 'csv':
        return sent(reply, await streamCopy(db, caller, info, csvCopy(query, context.csvFormulaGuard), signal));
      case 'tif':
        return err({ kind: 'not-found' });
      default: {
        const entry = { caller: turnOf(caller), signal };
        const done = await turns.run(entry, () => sendConverted(ask, query, format));
        return done.ok ? done.value : err(queryFailure({ kind: 'cancelled' }));
      }
    }
  }

  async function sendConverted(
    { request, reply, caller }: Ask,
    query: FeatureQuery,
    format: GdalFormat,
  ): Promise<Handled> {
    const folder = await mkdtemp(join(tmpdir(), 'survest-download-'));
    const forget = (): Promise<void> => rm(folder, { recursive: true, force: true });
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    try {
      const lines = geojsonLines(query);
      const note = noteTypes();
      const noted: typeof lines = {
        ...lines,
        row: (cells, index) => {
          note.look(cells[1] ?? Buffer.alloc(0));
          return lines.row(cells, index);
        },
      };
      const rows = await streamRows(context.db, caller, requestInfo(request), noted, gone.signal);
      if (!rows.ok) {
        await forget();
        return err(queryFailure(rows.error));
      }
      await pipeline(rows.value, limited(MAX_WORK_BYTES), createWriteStream(join(folder, LINES)));
      const found = lines.found();
      if (found.isEmpty) await writeFile(join(folder, LINES), placeholderFeature(query));
      await writeFile(join(folder, SOURCE), sourceVrt(query));
      const crs = query.crs.srid < 960_000 ? `EPSG:${query.crs.srid}` : await wktOf(query);
      const written = <T>(made: Result<T, ConvertError>): T => {
        if (!made.ok && made.error.kind === 'no-space') throw new NoSpace(made.error.said);
        if (!made.ok) throw new Error(`GDAL could not write ${format}: ${made.error.said}`);
        return made.value;
      };
      const write = async (output: string, args: readonly string[]): Promise<string> =>
        written(await convert(await findConverter(), folder, output, args, gone.signal));
      let file: string;
      if (format === 'shp.zip') {
        const dimensions = /(ZM|Z|M)?$/.exec(query.layer.geometry.type)?.[0] ?? '';
        const parts = found.isEmpty ? [] : shapefileParts(note.types, dimensions);
        if (parts === undefined) {
          await forget();
          return err({ kind: 'bad-request', detail: NO_COLLECTIONS });
        }
        const names = parts.length === 0 ? [''] : parts.map(({ suffix }) => suffix);
        for (const [i, suffix] of names.entries())
          await write(`out${suffix}.shp`, gdalArguments(format, query, crs, found, parts[i]));
        file = await zipped(folder, query.layer.name, names);
      } else if (format === 'gpkg') {
        const args = gdalArguments(format, query, crs, found);
        const made = written(await convertGeoPackage(await findConverter(), folder, query, args, gone.signal));
        if (made.isHexText) reply.header('Warning', HEX_TEXT);
        file = made.file;
      } else file = await write(OUTPUTS[format], gdalArguments(format, query, crs, found));
      const { size } = await stat(file);
      const stream = createReadStream(file);
      stream.once('close', () => void forget());
      return ok(reply.header('Content-Length', String(size)).send(stream));
    } catch (error) {
      await forget();
      if (error instanceof TooMuch) return err({ kind: 'too-large', limit: MAX_WORK_BYTES });
      if (error instanceof NoSpace)
        return err({ kind: 'disk', fault: 'no-space', cause: `GDAL said ${error.message}` });
      throw error;
    }
  }

  /** Of a system that has no number outside. */
  async function wktOf({ crs, layer }: FeatureQuery): Promise<string> {
    const executed = await context.db.service([crsStatement(layer.gis, crs.srid)]);
    return (executed.ok ? executed.value[0]?.rows[0]?.[1]?.toString() : undefined) ?? `EPSG:${crs.srid}`;
  }

  async function sendRaster({ request, reply }: Ask, layer: RasterLayer): Promise<Handled> {
    const asked = rangeOf(request.headers.range, layer.bytes);
    if (asked === 'beyond') return ok(reply.code(416).header('Content-Range', `bytes */${layer.bytes}`).send());
    const opened = await context.blobs.open(layer.blob, asked);
    if (!opened.ok) {
      if (opened.error.kind === 'no-such-blob') return err({ kind: 'not-found' });
      throw new Error(`the file of layer ${layer.id} cannot be read: ${opened.error.kind}`);
    }
    const { size, stream } = opened.value;
    reply.header('Accept-Ranges', 'bytes');
    if (asked === undefined) return ok(reply.header('Content-Length', String(size)).send(stream));
    const end = Math.min(asked.end ?? size - 1, size - 1);
    return ok(
      reply
        .code(206)
        .header('Content-Range', `bytes ${asked.start}-${end}/${size}`)
        .header('Content-Length', String(end - asked.start + 1))
        .send(stream),
    );
  }
}

/** The same questions as of items; files are in the layer's own system unless another is asked for. */
async function queryOf(
  asked: Query,
  layer: VectorLayer,
  format: DownloadFormat,
  book: CrsBook,
): Promise<Result<FeatureQuery, MapFailure>> {
  const { crs: wanted, ...others } = asked;
  const isWgs84 = ['geojson', 'kml', 'kmz', 'xlsx', 'parquet'].includes(format);
  if (isWgs84 && wanted !== undefined)
    return err({ kind: 'bad-request', detail: `${format} is always in longitude and latitude.` });
  const parsed = parseItemsRequest({ ...others, ...(wanted === undefined ? {} : { crs: wanted }) }, layer, 'all');
  if (!parsed.ok) return parsed;
  const query = await toQuery(parsed.value, layer, book);
  if (!query.ok) return query;
  const own = { srid: layer.srid, isNorthFirst: false, uri: '' };
  const crs = isWgs84 ? WGS84 : wanted === undefined ? own : { ...query.value.crs, isNorthFirst: false };
  // The permission once more, where the rows are read.
  const allowed = mayCondition(layer, 'download_resourcebase');
  const { order, limit, offset, after, conditions } = query.value;
  const isWhole = order.length === 0 && limit === undefined && offset === 0 && after === undefined;
  return ok({
    ...query.value,
    crs,
    // What was transformed has no digits of its own to keep.
    isExact: crs.srid === layer.srid,
    conditions: [...conditions, allowed],
    isAnyOrder: isWhole && layer.estimatedRows > FEW,
  });
}

function sent(reply: FastifyReply, rows: Awaited<ReturnType<typeof streamRows>>): Handled {
  return rows.ok ? ok(reply.send(rows.value)) : err(queryFailure(rows.error));
}

function sayFile(reply: FastifyReply, name: string, format: keyof typeof DOWNLOAD_TYPES): void {
  reply
    .header('Cache-Control', 'private, no-store')
    .header('Access-Control-Allow-Origin', '*')
    .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.${format}`)}`)
    .type(DOWNLOAD_TYPES[format]);
}

const COUNT_MS = 60_000;
const TOO_LONG_FOR_SHEET = `A sheet of a workbook holds ${MAX_SHEET_ROWS - 1} rows, and these are more: filter them, or download CSV.`;

class TooMuch extends Error {}
class NoSpace extends Error {}

function limited(bytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed > bytes) done(new TooMuch());
      else done(null, chunk);
    },
  });
}

const HEX_TEXT =
  '199 - "Binary columns are hexadecimal text: this GDAL has neither SpatiaLite nor SQLite 3.41, which would decode them."';

const NO_COLLECTIONS =
  'Some features are collections of geometries, which a shapefile cannot hold: download a GeoPackage, or filter them out.';

/** `suffixes`: of the shapefiles in the folder, behind their names. */
async function zipped(folder: string, name: string, suffixes: readonly string[]): Promise<string> {
  const zip = new yazl.ZipFile();
  for (const suffix of suffixes)
    for (const extension of ['shp', 'shx', 'dbf', 'prj', 'cpg']) {
      const path = join(folder, `out${suffix}.${extension}`);
      const isThere = await stat(path).then(
        () => true,
        () => false,
      );
      if (isThere) zip.addFile(path, `${name.replace(/[\\/:]/g, '_')}${suffix}.${extension}`);
    }
  zip.end();
  const target = join(folder, 'out.zip');
  await pipeline(zip.outputStream as Readable, createWriteStream(target));
  return target;
}

/** One range of bytes; several, or what is none, is the whole. */
function rangeOf(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end?: number } | 'beyond' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (match === null) return undefined;
  const [, from = '', to = ''] = match;
  if (from === '') return to === '' || Number(to) === 0 ? 'beyond' : { start: Math.max(0, size - Number(to)) };
  if (Number(from) >= size) return 'beyond';
  if (to === '') return { start: Number(from) };
  return Number(to) < Number(from) ? undefined : { start: Number(from), end: Math.min(Number(to), size - 1) };
}
