// A recipe → a table in `staging` that stands ready to be published. The rows are read as the caller, by COPY, into a file of the machine: where
// callers take turns in pieces, each in a turn of its own; they are stored by the role that owns tables of layers. So the caller needs no right
// in `staging`, nothing is held in memory, and a program that is killed leaves a table and a file that the next attempt clears away.

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessFault, ProcessProgress, RunFault } from '../../layer-ports/process.ts';
import type { Staged } from '../../layer-ports/staged.ts';
import type { DbError } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { copyRowsOf } from '../features/copy-rows-of.ts';
import { type FinishError, finishPlainTable, finishTable } from '../import/finish-table.ts';
import type { LoadedTable } from '../import/load-table.ts';
import { storeLines } from '../import/store-lines.ts';
import { GIS_SCHEMA } from '../query/crs-sql.ts';
import { type FeatureQuery, fromSql, wholeLayer } from '../query/feature-query.ts';
import { WGS84 } from '../query/known-crs.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { type Sql, toCopy } from '../query/value.ts';
import type { ReadFile } from '../raster/blob-source.ts';
import type { Lookup } from './geocoding/lookup.ts';
import { placeRows } from './geocoding/place-rows.ts';
import { mayRead, type Part, type Recipe } from './query/recipe.ts';
import { isolinesToFile, type PixelRun, zonesOfFile } from './rasters/read-pixels.ts';

export type RunLimits = {
  readonly rows: number;
  /** Of the rows as text, on their way to the result. */
  readonly bytes: number;
  /** Of a raster: read, and looked at for areas. */
  readonly pixels: number;
  /** Of lines that are drawn from a raster. */
  readonly vertices: number;
  /** Of the whole run. */
  readonly ms: number;
};

export const RUN_LIMITS: RunLimits = {
  rows: 2_000_000,
  bytes: 2 * 1024 ** 3,
  pixels: 2_000_000_000,
  vertices: 20_000_000,
  ms: 30 * 60_000,
};

export type Run = {
  readonly db: CallerDb;
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly recipe: Recipe;
  /** Of the table in `staging`. */
  readonly table: string;
  /** For the rows on their way; whoever made it removes it. */
  readonly folder: string;
  readonly limits: RunLimits;
  /** Undefined: the rows have their places. */
  readonly lookup: Lookup | undefined;
  /** Of rasters. */
  readonly readFile: ReadFile;
  readonly tell: (progress: ProcessProgress) => void;
  readonly signal: AbortSignal;
};

/** A statement that cannot be cut. Where callers take turns, everybody else waits for it. */
const WHOLE_MS = 600_000;
const LONE_WHOLE_MS = 30_000;
const NEWLINE = 0x0a;

export async function runRecipe(run: Run): Promise<Result<Staged, RunFault>> {
  const path = join(run.folder, 'rows');
  const { recipe, table, db } = run;
  const read = recipe.pixels?.kind === 'isolines' ? await drawLines(run, path) : await readRows(run, path);
  if (!read.ok) return read;
  run.signal.throwIfAborted();
  if (read.value === 0) return refused('Nothing is left: the result has no rows.');
  const found =
    recipe.pixels === undefined ? await withPlaces(run, path, read.value) : await withPixels(run, path, read.value);
  if (!found.ok) return found;
  run.tell({ phase: 'indexing', rows: read.value, expected: read.value });
  const gis = recipe.parts[0]?.layer.gis ?? recipe.statement?.gis ?? (await gisSchema(db));
  if (typeof gis !== 'string') return gis;
  const loaded = await storeLines(
    db.driver,
    { ...recipe, gis, table, path: found.value, rows: read.value },
    run.signal,
  );
  if (!loaded.ok) return err({ kind: 'database', error: loaded.error });
  run.signal.throwIfAborted();
  return finish(run, gis, loaded.value);
}

