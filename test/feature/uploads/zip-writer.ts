// Archives for tests, honest or not: names, sizes and attributes are written as they are given.

import { deflateRawSync } from 'node:zlib';

export type ZipMember = {
  /** Bytes are not marked as UTF-8. */
  readonly name: string | Uint8Array;
  readonly content: string | Uint8Array;
  /** As the archive says; default: the truth. */
  readonly size?: number;
  /** Unix mode: 0o120777 is a link. */
  readonly mode?: number;
  readonly encrypted?: boolean;
};

export function zipOf(members: readonly ZipMember[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size, mode = 0o100644, encrypted = false } of members) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((typeof name === 'string' ? 0x800 : 0) | (encrypted ? 1 : 0), 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    local.push(Buffer.from('504b0304', 'hex'), common, nameBytes, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((mode << 16) >>> 0) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from('504b01021403', 'hex'), common, tail, nameBytes);
    offset += 4 + 26 + nameBytes.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
