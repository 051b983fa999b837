// Sends the files of a layer, telling how far it is. (`fetch` tells nothing of what it sends.)

import { err, ok, type Result } from '../lib/result.ts';
import { csrfHeader, promised, STRICT } from './client.ts';
import { type Failure, failureOf } from './failure.ts';
import type { AcceptedUpload } from './portal-api.gen.ts';

const ADDRESS = '/api/v2/uploads/upload/';

export function sendUpload(
  files: readonly File[],
  main: File,
  fields: Readonly<Record<string, string>>,
  onProgress: (share: number) => void,
  signal: AbortSignal,
  /** Of new layers, unless the rows are for one that exists. */
  address: string = ADDRESS,
): Promise<Result<AcceptedUpload, Failure>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files)
    form.append(
      file === main ? 'base_file' : `${file.name.split('.').at(-1)?.toLowerCase() ?? 'side'}_file`,
      file,
      file.name,
    );
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('PUT', address);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('X-Requested-With', 'XMLHttpRequest');
    for (const [name, value] of Object.entries({ ...csrfHeader(), ...STRICT })) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.total > 0 ? event.loaded / event.total : 0);
    request.onload = () => {
      let body: unknown;
      try {
        body = JSON.parse(request.responseText);
      } catch {
        body = undefined;
      }
      resolve(
        request.status >= 200 && request.status < 300
          ? ok(promised<'PUT', typeof ADDRESS>(body))
          : err(failureOf(request.status, body)),
      );
    };
    request.onerror = () => resolve(err({ kind: 'offline' }));
    request.onabort = () => resolve(err({ kind: 'offline' }));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
