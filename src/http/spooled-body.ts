// A request body on disk: read as fast as its client sends it, and given out in chunks when it is whole. However large it is and however slowly it
// comes, it holds neither memory nor a connection of the database.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countOnDisk, spoolHasRoom } from './spooled-stream.ts';

export type SpooledBody = {
  readonly size: number;
  /** From the beginning. */
  chunks(): AsyncGenerator<Buffer, void, undefined>;
  close(): Promise<void>;
};

export type Spooled =
  | { readonly kind: 'read'; readonly body: SpooledBody }
  | { readonly kind: 'too-large' }
  /** The folder for temporary files takes no more. `cause`: for the log. */
  | { readonly kind: 'no-room'; readonly cause: string }
  | { readonly kind: 'aborted' };

const CHUNK = 256 * 1024;

export async function spoolBody(request: IncomingMessage, limit: number): Promise<Spooled> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' };
  const path = join(tmpdir(), `survest-body-${randomBytes(12).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600).catch(noRoom);
  if ('kind' in file) return file;
  // Without a name it is gone with the process, however that ends.
  const named = await rm(path).then(
    () => undefined,
    () => path,
  );
  let size = 0;
  const close = async (): Promise<void> => {
    countOnDisk(-size);
    size = 0;
    await file.close();
    if (named !== undefined) await rm(named, { force: true });
  };
  const problem = await writeAll(request, file, limit, (bytes) => {
    size += bytes;
    countOnDisk(bytes);
  });
  if (problem !== undefined) {
    await close();
    return problem;
  }
  return { kind: 'read', body: { size, chunks: () => chunksOf(file, size), close } };
}

/** As one, for those who have to hold it after all. */
export async function wholeBody(body: SpooledBody): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(body.size);
  let at = 0;
  for await (const chunk of body.chunks()) at += chunk.copy(whole, at);
  return whole;
}

async function writeAll(
  request: IncomingMessage,
  file: FileHandle,
  limit: number,
  onWritten: (bytes: number) => void,
): Promise<Exclude<Spooled, { kind: 'read' }> | undefined> {
  let size = 0;
  try {
    // Not destroyed at its end: the answer goes out on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size + chunk.length > limit) return { kind: 'too-large' };
      if (!spoolHasRoom(chunk.length))
        return { kind: 'no-room', cause: 'spooled requests and answers use all they may of the disk' };
      for (let from = 0; from < chunk.length; ) {
        const written = await file.write(chunk, from, chunk.length - from, size + from).catch(noRoom);
        if ('kind' in written) return written;
        from += written.bytesWritten;
      }
      size += chunk.length;
      onWritten(chunk.length);
    }
  } catch {
    return { kind: 'aborted' };
  }
  return request.complete ? undefined : { kind: 'aborted' };
}

function noRoom(error: unknown): Extract<Spooled, { kind: 'no-room' }> {
  const said = error instanceof Error ? error.message : String(error);
  return { kind: 'no-room', cause: `${tmpdir()}, the folder for temporary files, cannot be written: ${said}` };
}

async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at);
    if (bytesRead === 0) throw new Error('a spooled body ends too soon');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
