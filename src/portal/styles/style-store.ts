// Fills what the map services ask when a style is changed: statements as the caller, decided by policies and guards.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { StyleName, StyleStore } from '../../layer-ports/style-store.ts';
import type { DbError, Param, Statement } from '../../pg/driver.ts';

export function makeStyleStore(db: CallerDb): StyleStore {
  const cell = async (
    caller: Caller,
    info: RequestInfo,
    text: string,
    ...params: readonly Param[]
  ): Promise<Result<string | undefined, DbError>> => {
    const statement: Statement = { text, params };
    const executed = await db.write(caller, info, [statement]);
    return executed.ok ? ok(executed.value[0]?.rows[0]?.[0]?.toString()) : executed;
  };
  return {
    async names(caller, info, ids) {
      const statement: Statement = {
        text: `select json_build_object('id', id, 'name', name, 'title', sld_title) from portal.style where id = any ($1::integer[])`,
        params: [`{${ids.join(',')}}`],
      };
      const executed = await db.read(caller, info, [statement]);
      if (!executed.ok) return executed;
      return ok((executed.value[0]?.rows ?? []).map(([cell]) => JSON.parse(cell?.toString() ?? 'null') as StyleName));
    },
    async replace(caller, info, style, { title, sld, sldVersion, maplibre }) {
      const done = await cell(
        caller,
        info,
        'update portal.style set sld_title = $2, sld_body = $3, sld_version = $4, maplibre = $5::jsonb where id = $1 returning id',
        String(style),
        title,
        sld,
        sldVersion,
        maplibre,
      );
      return done.ok ? ok(done.value !== undefined) : done;
    },
    async add(caller, info, layer, name, { title, sld, sldVersion, maplibre }) {
      const made = await cell(
        caller,
        info,
        'select portal.add_style($1, $2, $3, $4, $5, $6::jsonb)',
        String(layer),
        name,
        sld,
        title,
        sldVersion,
        maplibre,
      );
      return made.ok ? ok(Number(made.value ?? 0)) : made;
    },
    async remove(caller, info, layer, style) {
      const done = await cell(caller, info, 'select portal.remove_style($1, $2)', String(layer), String(style));
      return done.ok ? ok(done.value === 't') : done;
    },
    async makeDefault(caller, info, layer, style) {
      const done = await cell(
        caller,
        info,
        'update portal.resource set default_style_id = $2 where id = $1 returning id',
        String(layer),
        String(style),
      );
      return done.ok ? ok(done.value !== undefined) : done;
    },
  };
}
