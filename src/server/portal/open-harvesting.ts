// What is asked of addresses of others on a timetable, in a process that works: services for what they offer, and the files and services that
// layers follow.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { makeRemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { startHarvesting } from '../../portal/remote-services/harvest.ts';
import { startRefreshing } from '../../portal/sources/refresh-source.ts';
import type { ServerConfig } from '../config/config.ts';

export async function openHarvesting(parts: {
  readonly db: CallerDb;
  readonly blobs: BlobStore;
  readonly jobs: Jobs;
  readonly config: Pick<ServerConfig, 'remoteHosts' | 'remoteInternalHosts'>;
}): Promise<void> {
  const { db, blobs, jobs, config } = parts;
  const hosts = { allowed: config.remoteHosts, internal: config.remoteInternalHosts };
  const remote = makeRemoteFetch({ hosts });
  await startHarvesting(jobs, db, remote);
  await startRefreshing(jobs, { db, blobs, remote });
}
