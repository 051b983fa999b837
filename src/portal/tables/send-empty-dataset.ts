// `POST /api/v2/uploads/upload` with JSON: a dataset without files, made at once. Its upload is there and done, so that clients that ask how
// far it is find it.

import { err, ok } from '../../kernel/result.ts';
import { isStrict } from '../operations/preference.ts';
import type { PortalContext } from '../portal-context.ts';
import type { Handled, UploadAsk } from '../uploads/upload-ask.ts';
import { acceptedReply } from '../uploads/upload-replies.ts';
import { createDataset } from './create-table.ts';
import { parseEmptyDataset } from './empty-dataset.ts';
import { publishFailure } from './table-paths.ts';

export async function sendEmptyDataset({ db }: PortalContext, { request, caller }: UploadAsk): Promise<Handled> {
  const wanted = parseEmptyDataset(request.body);
  if (!wanted.ok) return err({ kind: 'invalid-fields', fields: wanted.error });
  const { table, ignored } = wanted.value;
  if (ignored.length > 0 && isStrict({ request }))
    return err({
      kind: 'invalid-fields',
      fields: Object.fromEntries(ignored.map((name) => [name.slice(0, 100), ['Unknown field.']])),
    });
  const made = await createDataset(db, caller, table);
  if (!made.ok) return err(publishFailure(made.error, table.permissions));
  const reply = { ...acceptedReply(made.value), status: 'finished' };
  return ok({ status: 201, body: ignored.length === 0 ? reply : { ...reply, meta: { ignored } } });
}
