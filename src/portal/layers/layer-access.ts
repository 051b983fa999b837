// Fills what the map services ask of the catalogue. Every question goes to the database as the caller; what is kept here is only what
// the layer's stamp, which is asked for every time, says is still true.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { parsePopup, USUAL_POPUP } from '../../geo/presentation/presentation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { LayerAccess, LayerError, LayerPlace, LayerStyle } from '../../layer-ports/layer-access.ts';
import type { BatchResult, Row, Statement, StatementResult } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/index.ts';
import { describeStatement, type LayerRow, type LayerStamp, rowToLayer, rowToTable } from './describe-layers.ts';

const MAX_KEPT = 2000;
/** Longer than any name can be. */
const MAX_NAME = 400;

export function makeLayerAccess(db: CallerDb): LayerAccess {
  // Under the stamp, so an entry that is found is one that is true. Who may see it was asked with the stamp.
  const kept = new Map<string, Layer | undefined>();
  let gis: Promise<Result<string, LayerError>> | undefined;

  const findGis = async (): Promise<Result<string, LayerError>> => {
    const executed = await db.service([
      {
        text: `select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis'`,
        params: [],
      },
    ]);
    return executed.ok
      ? ok(executed.value[0]?.rows[0]?.[0]?.toString() ?? 'public')
      : err({ kind: 'database', error: executed.error });
  };
  const knownGis = async (): Promise<Result<string, LayerError>> => {
    gis ??= findGis();
    const found = await gis;
    if (!found.ok) gis = undefined;
    return found;
  };

  const readRows = async (
    caller: Caller,
    info: RequestInfo,
    ids: readonly number[],
  ): Promise<Result<readonly LayerRow[], LayerError>> => {
    const schema = await knownGis();
    if (!schema.ok) return schema;
    return read(
      db.read(caller, info, [describeStatement(ids, quoteIdent(schema.value), schema.value)]),
      ([cell]) => JSON.parse(cell?.toString() ?? 'null') as LayerRow,
    );
  };

  const findStamp = async (
    caller: Caller,
    info: RequestInfo,
    name: string,
  ): Promise<Result<LayerStamp, LayerError>> => {
    const unknown = err({ kind: 'no-such-layer', name } as const);
    if (name.length > MAX_NAME || name.includes('\0')) return unknown;
    const stampsOf = (wanted: string) => read(db.read(caller, info, [stampStatement(wanted)]), stampOf);
    let stamps = await stampsOf(name);
    // `geonode:roads`: maps that were made elsewhere name a workspace that is not here. There is one only, so it means `roads`.
    const plain = name.slice(name.indexOf(':') + 1);
    if (stamps.ok && stamps.value.length === 0 && plain !== name && plain !== '') stamps = await stampsOf(plain);
    if (!stamps.ok) return stamps;
    const [stamp] = stamps.value;
    return stamp === undefined ? unknown : ok(stamp);
  };

  const describe = async (
    caller: Caller,
    info: RequestInfo,
    stamps: readonly LayerStamp[],
  ): Promise<Result<ReadonlyMap<number, Layer>, LayerError>> => {
    const layers = new Map<number, Layer>();
    const strange: LayerStamp[] = [];
    for (const stamp of stamps) {
      const key = keyOf(stamp);
      const layer = kept.get(key);
      if (layer !== undefined) layers.set(stamp.id, layer);
      else if (!kept.has(key)) strange.push(stamp);
    }
    if (strange.length === 0) return ok(layers);
    const rows = await readRows(
      caller,
      info,
      strange.map(({ id }) => id),
    );
    if (!rows.ok) return rows;
    const byId = new Map(rows.value.map((row) => [row.id, row]));
    for (const stamp of strange) {
      const row = byId.get(stamp.id);
      if (row === undefined) continue;
      const layer = rowToLayer(row, stamp);
      if (layer !== undefined) layers.set(stamp.id, layer);
      if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
      kept.set(keyOf(stamp), layer);
    }
    return ok(layers);
  };

  return {
    async find(caller, info, name) {
      const stamp = await findStamp(caller, info, name);
      if (!stamp.ok) return stamp;
      const described = await describe(caller, info, [stamp.value]);
      if (!described.ok) return described;
      const layer = described.value.get(stamp.value.id);
      return layer === undefined ? err({ kind: 'no-such-layer', name }) : ok(layer);
    },

    async findTable(caller, info, name) {
      const unknown = err({ kind: 'no-such-layer', name } as const);
      const stamp = await findStamp(caller, info, name);
      if (!stamp.ok) return stamp;
      const described = await describe(caller, info, [stamp.value]);
      if (!described.ok) return described;
      const layer = described.value.get(stamp.value.id);
      if (layer !== undefined) return layer.kind === 'vector' ? ok(layer) : unknown;
      // Plain tables are not kept: they are asked for seldom, and their description is one short statement.
      const rows = await readRows(caller, info, [stamp.value.id]);
      if (!rows.ok) return rows;
      const [row] = rows.value;
      const table = row === undefined ? undefined : rowToTable(row, stamp.value);
      return table === undefined ? unknown : ok(table);
    },

    async list(caller, info, page) {
      const executed = await db.read(caller, info, [pageStatement(page)]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      const rows = executed.value[0]?.rows ?? [];
      const stamps = rows.flatMap((row) => (row[1] === null ? [] : [stampOf(row.slice(1))]));
      const described = await describe(caller, info, stamps);
      if (!described.ok) return described;
      const layers = stamps.flatMap(({ id }) => described.value.get(id) ?? []);
      return ok({ layers, total: Number(rows[0]?.[0]?.toString() ?? 0) });
    },

    async listAfter(caller, info, { limit, after }) {
      const executed = await db.read(caller, info, [afterStatement(limit, after)]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      const rows = executed.value[0]?.rows ?? [];
      const stamps = rows.map((row) => stampOf(row.slice(1)));
      const described = await describe(caller, info, stamps);
      if (!described.ok) return described;
      const layers = stamps.flatMap(({ id }) => described.value.get(id) ?? []);
      const last = rows.at(-1);
      const next =
        rows.length < limit || last === undefined
          ? undefined
          : { name: last[0]?.toString() ?? '', id: Number(last[1]?.toString()) };
      return ok({ layers, next });
    },

    async may(caller, info, layer, permission) {
      const asked: Statement = {
        name: 'layers_may',
        text: 'select portal.may($1, $2)',
        params: [String(layer), permission],
      };
      const answer = await read(db.read(caller, info, [asked]), ([cell]) => cell?.toString() === 't');
      return answer.ok ? ok(answer.value[0] === true) : answer;
    },

    async mayAmong(caller, info, layers, permission) {
      if (layers.length === 0) return ok(new Set());
      const asked: Statement = {
        name: 'layers_may_among',
        text: 'select id from unnest($1::integer[]) id where portal.may(id, $2)',
        params: [`{${layers.join(',')}}`, permission],
      };
      const found = await read(db.read(caller, info, [asked]), ([cell]) => Number(cell?.toString()));
      return found.ok ? ok(new Set(found.value)) : found;
    },

    async mayWithAny(caller, info, permission) {
      const asked: Statement = {
        name: 'layers_may_with_any',
        text: `select exists (select from portal.resource r where r.resource_type = 'layer' and portal.may(r.id, $1))`,
        params: [permission],
      };
      const answer = await read(db.read(caller, info, [asked]), ([cell]) => cell?.toString() === 't');
      return answer.ok ? ok(answer.value[0] === true) : answer;
    },

    async withStyle(caller, info, style) {
      if (style.length > MAX_NAME || style.includes('\0')) return ok(undefined);
      const asked: Statement = {
        name: 'layers_with_style',
        text: `select l.resource_id from portal.style s join portal.layer_style l on l.style_id = s.id join portal.resource r on r.id = l.resource_id
                where s.name = $1 order by r.name = $1 desc, r.id limit 1`,
        params: [style],
      };
      const found = await read(db.read(caller, info, [asked]), ([cell]) => Number(cell?.toString()));
      return found.ok ? ok(found.value[0]) : found;
    },

    async popup(caller, info, layer) {
      const asked: Statement = {
        name: 'layers_popup',
        text: `select portal.layer_presentation($1) -> 'popup'`,
        params: [String(layer)],
      };
      const found = await read(db.read(caller, info, [asked]), ([cell]) =>
        parsePopup(JSON.parse(cell?.toString() ?? 'null')),
      );
      if (!found.ok) return found;
      const [popup] = found.value;
      return ok(popup?.ok === true ? popup.value : USUAL_POPUP);
    },

    styles: (caller, info, layer) =>
      read(
        db.read(caller, info, [
          {
            name: 'layers_styles',
            text: `select json_build_object('id', s.id, 'name', s.name, 'title', s.sld_title, 'sld', s.sld_body, 'maplibre', s.maplibre)
                     from portal.layer_style l join portal.style s on s.id = l.style_id
                    where l.resource_id = $1 order by s.id`,
            params: [String(layer)],
          },
        ]),
        ([cell]) => JSON.parse(cell?.toString() ?? 'null') as LayerStyle,
      ),
  };
}

function stampStatement(name: string): Statement {
  return {
    name: 'layers_stamp',
    text: 'select id, data, look, described, own_rules, cacheable from portal.layer_stamp($1)',
    params: [name],
  };
}

/** A page beyond the last one still has the total, in a row of its own. */
function pageStatement({ limit, offset }: { readonly limit: number; readonly offset: number }): Statement {
  return {
    name: 'layers_page',
    text: `with page as materialized (select id, total, row_number() over () as n from portal.served_layers($1, $2))
      select p.total, s.id, s.data, s.look, s.described, s.own_rules, s.cacheable
        from page p, lateral portal.layer_stamp(p.id::text) s order by p.n`,
    params: [String(limit), String(offset)],
  };
}

function afterStatement(limit: number, after: LayerPlace | undefined): Statement {
  return {
    name: 'layers_after',
    text: `with page as materialized (select id, name, row_number() over () as n from portal.layers_after($1, $2, $3))
      select p.name, s.id, s.data, s.look, s.described, s.own_rules, s.cacheable
        from page p, lateral portal.layer_stamp(p.id::text) s order by p.n`,
    params: [after?.name ?? '', String(after?.id ?? 0), String(limit)],
  };
}

function stampOf(row: Row): LayerStamp {
  const [id = '', data = '', look = '', described = '', ownRules, cacheable] = row.map((cell) => cell?.toString());
  return {
    id: Number(id),
    data,
    look,
    described,
    ownRules: ownRules === 't',
    cacheable: cacheable === 't',
  };
}

function keyOf({ id, data, look, described, ownRules, cacheable }: LayerStamp): string {
  return `${id} ${data} ${look} ${described} ${ownRules}${cacheable}`;
}

async function read<T>(running: Promise<BatchResult>, toValue: (row: Row) => T): Promise<Result<T[], LayerError>> {
  const executed = await running;
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const result: StatementResult | undefined = executed.value[0];
  return ok(result?.rows.map(toValue) ?? []);
}
