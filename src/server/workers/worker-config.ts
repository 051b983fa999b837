// The settings of one worker among several: its share of the connections, and nothing of what the primary does for all.

import { availableParallelism } from 'node:os';
import type { ServerConfig } from '../config/config.ts';

export function workerCount({ serverWorkers }: Pick<ServerConfig, 'serverWorkers'>): number {
  return serverWorkers === 'auto' ? availableParallelism() : serverWorkers;
}

/** The primary listens for notifications, and asks the workers' own admin servers what it is asked itself. */
export function workerConfig(config: ServerConfig): ServerConfig {
  return {
    ...config,
    dbPool: Math.max(1, Math.floor(config.dbPool / workerCount(config))),
    dbChannelEnabled: false,
    adminServerHost: '127.0.0.1',
    adminServerPort: config.adminServerPort === undefined ? undefined : 0,
  };
}
