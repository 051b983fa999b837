// The first bytes of a file.

import { open } from 'node:fs/promises';
import { HEAD_BYTES } from './sniff.ts';

export async function readHead(path: string, bytes: number = HEAD_BYTES): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    let length = 0;
    while (length < bytes) {
      const { bytesRead } = await file.read(buffer, length, bytes - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}
