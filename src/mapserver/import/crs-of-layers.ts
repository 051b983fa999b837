// The coordinate systems of the layers of a file, as numbers of the database: known ones, and ours for those that have none.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { quoteIdent } from '../../sql/index.ts';
import { makeTask } from './fetch-files.ts';
import type { Attempt } from './import-context.ts';
import { failed, type ImportStop } from './import-stop.ts';
import type { InspectedLayer } from './import-task.ts';
import { runReader } from './run-reader.ts';

/** Thrown through the reader. */
export class DatabaseStopped extends Error {
  readonly error: DbError;

  constructor(error: DbError) {
    super(error.kind);
    this.error = error;
  }
}

export async function isKnownSrid(driver: Driver, gis: string, srid: number): Promise<boolean> {
  const found = await driver.execute([
    { text: `select from ${quoteIdent(gis)}.spatial_ref_sys where srid = $1`, params: [String(srid)] },
  ]);
  if (!found.ok) throw new DatabaseStopped(found.error);
  return (found.value[0]?.rows.length ?? 0) > 0;
}

/** Layers whose coordinate system has no number get one of ours; without any, somebody has to say. */
export async function findSrids(attempt: Attempt): Promise<Result<ReadonlyMap<string, number>, ImportStop>> {
  const file = attempt.request.files[0]?.name ?? '';
  const inspected = await inspect(attempt);
  if (!inspected.ok) return inspected;
  const srids = new Map<string, number>();
  for (const { name, crs } of inspected.value) {
    if (crs === undefined || crs === '') return err({ kind: 'question', question: { kind: 'crs', file } });
    const srid = await ownSrid(attempt.options.driver, crs);
    if (!srid.ok) return srid;
    if (srid.value === undefined) return err({ kind: 'question', question: { kind: 'crs', file } });
    srids.set(name, srid.value);
  }
  return ok(srids);
}

export async function ownSrid(driver: Driver, wkt: string): Promise<Result<number | undefined, ImportStop>> {
  const found = await driver.execute([{ text: 'select portal.own_srid($1)', params: [wkt] }]);
  if (!found.ok) return err({ kind: 'unavailable', error: found.error });
  const [[srid] = []] = textRows(found.value[0] ?? { rows: [], tag: '' });
  return ok(srid === null || srid === undefined ? undefined : Number(srid));
}

async function inspect(attempt: Attempt): Promise<Result<readonly InspectedLayer[], ImportStop>> {
  const { options, limits, signal } = attempt;
  const toInspect = await makeTask(attempt, 'inspect', 'inspect');
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
    options.reader,
  );
  if (stop !== undefined) return err(stop);
  return ran.ok ? ok(layers) : failed(ran.error);
}

export async function findPostgis(driver: Driver): Promise<Result<string, DbError>> {
  const found = await driver.execute([
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
