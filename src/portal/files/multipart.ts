// A multipart form as it comes in: fields as texts, files handed over while they are still arriving. Nothing is held in memory
// but the fields.

import { finished, type Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';

export type FilePart = {
  /** Name of the field. */
  readonly field: string;
  /** As the client calls the file. */
  readonly name: string;
  readonly content: Readable;
  /** Known at the end: the file was longer than allowed, and cut off. */
  isCutOff(): boolean;
};

export type FormOptions = {
  readonly maxFileBytes: number;
  /** Reads the content to its end, or leaves it: what is left is thrown away. Undefined: no files here. */
  readonly onFile?: (part: FilePart) => Promise<void>;
};

const MAX_FIELD_BYTES = 4 * 1024 * 1024;
const MAX_FIELDS = 200;

export function isMultipart(request: FastifyRequest): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

/** The fields, once everything has arrived. A file is handed over at most once. */
export async function readForm(
  request: FastifyRequest,
  { maxFileBytes, onFile }: FormOptions,
): Promise<Result<Readonly<Record<string, string>>, PortalError>> {
  const fields: Record<string, string> = Object.create(null);
  let busboy: BusboyInstance;
  try {
    busboy = new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: {
        fieldNameSize: 200,
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_FIELDS,
        fileSize: maxFileBytes,
        files: onFile === undefined ? 0 : 1,
        parts: MAX_FIELDS + 10,
        headerPairs: 50,
        headerSize: 16_384,
      },
    });
  } catch {
    return err(unreadable('Invalid boundary'));
  }
  let tooMuch: string | undefined;
  let current: BusboyFileStream | undefined;
  let handled: Promise<void> | undefined;
  busboy.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) tooMuch ??= 'A field of the form is too long.';
    fields[name] = value;
  });
  busboy.on('fieldsLimit', () => {
    tooMuch ??= 'The form has too many fields.';
  });
  busboy.on('partsLimit', () => {
    tooMuch ??= 'The form has too many parts.';
  });
  busboy.on('filesLimit', () => {
    tooMuch ??= onFile === undefined ? 'No files are taken here.' : 'Only one file can be sent.';
  });
  busboy.on('file', (field, content, name) => {
    current = content;
    // Listened to from the beginning: a broken upload ends the stream with an error at any time.
    content.on('error', () => {});
    // What a browser sends for a file that nobody has chosen.
    if (name === '') {
      content.resume();
      return;
    }
    handled = onFile?.({ field, name, content, isCutOff: () => content.truncated }).finally(() => content.resume());
    handled?.catch(() => {});
  });
  const ended = await arrived(request.raw, busboy);
  if (ended !== undefined) current?.destroy(ended);
  await handled;
  if (ended !== undefined) return err(unreadable('the body ends too soon, or is broken'));
  if (tooMuch !== undefined) return err({ kind: 'bad-request', detail: tooMuch });
  return ok(fields);
}

/** Undefined: everything went through. */
function arrived(source: Readable, busboy: BusboyInstance): Promise<Error | undefined> {
  return new Promise((resolve) => {
    busboy.once('finish', () => resolve(undefined));
    busboy.once('error', (error: unknown) => {
      source.unpipe(busboy);
      // The connection is still good for an answer.
      source.resume();
      resolve(error instanceof Error ? error : new Error(String(error)));
    });
    finished(source, { writable: false }, (error) => {
      if (error) resolve(error);
    });
    source.pipe(busboy);
  });
}

function unreadable(why: string): PortalError {
  return { kind: 'bad-request', detail: `Multipart form parse error - ${why}` };
}
