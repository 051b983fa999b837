// Rows that are loaded → layers ready to be published, with what came along: style and description.

import { readFile } from 'node:fs/promises';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Staged, StagedLayer, StagedRaster } from '../../layer-ports/staged.ts';
import type { Batch, Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { isKnownSrid, ownSrid } from './crs-of-layers.ts';
import { type FinishError, finishPlainTable, finishTable, placeOf } from './finish-table.ts';
import type { Attempt, ImportRequest } from './import-context.ts';
import type { ImportFailure } from './import-failure.ts';
import { importFailureText } from './import-failure-text.ts';
import { failed, type ImportStop, stopOf } from './import-stop.ts';
import type { RasterResult } from './import-task.ts';
import type { LoadedTable } from './load-table.ts';
import { type ReadRows, withoutPlaces } from './read-rows.ts';

export async function finishImport(
  { options, request, tell, signal }: Attempt,
  gis: string,
  done: ReadRows,
): Promise<Result<Staged, ImportStop>> {
  const { driver } = options;
  tell({ phase: 'indexing' });
  const layers: StagedLayer[] = [];
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
        : outside(request, {
            kind: 'outside-crs',
            file: done.file,
            crs: error.crs,
            extent: error.extent,
            ...(error.row === undefined ? {} : { feature: error.row }),
          });
  const warnings = [...done.warnings];
  const isPlain = request.answers.places === 'none';
  const withPlace = isPlain ? [] : done.tables.filter(({ placed }) => placed > 0);
  const plain = isPlain ? done.tables : done.tables.filter((table) => table.isPlain);
  const isOnly = withPlace.length + plain.length === 1;
  const titleOf = ({ layer }: LoadedTable): string => (isOnly ? '' : layer);
  for (const table of isPlain || withPlace.length === 0 ? [] : done.tables)
    if (table.placed === 0 && !table.isPlain) warnings.push(withoutPlaces(table.layer));
  for (const table of withPlace) {
    signal.throwIfAborted();
    const finished = await finishTable(driver, gis, table, titleOf(table));
    if (!finished.ok) return refuse(finished.error);
    layers.push(finished.value.table);
    warnings.push(...finished.value.warnings);
  }
  for (const table of plain) {
    signal.throwIfAborted();
    const finished = await finishPlainTable(driver, table, titleOf(table));
    if (!finished.ok) return refuse(finished.error);
    layers.push(finished.value);
  }
  if (done.raster !== undefined) {
    const raster = await finishRaster(driver, gis, done.raster, done.file, request);
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

/** What a file says of itself is wrong with the file; what a person has said can be said again. */
function outside(
  { answers }: ImportRequest,
  failure: Extract<ImportFailure, { kind: 'outside-crs' }>,
): Result<never, ImportStop> {
  if (answers.crs === undefined) return failed(failure);
  const question = { kind: 'crs', file: failure.file, said: importFailureText(failure), reason: failure } as const;
  return err({ kind: 'question', question });
}

async function finishRaster(
  driver: Driver,
  gis: string,
  raster: RasterResult,
  file: string,
  request: ImportRequest,
): Promise<Result<StagedRaster, ImportStop>> {
  let srid = raster.epsg;
  let crs = srid === undefined ? '' : `EPSG:${srid}`;
  if (srid === undefined || !(await isKnownSrid(driver, gis, srid))) {
    const own = await ownSrid(driver, raster.wkt);
    if (!own.ok) return own;
    if (own.value === undefined) return err({ kind: 'question', question: { kind: 'crs', file } });
    srid = own.value;
    crs = `SURVEST:${srid}`;
  }
  const execute = async (batch: Batch): ReturnType<Parameters<typeof placeOf>[0]> => {
    const executed = await driver.execute(batch);
    return executed.ok ? ok(executed.value.map(textRows)) : err({ kind: 'database', error: executed.error });
  };
  const place = await placeOf(execute, gis, raster.extent, srid, crs);
  if (!place.ok) {
    if (place.error.kind === 'database') return err(stopOf(place.error, file));
    const extent = 'extent' in place.error ? place.error.extent : '';
    return outside(request, { kind: 'outside-crs', file, crs, extent });
  }
  const { path, width, height, bands } = raster;
  return ok({ kind: 'raster', path, width, height, bands, place: place.value });
}

const MAX_COMPANION = 5_000_000;

async function companion(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readFile(path);
  return bytes.length > MAX_COMPANION ? undefined : bytes.toString('utf8').replace(/^\ufeff/, '');
}
