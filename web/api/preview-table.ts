// What a table would be read as. The file is sent once, and looked at as often as the choices change; the import takes it from there.

import type { Result } from '../lib/result.ts';
import { fieldsOf, type TablePreview, type TableWish } from '../lib/table-choices.ts';
import { send } from './client.ts';
import type { Failure } from './failure.ts';
import { sendFile } from './send-file.ts';
import type { Sending } from './send-upload.ts';

export async function previewTable(
  file: File,
  wish: TableWish,
  { onProgress, onWaiting, signal }: Sending,
): Promise<Result<{ readonly file: string; readonly preview: TablePreview }, Failure>> {
  const onSent = (bytes: number): void => onProgress(file.size > 0 ? bytes / file.size : 1);
  const sent = await sendFile(file, { onSent, onWaiting, signal });
  if (!sent.ok) return sent;
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fieldsOf(wish), sent_files: sent.value })) form.append(name, value);
  const reply = await send('POST', '/api/v2/uploads/preview/', { body: form, signal });
  return reply.ok ? { ok: true, value: { file: sent.value, preview: reply.value.preview } } : reply;
}
