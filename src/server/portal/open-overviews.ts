// Overviews of large layers, in a process that works.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { errorText } from '../../kernel/error-text.ts';
import type { Observe } from '../../kernel/observation.ts';
import { type OverviewJobParts, startOverviews } from '../../mapserver/overviews/overview-job.ts';
import { pieceOf } from '../../mapserver/summary/piece.ts';
import { makeLayerAccess } from '../../portal/layers/layer-access.ts';
import { makeOverviewStore } from '../../portal/layers/overview-store.ts';
import { makeThumbnailStore } from '../../portal/thumbnails/thumbnail-store.ts';

export function overviewParts(db: CallerDb, onError: (error: unknown) => void): OverviewJobParts {
  return {
    store: makeOverviewStore(db),
    layers: makeLayerAccess(makeThumbnailStore(db).serviceDb),
    piece: pieceOf(db.driver),
    onError,
  };
}

export function openOverviews(parts: {
  readonly db: CallerDb;
  readonly jobs: Jobs;
  readonly observe: Observe;
}): Promise<void> {
  const onError = (error: unknown): void => parts.observe({ kind: 'job-failed', message: errorText(error) });
  return startOverviews({ ...overviewParts(parts.db, onError), jobs: parts.jobs });
}
