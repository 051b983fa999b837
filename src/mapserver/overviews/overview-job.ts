// Makes overviews of layers that are due, one after the other. It is a job: whichever copy of the program is free does it.

import type { Jobs } from '../../jobs/jobs.ts';
import { CELL_FORM } from '../cells/cell-codec.ts';
import { buildOverview, type OverviewParts, renewOverview } from './build-overview.ts';

const OVERVIEW_QUEUE = 'overviews';
const QUEUE_OPTIONS = { workers: 1, retryLimit: 1, retryDelaySeconds: 30, expireInSeconds: 3600 } as const;
const LOOK_SECONDS = 10;
const BATCH = 5;

/** Layers of fewer features are shown as they are, at every zoom. */
const FEWEST_ROWS = 5000;

export type OverviewJobParts = OverviewParts & { readonly onError: (error: unknown) => void };

export async function startOverviews(parts: OverviewJobParts & { readonly jobs: Jobs }): Promise<void> {
  const { jobs } = parts;
  await jobs.work(OVERVIEW_QUEUE, QUEUE_OPTIONS, async ({ signal }) => {
    while (!signal.aborted && (await buildDue(parts, signal)) > 0);
  });
  jobs.every(OVERVIEW_QUEUE, LOOK_SECONDS);
}

/** Makes a few, or brings them up to date; how many were due. */
export async function buildDue(parts: OverviewJobParts, signal: AbortSignal): Promise<number> {
  const due = await parts.store.due(FEWEST_ROWS, CELL_FORM, BATCH);
  if (!due.ok) throw new Error(`overviews cannot be asked for: ${JSON.stringify(due.error)}`);
  for (const { layer, isWhole } of due.value) {
    if (signal.aborted) break;
    if (!isWhole) {
      await renewOverview(parts, layer, signal);
      continue;
    }
    const made = await buildOverview(parts, layer, signal);
    if (typeof made === 'object') parts.onError(new Error(`layer ${layer} has no overview: ${made.failure}`));
  }
  return due.value.length;
}
