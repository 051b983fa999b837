// Processes as the portal asks for them: the layers are found for the caller, the inputs read, the recipe compiled; then it is tried on a sample,
// or run. A layer that the caller may look at but not download is no input: the result would be a copy of it.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer, VectorLayer } from '../../layer-ports/layer.ts';
import type { LayerAccess, LayerError } from '../../layer-ports/layer-access.ts';
import type { ProcessFault, ProcessPort, ProcessRequest, SentInputs } from '../../layer-ports/process.ts';
import { textRows } from '../../pg/rows.ts';
import { dropStaged } from '../import/importer.ts';
import { fromSql } from '../query/feature-query.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { toStatement } from '../query/value.ts';
import type { ReadFile } from '../raster/blob-source.ts';
import { byGeocoder, type GeocoderSettings } from './geocoding/by-geocoder.ts';
import { BY_PLACE_NAME } from './geocoding/by-place-name.ts';
import type { Lookup } from './geocoding/lookup.ts';
import { layersNamed, readInputs } from './inputs.ts';
import { previewPixels } from './preview-pixels.ts';
import { previewPlaces } from './preview-places.ts';
import { processList } from './process-list.ts';
import { previewSql, readableColumns } from './query/preview-sql.ts';
import type { InputFaults } from './query/process.ts';
import type { Recipe } from './query/recipe.ts';
import { spaceFor, stagedBytes } from './query/space-sql.ts';
import { noteSql, SQL_RESULT, sqlColumns, sqlRecipe } from './query/sql-result.ts';
import { faultOf, queryOf, RUN_LIMITS, type RunLimits, runRecipe, statementFault } from './run-recipe.ts';

export type ProcessParts = {
  readonly db: CallerDb;
  readonly layers: LayerAccess;
  /** Folders of runs are made in it. */
  readonly workFolder: string;
  /** Of rasters. */
  readonly readFile: ReadFile;
  readonly limits?: Partial<RunLimits>;
  readonly geocoder?: GeocoderSettings | undefined;
};

const INFO: RequestInfo = { method: 'JOB', path: '/ogc/processes' };
/** Rows that are looked at for a preview, and that are shown. */
const SAMPLE_ROWS = 500;
const SHOWN_ROWS = 200;
const PREVIEW_MS = 5000;
/** Of what an account is allowed. */
const NO_ROOM = 'SV413';

/** Never read. */
const NO_SHAPE: VectorLayer['geometry'] = { column: '', kind: 'point', type: 'Point', nullable: false };

type Prepared = { readonly recipe: Recipe; readonly sources: readonly Layer[] };

