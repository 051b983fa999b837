// How far the work on an import is, between 0 and 1: by bytes while they are read, then by what is left to do. Pure.

import type { ImportProgress } from './importer-port.ts';

export type Work = Pick<ImportProgress, 'bytesRead' | 'bytesTotal'> & {
  readonly phase: ImportProgress['phase'] | 'publishing';
};

export function doneShare(run: Work): number {
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
