// A record batch as a message of Arrow's IPC stream: a mark, the length of its head, the head (a FlatBuffer), then the buffers of its columns. Written
// here, since the library takes values and not buffers; the format is that of https://arrow.apache.org/docs/format/Columnar.html, Message.fbs and Schema.fbs.
//
// The head has always the same fields, so that each has a place of its own. Offsets in it count from where they stand.

import type { GrowingBytes } from '../kernel/growing-bytes.ts';

/** Of a column: its rows, those that are null, and its buffers in Arrow's order. */
export type BatchColumn = {
  readonly rows: number;
  readonly nulls: number;
  readonly buffers: readonly Uint8Array[];
};

const CONTINUATION = 0xffff_ffff;
/** The mark, and the length of what follows. */
const PREFIX = 8;
const METADATA_V5 = 4;
const RECORD_BATCH = 3;

// Of the head: tables of places (VT), then what they describe.
const MESSAGE_VT = 4;
const MESSAGE = 16;
const BATCH_VT = 38;
const BATCH = 48;
const NODES = 68;
/** Of a pair of long numbers. */
const PAIR = 16;

/** The end of a stream: a mark, and a length of 0. */
export const STREAM_END: Uint8Array = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

export function writeRecordBatch(rows: number, columns: readonly BatchColumn[], out: GrowingBytes): void {
  const buffers = columns.flatMap((column) => column.buffers);
  const body = buffers.reduce((sum, { length }) => sum + padded(length), 0);
  const head = recordBatchHead(rows, columns, buffers, body);
  // All at once, so that this is the only memory that a batch takes anew.
  out.reserve(PREFIX + head.length + body);
  out.bytes.writeUInt32LE(CONTINUATION, out.at);
  out.bytes.writeInt32LE(head.length, out.at + 4);
  out.at += PREFIX;
  out.append(head);
  for (const buffer of buffers) {
    out.append(buffer);
    const end = out.at + padded(buffer.length) - buffer.length;
    out.bytes.fill(0, out.at, end);
    out.at = end;
  }
}

function recordBatchHead(
  rows: number,
  columns: readonly BatchColumn[],
  buffers: readonly Uint8Array[],
  body: number,
): Buffer {
  // The pairs of both lists begin at a multiple of eight, behind their number.
  const buffersAt = NODES + 4 + columns.length * PAIR + 4;
  const head = Buffer.alloc(buffersAt + 4 + buffers.length * PAIR);
  head.writeUInt32LE(MESSAGE, 0);
  // Bytes of this table and of the message; in that, the places of version, kind of head, head, length of the body.
  writeShorts(head, MESSAGE_VT, [12, 20, 16, 18, 4, 8]);
  head.writeInt32LE(MESSAGE - MESSAGE_VT, MESSAGE);
  head.writeUInt32LE(BATCH - (MESSAGE + 4), MESSAGE + 4);
  writeLong(head, MESSAGE + 8, body);
  head.writeInt16LE(METADATA_V5, MESSAGE + 16);
  head.writeUInt8(RECORD_BATCH, MESSAGE + 18);
  // In the batch: the places of its rows, nodes (one for a column) and buffers.
  writeShorts(head, BATCH_VT, [10, 20, 8, 4, 16]);
  head.writeInt32LE(BATCH - BATCH_VT, BATCH);
  head.writeUInt32LE(NODES - (BATCH + 4), BATCH + 4);
  writeLong(head, BATCH + 8, rows);
  head.writeUInt32LE(buffersAt - (BATCH + 16), BATCH + 16);
  head.writeUInt32LE(columns.length, NODES);
  for (const [i, column] of columns.entries()) writePair(head, NODES + 4 + i * PAIR, column.rows, column.nulls);
  head.writeUInt32LE(buffers.length, buffersAt);
  let offset = 0;
  for (const [i, { length }] of buffers.entries()) {
    writePair(head, buffersAt + 4 + i * PAIR, offset, length);
    offset += padded(length);
  }
  return head;
}

function writeShorts(head: Buffer, at: number, shorts: readonly number[]): void {
  for (const [i, short] of shorts.entries()) head.writeUInt16LE(short, at + i * 2);
}

function writePair(head: Buffer, at: number, first: number, second: number): void {
  writeLong(head, at, first);
  writeLong(head, at + 8, second);
}

/** Lengths and counts: not negative, and exact. */
function writeLong(head: Buffer, at: number, value: number): void {
  head.writeUInt32LE(value % 0x1_0000_0000, at);
  head.writeUInt32LE(Math.floor(value / 0x1_0000_0000), at + 4);
}

/** Every buffer begins at a multiple of eight. */
function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}
