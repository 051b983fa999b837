// Which tables are followed and how, how much is in the change log, and what the server allows.

import { readFileSync } from 'node:fs';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../driver.ts';
import { textRows } from '../rows.ts';
import type { FollowedBy } from './install-change-log.ts';

type FollowedTable = { readonly name: string; readonly by: FollowedBy };

export type FollowedTables = {
  /** Who asks: the role of the connection. */
  readonly role: string;
  readonly isInstalled: boolean;
  readonly tables: readonly FollowedTable[];
  /** Undefined: the role may not read it. */
  readonly entries: number | undefined;
  /** Roles with a login that may read the change log, superusers aside. */
  readonly readers: readonly string[];
  readonly decoding: {
    /** `logical`: the server's log says enough for it. */
    readonly walLevel: string;
    /** Whether the role that the service connects as may ask for it. */
    readonly mayReplicate: boolean;
    /** Whether the role of this connection could make the publication, or owns it. */
    readonly mayPublish: boolean;
    /** Slots of this program in this database: one for each copy that has streams of such tables. */
    readonly slots: readonly { readonly name: string; readonly active: boolean; readonly lagBytes: number }[];
    /** Of the whole server. */
    readonly slotsTaken: number;
    readonly maxSlots: number;
  };
};

const TABLES = readFileSync(new URL('./sql/followed-tables.sql', import.meta.url), 'utf8');
const STATE = readFileSync(new URL('./sql/state.sql', import.meta.url), 'utf8');
const READERS = readFileSync(new URL('./sql/readers.sql', import.meta.url), 'utf8');
const SERVICE_ROLES = readFileSync(new URL('./sql/service-roles.sql', import.meta.url), 'utf8');
const SLOTS = readFileSync(new URL('./sql/slots.sql', import.meta.url), 'utf8');

/** `reader`: the role that the service connects as; undefined: the one of the connection. */
export async function followedTables(
  driver: Pick<Driver, 'execute'>,
  reader?: string,
): Promise<Result<FollowedTables, DbError>> {
  const executed = await driver.execute([
    { text: STATE, params: [reader ?? null] },
    { text: TABLES, params: [] },
    { text: SLOTS, params: [] },
    { text: READERS, params: [] },
  ]);
  if (!executed.ok) return executed;
  const [state, tables, slots, readers] = executed.value.map(textRows);
  const [[role, installed, walLevel, mayReplicate, mayPublish, taken, most] = []] = state ?? [];
  const isInstalled = installed === 't';
  const counted = isInstalled
    ? await driver.execute([{ text: 'select count(*) from survest_live.change', params: [] }])
    : undefined;
  const count = counted?.ok === true ? counted.value[0]?.rows[0]?.[0]?.toString() : undefined;
  return ok({
    role: role ?? '',
    isInstalled,
    tables: (tables ?? []).map(([name, by]) => ({ name: name ?? '', by: by === 'decoding' ? by : 'triggers' })),
    entries: count === undefined ? undefined : Number(count),
    readers: (readers ?? []).map(([name]) => name ?? ''),
    decoding: {
      walLevel: walLevel ?? '',
      mayReplicate: mayReplicate === 't',
      mayPublish: mayPublish === 't',
      slots: (slots ?? []).map(([name, active, lag]) => ({
        name: name ?? '',
        active: active === 't',
        lagBytes: Number(lag ?? 0),
      })),
      slotsTaken: Number(taken ?? 0),
      maxSlots: Number(most ?? 0),
    },
  });
}

/** The roles, other than this one, that a running service is connected as; none where its anonymous role is not known. */
export async function serviceRoles(
  driver: Pick<Driver, 'execute'>,
  anonRole: string | undefined,
): Promise<Result<readonly string[], DbError>> {
  if (anonRole === undefined) return ok([]);
  const executed = await driver.execute([{ text: SERVICE_ROLES, params: [anonRole] }]);
  return executed.ok ? ok(executed.value.flatMap(textRows).map(([name]) => name ?? '')) : executed;
}
