// The multipart form of a record: its fields as texts, and its files, as a rule at most one, handed over while they are still arriving.

import type { FastifyRequest } from 'fastify';
import { err, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { leaveUnread } from './leave-unread.ts';
import { type FilePart, type FormFields, type MultipartFault, readMultipart } from './read-multipart.ts';

export type FormOptions = {
  readonly maxFileBytes: number;
  /** Reads the content to its end, or leaves it: what is left is thrown away. Undefined: no files here. */
  readonly onFile?: (part: FilePart) => Promise<void>;
  /** Default: 1. */
  readonly maxFiles?: number;
};

const MAX_FIELD_BYTES = 4 * 1024 * 1024;
const MAX_FIELDS = 200;

export function isMultipart(request: FastifyRequest): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

/** The fields, once everything has arrived. */
export async function readForm(
  request: FastifyRequest,
  { maxFileBytes, onFile, maxFiles = 1 }: FormOptions,
): Promise<Result<FormFields, PortalError>> {
  const files = onFile === undefined ? 0 : maxFiles;
  const form = await readMultipart(request, {
    limits: { fields: MAX_FIELDS, fieldBytes: MAX_FIELD_BYTES, files, fileBytes: maxFileBytes },
    onFile: async (part) => onFile?.(part),
  });
  if (form.ok) return form;
  leaveUnread(request);
  return err({ kind: 'bad-request', detail: complaint(form.error, files) });
}

function complaint(fault: MultipartFault, files: number): string {
  if (fault.kind === 'too-many-files') {
    if (files === 0) return 'No files are taken here.';
    return files === 1 ? 'Only one file can be sent.' : `No more than ${files} files can be sent.`;
  }
  return formParseError(fault.kind === 'broken' ? fault.why : 'it was refused');
}

/** In the reference's words. */
export function formParseError(why: string): string {
  return `Multipart form parse error - ${why}`;
}
