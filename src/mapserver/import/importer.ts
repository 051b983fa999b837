// Files → layers that stand in `staging`, ready to be published; or what is wrong with them, or what has to be asked first. The
// steps: fetch the files into a folder of its own, let the reading process read them, load its rows, finish the tables.
// Publishing is the catalogue's business.

import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Flight } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { quoteIdent } from '../../sql/index.ts';
import { type FinishError, finishTable, placeOf } from './finish-table.ts';
import type { ImportFailure, Question } from './import-failure.ts';
import type { Answers, Companions, EngineChoice, InspectedLayer, RasterResult, ReadTask } from './import-task.ts';
import {
  FoundMultipoint,
  type LoadError,
  type LoadedTable,
  LoadStopped,
  MAX_COLUMNS,
  startTable,
  type TableLoader,
} from './load-table.ts';
import { DumpError, type DumpLayer, makeDumpReader } from './pgdump-reader.ts';
import { runReader } from './run-reader.ts';
import type { Staged, StagedRaster, StagedTable } from './staged-layer.ts';

export type ImportLimits = {
  /** Of the whole reading. */
  readonly seconds: number;
  readonly memoryBytes: number;
  /** What an archive may hold. */
  readonly unpackedBytes: number;
  readonly members: number;
  /** Rows, as text on their way to the database. */
  readonly dataBytes: number;
};

export const DEFAULT_LIMITS: ImportLimits = {
  seconds: 3600,
  memoryBytes: 2 * 1024 ** 3,
  unpackedBytes: 20 * 1024 ** 3,
  members: 10_000,
  dataBytes: 50 * 1024 ** 3,
};

export type ImporterOptions = {
  readonly driver: Driver;
  readonly blobs: BlobStore;
  readonly engine: EngineChoice;
  /** Folders of imports under way are made in it. */
  readonly workFolder: string;
  readonly limits?: Partial<ImportLimits>;
};

export type ImportRequest = {
  /** Tables are named after it: of one import, only one attempt is under way. */
  readonly id: number;
  readonly files: readonly { readonly name: string; readonly blob: string }[];
  readonly answers: Answers;
};

export type ImportProgress = {
  readonly phase: 'fetching' | 'reading' | 'indexing';
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly features: number;
};

export type ImportStop =
  | { readonly kind: 'failed'; readonly failure: ImportFailure }
  | { readonly kind: 'question'; readonly question: Question }
  /** Not the file's fault, and perhaps gone when it is tried again. */
  | { readonly kind: 'unavailable'; readonly error: DbError | { readonly kind: 'store'; readonly message: string } };

export type Importer = {
  /**
   * Hands the layers to `publish` while their tables and files are there; afterwards nothing of the import is left but what
   * `publish` has made its own. Throws what the signal's abort throws.
   */
  run<T>(
    request: ImportRequest,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
    publish: (staged: Staged) => Promise<T>,
  ): Promise<Result<T, ImportStop>>;
  /** Removes tables and folders that imports left behind whose worker died. */
  clear(id: number): Promise<void>;
  clearFolders(): Promise<void>;
};

