// How far the work on an import is, between 0 and 1: by bytes while they are read, then by what is left to do. Pure.

import type { Run } from './import-run.ts';

export function doneShare(run: Pick<Run, 'phase' | 'bytesRead' | 'bytesTotal'>): number {
  const read = run.bytesTotal > 0 ? Math.min(1, run.bytesRead / run.bytesTotal) : 0;
  switch (run.phase) {
    case 'fetching':
      return 0;
    case 'reading':
      return 0.85 * read;
    case 'indexing':
      return 0.9;
    case 'publishing':
      return 0.97;
  }
}
