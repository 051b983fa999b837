// A socket and the way its bytes come in: straight into one buffer that all connections share, or as chunks of a stream.
//
// Going through the stream costs 13 µs more per answer (an allocation of 64 kB, its collection, the stream's own
// bookkeeping), a quarter of all a batch costs this process. TLS has no such road, so there it is the stream.

import { type ConnectOpts, Socket as NetSocket, type SocketConstructorOpts } from 'node:net';
import type { Duplex } from 'node:stream';

/** A duplex stream over a socket: TCP, Unix or TLS. */
export type Socket = Duplex & {
  setTimeout(ms: number): unknown;
  readonly remoteAddress?: string | undefined;
};

/** `lasting` is false when the bytes are overwritten after the call returns. */
type OnBytes = (bytes: Buffer, lasting: boolean) => void;

/** Has all bytes from now on go to one reader. */
export type ReadBytes = (onBytes: OnBytes) => void;

// One for all: a socket fills it and hands it over in one go, and nobody keeps it.
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** A socket yet to be connected, whose bytes are `data` events (for pg's handshake) until somebody reads them. */
export function directSocket(): { readonly socket: NetSocket; readonly read: ReadBytes } {
  let onBytes: OnBytes = (bytes) => socket.emit('data', Buffer.from(bytes));
  const options: SocketConstructorOpts & ConnectOpts = {
    onread: {
      buffer: shared,
      callback: (length) => {
        onBytes(shared.subarray(0, length), false);
        return true;
      },
    },
  };
  const socket = new NetSocket(options);
  const read: ReadBytes = (reader) => {
    onBytes = reader;
    // Nothing comes this way any more, but the stream has to flow to get to its end.
    socket.resume();
  };
  return { socket, read };
}

export function readStream(socket: Socket): ReadBytes {
  return (onBytes) => {
    socket.on('data', (chunk: Buffer) => onBytes(chunk, true));
    socket.resume();
  };
}
