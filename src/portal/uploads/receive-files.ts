// The files of a form, and those that were sent before and are named by it (`sent_files`); what is wrong with them, as it is answered.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { DISK_ANSWERS } from '../errors/disk-answers.ts';
import { storeFailure } from '../errors/store-failure.ts';
import { type ReceivedForm, type ReceiveError, type ReceiveLimits, receiveForm } from './receive-form.ts';
import { sentFiles } from './sent-files.ts';
import type { Handled, UploadAsk } from './upload-ask.ts';

export type ReceivedFiles = ReceivedForm & {
  /** Ids of files that were sent before: they stay until an upload has them. */
  readonly sent: readonly string[];
  /** Removes what came with the form. */
  forget(): Promise<void>;
};

export async function receiveFiles(
  { db, blobs, limits }: { readonly db: CallerDb; readonly blobs: BlobStore; readonly limits: ReceiveLimits },
  ask: UploadAsk,
): Promise<Result<ReceivedFiles, ReceiveError>> {
  const read = await receiveForm(ask.request, blobs, limits);
  if (!read.ok) return read;
  const { files, fields } = read.value;
  const forget = async (): Promise<void> => {
    for (const { blob } of files) await blobs.remove(blob);
  };
  const { sent_files: named = '', ...others } = fields;
  const sent = named === '' ? [] : named.split(',').map((id) => id.trim());
  const found =
    files.length + sent.length > limits.maxFiles
      ? err({ kind: 'too-many-files', limit: limits.maxFiles } as const)
      : await sentFiles(db, blobs, ask, sent);
  if (found.ok) {
    const all = [...files, ...found.value];
    if (all.reduce((sum, { size }) => sum + size, 0) <= limits.maxBytes)
      return ok({ fields: others, files: all, sent, forget });
  }
  await forget();
  if (found.ok) return err({ kind: 'too-large', limit: limits.maxBytes });
  const { error } = found;
  if (typeof error === 'string') return err({ kind: 'not-sent', said: error });
  return err(error.kind === 'too-many-files' ? error : { kind: 'request', error });
}

export function receiveFault(fault: ReceiveError): Handled {
  switch (fault.kind) {
    case 'request':
      return err(fault.error);
    case 'too-large':
      return ok({
        status: 413,
        body: {
          success: false,
          errors: [`Total upload size exceeds ${fault.limit} bytes. Please try again with smaller files.`],
        },
      });
    case 'too-many-files':
      return ok({
        status: 400,
        body: { success: false, errors: [`At most ${fault.limit} files can be sent at once.`] },
      });
    case 'not-sent':
      return ok({ status: 400, body: { success: false, errors: [fault.said] } });
    case 'sent-twice':
      return ok({
        status: 400,
        body: {
          success: false,
          errors: [
            `${fault.name} was sent twice, with different contents: send one of them, or give them different names.`,
          ],
        },
      });
    case 'store': {
      if (fault.error.kind !== 'disk') return err(storeFailure(fault.error));
      const { status, said } = DISK_ANSWERS[fault.error.fault];
      return ok({ status, body: { success: false, errors: [said] } });
    }
  }
}
