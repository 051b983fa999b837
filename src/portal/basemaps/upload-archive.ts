// A PMTiles archive that an administrator uploads → a file of the store, looked at before a basemap is made of it. What is refused is not kept.

import { type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { storeFailure } from '../errors/store-failure.ts';
import { readForm } from '../files/multipart.ts';
import type { FilePart } from '../files/read-multipart.ts';
import type { Exchange } from '../operations/exchange.ts';

export type ArchiveUploads = {
  readonly blobs: BlobStore;
  /** Of one archive. */
  readonly maxBytes: number;
  /** What is wrong with a stored file; undefined: tiles can be read of it. */
  readonly faultOf: (key: string, size: number) => Promise<string | undefined>;
};

export type SentArchive = {
  readonly key: string;
  readonly bytes: number;
  readonly fields: Readonly<Record<string, string>>;
};

export async function receiveArchive(
  { blobs, maxBytes, faultOf }: ArchiveUploads,
  { request }: Exchange,
): Promise<Result<SentArchive, PortalError>> {
  let stored: Result<{ readonly key: string; readonly bytes: number }, PortalError> | undefined;
  const keep = async (part: FilePart): Promise<typeof stored> => {
    const key = makeBlobKey('basemaps');
    const put = await blobs.put(key, part.content);
    if (!put.ok) return err(storeFailure(put.error));
    const { size } = put.value;
    const fault = part.isCutOff() ? undefined : await faultOf(key, size);
    if (!part.isCutOff() && fault === undefined) return ok({ key, bytes: size });
    await blobs.remove(key);
    return err(fault === undefined ? { kind: 'too-large', limit: maxBytes } : refused(`The file ${fault}.`));
  };
  const fields = await readForm(request, {
    maxFileBytes: maxBytes,
    async onFile(part) {
      stored = await keep(part);
    },
  });
  if (stored?.ok === false) return stored;
  if (!fields.ok) {
    if (stored !== undefined) await blobs.remove(stored.value.key);
    return fields;
  }
  return stored === undefined ? err(refused('No file was sent.')) : ok({ ...stored.value, fields: fields.value });
}

function refused(message: string): PortalError {
  return { kind: 'invalid-fields', fields: { file: [message] } };
}
