// Harvesting of remote services, in a process that works.

import type { CallerDb } from '../../auth/caller-db.ts';
import { makeRemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { startHarvesting } from '../../portal/remote-services/harvest.ts';
import type { ServerConfig } from '../config/config.ts';

export function openHarvesting(parts: {
  readonly db: CallerDb;
  readonly jobs: Jobs;
  readonly config: Pick<ServerConfig, 'remoteHosts' | 'remoteInternalHosts'>;
}): Promise<void> {
  const { db, jobs, config } = parts;
  const hosts = { allowed: config.remoteHosts, internal: config.remoteInternalHosts };
  return startHarvesting(jobs, db, makeRemoteFetch({ hosts }));
}
