// What goes over a replication connection while it streams, inside of COPY data: the log and keepalives in, how far it has been read out.

import { BrokenMessage, ByteCursor } from './byte-cursor.ts';

export type StreamMessage =
  /** From `start` on: one message of the output plugin. `walEnd`: where the server's log ends. */
  | { readonly kind: 'data'; readonly start: number; readonly walEnd: bigint }
  | { readonly kind: 'keepalive'; readonly walEnd: bigint; readonly wantsReply: boolean };

const DATA = 0x77; // w
const KEEPALIVE = 0x6b; // k
const STATUS = 0x72; // r
const COPY_DATA = 0x64; // d
/** 2000-01-01, from which PostgreSQL counts. */
const EPOCH_MS = 946_684_800_000;

export function readStreamMessage(bytes: Buffer, start: number, end: number): StreamMessage {
  const cursor = new ByteCursor(bytes, start, end);
  const type = cursor.byte();
  if (type === DATA) {
    cursor.skip(8);
    const walEnd = cursor.uint64();
    cursor.skip(8);
    return { kind: 'data', start: cursor.at, walEnd };
  }
  if (type !== KEEPALIVE) throw new BrokenMessage(`something unknown in its stream (${type})`);
  const walEnd = cursor.uint64();
  cursor.skip(8);
  return { kind: 'keepalive', walEnd, wantsReply: cursor.byte() === 1 };
}

/** A whole message: everything up to the position has been read. */
export function encodeStatus(position: bigint, nowMs: number, wantsReply: boolean): Buffer {
  const message = Buffer.alloc(5 + 34);
  message[0] = COPY_DATA;
  message.writeInt32BE(4 + 34, 1);
  message[5] = STATUS;
  for (const at of [6, 14, 22]) message.writeBigUInt64BE(position, at);
  message.writeBigInt64BE(BigInt(Math.max(0, Math.floor(nowMs) - EPOCH_MS)) * 1000n, 30);
  message[38] = wantsReply ? 1 : 0;
  return message;
}
