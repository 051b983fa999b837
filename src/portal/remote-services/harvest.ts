// Harvesting: services that are registered are asked again what they offer, on their timetables and when somebody wants it. What is due is taken from
// the database one at a time, so of several copies of the program one asks.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { DescribeFault } from './describe/ask-service.ts';
import { describeService } from './describe/describe-service.ts';
import { documentOf } from './describe/remote-document.ts';
import { offerJson, type RemoteService } from './describe/remote-service.ts';
import { remoteError } from './remote-words.ts';

const QUEUE = 'remote-harvest';
const EVERY_SECONDS = 300;
/** In one run; what is left is due in the next. */
const MAX_AT_ONCE = 50;

/** As the database keeps it. */
export function offersJson({ offers }: RemoteService): string {
  return JSON.stringify(offers.map((offer) => ({ ...offerJson(offer), document: documentOf(offer) })));
}

/** What is told of a failure. */
function faultWords(fault: DescribeFault): string {
  const error = remoteError(fault);
  return 'detail' in error && error.detail !== undefined ? error.detail : 'Too many services are being asked just now.';
}

/** Asks the service and notes what came of it; throws what the database throws. */
export async function harvest(db: CallerDb, fetch: RemoteFetch, id: number, url: string): Promise<void> {
  const described = await describeService(fetch, url);
  const found = described.ok
    ? JSON.stringify({
        title: described.value.title,
        abstract: described.value.abstract,
        offers: JSON.parse(offersJson(described.value)),
      })
    : null;
  const executed = await db.service([
    {
      text: 'select portal.note_harvest($1::integer, $2::jsonb, $3)',
      params: [String(id), found, described.ok ? null : faultWords(described.error)],
      ignoreRows: true,
    },
  ]);
  if (!executed.ok) throw new Error('what a service offers could not be noted', { cause: executed.error });
}

/** All that is due now; how many there were. */
export async function harvestDue(db: CallerDb, fetch: RemoteFetch, signal?: AbortSignal): Promise<number> {
  let asked = 0;
  while (asked < MAX_AT_ONCE && signal?.aborted !== true) {
    const executed = await db.service([{ text: 'select portal.next_remote_service()', params: [] }]);
    if (!executed.ok) throw new Error('it is not known which services are due', { cause: executed.error });
    const due = executed.value[0]?.rows[0]?.[0];
    if (due === null || due === undefined) break;
    const { id, url } = JSON.parse(due.toString()) as { readonly id: number; readonly url: string };
    await harvest(db, fetch, id, url);
    asked += 1;
  }
  return asked;
}

export async function startHarvesting(jobs: Jobs, db: CallerDb, fetch: RemoteFetch): Promise<void> {
  const options = { workers: 1, retryLimit: 0, retryDelaySeconds: 60, expireInSeconds: 1800 };
  await jobs.work(QUEUE, options, async ({ signal }) => {
    await harvestDue(db, fetch, signal);
  });
  jobs.every(QUEUE, EVERY_SECONDS);
}
