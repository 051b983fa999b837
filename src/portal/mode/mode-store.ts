// Reads the mode of service from the database, and sets it. Who may set it, the database says.

import type { CallerDb } from '../../auth/caller-db.ts';
import { NORMAL, type ServiceMode } from '../../http/service-mode.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Row, Statement } from '../../pg/driver.ts';

export const MODES = ['normal', 'read-only', 'maintenance'] as const;
export type ModeName = (typeof MODES)[number];

export const MAX_MESSAGE = 500;

export async function readMode(db: Pick<CallerDb, 'service'>): Promise<Result<ServiceMode, DbError>> {
  const executed = await db.service(
    [
      {
        name: 'portal_service_mode',
        text: `select mode, message, to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from portal.service_mode()`,
        params: [],
      },
    ],
    { isUrgent: true },
  );
  return executed.ok ? ok(modeOf(executed.value[0]?.rows[0])) : executed;
}

/** Whether the database has a portal whose mode this login may ask for. A schema called `portal` alone may be anybody's. */
export async function mayReadMode(db: Pick<CallerDb, 'service'>): Promise<boolean> {
  const executed = await db.service([
    {
      text: `select exists (
          select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
           where n.nspname = 'portal' and p.proname = 'service_mode' and p.pronargs = 0
             and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_function_privilege(p.oid, 'execute')
             and exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace s on s.oid = c.relnamespace
                          where s.nspname = 'portal_private' and c.relname = 'service_mode'))`,
      params: [],
    },
  ]);
  return executed.ok && executed.value[0]?.rows[0]?.[0]?.toString() === 't';
}

/** For a batch as an administrator. */
export function setModeStatement(mode: ModeName, message: string): Statement {
  return { text: 'select portal.set_service_mode($1, $2)', params: [mode, message] };
}

function modeOf(row: Row | undefined): ServiceMode {
  const [mode = '', message = '', since = ''] = (row ?? []).map((cell) => cell?.toString() ?? '');
  return mode === 'read-only' || mode === 'maintenance' ? { kind: mode, message, since } : NORMAL;
}
