// Has the bytes of an accepted socket come straight into one buffer that all connections share, as `onread` of a socket we
// open ourselves does. Through the stream every read costs an allocation of 64 kB, its collection and the stream's own
// bookkeeping: a tenth of all a small request costs this process.
//
// Node offers no `onread` for sockets that a server accepts, only the parts it is made of. Where they are not as expected
// nothing is changed, and the bytes come as `data` events as ever.

import type { Socket } from 'node:net';

/** The bytes are overwritten after the call returns. */
export type OnBytes = (bytes: Buffer) => void;

// One for all: a socket fills it and hands it over in one go, and nobody keeps it.
const shared: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

type Handle = { useUserBuffer?: (buffer: Buffer) => void };

/** False: the socket's bytes are still its `data` events. */
export function readDirectly(socket: Socket, onBytes: OnBytes): boolean {
  const handle = (socket as { _handle?: Handle | null })._handle;
  const buffer = ownSymbol(socket, 'kBuffer');
  const callback = ownSymbol(socket, 'kBufferCb');
  const fill = handle?.useUserBuffer;
  if (typeof fill !== 'function' || buffer === undefined || callback === undefined) return false;
  const parts = socket as unknown as Record<symbol, unknown>;
  parts[buffer] = shared;
  parts[callback] = (length: number): boolean => {
    onBytes(shared.subarray(0, length));
    return true;
  };
  fill.call(handle, shared);
  return true;
}

function ownSymbol(object: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(object).find((symbol) => symbol.description === description);
}
