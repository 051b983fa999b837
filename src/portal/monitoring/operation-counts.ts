// Counts of queues and uploads, read from the database now and then, for metrics that are read at any time.

import type { CallerDb } from '../../auth/caller-db.ts';
import { textRows } from '../../pg/rows.ts';
import { serviceAsAdmin } from '../accounts/account-store.ts';

type QueueCounts = {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  readonly waitingSeconds: number;
};

type UploadCounts = { readonly state: string; readonly count: number };

export type OperationCounter = {
  /** Undefined: the database was not asked yet. */
  now(): { readonly queues: readonly QueueCounts[]; readonly uploads: readonly UploadCounts[] } | undefined;
  close(): void;
};

const EVERY_MS = 15_000;

const QUEUES = `select j.name, count(*) filter (where j.state in ('created', 'retry')), count(*) filter (where j.state = 'active'),
    count(*) filter (where j.state = 'failed'),
    coalesce(extract(epoch from now() - min(j.start_after) filter (where j.state in ('created', 'retry') and j.start_after <= now())), 0)
  from jobs.job j where j.state in ('created', 'retry', 'active', 'failed') group by j.name order by j.name`;

const UPLOADS = 'select u.state, count(*) from portal.upload u group by u.state order by u.state';

export async function countOperation(db: CallerDb): Promise<OperationCounter> {
  let counts: ReturnType<OperationCounter['now']>;
  const read = async (): Promise<void> => {
    const [queues, uploads] = await Promise.all([
      db.service([{ text: QUEUES, params: [] }]),
      serviceAsAdmin(db, [{ text: UPLOADS, params: [] }]),
    ]);
    // What was counted last holds until it can be counted again.
    if (!queues.ok || !uploads.ok) return;
    counts = {
      queues: queues.value.flatMap(textRows).map(([queue, waiting, active, failed, waited]) => ({
        queue: queue ?? '',
        waiting: Number(waiting),
        active: Number(active),
        failed: Number(failed),
        waitingSeconds: Number(waited),
      })),
      uploads: uploads.value.flatMap(textRows).map(([state, count]) => ({ state: state ?? '', count: Number(count) })),
    };
  };
  await read();
  const timer = setInterval(() => void read(), EVERY_MS);
  timer.unref();
  return { now: () => counts, close: () => clearInterval(timer) };
}
