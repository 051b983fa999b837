// The few words a test file and the engine host exchange, as frames on a socket: kind, length, body.

import type { Socket } from 'node:net';

export type FrameKind =
  /** To the host: the paths of the fixtures that the database is to have. */
  | 'want'
  /** Both ways: bytes of the PostgreSQL protocol; from the host after `status`. */
  | 'data'
  /** From the host: an engine is yours. */
  | 'ready'
  /** From the host, five bytes: how much input was used up, and whether the engine waits for more. */
  | 'status'
  /** From the host: no engine, or no longer one; the body says why. */
  | 'gone';

const KINDS: readonly FrameKind[] = ['want', 'data', 'ready', 'status', 'gone'];
const HEADER = 5;

/** Returns false when the socket would rather be written to later. */
export function writeFrame(socket: Socket, kind: FrameKind, body: Uint8Array): boolean {
  const header = Buffer.allocUnsafe(HEADER);
  header[0] = KINDS.indexOf(kind);
  header.writeUInt32BE(body.length, 1);
  socket.cork();
  socket.write(header);
  const goOn = socket.write(body);
  socket.uncork();
  return goOn;
}

export function readFrames(socket: Socket, onFrame: (kind: FrameKind, body: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER) {
      const end = HEADER + pending.readUInt32BE(1);
      if (pending.length < end) return;
      const kind = KINDS[pending[0] ?? -1];
      const body = pending.subarray(HEADER, end);
      pending = pending.subarray(end);
      if (kind !== undefined) onFrame(kind, body);
    }
  });
}
