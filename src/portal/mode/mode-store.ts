// Reads the mode of service from the database, and sets it. Who may set it, the database says.

import type { CallerDb } from '../../auth/caller-db.ts';
import { NORMAL, type ServiceMode } from '../../http/service-mode.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Row, Statement } from '../../pg/driver.ts';

export const MODES = ['normal', 'read-only', 'maintenance'] as const;
export type ModeName = (typeof MODES)[number];

export const MAX_MESSAGE = 500;

export async function readMode(db: Pick<CallerDb, 'service'>): Promise<Result<ServiceMode, DbError>> {
  const flown = await db.service([
    {
      name: 'portal_service_mode',
      text: `select mode, message, to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from portal.service_mode()`,
      params: [],
    },
  ]);
  return flown.ok ? ok(modeOf(flown.value[0]?.rows[0])) : flown;
}

/** For a flight as an administrator. */
export function setModeStatement(mode: ModeName, message: string): Statement {
  return { text: 'select portal.set_service_mode($1, $2)', params: [mode, message] };
}

function modeOf(row: Row | undefined): ServiceMode {
  const [mode = '', message = '', since = ''] = (row ?? []).map((cell) => cell?.toString() ?? '');
  return mode === 'read-only' || mode === 'maintenance' ? { kind: mode, message, since } : NORMAL;
}
