// A multipart form with files → its fields, and the files in the blob store: each is written while it arrives. Clients send the main
// file twice, as `base_file` and under a name of its own: the second is compared with the first and not stored. When anything is wrong
// with the form, nothing of it is kept.

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type BlobError, type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { cleanFileName } from '../files/clean-file-name.ts';
import { formParseError } from '../files/multipart.ts';
import { CUT_OFF, type FilePart, type MultipartFault, readMultipart } from '../files/read-multipart.ts';
import type { ReceivedFile } from './upload-order.ts';

export type ReceiveLimits = {
  /** Of all files together. */
  readonly maxBytes: number;
  readonly maxFiles: number;
};

export type ReceivedForm = {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly ReceivedFile[];
};

export type ReceiveError =
  | { readonly kind: 'request'; readonly error: PortalError }
  | { readonly kind: 'too-many-files'; readonly limit: number }
  | { readonly kind: 'too-large'; readonly limit: number }
  /** Two files of this name, which are not the same. */
  | { readonly kind: 'sent-twice'; readonly name: string }
  /** A file that the form names was not sent before. */
  | { readonly kind: 'not-sent'; readonly said: string }
  | { readonly kind: 'store'; readonly error: BlobError };

const BASE_FIELD = 'base_file';
const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 1024 * 1024;

export async function receiveForm(
  request: FastifyRequest,
  blobs: BlobStore,
  limits: ReceiveLimits,
): Promise<Result<ReceivedForm, ReceiveError>> {
  const kept: string[] = [];
  const files: (ReceivedFile & { readonly digest: string })[] = [];
  const refused = new AbortController();
  let fault: ReceiveError | undefined;
  let total = 0;
  const refuse = (error: ReceiveError): void => {
    fault ??= error;
    refused.abort();
  };

  const compare = async (at: number, { field, name, content }: FilePart): Promise<void> => {
    const first = files[at];
    if (first === undefined) return;
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > first.size) break;
      hash.update(chunk);
    }
    if (size !== first.size || hash.digest('hex') !== first.digest) return refuse({ kind: 'sent-twice', name });
    if (field === BASE_FIELD) files[at] = { ...first, field };
  };
  const keep = async ({ field, name, content }: FilePart): Promise<void> => {
    const hash = createHash('sha256');
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        total += chunk.length;
        if (total > limits.maxBytes) throw new TooLarge();
        hash.update(chunk);
        yield chunk;
      }
    };
    const blob = makeBlobKey('uploads');
    const stored = await blobs.put(blob, counted());
    if (!stored.ok) return refuse({ kind: 'store', error: stored.error });
    kept.push(blob);
    files.push({ field, name, blob, size: stored.value.size, digest: hash.digest('hex') });
  };

  const form = await readMultipart(request, {
    // Each file may come twice; and one more, to know that there are too many.
    limits: { fields: MAX_FIELDS, fieldBytes: MAX_FIELD_BYTES, files: 2 * limits.maxFiles + 1 },
    refused: refused.signal,
    onFile: async (part) => {
      const named = { ...part, name: cleanFileName(part.name, 'file') };
      try {
        const twin = files.findIndex((file) => file.name.toLowerCase() === named.name.toLowerCase());
        if (twin >= 0) return await compare(twin, named);
        if (files.length >= limits.maxFiles) return refuse({ kind: 'too-many-files', limit: limits.maxFiles });
        return await keep(named);
      } catch (error) {
        refuse(error instanceof TooLarge ? { kind: 'too-large', limit: limits.maxBytes } : broken(CUT_OFF));
      }
    },
  });
  if (form.ok && fault === undefined)
    return ok({ fields: form.value, files: files.map(({ digest: _, ...file }) => file) });
  for (const blob of kept) await blobs.remove(blob);
  return err(fault ?? faultOf(form, limits));
}

function faultOf(form: Result<unknown, MultipartFault>, { maxFiles }: ReceiveLimits): ReceiveError {
  if (!form.ok && form.error.kind === 'too-many-files') return { kind: 'too-many-files', limit: maxFiles };
  return broken(!form.ok && form.error.kind === 'broken' ? form.error.why : CUT_OFF);
}

class TooLarge extends Error {}

function broken(why: string): ReceiveError {
  return { kind: 'request', error: { kind: 'bad-request', detail: formParseError(why) } };
}
