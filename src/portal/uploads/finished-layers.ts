// The layers that uploads became, as far as the caller sees them.

import type { CallerDb } from '../../auth/caller-db.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { objects } from '../../pg/rows.ts';
import { arrayText } from '../fields/bound-value.ts';
import { first, statement } from './service-transaction.ts';
import type { UploadAsk } from './upload-ask.ts';
import type { FinishedLayer } from './upload-replies.ts';
import type { UploadRow } from './upload-row.ts';

/** By the id of the upload; the database is not asked where none is done. */
export async function finishedLayers(
  db: CallerDb,
  { caller, info }: Pick<UploadAsk, 'caller' | 'info'>,
  uploads: readonly Pick<UploadRow, 'id' | 'state'>[],
): Promise<Result<ReadonlyMap<number, readonly FinishedLayer[]>, DbError>> {
  const done = uploads.filter(({ state }) => state === 'PROCESSED').map(({ id }) => id);
  const byUpload = new Map<number, FinishedLayer[]>();
  if (done.length === 0) return ok(byUpload);
  const read = await db.read(caller, info, [
    {
      ...statement(
        `select l.upload_id, r.id, '/layers/' || coalesce(r.store || ':', '') || r.alternate as address, r.srid as crs,
           json_build_array(st_xmin(r.bbox_polygon), st_ymin(r.bbox_polygon), st_xmax(r.bbox_polygon), st_ymax(r.bbox_polygon)) as bbox
           from portal.upload_layer l join portal.resource r on r.id = l.resource_id where l.upload_id = any ($1::integer[])
          order by r.id`,
        arrayText(done),
      ),
      describe: true,
    },
  ]);
  if (!read.ok) return read;
  for (const { upload_id, ...layer } of objects<FinishedLayer & { readonly upload_id: number }>(first(read.value))) {
    const known = byUpload.get(upload_id);
    if (known === undefined) byUpload.set(upload_id, [layer]);
    else known.push(layer);
  }
  return ok(byUpload);
}
