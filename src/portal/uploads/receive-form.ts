// A multipart form with files → its fields, and the files in the blob store: each is written while it arrives. Clients send the main
// file twice, as `base_file` and under a name of its own: the second is compared with the first and not stored. When anything is wrong
// with the form, nothing of it is kept.

import { createHash } from 'node:crypto';
import { finished, type Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { type BlobError, type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
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
  | { readonly kind: 'no-space' }
  | { readonly kind: 'store'; readonly error: BlobError };

const BASE_FIELD = 'base_file';
const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 1024 * 1024;

export async function receiveForm(
  request: FastifyRequest,
  blobs: BlobStore,
  limits: ReceiveLimits,
): Promise<Result<ReceivedForm, ReceiveError>> {
  let busboy: BusboyInstance;
  try {
    busboy = new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: {
        fieldNameSize: 200,
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_FIELDS,
        // Each may come twice; and one more, to know that there are too many.
        files: 2 * limits.maxFiles + 1,
        parts: MAX_FIELDS + 2 * limits.maxFiles + 1,
        headerPairs: 50,
        headerSize: 16_384,
      },
    });
  } catch {
    return err(broken('Invalid boundary'));
  }
  const fields: Record<string, string> = Object.create(null);
  const kept: string[] = [];
  const files: (ReceivedFile & { readonly digest: string })[] = [];
  const open = new Set<BusboyFileStream>();
  const over = new AbortController();
  let fault: ReceiveError | undefined;
  // Nobody reads on in a form that is refused already.
  const refuse = (error: ReceiveError): void => {
    fault ??= error;
    over.abort();
  };
  let total = 0;
  let handled: Promise<void> = Promise.resolve();

  busboy.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) refuse(broken('a field is too long'));
    fields[name] = value;
  });
  busboy.on('fieldsLimit', () => {
    refuse(broken('there are too many fields'));
  });
  busboy.on('partsLimit', () => {
    refuse(broken('there are too many parts'));
  });
  busboy.on('filesLimit', () => {
    refuse({ kind: 'too-many-files', limit: limits.maxFiles });
  });
  const compare = async (at: number, field: string, name: string, content: BusboyFileStream): Promise<void> => {
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
  const keep = async (field: string, name: string, content: BusboyFileStream): Promise<void> => {
    // Browsers send an empty part for a file that was not chosen.
    if (name === '' || fault !== undefined) return;
    const shownName = cleanName(name);
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
    try {
      const twin = files.findIndex((file) => file.name.toLowerCase() === shownName.toLowerCase());
      if (twin >= 0) return await compare(twin, field, shownName, content);
      if (files.length >= limits.maxFiles) return refuse({ kind: 'too-many-files', limit: limits.maxFiles });
      const stored = await blobs.put(blob, counted());
      if (!stored.ok) {
        return refuse(stored.error.kind === 'no-space' ? { kind: 'no-space' } : { kind: 'store', error: stored.error });
      }
      kept.push(blob);
      files.push({ field, name: shownName, blob, size: stored.value.size, digest: hash.digest('hex') });
    } catch (error) {
      refuse(error instanceof TooLarge ? { kind: 'too-large', limit: limits.maxBytes } : broken(CUT_OFF));
    }
  };
  busboy.on('file', (field, content, name) => {
    open.add(content);
    // Listened to from the beginning: a broken upload ends the stream with an error at any time.
    content.on('error', () => {});
    content.once('close', () => open.delete(content));
    handled = handled
      .then(() => keep(field, name, content))
      .finally(() => {
        content.resume();
      });
  });

  const ended = await arrived(request.raw, busboy, over.signal);
  if (ended !== undefined) for (const content of open) content.destroy(ended);
  await handled;
  if (ended !== undefined) fault ??= broken(CUT_OFF);
  if (fault === undefined) return ok({ fields, files: files.map(({ digest: _, ...file }) => file) });
  for (const blob of kept) await blobs.remove(blob);
  return err(fault);
}

class TooLarge extends Error {}

/** Undefined: everything went through. */
function arrived(source: Readable, busboy: BusboyInstance, over: AbortSignal): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const leave = (error: Error | undefined): void => {
      source.unpipe(busboy);
      resolve(error);
    };
    over.addEventListener('abort', () => leave(new Error('refused')), { once: true });
    busboy.once('finish', () => leave(undefined));
    busboy.once('error', (error: unknown) => leave(error instanceof Error ? error : new Error(String(error))));
    finished(source, { writable: false }, (error) => {
      if (error) leave(error);
    });
    source.pipe(busboy);
  });
}

const CUT_OFF = 'the body ends too soon, or is broken';

function broken(why: string): ReceiveError {
  return { kind: 'request', error: { kind: 'bad-request', detail: `Multipart form parse error - ${why}` } };
}

/** The last part of a path, without anything that could mean something in a header or on a disk. */
function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = last.replace(/[\x00-\x1f\x7f"*:<>?|]/g, '_').trim();
  const shortened = [...clean].slice(-200).join('');
  return shortened === '' || shortened === '.' || shortened === '..' ? 'file' : shortened;
}