export function makeImporter(options: ImporterOptions): Importer {
  const { driver } = options;
  const limits: ImportLimits = { ...DEFAULT_LIMITS, ...options.limits };

  async function dropTables(id: number): Promise<void> {
    const found = await driver.fly([
      {
        text: `select relname from pg_catalog.pg_class
                where relnamespace = 'staging'::regnamespace and relkind = 'r' and relname ~ $1`,
        params: [`^u${id}_[0-9]+$`],
      },
    ]);
    if (!found.ok) return;
    for (const [name] of textRows(found.value[0] ?? { rows: [], tag: '' })) {
      if (name !== null && name !== undefined)
        await driver.fly([{ text: `drop table if exists staging.${quoteIdent(name)}`, params: [] }]);
    }
  }

  return {
    async run(request, onProgress, signal, publish) {
      await mkdir(options.workFolder, { recursive: true });
      // The number of this process tells who may clear it away.
      const folder = await mkdtemp(join(options.workFolder, `import-${process.pid}-`));
      try {
        await dropTables(request.id);
        const attempt = makeAttempt({ options, limits, request, folder, onProgress, signal });
        const staged = await attempt();
        if (!staged.ok) return staged;
        signal.throwIfAborted();
        return ok(await publish(staged.value));
      } finally {
        await dropTables(request.id);
        await rm(folder, { recursive: true, force: true });
      }
    },
    clear: dropTables,
    async clearFolders() {
      for (const name of await readdir(options.workFolder).catch(() => [])) {
        const pid = Number(/^import-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
        if (!Number.isNaN(pid) && !isRunning(pid))
          await rm(join(options.workFolder, name), { recursive: true, force: true });
      }
    },
  };
}

type AttemptParts = {
  readonly options: ImporterOptions;
  readonly limits: ImportLimits;
  readonly request: ImportRequest;
  readonly folder: string;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
};

/** What was learnt of the layers the hard way, by reading them. */
type Lessons = {
  /** Coordinate systems that the database had to learn, by layer. */
  readonly srids: ReadonlyMap<string, number>;
  /** Layers with collections of points. */
  readonly multipoints: ReadonlySet<string>;
};

type Read = {
  readonly tables: readonly LoadedTable[];
  readonly raster: RasterResult | undefined;
  readonly file: string;
  readonly format: string;
  readonly charset: string;
  readonly companions: Companions;
  readonly warnings: readonly string[];
};

/** Thrown through the reader: a layer is in a coordinate system that has no number here. */
class NeedsCrs extends Error {}
class NeedsMultipoint extends Error {
  readonly layer: string;

  constructor(layer: string) {
    super();
    this.layer = layer;
  }
}
class TooManyColumns extends Error {
  readonly columns: number;

  constructor(columns: number) {
    super();
    this.columns = columns;
  }
}
class TooMuchData extends Error {}
class DatabaseStopped extends Error {
  readonly error: DbError;

  constructor(error: DbError) {
    super(error.kind);
    this.error = error;
  }
}

function makeAttempt(parts: AttemptParts): () => Promise<Result<Staged, ImportStop>> {
  const { options, limits, request, folder, onProgress, signal } = parts;
  const { driver } = options;
  let progress: ImportProgress = { phase: 'fetching', bytesRead: 0, bytesTotal: 0, features: 0 };
  const tell = (news: Partial<ImportProgress>): void => {
    progress = { ...progress, ...news };
    onProgress(progress);
  };
  const shownName = request.files[0]?.name ?? '';

  async function fetch(into: string): Promise<Result<ReadTask['files'], ImportStop>> {
    const files: { name: string; path: string }[] = [];
    for (const [i, { name, blob }] of request.files.entries()) {
      const opened = await options.blobs.open(blob);
      if (!opened.ok) {
        if (opened.error.kind === 'no-such-blob') return failed({ kind: 'lost-file', file: name });
        return err({
          kind: 'unavailable',
          error: { kind: 'store', message: `the file ${name} is not there (${opened.error.kind})` },
        });
      }
      const path = join(into, `f${i}`);
      try {
        await pipeline(opened.value.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
      } catch (error) {
        if (isNoSpace(error)) return failed({ kind: 'no-space' });
        throw error;
      }
      files.push({ name, path });
    }
    return ok(files);
  }

  async function task(mode: ReadTask['mode'], name: string): Promise<Result<ReadTask, ImportStop>> {
    // Each run has a folder of its own: a reader moves its files about.
    const here = join(folder, name);
    await mkdir(here);
    const files = await fetch(here);
    if (!files.ok) return files;
    return ok({ folder: here, files: files.value, engine: options.engine, answers: request.answers, mode, limits });
  }

  async function read(gis: string, lessons: Lessons, name: string): Promise<Result<Read, ImportStop>> {
    const toRead = await task('read', name);
    if (!toRead.ok) return toRead;
    tell({ phase: 'reading', features: 0 });
    const tables: LoadedTable[] = [];
    let raster: RasterResult | undefined;
    let dataset = {
      file: shownName,
      format: '',
      charset: 'UTF-8',
      companions: {} as Companions,
      ignored: [] as readonly string[],
    };
    let warnings: readonly string[] = [];
    let stop: ImportStop | undefined;
    let loader: TableLoader | undefined;
    let current = '';
    let features = 0;
    let received = 0;
    let number = 0;

    const endTable = async (): Promise<LoadError | undefined> => {
      const ended = await loader?.end();
      loader = undefined;
      if (ended === undefined) return undefined;
      if (!ended.ok) return ended.error;
      features += ended.value.rows;
      if (ended.value.rows > 0) tables.push(ended.value);
      return undefined;
    };
    let loadError: LoadError | undefined;

    const dump = makeDumpReader({
      async layer(layer) {
        loadError ??= await endTable();
        if (loadError !== undefined) throw new LoadStopped();
        // Rows without a place are no layer; they are read past.
        if (layer.geometry === undefined) return;
        if (layer.columns.length > MAX_COLUMNS) throw new TooManyColumns(layer.columns.length);
        const srid = await sridOf(layer, lessons, gis);
        current = layer.name;
        number += 1;
        const begun = await startTable({
          driver,
          gis,
          table: `u${request.id}_${number}`,
          layer: { ...layer, geometry: layer.geometry },
          srid,
          keepsMultipoints: lessons.multipoints.has(layer.name),
          ignored: dataset.ignored,
        });
        if (!begun.ok) throw new DatabaseStopped(begun.error);
        loader = begun.value;
      },
      async rows(lines) {
        await loader?.rows(lines);
        tell({ features: features + (loader?.count ?? 0) });
      },
    });
    const onRows = async (chunk: Buffer): Promise<void> => {
      received += chunk.length;
      if (received > limits.dataBytes) throw new TooMuchData();
      await dump.push(chunk);
    };
    const runLimits = { seconds: limits.seconds, memoryBytes: limits.memoryBytes };
    try {
      const ran = await runReader(
        toRead.value,
        runLimits,
        {
          onMessage(message) {
            if (message.kind === 'dataset') dataset = message;
            else if (message.kind === 'progress') tell({ bytesRead: message.read, bytesTotal: message.total });
            else if (message.kind === 'raster') raster = message.raster;
            else if (message.kind === 'done') warnings = message.warnings;
            else if (message.kind === 'failed') stop ??= { kind: 'failed', failure: message.failure };
            else if (message.kind === 'question') stop ??= { kind: 'question', question: message.question };
          },
          onRows,
        },
        signal,
      );
      loadError ??= await endTable();
      if (loadError !== undefined) return err(stopOf(loadError, dataset.file));
      if (stop !== undefined) return err(stop);
      if (!ran.ok) return failed(ran.error);
      dump.end();
    } catch (error) {
      // Whatever else happened: nothing may be on its way to the database any more.
      loadError ??= await endTable();
      if (error instanceof FoundMultipoint) throw new NeedsMultipoint(current);
      if (signal.aborted || error instanceof NeedsCrs) throw error;
      if (error instanceof LoadStopped && loadError !== undefined) return err(stopOf(loadError, dataset.file));
      if (error instanceof DatabaseStopped) return err(stopOf({ kind: 'database', error: error.error }, dataset.file));
      if (error instanceof TooManyColumns)
        return failed({ kind: 'too-many-columns', file: dataset.file, columns: error.columns, limit: MAX_COLUMNS });
      if (error instanceof TooMuchData)
        return failed({ kind: 'too-much-data', file: dataset.file, limit: limits.dataBytes });
      if (error instanceof DumpError) return failed({ kind: 'unreadable', file: dataset.file, said: error.message });
      throw error;
    }
    return ok({ tables, raster, ...dataset, warnings });
  }

  /** Throws where the layer's own coordinate system has to be found out. */
  async function sridOf(layer: DumpLayer, { srids }: Lessons, gis: string): Promise<number> {
    const given = srids.get(layer.name);
    if (given !== undefined) return given;
    const srid = layer.geometry?.srid ?? 0;
    if (srid <= 0 || !(await isKnown(srid, gis))) throw new NeedsCrs();
    return srid;
  }

  async function isKnown(srid: number, gis: string): Promise<boolean> {
    const found = await driver.fly([
      { text: `select from ${quoteIdent(gis)}.spatial_ref_sys where srid = $1`, params: [String(srid)] },
    ]);
    if (!found.ok) throw new DatabaseStopped(found.error);
    return (found.value[0]?.rows.length ?? 0) > 0;
  }

  /** Layers whose coordinate system has no number get one of ours; without any, somebody has to say. */
  async function findSrids(): Promise<Result<Lessons['srids'], ImportStop>> {
    const inspected = await inspect();
    if (!inspected.ok) return inspected;
    const srids = new Map<string, number>();
    for (const { name, crs } of inspected.value) {
      if (crs === undefined || crs === '') return err({ kind: 'question', question: { kind: 'crs', file: shownName } });
      const srid = await ownSrid(crs);
      if (!srid.ok) return srid;
      if (srid.value === undefined) return err({ kind: 'question', question: { kind: 'crs', file: shownName } });
      srids.set(name, srid.value);
    }
    return ok(srids);
  }

  async function ownSrid(wkt: string): Promise<Result<number | undefined, ImportStop>> {
    const found = await driver.fly([{ text: 'select portal.own_srid($1)', params: [wkt] }]);
    if (!found.ok) return err({ kind: 'unavailable', error: found.error });
    const [[srid] = []] = textRows(found.value[0] ?? { rows: [], tag: '' });
    return ok(srid === null || srid === undefined ? undefined : Number(srid));
  }

  async function inspect(): Promise<Result<readonly InspectedLayer[], ImportStop>> {
    const toInspect = await task('inspect', 'inspect');
    if (!toInspect.ok) return toInspect;
    let layers: readonly InspectedLayer[] = [];
    let stop: ImportStop | undefined;
    const ran = await runReader(
      toInspect.value,
      { seconds: limits.seconds, memoryBytes: limits.memoryBytes },
      {
        onMessage(message) {
          if (message.kind === 'layers') layers = message.layers;
          else if (message.kind === 'failed') stop = { kind: 'failed', failure: message.failure };
          else if (message.kind === 'question') stop = { kind: 'question', question: message.question };
        },
        onRows: async () => {},
      },
      signal,
    );
    if (stop !== undefined) return err(stop);
    return ran.ok ? ok(layers) : failed(ran.error);
  }

  async function finish(gis: string, done: Read): Promise<Result<Staged, ImportStop>> {
    tell({ phase: 'indexing' });
    const layers: (StagedTable | StagedRaster)[] = [];
    const refuse = (error: FinishError): Result<never, ImportStop> =>
      error.kind === 'database'
        ? err(stopOf(error, done.file))
        : error.kind === 'bad-geometry'
          ? failed({
              kind: 'bad-feature',
              file: done.file,
              layer: '',
              feature: error.row,
              column: undefined,
              said: error.said,
            })
          : failed({
              kind: 'outside-crs',
              file: done.file,
              crs: error.crs,
              extent: error.extent,
              ...(error.row === undefined ? {} : { feature: error.row }),
            });
    const warnings = [...done.warnings];
    const withPlace = done.tables.filter(({ placed }) => placed > 0);
    for (const table of withPlace) {
      signal.throwIfAborted();
      const finished = await finishTable(driver, gis, table, withPlace.length === 1 ? '' : table.layer);
      if (!finished.ok) return refuse(finished.error);
      layers.push(finished.value.table);
      warnings.push(...finished.value.warnings);
    }
    if (done.raster !== undefined) {
      const raster = await finishRaster(gis, done.raster, done.file);
      if (!raster.ok) return raster;
      layers.push(raster.value);
    }
    if (layers.length === 0)
      return failed({ kind: done.tables.length > 0 ? 'no-geometry' : 'no-features', file: done.file });
    return ok({
      format: done.format,
      file: done.file,
      charset: done.charset,
      layers,
      warnings,
      style: await companion(done.companions.style),
      metadata: await companion(done.companions.metadata),
    });
  }

  async function finishRaster(
    gis: string,
    raster: RasterResult,
    file: string,
  ): Promise<Result<StagedRaster, ImportStop>> {
    let srid = raster.epsg;
    let crs = srid === undefined ? '' : `EPSG:${srid}`;
    if (srid === undefined || !(await isKnown(srid, gis))) {
      const own = await ownSrid(raster.wkt);
      if (!own.ok) return own;
      if (own.value === undefined) return err({ kind: 'question', question: { kind: 'crs', file } });
      srid = own.value;
      crs = `SURVEST:${srid}`;
    }
    const fly = async (flight: Flight): ReturnType<Parameters<typeof placeOf>[0]> => {
      const flown = await driver.fly(flight);
      return flown.ok ? ok(flown.value.map(textRows)) : err({ kind: 'database', error: flown.error });
    };
    const place = await placeOf(fly, gis, raster.extent, srid, crs);
    if (!place.ok) {
      if (place.error.kind === 'database') return err(stopOf(place.error, file));
      const extent = 'extent' in place.error ? place.error.extent : '';
      return failed({ kind: 'outside-crs', file, crs, extent });
    }
    const { path, width, height, bands } = raster;
    return ok({ kind: 'raster', path, width, height, bands, place: place.value });
  }

  return async () => {
    tell({});
    const gis = await findPostgis(driver);
    if (!gis.ok) return err({ kind: 'unavailable', error: gis.error });
    const said = request.answers.crs;
    const code = /^EPSG:(\d+)$/.exec(said ?? '')?.[1];
    if (said !== undefined && (code === undefined || !(await isKnown(Number(code), gis.value))))
      return failed({ kind: 'unknown-crs', crs: said });
    let lessons: Lessons = { srids: new Map(), multipoints: new Set() };
    let hasInspected = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const done = await read(gis.value, lessons, `read${attempt}`);
        return done.ok ? finish(gis.value, done.value) : done;
      } catch (error) {
        if (attempt >= MAX_READS) throw error;
        if (error instanceof NeedsMultipoint) {
          lessons = { ...lessons, multipoints: new Set([...lessons.multipoints, error.layer]) };
        } else if (error instanceof NeedsCrs && !hasInspected) {
          hasInspected = true;
          const found = await findSrids();
          if (!found.ok) return found;
          lessons = { ...lessons, srids: found.value };
        } else if (error instanceof NeedsCrs) {
          return err({ kind: 'question', question: { kind: 'crs', file: shownName } });
        } else throw error;
      }
    }
  };
}

