// Fills what drawing thumbnails asks of the catalogue.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { Box } from '../../geo/projection.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { ThumbnailStore } from '../../layer-ports/thumbnail-store.ts';
import type { Batch, BatchResult, DbError, Param, Row } from '../../pg/driver.ts';
import { ownLook } from '../layers/own-look.ts';
import { AS_SERVICE } from '../uploads/service-scope.ts';

export function makeThumbnailStore(db: CallerDb): ThumbnailStore {
  const serviceDb = asService(db);
  const rows = async (batch: Promise<BatchResult>): Promise<Result<readonly Row[], DbError>> => {
    const executed = await batch;
    return executed.ok ? ok(executed.value[0]?.rows ?? []) : executed;
  };
  const login = (text: string, ...params: readonly Param[]): Promise<Result<readonly Row[], DbError>> =>
    rows(db.service([{ text, params }]));
  const service = (text: string, ...params: readonly Param[]): Promise<Result<readonly Row[], DbError>> =>
    rows(serviceDb.read(NOBODY, NO_REQUEST, [{ text, params }]));
  return {
    serviceDb,
    visitorDb: db,
    async due(most) {
      const found = await login('select resource_id, n from portal.due_thumbnails($1)', String(most));
      if (!found.ok) return found;
      return ok(found.value.map(([id, n]) => ({ id: Number(id?.toString()), change: n?.toString() ?? '0' })));
    },
    async subject(id) {
      const found = await service(
        `select json_build_object('type', r.resource_type, 'remote', r.remote, 'zoom', r.zoom, 'center', json_build_array(r.center_x, r.center_y),
           'basemap', (select d.data -> 'map' ->> 'survest:basemap' from portal.app_data d where d.resource_id = r.id),
           'extent', (select json_build_array(st_xmin(e), st_ymin(e), st_xmax(e), st_ymax(e)) from (select r.ll_bbox_polygon as e) b where e is not null),
           'picture', (select json_build_object('blob', f.blob, 'size', f.size) from portal.document_file f
                        where f.resource_id = r.id and r.mime_type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')))
         from portal.resource r where r.id = $1 and r.resource_type in ('layer', 'map', 'document')`,
        String(id),
      );
      if (!found.ok) return found;
      const cell = found.value[0]?.[0];
      if (cell === undefined || cell === null) return ok(undefined);
      const item = JSON.parse(cell.toString()) as {
        readonly type: string;
        readonly remote: unknown;
        readonly zoom: number | null;
        readonly basemap: string | null;
        readonly center: readonly [number | null, number | null];
        readonly extent: Box | null;
        readonly picture: { readonly blob: string; readonly size: number } | null;
      };
      if (item.type === 'layer' && item.remote !== null)
        return ok({ kind: 'remote', id, remote: item.remote, extent: item.extent ?? undefined });
      if (item.type === 'layer') return ok({ kind: 'layer', id });
      if (item.type === 'document')
        return ok(item.picture === null ? undefined : { kind: 'picture', id, ...item.picture });
      const layers = await login('select layer_id, opacity, styles from portal.thumbnail_layers($1)', String(id));
      if (!layers.ok) return layers;
      const own = await service(
        'select l.layer_id, l.layer_params from portal.map_layer l where l.map_id = $1 and l.visibility order by l.stack_order, l.id',
        String(id),
      );
      if (!own.ok) return own;
      const looks = own.value.map(([layer, params]) => ({ layer: layer?.toString(), ...ownLook(params) }));
      return ok({
        kind: 'map',
        id,
        extent: item.extent ?? undefined,
        center: [item.center[0] ?? 0, item.center[1] ?? 0],
        zoom: item.zoom ?? 0,
        basemap: item.basemap ?? undefined,
        layers: layers.value.map(([layer, opacity, style]) => {
          // A layer that is there twice has a look for each, in the same order.
          const at = looks.findIndex((one) => one.layer === layer?.toString());
          const [found] = at < 0 ? [] : looks.splice(at, 1);
          return {
            id: Number(layer?.toString()),
            opacity: Number(opacity?.toString() ?? 1),
            style: style?.toString() ?? '',
            ...(found?.style === undefined ? {} : { ownStyle: found.style }),
            ...(found?.filter === undefined ? {} : { filter: found.filter }),
          };
        }),
      });
    },
    async keep(id, blob, mimeType) {
      const kept = await service(
        `with before as (select t.blob from portal.thumbnail t where t.resource_id = $1 and not t.curated),
              made as (insert into portal.thumbnail (resource_id, curated, blob, mime_type) values ($1, false, $2, $3)
                on conflict (resource_id, curated) do update set blob = excluded.blob, mime_type = excluded.mime_type, made = now() returning 1)
         select (select blob from before) from made`,
        String(id),
        blob,
        mimeType,
      );
      return kept.ok ? ok(kept.value[0]?.[0]?.toString()) : kept;
    },
    async drawn({ id, change }) {
      const done = await login('select portal.thumbnail_drawn($1, $2)', String(id), change);
      return done.ok ? ok(undefined) : done;
    },
    async mayChoose(caller, info, id) {
      const found = await rows(
        db.read(caller, info, [
          {
            text: "select portal.may(r.id, 'change_resourcebase') from portal.resource r where r.id = $1",
            params: [String(id)],
          },
        ]),
      );
      if (!found.ok) return found;
      const [row] = found.value;
      return ok(row === undefined ? undefined : row[0]?.toString() === 't');
    },
    async choose(caller, info, id, { blob, mimeType }) {
      const executed = await db.write(caller, info, [
        { text: 'select blob from portal.thumbnail where resource_id = $1 and curated', params: [String(id)] },
        {
          text: `insert into portal.thumbnail (resource_id, curated, blob, mime_type) values ($1, true, $2, $3)
                 on conflict (resource_id, curated) do update set blob = excluded.blob, mime_type = excluded.mime_type, made = now()`,
          params: [String(id), blob, mimeType],
        },
        // An address that was given before would be shown instead of it.
        { text: 'update portal.resource set thumbnail_url = null where id = $1', params: [String(id)] },
      ]);
      return executed.ok ? ok(executed.value[0]?.rows[0]?.[0]?.toString()) : executed;
    },
    async unchoose(caller, info, id) {
      const executed = await db.write(caller, info, [
        {
          text: 'delete from portal.thumbnail where resource_id = $1 and curated returning blob',
          params: [String(id)],
        },
        {
          text: 'update portal.resource set thumbnail_url = null where id = $1 and thumbnail_url is not null',
          params: [String(id)],
        },
      ]);
      return executed.ok ? ok(executed.value[0]?.rows[0]?.[0]?.toString()) : executed;
    },
    async find(caller, info, id) {
      const found = await rows(
        db.read(caller, info, [
          {
            text: 'select blob, mime_type from portal.thumbnail where resource_id = $1 order by curated desc limit 1',
            params: [String(id)],
            name: 'thumbnail_find',
          },
        ]),
      );
      if (!found.ok) return found;
      const [blob, mimeType] = found.value[0] ?? [];
      return ok(
        blob === undefined || blob === null
          ? undefined
          : { blob: blob.toString(), mimeType: mimeType?.toString() ?? '' },
      );
    },
  };
}

const NOBODY: Caller = { kind: 'visitor' };
const NO_REQUEST: RequestInfo = { method: '', path: '' };

/** Whatever caller is named, the service asks: an administrator without an account. */
function asService(db: CallerDb): CallerDb {
  const path = {
    text: `select set_config('search_path', '"portal", "public"', true)`,
    params: [],
    name: 'service_path',
  };
  const execute = async (statements: Batch): Promise<BatchResult> => {
    const executed = await db.service([AS_SERVICE, path, ...statements]);
    return executed.ok ? ok(executed.value.slice(2)) : executed;
  };
  return {
    ...db,
    read: (_caller, _info, statements) => execute(statements),
    write: (_caller, _info, statements) => execute(statements),
  };
}
