// Reads a multipart form while it arrives, with limits on everything: fields become texts, files are handed over as streams, one after
// the other. Nothing but the fields is held in memory. At the first fault reading stops; the caller decides about the rest of the body.

import { finished, type Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { addToForm, emptyForm, type FormValues } from '../../http/form-values.ts';
import { err, ok, type Result } from '../../kernel/result.ts';

export type FilePart = {
  /** Name of the field. */
  readonly field: string;
  /** As the client calls the file; never empty. */
  readonly name: string;
  readonly content: Readable;
  /** Known at the end: the file was longer than allowed, and cut off. */
  isCutOff(): boolean;
};

type MultipartLimits = {
  readonly fields: number;
  readonly fieldBytes: number;
  /** 0: no files here. */
  readonly files: number;
  /** Of each file, which is cut off there; undefined: whoever takes the files counts. */
  readonly fileBytes?: number;
};

export type MultipartFault =
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'too-many-files' }
  | { readonly kind: 'refused' };

export type MultipartHandler = {
  readonly limits: MultipartLimits;
  /** Reads the content to its end, or leaves it: what is left is thrown away. Who destroys it has refused the form. */
  readonly onFile: (part: FilePart) => Promise<void>;
  /** The handler has refused the form: nobody reads on. */
  readonly refused?: AbortSignal;
};

export type FormFields = FormValues;

export async function readMultipart(
  { headers, raw }: FastifyRequest,
  { limits, onFile, refused }: MultipartHandler,
): Promise<Result<FormFields, MultipartFault>> {
  let busboy: BusboyInstance;
  try {
    busboy = new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        fieldNameSize: 200,
        fieldSize: limits.fieldBytes,
        fields: limits.fields,
        files: limits.files,
        ...(limits.fileBytes === undefined ? {} : { fileSize: limits.fileBytes }),
        parts: limits.fields + limits.files + 1,
        headerPairs: 50,
        headerSize: 16_384,
      },
    });
  } catch {
    return err({ kind: 'broken', why: 'Invalid boundary' });
  }
  const fields = emptyForm();
  const open = new Set<BusboyFileStream>();
  const over = new AbortController();
  let fault: MultipartFault | undefined;
  let handled: Promise<void> = Promise.resolve();
  const stop = (found: MultipartFault): void => {
    fault ??= found;
    over.abort();
  };
  const stopBroken = (why: string): void => stop({ kind: 'broken', why });

  busboy.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) stopBroken('a field is too long');
    addToForm(fields, name, value);
  });
  busboy.on('fieldsLimit', () => stopBroken('there are too many fields'));
  busboy.on('partsLimit', () => stopBroken('there are too many parts'));
  busboy.on('filesLimit', () => stop({ kind: 'too-many-files' }));
  busboy.on('file', (field, content, name) => {
    open.add(content);
    // Listened to from the beginning: a broken upload ends the stream with an error at any time.
    content.on('error', () => {});
    content.once('close', () => open.delete(content));
    const part = { field, name, content, isCutOff: () => content.truncated };
    handled = handled
      // A part without a name is what a browser sends for a file that nobody has chosen.
      .then(() => (name === '' || fault !== undefined || refused?.aborted === true ? undefined : onFile(part)))
      .then(() => {
        // Busboy would wait forever for a reader: a `for await` that ends early destroys what it reads.
        if (content.destroyed && !content.readableEnded) stop({ kind: 'refused' });
      })
      .finally(() => content.resume());
    // It is awaited below; until then nobody listens.
    handled.catch(() => {});
  });

  const signals = refused === undefined ? [over.signal] : [over.signal, refused];
  const ended = await arrived(raw, busboy, AbortSignal.any(signals));
  if (ended !== undefined) {
    fault ??= { kind: 'broken', why: CUT_OFF };
    for (const content of open) content.destroy(ended);
  }
  await handled;
  if (refused?.aborted === true) return err({ kind: 'refused' });
  return fault === undefined ? ok(fields) : err(fault);
}

export const CUT_OFF = 'the body ends too soon, or is broken';

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