/** Of rows whose places are looked up: a file with them. */
async function withPlaces(run: Run, path: string, rows: number): Promise<Result<string, RunFault>> {
  const { lookup, signal, tell } = run;
  if (lookup === undefined) return ok(path);
  if (rows > lookup.maxRows)
    return refused(
      `There are ${rows.toLocaleString('en')} rows, and at most ${lookup.maxRows.toLocaleString('en')} can be looked up at once: ask for fewer rows with a filter.`,
    );
  const to = join(run.folder, 'placed');
  const onAnswered = (answered: number): void => tell({ phase: 'reading', rows: answered, expected: rows });
  const placed = await placeRows({ from: path, to, lookup, onAnswered, signal });
  if (!placed.ok) return placed;
  return placed.value === 0 ? refused('None of the addresses was found: are these the right columns?') : ok(to);
}

/** Of rows with areas: a file with what their pixels tell. */
async function withPixels(run: Run, path: string, rows: number): Promise<Result<string, RunFault>> {
  const { pixels } = run.recipe;
  if (pixels?.kind !== 'zones') return ok(path);
  const to = join(run.folder, 'told');
  const onRow = (done: number): void => run.tell({ phase: 'reading', rows: done, expected: rows });
  const told = await zonesOfFile({ ...pixelRun(run), pixels }, { from: path, to }, onRow);
  return told.ok ? ok(to) : told;
}

/** How many there are. */
function drawLines(run: Run, path: string): Promise<Result<number, RunFault>> {
  const { pixels } = run.recipe;
  if (pixels?.kind !== 'isolines') throw new Error('the process draws no lines');
  return isolinesToFile({ ...pixelRun(run), pixels }, path, (rows, expected) =>
    run.tell({ phase: 'reading', rows, expected }),
  );
}

function pixelRun({ readFile, signal, limits }: Run): Omit<PixelRun, 'pixels'> {
  return { readFile, signal, limits: { ...limits, lines: limits.rows } };
}

/** In which PostGIS stands. */
export async function gisSchema(db: Pick<CallerDb, 'service'>): Promise<string | Result<never, ProcessFault>> {
  const found = await db.service([GIS_SCHEMA]);
  if (!found.ok) return err({ kind: 'database', error: found.error });
  const [[name] = []] = found.value.flatMap(textRows);
  return name ?? 'public';
}

/** How many there are. */
async function readRows(run: Run, path: string): Promise<Result<number, ProcessFault>> {
  const { recipe, limits, tell } = run;
  const { statement } = recipe;
  const file = await open(path, 'w', 0o600);
  const over = new AbortController();
  const late = AbortSignal.timeout(limits.ms);
  const signal = AbortSignal.any([run.signal, over.signal, late]);
  const expected = recipe.parts.reduce((sum, { layer }) => sum + layer.estimatedRows, 0);
  let rows = 0;
  let bytes = 0;
  const onChunk = async (chunk: Buffer): Promise<void> => {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
    bytes += chunk.length;
    if (rows > limits.rows || bytes > limits.bytes) {
      over.abort();
      return;
    }
    if (run.lookup === undefined && recipe.pixels === undefined) tell({ phase: 'reading', rows, expected });
    await file.write(chunk);
  };
  try {
    const copies = [
      ...recipe.parts.map((part) => () => copyPart(run, part, onChunk, signal)),
      ...(statement === undefined ? [] : [() => copyWhole(run, statement.select, onChunk, signal)]),
    ];
    for (const copy of copies) {
      const copied = await copy();
      run.signal.throwIfAborted();
      if (over.signal.aborted)
        return refused(
          `The result would have more than ${limits.rows.toLocaleString('en')} rows or ${Math.round(limits.bytes / 1024 ** 2)} MB: ask for fewer rows.`,
        );
      if (late.aborted) return refused(TOO_LONG);
      if (!copied.ok) return err(statement === undefined ? faultOf(copied.error) : statementFault(copied.error));
    }
    return ok(rows);
  } finally {
    await file.close();
  }
}

