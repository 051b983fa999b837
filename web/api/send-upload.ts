// Sends the files of a layer, telling how far it is, and then the form that says what becomes of them.

import type { AcceptedUpload } from '../../client/src/operations.gen.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { promised, STRICT, send } from './client.ts';
import type { Failure } from './failure.ts';
import { sendFile } from './send-file.ts';

const ADDRESS = '/api/v2/uploads/upload/';

export type Sending = {
  readonly onProgress: (share: number) => void;
  readonly onWaiting: (isWaiting: boolean) => void;
  readonly signal: AbortSignal;
};

export async function sendUpload(
  files: readonly File[],
  main: File,
  fields: Readonly<Record<string, string>>,
  { onProgress, onWaiting, signal }: Sending,
  /** Of new layers, unless the rows are for one that exists. */
  address: string = ADDRESS,
): Promise<Result<AcceptedUpload, Failure>> {
  const ordered = [main, ...files.filter((file) => file !== main)];
  const total = ordered.reduce((sum, { size }) => sum + size, 0);
  const ids: string[] = [];
  let before = 0;
  for (const file of ordered) {
    const onSent = (bytes: number): void => onProgress(total > 0 ? (before + bytes) / total : 1);
    const sent = await sendFile(file, { onSent, onWaiting, signal });
    if (!sent.ok) return sent;
    ids.push(sent.value);
    before += file.size;
  }
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, sent_files: ids.join() })) form.append(name, value);
  // Until here nothing was begun that could be there twice.
  const reply = await send('PUT', address, { body: form, signal, headers: STRICT }).catch(() => undefined);
  if (reply === undefined) return err({ kind: 'offline' });
  return reply.ok ? ok(promised<'PUT', typeof ADDRESS>(reply.value)) : reply;
}
