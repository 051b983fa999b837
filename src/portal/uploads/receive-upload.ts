// A form with files → an upload that waits to be imported. What can be refused is refused before a byte is stored.

import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { mayBeCommitted } from '../../pg/may-be-committed.ts';
import { textRows } from '../../pg/rows.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { leaveUnread } from '../files/leave-unread.ts';
import { isStrict } from '../operations/preference.ts';
import { sizeLimit, sizeLimitStatement } from '../operations/size-limit.ts';
import { spaceFor } from '../operations/space-for.ts';
import type { PortalContext } from '../portal-context.ts';
import { crsFault } from './crs-fault.ts';
import { receiveFault, receiveFiles } from './receive-files.ts';
import type { ReceiveLimits } from './receive-form.ts';
import { forgetSentFiles } from './sent-files.ts';
import { first, statement } from './service-transaction.ts';
import type { Handled, UploadAsk } from './upload-ask.ts';
import { type PermissionSpec, parseOrder, type Target, type UploadOrder, unknownNames } from './upload-order.ts';
import { acceptedReply } from './upload-replies.ts';
import type { UploadRow } from './upload-row.ts';
import { createUpload, fillUpload } from './upload-store.ts';

export type ReceiveParts = { readonly blobs: BlobStore; readonly jobs: Jobs; readonly limits: ReceiveLimits };

export async function receiveUpload(
  { db }: PortalContext,
  { blobs, jobs, limits }: ReceiveParts,
  { request, reply, caller, info }: UploadAsk,
  target: Target,
  /** The record that the files are for; undefined: a new one. */
  record?: UploadRow,
): Promise<Handled> {
  // Asked before a byte is stored; the same is asked again when the record is made.
  const may = await db.read(caller, info, [
    target.kind === 'new'
      ? statement('select portal.may_add(), false')
      : statement(
          `select portal.may($1, 'change_layer_data') and portal.layer_table($1) is not null, is_tabular from portal.resource where id = $1`,
          String(target.layer),
        ),
    spaceFor(request),
    sizeLimitStatement('dataset_upload_size'),
  ]);
  if (!may.ok) {
    leaveUnread(request);
    return err({ kind: 'database', error: may.error });
  }
  const [[allowed, isPlain] = []] = textRows(first(may.value));
  if (allowed !== 't') leaveUnread(request);
  if (allowed === undefined) return err({ kind: 'not-found' });
  if (allowed !== 't') return err({ kind: 'forbidden' });
  if (record !== undefined && record.state !== 'READY') {
    leaveUnread(request);
    return err(HAS_FILES);
  }
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? ''))
    return err({ kind: 'bad-request', detail: 'Empty content' });

  const maxBytes = sizeLimit(may.value[2], limits.maxBytes);
  const form = await receiveFiles({ db, blobs, limits: { ...limits, maxBytes } }, { request, reply, caller, info });
  if (!form.ok) {
    leaveUnread(request);
    return receiveFault(form.error);
  }
  const { sent, forget } = form.value;
  const strangers = isStrict({ request }) ? unknownNames(form.value.fields) : [];
  if (strangers.length > 0) {
    await forget();
    return ok({ status: 400, body: { success: false, errors: strangers.map((name) => `${name}: Unknown field.`) } });
  }
  // What goes into a table without places has none.
  const fields = isPlain === 't' ? { ...form.value.fields, places: 'none' } : form.value.fields;
  const order = parseOrder(fields, form.value.files);
  if (!order.ok) {
    await forget();
    return order.error.kind === 'empty'
      ? err({ kind: 'bad-request', detail: 'Empty content' })
      : ok({ status: 400, body: { success: false, errors: order.error.messages } });
  }
  const fault = await crsFault(db, caller, info, order.value.answers.crs);
  if (!fault.ok || fault.value !== undefined) {
    await forget();
    return fault.ok
      ? ok({ status: 400, body: { success: false, errors: [`crs: ${fault.value}`] } })
      : err({ kind: 'database', error: fault.error });
  }
  const strange = await permissionFault(db, caller, info, order.value.permissions);
  if (!strange.ok || strange.value !== undefined) {
    await forget();
    return strange.ok
      ? ok({ status: 400, body: { success: false, errors: [`permissions: ${strange.value}.`] } })
      : err({ kind: 'database', error: strange.error });
  }
  const made = await keep(record, order.value).catch(async (error: unknown) => {
    await forget();
    throw error;
  });
  if (!made.ok) {
    const failure = { kind: 'database', error: made.error } as const;
    if (!mayBeCommitted(failure)) await forget();
    return err(failure);
  }
  if (made.value === undefined) {
    await forget();
    return err(HAS_FILES);
  }
  if (sent.length > 0) await forgetSentFiles(db, { request, reply, caller, info }, sent);
  return ok({ status: 201, body: acceptedReply(made.value) });

  /** Undefined: somebody else has sent the files of the record meanwhile. */
  async function keep(
    into: UploadRow | undefined,
    wanted: UploadOrder,
  ): Promise<Result<Parameters<typeof acceptedReply>[0] | undefined, DbError>> {
    if (into === undefined) return createUpload(db, jobs, caller, info, wanted, target);
    const filled = await fillUpload(db, jobs, caller, info, into, wanted);
    return filled.ok ? ok(filled.value ? into : undefined) : filled;
  }
}

const HAS_FILES: PortalError = {
  kind: 'bad-request',
  detail: 'This upload has its files already. Send others to /api/v2/uploads/upload/.',
};

/** Users and groups that are not there; undefined: all of them are. */
export async function permissionFault(
  db: PortalContext['db'],
  caller: UploadAsk['caller'],
  info: UploadAsk['info'],
  permissions: PermissionSpec | undefined,
): Promise<Result<string | undefined, DbError>> {
  if (permissions === undefined) return ok(undefined);
  // It looks at them as whoever gives permissions does, with a lock: not as one who only reads.
  const found = await db.write(caller, info, [
    statement('select portal.permission_fault($1::jsonb)', JSON.stringify(permissions)),
  ]);
  return found.ok ? ok(textRows(first(found.value))[0]?.[0] ?? undefined) : found;
}
