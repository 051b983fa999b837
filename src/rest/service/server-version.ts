// Which server is behind the driver, and whether it can be used at all.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';

export type ServerVersion = {
  /** As `server_version_num` has it: 150004. */
  readonly number: number;
  readonly text: string;
};

/** The oldest that the catalogue statements are written for. */
const OLDEST = { number: 140_000, text: '14' } as const;

export async function askServerVersion(driver: Pick<Driver, 'fly'>): Promise<Result<ServerVersion, DbError>> {
  const asked = await driver.fly([
    { text: "select current_setting('server_version_num'), current_setting('server_version')", params: [] },
  ]);
  if (!asked.ok) return asked;
  const row = asked.value[0]?.rows[0];
  return ok({ number: Number(row?.[0]?.toString() ?? 0), text: row?.[1]?.toString() ?? '' });
}

/** Undefined: it can be used. */
export function supportProblem({ number, text }: ServerVersion): string | undefined {
  return number >= OLDEST.number
    ? undefined
    : `PostgreSQL ${text} is not supported: ${OLDEST.text} is the oldest that is`;
}
