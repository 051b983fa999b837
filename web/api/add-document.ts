// A file becomes a document of the portal.

import { err, ok, type Result } from '../lib/result.ts';
import { send } from './client.ts';
import type { Failure } from './failure.ts';
import type { Permissions } from './types.ts';
import { forgetLoaded } from './use-loaded.ts';

/** Its id. */
export async function addDocument(
  file: File,
  title: string,
  permissions: Permissions,
): Promise<Result<string, Failure>> {
  const form = new FormData();
  form.append('title', title);
  form.append('permissions', JSON.stringify(permissions));
  form.append('doc_file', file, file.name);
  const reply = await send('POST', '/api/v2/documents/', { body: form });
  if (!reply.ok) return reply;
  forgetLoaded();
  return 'document' in reply.value ? ok(reply.value.document.pk) : err({ kind: 'server', status: 201, said: [] });
}
