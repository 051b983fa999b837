// A stored file as an answer: whole or a range of it, and never as something that could run in the portal's name.

import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Answer } from './exchange.ts';

export type StoredFile = { readonly blob: string; readonly name: string; readonly mime: string };

/** Saved, not shown; not guessed at; and should a browser show it all the same, without rights. */
function safeHeaders(name: string): Readonly<Record<string, string>> {
  return {
    'Content-Disposition': attachment(name),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Accept-Ranges': 'bytes',
  };
}

export async function sendBlob(
  blobs: BlobStore,
  { blob, name, mime }: StoredFile,
  range: string | undefined,
): Promise<Result<Answer, PortalError>> {
  const headers = { ...safeHeaders(name), 'Content-Type': mime };
  const asked = parseRange(range);
  const opened = await blobs.open(blob, asked);
  if (!opened.ok) {
    switch (opened.error.kind) {
      case 'bad-range':
        return ok({ status: 416, headers: { 'Content-Range': `bytes */${opened.error.size}` } });
      case 'no-such-blob':
        return err({ kind: 'not-found' });
      default:
        throw new Error(`a blob could not be opened: ${JSON.stringify(opened.error)}`);
    }
  }
  const { size, stream } = opened.value;
  if (asked === undefined)
    return ok({ status: 200, body: stream, headers: { ...headers, 'Content-Length': String(size) } });
  const end = Math.min(asked.end ?? size - 1, size - 1);
  return ok({
    status: 206,
    body: stream,
    headers: {
      ...headers,
      'Content-Range': `bytes ${asked.start}-${end}/${size}`,
      'Content-Length': String(end - asked.start + 1),
    },
  });
}

/** One range from the beginning of a number; anything else gets the whole file, as HTTP allows. */
function parseRange(header: string | undefined): { readonly start: number; readonly end?: number } | undefined {
  const found = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '');
  if (found === null) return undefined;
  const [, start = '', end = ''] = found;
  if (end !== '' && Number(end) < Number(start)) return undefined;
  return end === '' ? { start: Number(start) } : { start: Number(start), end: Number(end) };
}

/** RFC 6266: the name in ASCII for old readers, and as it is for the others. */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(Buffer.from(name).toString()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
