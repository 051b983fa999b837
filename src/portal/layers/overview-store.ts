// Fills what making overviews asks of the catalogue.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { TileAddress } from '../../geo/tile.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { LayerOverview } from '../../layer-ports/layer.ts';
import type { OverviewFacts, OverviewStore } from '../../layer-ports/overview-store.ts';
import type { DbError, Param, Row, Statement } from '../../pg/driver.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { AS_LOGIN, AS_SERVICE } from '../uploads/service-scope.ts';
import { ownLook } from './own-look.ts';

/** A job waits for nobody's lock for long: it comes again. */
const LOCK_WAIT: Statement = { text: `select set_config('lock_timeout', '5s', true)`, params: [] };
/** PostGIS may stand in `public`. */
const SETTINGS: Statement = {
  text: `select set_config('search_path', '"portal", "public"', true), set_config('jit', 'off', true)`,
  params: [],
};

/** Maps whose styles are read: the columns of more would not find room in a cell. */
const MAX_MAPS = 200;
/** Changed places are tiles of this zoom, as `portal.overview_rows_changed` notes them. */
const CHANGE_ZOOM = 16;

export function makeOverviewStore(db: CallerDb): OverviewStore {
  const rowsOf = async (before: readonly Statement[], text: string, params: readonly Param[]): Asked => {
    const executed = await db.service([...before, { text, params }]);
    return executed.ok ? ok(executed.value.at(-1)?.rows ?? []) : executed;
  };
  const login = (text: string, ...params: readonly Param[]): Asked => rowsOf([], text, params);
  const service = (text: string, ...params: readonly Param[]): Asked => rowsOf([AS_SERVICE], text, params);
  return {
    async due(fewest, form, most) {
      const asked = 'select resource_id, whole from portal.due_overviews($1, $2, $3)';
      const found = await login(asked, String(fewest), String(form), String(most));
      if (!found.ok) return found;
      return ok(
        found.value.map(([id, whole]) => ({ layer: Number(id?.toString()), isWhole: whole?.toString() === 't' })),
      );
    },
    async mapStyles(layer) {
      const found = await service(
        `select layer_params from portal.map_layer where layer_id = $1 and strpos(layer_params, '"survest:style"') > 0
          order by id desc limit ${MAX_MAPS}`,
        String(layer),
      );
      return found.ok ? ok(found.value.map(([params]) => ownLook(params).style)) : found;
    },
    async begin(layer, geometryColumn) {
      const begun = await login('select table_name, data, generation from portal.begin_overview($1)', String(layer));
      if (!begun.ok) return begun;
      const [table, data, generation] = begun.value[0]?.map((cell) => cell?.toString()) ?? [];
      const made = { data: data ?? '', generation: Number(generation ?? 1) };
      if (table === undefined) return ok(made);
      const noted = await db.service([LOCK_WAIT, ...changeTriggers(layer, table, geometryColumn)]);
      return noted.ok ? ok(made) : noted;
    },
    async read(statements) {
      const executed = await db.service([AS_SERVICE, SETTINGS, ...statements]);
      return executed.ok ? ok(executed.value.slice(2)) : executed;
    },
    alter: (statements) => db.service([AS_LOGIN, LOCK_WAIT, ...statements]),
    async keepTile(layer, generation, { z, x, y }, cells) {
      const numbers = [layer, generation, z, x, y].map(String);
      const hex = `\\x${Buffer.from(cells).toString('hex')}`;
      return done(await login('select portal.keep_overview_tile($1, $2, $3, $4, $5, $6)', ...numbers, hex));
    },
    async tile(layer, { z, x, y }) {
      const asked = 'select cells from portal.overview_cells($1, $2, array[$3::integer], array[$4::integer])';
      const found = await service(asked, ...[layer, z, x, y].map(String));
      if (!found.ok) return found;
      const cell = found.value[0]?.[0];
      return ok(cell === undefined || cell === null ? undefined : Buffer.from(cell.toString().slice(2), 'hex'));
    },
    async finish(layer, { generation, data }, form, facts) {
      const columns = `{${[...facts.numbers, ...facts.categories].map((name) => JSON.stringify(name)).join(',')}}`;
      const values = [layer, generation, data, form, columns, JSON.stringify(facts)].map(String);
      return done(await login('select portal.finish_overview($1, $2, $3, $4, $5, $6)', ...values));
    },
    async fail(layer, { data }, why) {
      return done(await login('select portal.fail_overview($1, $2, $3)', String(layer), data, why));
    },
    async changes(layer) {
      const taken = await login('select generation, facts, upto, x, y from portal.overview_changes($1)', String(layer));
      if (!taken.ok) return taken;
      const [first] = taken.value;
      if (first === undefined) return ok(undefined);
      const facts = JSON.parse(first[1]?.toString() ?? '{}') as OverviewFacts;
      const tiles = taken.value.map(
        ([, , , x, y]): TileAddress => ({ z: CHANGE_ZOOM, x: Number(x?.toString()), y: Number(y?.toString()) }),
      );
      return ok({
        generation: Number(first[0]?.toString()),
        upTo: first[2]?.toString() ?? '0',
        overview: { ...facts, isUpdating: false },
        tiles,
      });
    },
    async renewed(layer, upTo) {
      return done(await login('select portal.renewed_overview($1, $2)', String(layer), upTo));
    },
  };
}

type Asked = Promise<Result<readonly Row[], DbError>>;

function done(asked: Awaited<Asked>): Result<void, DbError> {
  return asked.ok ? ok(undefined) : asked;
}

/** Where rows come, go and change. A statement that empties the table has no rows to tell of, and makes the overview anew. */
function changeTriggers(layer: number, table: string, geometryColumn: string): readonly Statement[] {
  const call = `for each statement execute function portal.overview_rows_changed(${Math.trunc(layer)}, ${quoteLiteral(geometryColumn)})`;
  const on = `on layers.${quoteIdent(table)}`;
  const events = [
    ['insert', 'insert', 'referencing new table as changed'],
    ['delete', 'delete', 'referencing old table as changed'],
    ['before', 'update', 'referencing old table as changed'],
    ['after', 'update', 'referencing new table as changed'],
    ['truncate', 'truncate', ''],
  ] as const;
  return events.map(([name, verb, rows]) => ({
    text: `create or replace trigger survest_overview_${name} after ${verb} ${on} ${rows} ${call}`,
    params: [],
  }));
}

/** As the catalogue tells it of a layer (`portal.layer_overview`). */
export type OverviewRow = { readonly facts: OverviewFacts; readonly updating: boolean };

export function overviewOf({ facts, updating }: OverviewRow): LayerOverview {
  return { ...facts, isUpdating: updating };
}
