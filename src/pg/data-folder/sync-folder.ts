// The names in a folder reach the disk: a renamed or new file is only there after a power cut when its folder was synced.

import { open } from 'node:fs/promises';

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
