// Rasters that stand ready → the blob store, before the transaction; and their records, within it.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Caller } from '../../../auth/caller.ts';
import { type BlobError, type BlobStore, makeBlobKey } from '../../../blobs/blob-store.ts';
import { DISK_FAULTS } from '../../../kernel/disk-fault.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Staged, StagedRaster } from '../../../layer-ports/staged.ts';
import type { Session } from '../../../pg/driver.ts';
import { asCaller } from '../service-scope.ts';
import { statement } from '../service-transaction.ts';
import { execute, type PublishError } from './publication.ts';

export type StoredRasters = ReadonlyMap<StagedRaster, { readonly blob: string; readonly size: number }>;

export async function storeRasters(blobs: BlobStore, { layers }: Staged): Promise<Result<StoredRasters, PublishError>> {
  const stored = new Map<StagedRaster, { blob: string; size: number }>();
  for (const layer of layers) {
    if (layer.kind !== 'raster') continue;
    const blob = makeBlobKey('rasters');
    const put = await blobs.put(blob, createReadStream(layer.path));
    if (!put.ok) {
      for (const earlier of stored.values()) await blobs.remove(earlier.blob);
      return err(storeError(put.error));
    }
    stored.set(layer, { blob, size: (await stat(layer.path)).size });
  }
  return ok(stored);
}

function storeError(error: BlobError): PublishError {
  if (error.kind !== 'disk') return { kind: 'store', message: error.kind };
  return error.fault === 'no-space' ? { kind: 'no-space' } : { kind: 'store', message: DISK_FAULTS[error.fault] };
}

export async function insertRaster(
  session: Session,
  owner: Caller,
  layer: StagedRaster,
  id: number,
  rasters: StoredRasters,
): Promise<Result<undefined, PublishError>> {
  const stored = rasters.get(layer);
  const inserted = await execute(session, [
    asCaller(owner),
    statement(
      'insert into portal.raster (resource_id, blob, size, width, height, bands) values ($1, $2, $3, $4, $5, $6)',
      String(id),
      stored?.blob ?? '',
      String(stored?.size ?? 0),
      String(layer.width),
      String(layer.height),
      JSON.stringify(layer.bands),
    ),
  ]);
  return inserted.ok ? ok(undefined) : inserted;
}
