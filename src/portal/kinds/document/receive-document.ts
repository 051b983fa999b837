// A file on its way to being a document: into the blob store, looked at while it passes, refused when it is not what it says.

import { type BlobStore, makeBlobKey } from '../../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { storeFailure } from '../../errors/store-failure.ts';
import { cleanFileName } from '../../files/clean-file-name.ts';
import type { FilePart } from '../../files/read-multipart.ts';
import { HEAD_BYTES, sniff } from '../../files/sniff.ts';
import { checkDocument, type DocType, extensionOf } from './document-types.ts';

export type DocumentFile = {
  readonly blob: string;
  readonly fileName: string;
  readonly size: number;
  readonly extension: string;
  readonly mime: string;
  readonly type: DocType;
};

/** What was kept of it is removed again when it is refused. */
export async function receiveDocument(
  blobs: BlobStore,
  part: FilePart,
  maxBytes: number,
): Promise<Result<DocumentFile, PortalError>> {
  const fileName = cleanFileName(part.name, 'document');
  const extension = extensionOf(fileName);
  // Known before a byte was stored.
  const known = checkDocument(extension, undefined);
  if (!known.ok && known.complaint.includes('cannot be')) return err(refused(known.complaint));
  const blob = makeBlobKey('documents');
  const head: Buffer[] = [];
  const stored = await blobs.put(blob, headed(part.content, head));
  if (!stored.ok) return err(storeFailure(stored.error));
  if (part.isCutOff()) {
    await blobs.remove(blob);
    return err({ kind: 'too-large', limit: maxBytes });
  }
  const checked = checkDocument(extension, sniff(Buffer.concat(head).subarray(0, HEAD_BYTES)));
  if (!checked.ok || stored.value.size === 0) {
    await blobs.remove(blob);
    return err(refused(checked.ok ? 'The submitted file is empty.' : checked.complaint));
  }
  return ok({ blob, fileName, size: stored.value.size, extension, mime: checked.mime, type: checked.type });
}

/** Passes everything on and keeps the beginning. */
async function* headed(content: AsyncIterable<Uint8Array>, head: Buffer[]): AsyncIterable<Uint8Array> {
  let kept = 0;
  for await (const chunk of content) {
    if (kept < HEAD_BYTES) {
      head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - kept)));
      kept += chunk.length;
    }
    yield chunk;
  }
}

function refused(message: string): PortalError {
  return { kind: 'invalid-fields', fields: { doc_file: [message] } };
}
