// Layers that stand ready → layers of the catalogue: tables, records, permissions, styles and the end of the upload in one
// transaction. Whatever stops it leaves nothing behind.

import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Session } from '../../../pg/driver.ts';
import { mayBeCommitted } from '../../../pg/may-be-committed.ts';
import { first, serviceWork, statement } from '../service-transaction.ts';
import { describeLayer } from './describe-layer.ts';
import { endStatements } from './end-statements.ts';
import { insertRecord } from './insert-record.ts';
import { moveTable } from './move-table.ts';
import { execute, type Publication, type PublishError, type Published, type PublishParts } from './publication.ts';
import { insertRaster, type StoredRasters, storeRasters } from './store-rasters.ts';

/** Two that want the same name at the same moment: one of them tries again. */
const ATTEMPTS = 5;

export async function publish(parts: PublishParts, publication: Publication): Promise<Result<Published, PublishError>> {
  const stored = await storeRasters(parts.blobs, publication.staged);
  if (!stored.ok) return stored;
  const end = await publishTables(parts, publication, stored.value);
  if (!end.ok && !mayBeCommitted(end.error))
    for (const { blob } of stored.value.values()) await parts.blobs.remove(blob);
  return end;
}

async function publishTables(
  parts: PublishParts,
  publication: Publication,
  rasters: StoredRasters,
): Promise<Result<Published, PublishError>> {
  return publishing(parts.db, (session) => publishAll(session, publication, rasters));
}

/** A transaction that makes layers. */
export async function publishing<T>(
  db: PublishParts['db'],
  work: (session: Session) => Promise<Result<T, PublishError>>,
): Promise<Result<T, PublishError>> {
  for (let attempt = 1; ; attempt += 1) {
    const done = await serviceWork(db, work);
    if (done.ok) return done;
    if (attempt >= ATTEMPTS || !isCollision(done.error)) return done;
  }
}

/** Unique names, and tables of the same name. */
function isCollision(failure: PublishError): boolean {
  return (
    failure.kind === 'database' &&
    failure.error.kind === 'sql' &&
    ['23505', '42P07', '40001', '40P01'].includes(failure.error.sqlstate)
  );
}

async function publishAll(
  session: Session,
  { upload, token, owner, staged }: Publication,
  rasters: StoredRasters,
): Promise<Result<Published, PublishError>> {
  const held = await execute(session, [
    statement('select from staging.run where upload_id = $1 and token = $2 for update', String(upload.id), token),
  ]);
  if (!held.ok) return held;
  if (first(held.value).length === 0) return err({ kind: 'not-ours' });

  const made: { id: number; name: string }[] = [];
  const warnings = new Set(staged.warnings);
  for (const layer of staged.layers) {
    const record = await insertRecord(session, owner, upload, staged, layer);
    if (!record.ok) return record;
    const { id, name, title } = record.value;
    const stored =
      layer.kind === 'raster'
        ? await insertRaster(session, owner, layer, id, rasters)
        : await moveTable(session, layer, id, name, title);
    if (!stored.ok) return stored;
    const described = await describeLayer(session, owner, upload, staged, layer, { id, name, title });
    if (!described.ok) return described;
    for (const warning of described.value) warnings.add(warning);
    made.push({ id, name });
  }
  const ended = await execute(session, endStatements(upload, made, { ...staged, warnings: [...warnings] }));
  return ended.ok ? ok({ layers: made }) : ended;
}
