// A stream onto a socket in chunked transfer coding, or as it is where its length was announced; no faster than the client takes it. A stream that fails ends the connection without
// the last chunk, by which every client knows that the answer is not whole.

import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

const CRLF = '\r\n';
const LAST = '0\r\n\r\n';

export function writeChunked(
  stream: Readable,
  socket: Socket,
  { stalledMs, hasLength }: { readonly stalledMs: number; readonly hasLength: boolean },
  onDone: () => void,
): void {
  const onStalled = (): void => {
    socket.destroy();
  };
  const onDrain = (): void => {
    socket.setTimeout(0, onStalled);
    stream.resume();
  };
  const onData = (chunk: Buffer): void => {
    if (chunk.length === 0) return; // it would be the last one
    if (hasLength ? socket.write(chunk) : writeFramed(chunk)) return;
    stream.pause();
    // Starts anew with every byte that leaves.
    socket.setTimeout(stalledMs, onStalled);
  };
  const writeFramed = (chunk: Buffer): boolean => {
    socket.cork();
    socket.write(chunk.length.toString(16) + CRLF);
    socket.write(chunk);
    const flows = socket.write(CRLF);
    socket.uncork();
    return flows;
  };
  const leave = (): void => {
    socket.off('drain', onDrain).off('close', onClose);
    socket.setTimeout(0, onStalled);
  };
  const onClose = (): void => {
    stream.destroy();
  };
  socket.on('drain', onDrain).on('close', onClose);
  stream
    .on('data', onData)
    .once('end', () => {
      leave();
      if (!hasLength) socket.write(LAST);
      onDone();
    })
    .once('error', () => socket.destroy())
    .once('close', () => {
      if (!stream.readableEnded) socket.destroy();
    });
}
