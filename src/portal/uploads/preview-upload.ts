// `POST /api/v2/uploads/preview`: what a table would be read as, before it is imported. The same form as an upload, by the same reader under the same
// bounds; nothing of it stays. Files that were sent before are named by `sent_files`, as often as somebody looks, and stay for the upload.

import { turnOf } from '../../auth/caller.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { makeSemaphore } from '../../kernel/semaphore.ts';
import type { TablePreview } from '../../layer-ports/table-choices.ts';
import { textRows } from '../../pg/rows.ts';
import { leaveUnread } from '../files/leave-unread.ts';
import { isStrict } from '../operations/preference.ts';
import { sizeLimit, sizeLimitStatement } from '../operations/size-limit.ts';
import type { PortalContext } from '../portal-context.ts';
import type { Answers } from './importer-port.ts';
import { receiveFault, receiveFiles } from './receive-files.ts';
import type { ReceiveParts } from './receive-upload.ts';
import { first, statement } from './service-transaction.ts';
import type { Handled, UploadAsk } from './upload-ask.ts';
import { parseOrder, unknownNames } from './upload-order.ts';

/** In words why there is none, where the file is to blame. */
export type PreviewTable = (
  request: { readonly files: readonly { readonly name: string; readonly blob: string }[]; readonly answers: Answers },
  signal: AbortSignal,
) => Promise<
  Result<TablePreview, { readonly kind: 'refused'; readonly said: string } | { readonly kind: 'unavailable' }>
>;

/** Each has a process of its own. */
const AT_ONCE = 2;
const MAX_WAITING = 20;
const WAIT_MS = 30_000;

const BUSY = {
  status: 503,
  body: { success: false, errors: ['Other files are being looked at: try again in a moment.'] },
};

export function makePreviewUpload(
  { db }: Pick<PortalContext, 'db'>,
  { blobs, limits }: Pick<ReceiveParts, 'blobs' | 'limits'>,
  preview: PreviewTable,
): (ask: UploadAsk) => Promise<Handled> {
  const turns = makeSemaphore({ room: AT_ONCE, maxWaiting: MAX_WAITING, waitMs: WAIT_MS });
  return async ({ request, reply, caller, info }) => {
    const may = await db.read(caller, info, [
      statement('select portal.may_add()'),
      sizeLimitStatement('dataset_upload_size'),
    ]);
    const isAllowed = may.ok && textRows(first(may.value))[0]?.[0] === 't';
    if (!isAllowed) leaveUnread(request);
    if (!may.ok) return err({ kind: 'database', error: may.error });
    if (!isAllowed) return err({ kind: 'forbidden' });
    if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? ''))
      return err({ kind: 'bad-request', detail: 'Empty content' });
    const maxBytes = sizeLimit(may.value[1], limits.maxBytes);
    const form = await receiveFiles({ db, blobs, limits: { ...limits, maxBytes } }, { request, reply, caller, info });
    if (!form.ok) {
      leaveUnread(request);
      return receiveFault(form.error);
    }
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    try {
      const strangers = isStrict({ request }) ? unknownNames(form.value.fields) : [];
      if (strangers.length > 0)
        return ok({
          status: 400,
          body: { success: false, errors: strangers.map((name) => `${name}: Unknown field.`) },
        });
      const order = parseOrder(form.value.fields, form.value.files);
      if (!order.ok)
        return order.error.kind === 'empty'
          ? err({ kind: 'bad-request', detail: 'Empty content' })
          : ok({ status: 400, body: { success: false, errors: order.error.messages } });
      const { files, answers } = order.value;
      const sent = [...files].sort((a, b) => Number(b.base) - Number(a.base));
      const looked = await turns.run({ caller: turnOf(caller), signal: left.signal }, () =>
        preview({ files: sent, answers }, left.signal),
      );
      if (!looked.ok) return ok(BUSY);
      if (looked.value.ok) return ok({ status: 200, body: { success: true, preview: looked.value.value } });
      const { error } = looked.value;
      switch (error.kind) {
        case 'refused':
          return ok({ status: 400, body: { success: false, errors: [error.said] } });
        case 'unavailable':
          return ok(BUSY);
        default:
          return assertNever(error);
      }
    } finally {
      await form.value.forget();
    }
  };
}
