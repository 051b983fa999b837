// Makes overviews of layers that are due, one after the other. It is a job: whichever copy of the program is free does it.

import type { Jobs } from '../../jobs/jobs.ts';
import { CROWD } from '../query/overview-sql.ts';
import { buildOverview, type OverviewParts, renewColumns } from './build-overview.ts';

const OVERVIEW_QUEUE = 'overviews';
const QUEUE_OPTIONS = { workers: 1, retryLimit: 1, retryDelaySeconds: 30, expireInSeconds: 3600 } as const;
const LOOK_SECONDS = 30;
const BATCH = 5;

export type OverviewJobParts = OverviewParts & {
  /** Rows of a table from which on it has no overview. */
  readonly mostRows: number;
  readonly onError: (error: unknown) => void;
};

/** A server sorts them on its disks. The embedded engine does nothing else meanwhile, so it is not kept busy for long. */
export const MOST_ROWS = { postgres: 500_000_000, pglite: 300_000 } as const;

export async function startOverviews(parts: OverviewJobParts & { readonly jobs: Jobs }): Promise<void> {
  const { jobs } = parts;
  await jobs.work(OVERVIEW_QUEUE, QUEUE_OPTIONS, async ({ signal }) => {
    while (!signal.aborted && (await buildDue(parts, signal)) > 0);
    while (!signal.aborted && (await renewDue(parts, signal)) > 0);
  });
  jobs.every(OVERVIEW_QUEUE, LOOK_SECONDS);
}

/** Chooses the columns of a few anew; how many were due. */
export async function renewDue(parts: OverviewJobParts, signal: AbortSignal): Promise<number> {
  const due = await parts.store.dueColumns(BATCH);
  if (!due.ok) throw new Error(`overviews cannot be asked for: ${JSON.stringify(due.error)}`);
  for (const id of due.value) if (!signal.aborted) await renewColumns(parts, id);
  return due.value.length;
}

/** Makes a few; how many were due. */
export async function buildDue(parts: OverviewJobParts, signal: AbortSignal): Promise<number> {
  const due = await parts.store.due(CROWD, parts.mostRows, BATCH);
  if (!due.ok) throw new Error(`overviews cannot be asked for: ${JSON.stringify(due.error)}`);
  for (const id of due.value) {
    const made = await buildOverview(parts, id, signal);
    if (typeof made === 'object') parts.onError(new Error(`layer ${id} has no overview: ${made.failure}`));
  }
  return due.value.length;
}
