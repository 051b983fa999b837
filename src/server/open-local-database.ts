// The private PostgreSQL server of a data folder, as a database of the program. The first program to open it starts it; others of the same
// account, such as a backup or another worker, use it while it runs.

import { assertNever } from '../kernel/assert-never.ts';
import type { Observe } from '../kernel/observation.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { LockOwner } from '../pg/data-folder/folder-lock.ts';
import type { Driver } from '../pg/driver.ts';
import { type LocalError, type LocalEvent, type LocalServer, openLocal } from '../pg/local/open-local.ts';
import type { ServerConfig } from './config/config.ts';
import { isWorker } from './workers/worker-link.ts';

export type LocalSettings = Pick<ServerConfig, 'dataDir' | 'database' | 'dbPool' | 'dbUri' | 'pgBin'>;

/** Undefined: the server was started by another program, which answers for it. */
export async function startLocal(
  config: LocalSettings,
  driver: Driver,
  observe: Observe,
  owner: LockOwner | undefined,
): Promise<Result<LocalServer | undefined, LocalError>> {
  // The primary of several processes has started it.
  if (isWorker) return ok(undefined);
  const opened = await openLocal({
    dataDir: config.dataDir,
    installs: installPlaces(config),
    connections: config.dbPool,
    owner,
    onEvent: (event) => tell(event, observe),
  });
  if (opened.ok || opened.error.kind !== 'folder-locked') return opened;
  const answers = await driver.execute([{ text: 'select 1', params: [] }]);
  return answers.ok ? ok(undefined) : opened;
}

export function installPlaces({ pgBin }: Pick<ServerConfig, 'pgBin'>): {
  readonly bin: string | undefined;
  readonly path: string;
} {
  return { bin: pgBin, path: process.env['PATH'] ?? '' };
}

function tell(event: LocalEvent, observe: Observe): void {
  switch (event.kind) {
    case 'cluster-made':
      observe({
        kind: 'config-noticed',
        line: `a private PostgreSQL ${event.version} keeps the database in "${event.folder}"`,
      });
      return;
    case 'newer-installed':
      observe({
        kind: 'config-noticed',
        line: `the database was made by PostgreSQL ${event.major}, and PostgreSQL ${event.newest} is installed as well: survest move --to local brings it there`,
      });
      return;
    case 'server-lost':
      observe({
        kind: 'connection-lost',
        message: `the local PostgreSQL server ended and is started again: ${event.message}`,
      });
      return;
    case 'restart-failed':
      observe({ kind: 'database-unreachable', message: event.message, retryInMs: event.retryInMs });
      return;
    case 'server-started':
      return;
    default:
      assertNever(event);
  }
}
