// Messages over a stream socket: values → length-prefixed frames, and back, read one at a time. A frame that nobody has asked for yet
// stays in the socket, so whoever reads slowly slows the sender down.

import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** A result of that size would not fit into the memory of a command either. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024;
const HEADER_BYTES = 4;

export type Frames = {
  /** Resolves when the other side can take more; rejects when it is gone. */
  send(message: unknown): Promise<void>;
  /** The next message; undefined: the other side has left. */
  next(): Promise<unknown>;
};

/** @param patienceMs how long the other side may keep us waiting, with a message or with taking one, before the socket is closed */
export function makeFrames(socket: Socket, patienceMs?: number): Frames {
  if (patienceMs !== undefined) socket.on('timeout', () => socket.destroy());
  /** A timer of the socket: it begins anew whenever something moves. */
  async function patiently<T>(wait: () => Promise<T>): Promise<T> {
    if (patienceMs === undefined) return wait();
    socket.setTimeout(patienceMs);
    try {
      return await wait();
    } finally {
      socket.setTimeout(0);
    }
  }
  const source = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let isOver = false;

  async function take(bytes: number): Promise<Buffer | undefined> {
    while (pendingBytes < bytes) {
      const chunk: IteratorResult<Buffer, undefined> = await source
        .next()
        .catch(() => ({ done: true, value: undefined }) as const);
      if (chunk.done === true) {
        isOver = true;
        return undefined;
      }
      pending.push(chunk.value);
      pendingBytes += chunk.value.length;
    }
    const all = pending.length === 1 && pending[0] !== undefined ? pending[0] : Buffer.concat(pending);
    pending = all.length > bytes ? [all.subarray(bytes)] : [];
    pendingBytes = all.length - bytes;
    return all.subarray(0, bytes);
  }

  return {
    send(message) {
      const body = serialize(message);
      const header = Buffer.allocUnsafe(HEADER_BYTES);
      header.writeUInt32BE(body.length);
      const written = (): Promise<void> =>
        new Promise((resolve, reject) => {
          if (socket.destroyed || !socket.writable) return reject(new Error('the other side has left'));
          socket.write(header);
          socket.write(body, (error) => (error == null ? resolve() : reject(error)));
        });
      return patiently(written);
    },
    next: () => patiently(next),
  };

  async function next(): Promise<unknown> {
    if (isOver) return undefined;
    const header = await take(HEADER_BYTES);
    if (header === undefined) return undefined;
    const bytes = header.readUInt32BE();
    if (bytes > MAX_FRAME_BYTES) {
      socket.destroy();
      return undefined;
    }
    const body = await take(bytes);
    return body === undefined ? undefined : deserialize(body);
  }
}
