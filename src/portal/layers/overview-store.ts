// Fills what making overviews asks of the catalogue.

import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { OverviewStore } from '../../layers/overview-store.ts';
import type { DbError, Flight, FlightResult, Statement } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/index.ts';
import { AS_LOGIN, AS_SERVICE } from '../uploads/service-scope.ts';
import { ownStyle } from './own-style.ts';

/** A job waits for nobody's lock for long: it comes again. */
const LOCK_WAIT: Statement = { text: `select set_config('lock_timeout', '5s', true)`, params: [] };
/** Sorting millions of places in the memory of a request would take disks, and longer. */
const MEMORY: Statement = {
  text: `select set_config('work_mem', '128MB', true), set_config('search_path', '"portal", "public"', true), set_config('jit', 'off', true)`,
  params: [],
};

/** Maps whose styles are read: the columns of more would not find room in a tile. */
const MAX_MAPS = 200;

export function makeOverviewStore(db: CallerDb): OverviewStore {
  const { driver } = db;
  const idsOf = async (text: string, ...params: readonly number[]): Promise<Result<readonly number[], DbError>> => {
    const found = await db.service([{ text, params: params.map(String) }]);
    return found.ok ? ok((found.value[0]?.rows ?? []).map(([id]) => Number(id?.toString()))) : found;
  };
  return {
    due: (fewest, mostRows, most) =>
      idsOf('select resource_id from portal.due_overviews($1, $2, $3)', fewest, mostRows, most),
    dueColumns: (most) => idsOf('select resource_id from portal.due_overview_columns($1)', most),
    async beginColumns(layer) {
      const begun = await db.service([{ text: 'select portal.begin_overview_columns($1)', params: [String(layer)] }]);
      return begun.ok ? ok(undefined) : begun;
    },
    async mapStyles(layer) {
      const found = await db.service([
        AS_SERVICE,
        {
          text: `select layer_params from portal.map_layer where layer_id = $1 and strpos(layer_params, '"survest:style"') > 0
                  order by id desc limit ${MAX_MAPS}`,
          params: [String(layer)],
        },
      ]);
      return found.ok ? ok((found.value[1]?.rows ?? []).map(([params]) => ownStyle(params))) : found;
    },
    async begin(layer) {
      const begun = await db.service([
        { text: 'select portal.begin_overview($1)', params: [String(layer)] },
        {
          text: `select g.tgname from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid
                  where c.relnamespace = 'layers'::regnamespace and g.tgname like 'survest\\_fresh\\_%'
                    and pg_catalog.encode(g.tgargs, 'escape') = $1::text || '\\000'`,
          params: [String(layer)],
        },
      ]);
      if (!begun.ok) return begun;
      const table = begun.value[0]?.rows[0]?.[0]?.toString();
      if (table === undefined || (begun.value[1]?.rows.length ?? 0) === 2) return ok(undefined);
      const triggers = ['insert', 'update'].map((verb) => ({
        text: `create or replace trigger survest_fresh_${verb} after ${verb} on layers.${quoteIdent(table)}
                 referencing new table as changed for each statement execute function portal.overview_rows_changed(${Math.trunc(layer)})`,
        params: [],
      }));
      const made = await db.service([LOCK_WAIT, ...triggers]);
      return made.ok ? ok(undefined) : made;
    },
    async build(work) {
      const held = await driver.hold(async (session): Promise<Result<void, DbError>> => {
        const begun = await session.fly([
          { text: 'begin isolation level repeatable read', params: [] },
          MEMORY,
          LOCK_WAIT,
        ]);
        if (!begun.ok) return begun;
        const as =
          (who: Statement) =>
          async (statements: Flight): Promise<FlightResult> => {
            const flown = await session.fly([who, ...statements]);
            return flown.ok ? { ok: true, value: flown.value.slice(1) } : flown;
          };
        let done: Result<void, DbError> | undefined;
        try {
          done = await work({ asService: as(AS_SERVICE), asLogin: as(AS_LOGIN) });
        } finally {
          const end = done?.ok === true ? 'commit' : 'rollback';
          const ended = await session.fly([{ text: end, params: [] }]);
          if (done?.ok === true && !ended.ok) done = err(ended.error);
        }
        return done;
      });
      return held.ok ? held.value : held;
    },
    async finish(layer, failure) {
      const done = await db.service([
        { text: 'select portal.finish_overview($1, $2)', params: [String(layer), failure ?? null] },
      ]);
      return done.ok ? ok(undefined) : done;
    },
  };
}
