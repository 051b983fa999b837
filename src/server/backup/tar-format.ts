// The tar format (POSIX ustar, with pax headers for long names and GNU's binary sizes for large files): headers to bytes and back.

import { err, ok, type Result } from '../../kernel/result.ts';

export const BLOCK = 512;

export type TarHeader = { readonly name: string; readonly size: number; readonly kind: 'file' | 'pax' };

const NAME_BYTES = 100;
const LARGEST_OCTAL = 0o77777777777;

/** The header blocks of a file, before its content. */
export function tarHeader(name: string, size: number, mtimeSeconds: number): Buffer {
  if (Buffer.byteLength(name) <= NAME_BYTES) return block(name, size, mtimeSeconds, '0');
  const record = paxRecord('path', name);
  const pax = block('pax-header', record.length, mtimeSeconds, 'x');
  return Buffer.concat([pax, record, padding(record.length), block(name.slice(-NAME_BYTES), size, mtimeSeconds, '0')]);
}

/** What follows a content of that size. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK);

/** Undefined: the end of the archive. */
export function readHeader(bytes: Buffer): Result<TarHeader | undefined, 'damaged'> {
  if (bytes.every((byte) => byte === 0)) return ok(undefined);
  const told = Number.parseInt(text(bytes, 148, 8), 8);
  if (told !== checksum(bytes)) return err('damaged');
  const kind = String.fromCharCode(bytes[156] ?? 0);
  if (kind !== '0' && kind !== 'x') return err('damaged');
  const size = sizeIn(bytes);
  if (!Number.isSafeInteger(size) || size < 0) return err('damaged');
  return ok({ name: text(bytes, 0, NAME_BYTES), size, kind: kind === 'x' ? 'pax' : 'file' });
}

/** The name that a pax header gives to the file after it. */
export function paxPath(content: Buffer): string | undefined {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isSafeInteger(length) || length <= 0) return undefined;
    const record = content.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return undefined;
}

function block(name: string, size: number, mtimeSeconds: number, kind: '0' | 'x'): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  bytes.write(name, 0, NAME_BYTES);
  bytes.write('0000600\0', 100);
  bytes.write('0000000\0', 108);
  bytes.write('0000000\0', 116);
  if (size <= LARGEST_OCTAL) bytes.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    bytes[124] = 0x80;
    bytes.writeBigUInt64BE(BigInt(size), 128);
  }
  bytes.write(`${Math.floor(mtimeSeconds).toString(8).padStart(11, '0')}\0`, 136);
  bytes.write(kind, 156);
  bytes.write('ustar\0' + '00', 257);
  bytes.write(`${checksum(bytes).toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

/** With the field of the checksum itself read as spaces. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (const [i, byte] of bytes.entries()) sum += i >= 148 && i < 156 ? 0x20 : byte;
  return sum;
}

function sizeIn(bytes: Buffer): number {
  if (((bytes[124] ?? 0) & 0x80) !== 0) return Number(bytes.readBigUInt64BE(128));
  return Number.parseInt(text(bytes, 124, 12), 8);
}

function text(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString('utf8', start, end < 0 || end > start + length ? start + length : end);
}

/** The length of a record counts its own digits. */
function paxRecord(name: string, value: string): Buffer {
  const rest = ` ${name}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  if (String(length).length > String(bytes).length) length += 1;
  return Buffer.from(`${length}${rest}`);
}
