// What a publication is given, how it may fail, and the batch its steps share.

import type { Caller } from '../../../auth/caller.ts';
import type { CallerDb } from '../../../auth/caller-db.ts';
import type { BlobStore } from '../../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Staged } from '../../../layer-ports/staged.ts';
import type { DbError, Session, Statement } from '../../../pg/driver.ts';
import { textRows } from '../../../pg/rows.ts';
import type { Question } from '../importer-port.ts';
import type { UploadRow } from '../upload-row.ts';

export type Published = { readonly layers: readonly { readonly id: number; readonly name: string }[] };

export type PublishError =
  | { readonly kind: 'database'; readonly error: DbError }
  /** Deleted, or another attempt has it. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'no-space' }
  | { readonly kind: 'store'; readonly message: string }
  /** Data for a layer that exists, which do not fit it. */
  | { readonly kind: 'does-not-fit'; readonly said: string }
  /** Its sender wanted to be asked. */
  | { readonly kind: 'question'; readonly question: Question };

export type PublishParts = {
  readonly db: CallerDb;
  readonly blobs: BlobStore;
};

export type Publication = {
  readonly upload: UploadRow;
  readonly token: string;
  /** Whose layers they will be. */
  readonly owner: Caller;
  readonly staged: Staged;
};

export type NewRecord = { readonly id: number; readonly name: string; readonly title: string };

type Rows = readonly (readonly (string | null)[])[];

export async function execute(
  session: Session,
  batch: readonly Statement[],
): Promise<Result<readonly Rows[], PublishError>> {
  const executed = await session.execute(batch);
  return executed.ok ? ok(executed.value.map(textRows)) : err({ kind: 'database', error: executed.error });
}