/** A file with many layers may teach many lessons; nobody needs all of them. */
const MAX_READS = 30;
const MAX_COMPANION = 5_000_000;

async function companion(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readFile(path);
  return bytes.length > MAX_COMPANION ? undefined : bytes.toString('utf8').replace(/^\ufeff/, '');
}

function stopOf(error: LoadError, file: string): ImportStop {
  if (error.kind === 'bad-row') {
    const { layer, row, column, said } = error;
    return {
      kind: 'failed',
      failure: { kind: 'bad-feature', file, layer: isOurName(layer) ? '' : layer, feature: row, column, said },
    };
  }
  if (error.error.kind === 'sql') {
    if (error.error.sqlstate === '53100') return { kind: 'failed', failure: { kind: 'no-space' } };
    if (/^(?:22|23|42|54|XX000)/.test(error.error.sqlstate))
      return { kind: 'failed', failure: { kind: 'database', said: error.error.message } };
  }
  return { kind: 'unavailable', error: error.error };
}

/** Layers of formats that have one only are called after the name we gave the file. */
function isOurName(layer: string): boolean {
  return layer === 'data' || /\.(?:csv|kml|xlsx|txt|tsv)$/i.test(layer);
}

function failed(failure: ImportFailure): Result<never, ImportStop> {
  return err({ kind: 'failed', failure });
}

async function findPostgis(driver: Driver): Promise<Result<string, DbError>> {
  const found = await driver.fly([
    {
      text: `select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
              where e.extname = 'postgis'`,
      params: [],
    },
  ]);
  if (!found.ok) return found;
  const [[schema] = []] = textRows(found.value[0] ?? { rows: [], tag: '' });
  return ok(schema ?? 'public');
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
