// How the program runs, as the database knows it: mode, copies, queues, failed jobs and imports, space, replicas. For the admin page and `survest status`.

import type { CallerDb } from '../../auth/caller-db.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { serviceAsAdmin } from '../accounts/account-store.ts';

export type CopyStatus = {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly services: string;
  readonly started: string;
  readonly silent_seconds: number;
  /** `silent`: not heard of for a minute; it was killed, hangs, or cannot reach the database. */
  readonly state: 'alive' | 'stopping' | 'silent';
};

type QueueStatus = {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** Of the job that has waited longest. */
  readonly waiting_seconds: number;
};

export type OperationStatus = {
  readonly mode: { readonly mode: string; readonly message: string; readonly since: string | null };
  readonly copies: readonly CopyStatus[];
  readonly queues: readonly QueueStatus[];
  readonly failed_jobs: readonly {
    readonly queue: string;
    readonly id: string;
    readonly at: string | null;
    readonly attempts: number;
    readonly message: string | null;
  }[];
  readonly uploads: Readonly<Record<string, number>>;
  readonly failed_uploads: readonly {
    readonly id: number;
    readonly name: string;
    readonly at: string;
    readonly owner: string | null;
    readonly message: string | null;
  }[];
  readonly database: {
    readonly bytes: number;
    readonly version: string;
    readonly connections: number;
    readonly replicas: readonly {
      readonly name: string;
      readonly state: string;
      readonly lag_seconds: number | null;
    }[];
  };
  readonly storage: { readonly layers: number; readonly files: number };
  readonly audit: { readonly entries: number; readonly since: string | null };
};

export const STATUS_TEXT = 'select portal.operation_status()';

/** As the service itself, for commands and metrics. */
export async function readStatus(db: CallerDb): Promise<Result<OperationStatus, DbError>> {
  const executed = await serviceAsAdmin(db, [{ text: STATUS_TEXT, params: [] }]);
  return executed.ok
    ? ok(JSON.parse(executed.value[0]?.rows[0]?.[0]?.toString() ?? '{}') as OperationStatus)
    : executed;
}
