// The reading process and what becomes of its rows: a table in `staging` for each layer, as they come.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { type CellClearer, makeCellClearer } from './clear-impossible.ts';
import { DatabaseStopped, isKnownSrid } from './crs-of-layers.ts';
import { joinDoubles } from './exact-doubles.ts';
import { makeTask } from './fetch-files.ts';
import type { Attempt } from './import-context.ts';
import { failed, type ImportStop, stopOf } from './import-stop.ts';
import type { Companions, KnownTypes, RasterResult } from './import-task.ts';
import {
  FoundMultipoint,
  type LoadError,
  type LoadedTable,
  LoadStopped,
  startTable,
  type TableLoader,
} from './load-table.ts';
import { MAX_COLUMNS } from './max-columns.ts';
import { DumpError, type DumpLayer, makeDumpReader } from './pgdump-reader.ts';
import { runReader } from './run-reader.ts';

/** What was learnt of the layers the hard way, by reading them. */
export type RetryHints = {
  /** Coordinate systems that the database had to learn, by layer. */
  readonly srids: ReadonlyMap<string, number>;
  /** Layers with collections of points. */
  readonly multipoints: ReadonlySet<string>;
};

export type ReadRows = {
  readonly tables: readonly LoadedTable[];
  readonly raster: RasterResult | undefined;
  readonly file: string;
  readonly format: string;
  readonly charset: string;
  readonly companions: Companions;
  readonly warnings: readonly string[];
};

/** Thrown through the reader: a layer is in a coordinate system that has no number here. */
export class NeedsCrs extends Error {}
export class NeedsMultipoint extends Error {
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
export async function readRows(
  attempt: Attempt,
  gis: string,
  hints: RetryHints,
  name: string,
): Promise<Result<ReadRows, ImportStop>> {
  const { options, limits, request, tell, signal } = attempt;
  const { driver } = options;
  const toRead = await makeTask(attempt, 'read', name);
  if (!toRead.ok) return toRead;
  tell({ phase: 'reading', features: 0 });
  const tables: LoadedTable[] = [];
  let raster: RasterResult | undefined;
  let dataset = {
    file: request.files[0]?.name ?? '',
    format: '',
    charset: 'UTF-8',
    companions: {} as Companions,
    ignored: [] as readonly string[],
    types: [] as KnownTypes,
    hasTables: false,
  };
  let warnings: readonly string[] = [];
  const leftOut: string[] = [];
  // What goes into a layer that exists has places as that one has.
  const isOnePlaced = request.answers.isOne === true && request.answers.places !== 'none';
  const isNotWanted = (table: string): boolean => isOnePlaced || OF_QGIS.has(table);
  let stop: ImportStop | undefined;
  let loader: TableLoader | undefined;
  let clearer: CellClearer | undefined;
  const cleared: string[] = [];
  let current = '';
  let features = 0;
  let received = 0;
  let number = 0;

  const endTable = async (): Promise<LoadError | undefined> => {
    const ended = await loader?.end();
    loader = undefined;
    cleared.push(...(clearer?.warnings ?? []));
    clearer = undefined;
    if (ended === undefined) return undefined;
    if (!ended.ok) return ended.error;
    features += ended.value.rows;
    if (ended.value.rows > 0) tables.push(ended.value);
    return undefined;
  };
  let loadError: LoadError | undefined;

  const dump = makeDumpReader(
    joinDoubles({
      async layer(dumped) {
        const types = new Map<string, string>(dataset.types);
        const layer = { ...dumped, columns: dumped.columns.map((c) => ({ ...c, type: types.get(c.name) ?? c.type })) };
        loadError ??= await endTable();
        if (loadError !== undefined) throw new LoadStopped();
        // Rows without a place are a table, where the format has some; else they are read past.
        if (layer.geometry === undefined && (!dataset.hasTables || isNotWanted(layer.name))) {
          leftOut.push(leftOutText(layer.name));
          return;
        }
        if (layer.columns.length > MAX_COLUMNS) throw new TooManyColumns(layer.columns.length);
        const srid = layer.geometry === undefined ? WGS84 : await sridOf(driver, gis, layer, hints);
        current = layer.name;
        number += 1;
        const begun = await startTable({
          driver,
          gis,
          table: `u${request.id}_${number}`,
          layer,
          srid,
          keepsMultipoints: hints.multipoints.has(layer.name),
          ignored: dataset.ignored,
        });
        if (!begun.ok) throw new DatabaseStopped(begun.error);
        loader = begun.value;
        clearer = makeCellClearer(layer);
      },
      async rows(lines) {
        await loader?.rows(clearer?.clear(lines) ?? lines);
        tell({ features: features + (loader?.count ?? 0) });
      },
    }),
  );
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
      options.reader,
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
  return ok({ tables, raster, ...dataset, warnings: [...warnings, ...leftOut, ...cleared] });
}

/** Of a table without places: of a column of nothing, which goes when it is finished. */
const WGS84 = 4326;

/** Tables in which QGIS keeps what it knows of the others. */
const OF_QGIS: ReadonlySet<string> = new Set(['layer_styles', 'qgis_projects']);

function leftOutText(name: string): string {
  return OF_QGIS.has(name) ? `"${name}" is a table of QGIS and was left out.` : withoutPlaces(name);
}

/** A table that is not among the layers of a file. */
export function withoutPlaces(name: string): string {
  return `"${name}" has no places and was left out: send it as CSV or Excel to have it as a plain table.`;
}

/** Throws where the layer's own coordinate system has to be found out. */
async function sridOf(driver: Driver, gis: string, layer: DumpLayer, { srids }: RetryHints): Promise<number> {
  const given = srids.get(layer.name);
  if (given !== undefined) return given;
  const srid = layer.geometry?.srid ?? 0;
  if (srid <= 0 || !(await isKnownSrid(driver, gis, srid))) throw new NeedsCrs();
  return srid;
}
