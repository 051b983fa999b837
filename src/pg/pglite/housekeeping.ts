// What autovacuum does on a server, for an engine that can have no process beside it: tables that changed much are
// vacuumed and analysed, one at a time, when nobody waits for the session.

import type { Driver } from '../driver.ts';

export type Housekeeping = { stop(): void };

const EVERY_MS = 60_000; // as often as autovacuum wakes up
const SOON_MS = 100;

// The thresholds of autovacuum, by their defaults.
const NEXT_TABLE = `
  select format('%I.%I', s.schemaname, s.relname)
  from pg_stat_all_tables s join pg_class c on c.oid = s.relid
  where s.schemaname !~ '^pg_(toast|temp)' and c.relkind in ('r', 'm') and (
    s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
    or s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
    or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
  )
  order by s.n_mod_since_analyze + s.n_dead_tup desc
  limit 1`;

export function startHousekeeping(driver: Driver, onTidied: (table: string, ms: number) => void): Housekeeping {
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const later = (ms: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => void round(), ms);
    timer.unref();
  };
  const round = async (): Promise<void> => {
    const { idle } = driver.stats();
    const began = performance.now();
    const table = idle > 0 ? await vacuumNext(driver) : undefined;
    if (table !== undefined) onTidied(table, performance.now() - began);
    later(table === undefined ? EVERY_MS : SOON_MS);
  };
  later(EVERY_MS);
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Vacuums and analyses the table that needs it most; undefined: none does. */
export async function vacuumNext(driver: Driver): Promise<string | undefined> {
  const found = await driver.execute([{ text: NEXT_TABLE, params: [] }]);
  const table = found.ok ? found.value[0]?.rows[0]?.[0]?.toString() : undefined;
  if (table === undefined) return undefined;
  const tidied = await driver.execute([{ text: `vacuum (analyze) ${table}`, params: [] }]);
  return tidied.ok ? table : undefined;
}
