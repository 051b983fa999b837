// The folder of `data-dir` that keeps files where no bucket does. Alone, so that who measures it loads no store.

import { join } from 'node:path';

export function filesFolder(dataDir: string): string {
  return join(dataDir, 'files');
}
