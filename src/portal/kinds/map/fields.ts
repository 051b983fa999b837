// Maps, and the layers they are made of.

import { raw } from '../../../sql/index.ts';
import { type Field, makeRecordType, type RecordType, type Relation } from '../../fields/field.ts';
import { computed, shownColumn, writtenColumn } from '../../fields/field-makers.ts';
import { blob, data } from '../app/app-data.ts';
import { commonFields, headFields } from '../item/common-fields.ts';
import { maplayers } from './map-layers.ts';

export const map: RecordType = makeRecordType('map', 'maps', [
  ...headFields,
  writtenColumn('zoom', { kind: 'integer', min: 0, max: 30 }, 'Zoom level.', { required: true }),
  writtenColumn('projection', { kind: 'text', max: 32 }, 'Coordinate system of the view, such as `EPSG:3857`.', {
    required: true,
  }),
  writtenColumn('center_x', { kind: 'number' }, 'Centre of the view.', { required: true }),
  writtenColumn('center_y', { kind: 'number' }, 'Centre of the view.', { required: true }),
  writtenColumn('urlsuffix', { kind: 'text', max: 255, blank: true }, 'End of an address of its own.', {
    nullable: true,
  }),
  writtenColumn('featuredurl', { kind: 'text', max: 255, blank: true }, 'Address of its own.', { nullable: true }),
  {
    ...data,
    shown: (row) =>
      raw(`(select portal.seen_config(${row}.id, d.data) from portal.app_data d where d.resource_id = ${row}.id)`),
  },
  blob,
  maplayers,
  computed(
    'hidden_layers',
    { kind: 'integer' },
    'How many of its layers the caller may not see; nothing else is told of them. Only with `include[]=hidden_layers`.',
    (row) => raw(`portal.hidden_layers(${row}.id)`),
    { deferred: true },
  ),
  ...commonFields,
]);

const text = (name: string, about: string): Field => shownColumn(name, { kind: 'text' }, about, { nullable: true });

/** One layer of a map, background included. */
export const mapLayer: RecordType = makeRecordType('map_layer', 'map_layers', [
  shownColumn('pk', { kind: 'integer' }, 'Id of the map layer.', { column: 'id' }),
  text('name', 'Name of the layer.'),
  text('store', 'Store of the layer.'),
  shownColumn('stack_order', { kind: 'integer' }, 'Place in the stack, from the bottom.'),
  text('format', 'Media type of its pictures.'),
  shownColumn('opacity', { kind: 'number', min: 0, max: 1 }, 'From 0, invisible, to 1.'),
  text('styles', 'Styles.'),
  shownColumn('transparent', { kind: 'boolean' }, 'Its background is transparent.'),
  shownColumn('fixed', { kind: 'boolean' }, 'Keeps its place in the stack.'),
  shownColumn('group', { kind: 'text' }, 'Group in the list of layers.', { column: '"group"', nullable: true }),
  shownColumn('visibility', { kind: 'boolean' }, 'Shown at first.'),
  text('ows_url', 'Address of its service.'),
  shownColumn('layer_params', { kind: 'text' }, 'JSON text.'),
  shownColumn('source_params', { kind: 'text' }, 'JSON text.'),
  shownColumn('local', { kind: 'boolean' }, 'A layer of this portal.'),
]);

export const layersOfMap: Relation = {
  recordType: () => mapLayer,
  rows: (outer, inner) => ({ from: raw(`portal.map_layer ${inner}`), on: raw(`${inner}.map_id = ${outer}.id`) }),
  order: (inner) => raw(`${inner}.stack_order, ${inner}.id`),
};