/** Of the rows of a part, those that may be read and pass its conditions. */
export function queryOf({ layer, conditions, isWhole }: Part): FeatureQuery {
  return { ...wholeLayer(layer, WGS84), conditions: [mayRead(layer), ...conditions], isAnyOrder: isWhole };
}

async function copyPart(
  { db, caller, info }: Run,
  part: Part,
  onChunk: (chunk: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<Result<unknown, DbError>> {
  const query = queryOf(part);
  const select = (some: FeatureQuery) => part.select(fromSql(some));
  // What is made of a row may take a thousand times as long as to read it.
  if (!part.isWhole)
    return copyRowsOf(db, caller, info, { query, select, format: 'text', firstRows: 1, onChunk }, signal);
  return copyWhole({ db, caller, info }, select(query), onChunk, signal);
}

/** Where callers take turns, everybody else waits for it. */
function copyWhole(
  { db, caller, info }: Pick<Run, 'db' | 'caller' | 'info'>,
  select: Sql,
  onChunk: (chunk: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<Result<unknown, DbError>> {
  const limitMs = db.driver.can.overlap ? WHOLE_MS : LONE_WHOLE_MS;
  return db.copyOut(caller, info, [timeLimit(limitMs)], toCopy(select, 'text'), onChunk, {
    signal,
    timeLimitMs: limitMs,
  });
}

async function finish({ db, recipe }: Run, gis: string, loaded: LoadedTable): Promise<Result<Staged, ProcessFault>> {
  const finished = await finishAs(db, recipe, gis, loaded);
  if (!finished.ok) {
    const { error } = finished;
    if (error.kind === 'database') return err({ kind: 'database', error: error.error });
    if (error.kind === 'outside-crs' && error.extent === '') return refused('No row of the result has a place.');
    return refused(
      error.kind === 'bad-geometry'
        ? `Row ${error.row} of the result is no shape: ${error.said}.`
        : `The result (${error.extent}) does not lie where ${error.crs} is used.`,
    );
  }
  const { table, warnings } = finished.value;
  return ok({
    format: 'Process',
    file: recipe.title,
    charset: 'UTF-8',
    layers: [table],
    warnings,
    style: undefined,
    metadata: undefined,
  });
}

async function finishAs(
  { driver }: CallerDb,
  { statement }: Recipe,
  gis: string,
  loaded: LoadedTable,
): Promise<Result<{ readonly table: Staged['layers'][number]; readonly warnings: readonly string[] }, FinishError>> {
  if (statement?.isPlain !== true) return finishTable(driver, gis, loaded, '');
  const table = await finishPlainTable(driver, { ...loaded, isPlain: true }, '');
  return table.ok ? ok({ table: table.value, warnings: [] }) : table;
}

const TOO_LONG = 'It took too long: ask for fewer rows, or for a simpler result.';

/** What the database says of the rows themselves is said to the caller; anything else is nobody's to read. */
export function faultOf(error: DbError): ProcessFault {
  if (error.kind !== 'sql') return { kind: 'database', error };
  if (error.sqlstate === '57014') return { kind: 'refused', said: TOO_LONG };
  if (error.sqlstate === '42501') return { kind: 'refused', said: 'Some of the data may not be read.' };
  if (/^(?:22|54|XX000)/.test(error.sqlstate))
    return { kind: 'refused', said: `The database said "${error.message}".` };
  return { kind: 'database', error };
}

/** What is said of a statement is said to who wrote it. */
export function statementFault(error: DbError): ProcessFault {
  if (error.kind !== 'sql' || error.sqlstate === '57014' || /^(?:08|53|57P|58|XX)/.test(error.sqlstate))
    return faultOf(error);
  const said = [error.message, error.detail, error.hint].filter((one) => one !== null && one !== '').join(' — ');
  return { kind: 'refused', said };
}

function refused(said: string): Result<never, ProcessFault> {
  return err({ kind: 'refused', said });
}
