// Which tables the change log follows, and how much is in it.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../driver.ts';
import { textRows } from '../rows.ts';

export type FollowedTables = {
  /** Who asks: the role of the connection. */
  readonly role: string;
  readonly isInstalled: boolean;
  readonly tables: readonly string[];
  /** Undefined: the role may not read it. */
  readonly entries: number | undefined;
};

const TABLES = `select distinct pg_catalog.format('%I.%I', s.nspname, c.relname)
from pg_catalog.pg_trigger as t
  join pg_catalog.pg_proc as f on f.oid = t.tgfoid
  join pg_catalog.pg_namespace as n on n.oid = f.pronamespace
  join pg_catalog.pg_class as c on c.oid = t.tgrelid
  join pg_catalog.pg_namespace as s on s.oid = c.relnamespace
where n.nspname = 'survest_live' and f.proname = 'record'
order by 1`;

export async function followedTables(driver: Pick<Driver, 'fly'>): Promise<Result<FollowedTables, DbError>> {
  const state = `select current_user, exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = 'survest_live' and c.relname = 'change')`;
  const flown = await driver.fly([
    { text: state, params: [] },
    { text: TABLES, params: [] },
  ]);
  if (!flown.ok) return flown;
  const [first, second] = flown.value;
  const [[role, installed] = []] = first === undefined ? [] : textRows(first);
  const isInstalled = installed === 't';
  const counted = isInstalled
    ? await driver.fly([{ text: 'select count(*) from survest_live.change', params: [] }])
    : undefined;
  const count = counted?.ok === true ? counted.value[0]?.rows[0]?.[0]?.toString() : undefined;
  return ok({
    role: role ?? '',
    isInstalled,
    tables: second === undefined ? [] : textRows(second).map(([table]) => table ?? ''),
    entries: count === undefined ? undefined : Number(count),
  });
}