export function makeProcesses({ db, layers, workFolder, readFile, geocoder, ...parts }: ProcessParts): ProcessPort {
  const limits: RunLimits = { ...RUN_LIMITS, ...parts.limits };
  const list = processList(geocoder !== undefined);

  /** `turnMs`: how long it may ask before it is `unfinished`. Undefined: places are not looked up. */
  function lookupOf({ lookup }: Recipe, turnMs?: number): Lookup | undefined {
    if (lookup !== 'geocoder') return lookup === undefined ? undefined : BY_PLACE_NAME;
    if (geocoder === undefined) throw new Error('the process offers a geocoder, and none is configured');
    return byGeocoder(db, turnMs === undefined ? geocoder : { ...geocoder, turnMs });
  }

  /** The layer with the columns that the caller may read; a sentence where it cannot be used. */
  async function find(
    caller: Caller,
    info: RequestInfo,
    name: string,
    orTable: boolean,
  ): Promise<Result<VectorLayer, ProcessFault>> {
    const found = orTable ? await findTable(caller, info, name) : await layers.find(caller, info, name);
    if (!found.ok)
      return found.error.kind === 'database' ? err(found.error) : refused(`There is no layer "${name.slice(0, 100)}".`);
    const layer = found.value;
    if (layer.kind !== 'vector') return refused(`"${layer.title}" has no rows.`);
    const may = await checkDownload(caller, info, layer);
    return may.ok ? withReadable(caller, info, layer) : may;
  }

  async function findRaster(caller: Caller, info: RequestInfo, name: string): Promise<Result<Layer, ProcessFault>> {
    const found = await layers.find(caller, info, name);
    if (!found.ok)
      return found.error.kind === 'database' ? err(found.error) : refused(`There is no layer "${name.slice(0, 100)}".`);
    if (found.value.kind !== 'raster') return refused(`"${found.value.title}" is no raster.`);
    const may = await checkDownload(caller, info, found.value);
    return may.ok ? found : may;
  }

  /** Who may only look at a layer makes no copy of it. */
  async function checkDownload(
    caller: Caller,
    info: RequestInfo,
    layer: Layer,
  ): Promise<Result<undefined, ProcessFault>> {
    for (const permission of ['download_resourcebase', 'change_layer_data'] as const) {
      const may = await layers.may(caller, info, layer.id, permission);
      if (!may.ok) return may.error.kind === 'database' ? err(may.error) : refused('The layer is gone.');
      if (may.value) return ok(undefined);
    }
    return refused(`The permission to download "${layer.title}" is needed.`);
  }

  /** With or without places: nothing that takes a table asks for them. */
  async function findTable(caller: Caller, info: RequestInfo, name: string): Promise<Result<VectorLayer, LayerError>> {
    const found = await layers.findTable(caller, info, name);
    return found.ok ? ok({ ...found.value, kind: 'vector', geometry: found.value.geometry ?? NO_SHAPE }) : found;
  }

  async function withReadable(
    caller: Caller,
    info: RequestInfo,
    layer: VectorLayer,
  ): Promise<Result<VectorLayer, ProcessFault>> {
    const executed = await db.read(caller, info, [readableColumns(layer)]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    const readable = new Set(executed.value.flatMap(textRows).map(([name]) => name));
    const { column } = layer.geometry;
    if (!readable.has(layer.primaryKey) || !(column === '' || readable.has(column)))
      return refused(`The rows of "${layer.title}" may not be read.`);
    return ok({ ...layer, columns: layer.columns.filter(({ name }) => readable.has(name)) });
  }

  /** The result counts as the caller's from now on. */
  async function checkSpace(caller: Caller, table: string): Promise<Result<undefined, ProcessFault>> {
    const measured = await db.service([stagedBytes(table)]);
    if (!measured.ok) return err({ kind: 'database', error: measured.error });
    const [[bytes] = []] = measured.value.flatMap(textRows);
    const checked = await db.read(caller, INFO, [spaceFor(bytes ?? '0')]);
    if (checked.ok) return ok(undefined);
    const { error } = checked;
    return error.kind === 'sql' && error.sqlstate === NO_ROOM
      ? refused(error.message)
      : err({ kind: 'database', error });
  }

  /** Who may is decided by the database, which judges the statement, too. */
  async function prepareSql(
    caller: Caller,
    info: RequestInfo,
    inputs: SentInputs,
  ): Promise<Result<Prepared, ProcessFault>> {
    const statement = readStatement(inputs);
    if (!statement.ok) return err({ kind: 'bad-inputs', inputs: statement.error });
    const executed = await db.read(caller, info, [sqlColumns(statement.value)]);
    if (!executed.ok) return err(statementFault(executed.error));
    const found = executed.value.flatMap(textRows).map(([name, type]) => ({ name: name ?? '', type: type ?? '' }));
    const columns = found.slice(0, -1);
    if (columns.length === 0) return refused('Nothing is left: the result has no rows.');
    const recipe = sqlRecipe(statement.value, columns, found.at(-1)?.name ?? 'public', limits.rows);
    return ok({ recipe, sources: [] });
  }

  async function prepare(
    caller: Caller,
    info: RequestInfo,
    { process: id, inputs }: ProcessRequest,
  ): Promise<Result<Prepared, ProcessFault>> {
    if (id === SQL_RESULT.id) return prepareSql(caller, info, inputs);
    const process = list.find((one) => one.id === id);
    if (process === undefined) return err({ kind: 'no-such-process' });
    const named = layersNamed(process, inputs);
    if (!named.ok) return err({ kind: 'bad-inputs', inputs: named.error });
    const given = new Map<string, readonly Layer[]>();
    for (const [input, names] of named.value) {
      const some: Layer[] = [];
      for (const name of names) {
        const kind = process.inputs[input];
        const orTable = kind?.kind === 'layer' && kind.orTable === true;
        const isRaster = kind?.kind === 'raster';
        const found = isRaster ? await findRaster(caller, info, name) : await find(caller, info, name, orTable);
        if (!found.ok)
          return found.error.kind === 'refused'
            ? err({ kind: 'bad-inputs', inputs: { [input]: found.error.said } })
            : found;
        some.push(found.value);
      }
      given.set(input, some);
    }
    const read = readInputs(process, inputs, given);
    if (!read.ok) return err({ kind: 'bad-inputs', inputs: read.error });
    const recipe = process.compile(read.value);
    if (!recipe.ok) return err({ kind: 'bad-inputs', inputs: recipe.error });
    return ok({ recipe: recipe.value, sources: [...given.values()].flat() });
  }

  return {
    list: [...list, SQL_RESULT].map(({ id, title, description, inputs }) => ({ id, title, description, inputs })),

    async check(caller, info, request) {
      if (request.process === SQL_RESULT.id) {
        const statement = readStatement(request.inputs);
        if (!statement.ok) return err({ kind: 'bad-inputs', inputs: statement.error });
        // Before it runs for the first time.
        const noted = await db.writeInAnyMode(caller, info, [noteSql(statement.value)]);
        if (!noted.ok) {
          const { error } = noted;
          if (error.kind !== 'sql' || error.sqlstate !== '42501') return err({ kind: 'database', error });
          return refused(error.detail === null ? 'Administrators run SQL.' : `${error.detail}.`);
        }
      }
      const prepared = await prepare(caller, info, request);
      if (!prepared.ok) return prepared;
      const { recipe, sources } = prepared.value;
      return ok({ title: recipe.title, sources: sources.map(({ id, title }) => ({ id, title })) });
    },

    async preview(caller, info, request) {
      const prepared = await prepare(caller, info, request);
      if (!prepared.ok) return prepared;
      const { recipe } = prepared.value;
      if (recipe.pixels !== undefined)
        return previewPixels({ db, caller, info, readFile, recipe, timeLimitMs: PREVIEW_MS });
      const [part] = recipe.parts;
      if (part === undefined) return refused('Its rows are shown by the SQL console.');
      const lookup = lookupOf(recipe, PREVIEW_MS);
      if (lookup !== undefined)
        return previewPlaces({ db, caller, info, recipe, part, lookup, timeLimitMs: PREVIEW_MS });
      // A sample is the first rows by the key, also of what cannot be cut.
      const sample = { ...queryOf(part), isAnyOrder: false, limit: SAMPLE_ROWS };
      const statement = toStatement(previewSql(recipe, part.select(fromSql(sample)), part.layer, SHOWN_ROWS));
      const executed = await db.read(caller, info, [timeLimit(PREVIEW_MS), statement], { timeLimitMs: PREVIEW_MS });
      if (!executed.ok) return err(faultOf(executed.error));
      const [[features] = []] = textRows(executed.value[1] ?? { rows: [], tag: '' });
      return ok(`{"type":"FeatureCollection","sampleRows":${SAMPLE_ROWS},"features":${features ?? '[]'}}`);
    },

    async run(caller, id, request, onProgress, signal, publish) {
      const prepared = await prepare(caller, INFO, request);
      if (!prepared.ok) return prepared;
      await mkdir(workFolder, { recursive: true });
      // As those of imports are called, so that they are cleared away as they are.
      const folder = await mkdtemp(join(workFolder, `import-${process.pid}-`));
      try {
        await dropStaged(db.driver, id);
        const { recipe } = prepared.value;
        const table = `u${id}_1`;
        const staged = await runRecipe({
          db,
          caller,
          info: INFO,
          recipe,
          table,
          folder,
          limits,
          lookup: lookupOf(recipe),
          readFile,
          tell: onProgress,
          signal,
        });
        if (!staged.ok) return staged;
        signal.throwIfAborted();
        const space = await checkSpace(caller, table);
        if (!space.ok) return space;
        // Whoever may not read the layers any more gets nothing of them, however far it was.
        const still = await prepare(caller, INFO, request);
        return still.ok ? ok(await publish(staged.value)) : still;
      } finally {
        await dropStaged(db.driver, id);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function readStatement(inputs: SentInputs): Result<string, InputFaults> {
  const named = layersNamed(SQL_RESULT, inputs);
  if (!named.ok) return named;
  const read = readInputs(SQL_RESULT, inputs, new Map());
  return read.ok ? ok(read.value.text('statement')) : read;
}

function refused(said: string): Result<never, ProcessFault> {
  return err({ kind: 'refused', said });
}
