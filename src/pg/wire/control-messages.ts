// The few frontend messages outside a batch: scripts, COPY data, cancel and goodbye.

import { refusedNuls } from './refused-nuls.ts';

const QUERY = 0x51; // Q
export const COPY_DATA = 0x64; // d
const COPY_FAIL = 0x66; // f
export const COPY_DONE: Buffer = Buffer.from([0x63, 0, 0, 0, 4]);
export const TERMINATE: Buffer = Buffer.from([0x58, 0, 0, 0, 4]);

/** Several statements in one text, for the simple-query protocol. */
export function encodeScript(sql: string): Buffer {
  return withText(QUERY, sql);
}

/** Goes before the bytes of one chunk of COPY data, which need not be copied. */
export function copyDataHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(5);
  header[0] = COPY_DATA;
  header.writeInt32BE(length + 4, 1);
  return header;
}

export function encodeCopyFail(reason: string): Buffer {
  return withText(COPY_FAIL, reason);
}

function withText(type: number, text: string): Buffer {
  const body = text.includes('\0') ? refusedNuls(text) : Buffer.from(text);
  const message = Buffer.allocUnsafe(body.length + 6);
  message[0] = type;
  message.writeInt32BE(body.length + 5, 1);
  body.copy(message, 5);
  message[body.length + 5] = 0;
  return message;
}
