// Whether the disk of a folder is full. GDAL has a sentence of its own for it in each format, and most of them blame the file.

import { statfsSync } from 'node:fs';

/** What is left when a write did not fit. */
const FULL_BYTES = 1024 * 1024;

export function isFull(folder: string): boolean {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks > 0 && bavail * bsize < FULL_BYTES;
  } catch {
    return false;
  }
}
