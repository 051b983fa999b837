// The layers of a map as rows, written from the viewer's configuration (`data`, made anew) or from `maplayers`, the list that newer clients of
// GeoNode read and send back (changed row by row).

import { raw, sql } from '../../../sql/index.ts';
import type { BoundValue, Sql } from '../../fields/bound-value.ts';
import type { Field } from '../../fields/field.ts';
import { computed, writeOnly } from '../../fields/field-makers.ts';

const COLUMNS = raw(
  'map_id, layer_id, stack_order, name, store, format, opacity, styles, transparent, fixed, "group", visibility, ows_url, layer_params, source_params, viewer_id, local',
);
/** A name that is a layer of the portal, and one that the caller sees, leads to it. */
const LAYER_OF_NAME = raw("left join portal.resource r on r.resource_type = 'layer' and r.alternate = l.name");

/** All of them, made anew; `ViewerLayer` is what a row is made of. */
export const LAYERS: Field = writeOnly('layers', { kind: 'json' }, '', {
  kind: 'setter',
  cast: 'jsonb',
  setter: {
    when: 'middle',
    statements: (id, layers) => [
      sql<BoundValue>`delete from portal.map_layer m where m.map_id = ${id}`,
      sql<BoundValue>`insert into portal.map_layer (${COLUMNS}) select ${id}, r.id, l.n, l.name, r.store, l.format, l.opacity, l.styles, l.transparent, l.fixed, l."group", l.visibility, l.ows_url, l.layer_params, l.source_params, l.viewer_id, r.id is not null from jsonb_to_recordset(${layers}::jsonb) l(n integer, name text, format text, opacity double precision, styles text, transparent boolean, fixed boolean, "group" text, visibility boolean, ows_url text, layer_params text, source_params text, viewer_id text) ${LAYER_OF_NAME}`,
    ],
  },
});

/** As `portal.map_layer` has them for the caller. `msId` ties a row to its layer in the configuration. */
const shownLayers = (row: string): Sql =>
  raw(
    `(select coalesce(json_agg(json_build_object('pk', m.id, 'extra_params', json_build_object('msId', m.viewer_id), 'current_style', m.styles, 'name', m.name, 'order', m.stack_order, 'visibility', m.visibility, 'opacity', m.opacity, 'dataset', case when l.id is not null then json_build_object('pk', l.id::text, 'title', l.title, 'alternate', l.alternate) end) order by m.stack_order, m.id), '[]') from portal.map_layer m left join portal.resource l on l.id = m.layer_id where m.map_id = ${row}.id)`,
  );

/** Rows that the list names by `pk` are changed, the others that the caller sees go, and what has no `pk` is added. */
export const maplayers: Field = computed(
  'maplayers',
  { kind: 'json', isList: true },
  'Layers of the map as newer clients know them: `{pk, name, order, visibility, opacity, current_style, extra_params, dataset}`. What is sent replaces them, unless `data` has layers, too.',
  shownLayers,
  {
    write: {
      kind: 'setter',
      cast: 'jsonb',
      setter: {
        when: 'middle',
        statements: (id, layers) => {
          const given = sql<BoundValue>`jsonb_to_recordset(${layers}::jsonb) l(pk integer, n integer, name text, opacity double precision, styles text, visibility boolean, viewer_id text)`;
          return [
            sql<BoundValue>`delete from portal.map_layer m where m.map_id = ${id} and m.id not in (select l.pk from ${given} where l.pk is not null)`,
            sql<BoundValue>`update portal.map_layer m set stack_order = l.n, opacity = l.opacity, styles = l.styles, visibility = l.visibility, viewer_id = l.viewer_id from ${given} where m.map_id = ${id} and m.id = l.pk`,
            sql<BoundValue>`insert into portal.map_layer (map_id, layer_id, stack_order, name, store, opacity, styles, visibility, viewer_id, local) select ${id}, r.id, l.n, l.name, r.store, l.opacity, l.styles, l.visibility, l.viewer_id, r.id is not null from ${given} ${LAYER_OF_NAME} where not exists (select from portal.map_layer m where m.map_id = ${id} and m.id = l.pk)`,
          ];
        },
      },
    },
  },
);
