// The last statements of a publication: the upload is done, and these are its layers.

import type { Staged } from '../../../layer-ports/staged.ts';
import type { Statement } from '../../../pg/driver.ts';
import { AS_LOGIN, AS_SERVICE } from '../service-scope.ts';
import { statement } from '../service-transaction.ts';
import type { UploadRow } from '../upload-row.ts';

/** The upload's last step: everything is there when it says so. */
export function endStatements(
  upload: Pick<UploadRow, 'id'>,
  made: readonly { readonly id: number }[],
  { format, charset, warnings }: Pick<Staged, 'format' | 'charset' | 'warnings'>,
  /** Of a layer that was there before. */
  rows?: { readonly before: number; readonly after: number },
): Statement[] {
  const session = {
    upload_type: format,
    charset,
    warnings,
    completed_step: 'final',
    error_msg: null,
    question: null,
    ...(rows === undefined ? {} : { rows }),
  };
  return [
    AS_LOGIN,
    statement('delete from staging.run where upload_id = $1', String(upload.id)),
    AS_SERVICE,
    ...made.map(({ id }) =>
      statement(
        'insert into portal.upload_layer (upload_id, resource_id) values ($1, $2) on conflict do nothing',
        String(upload.id),
        String(id),
      ),
    ),
    statement(
      `update portal.upload set state = 'PROCESSED', resource_id = $2, session = session || $3::jsonb where id = $1`,
      String(upload.id),
      made[0] === undefined ? null : String(made[0].id),
      JSON.stringify(session),
    ),
  ];
}
