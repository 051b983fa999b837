// Styles of layers.

import { raw, sql } from '../../../sql/index.ts';
import { makeShape, type Relation, type Shape } from '../../fields/field.ts';
import { computed, shownColumn } from '../../fields/field-makers.ts';
import { BASE, type Slot, type Sql } from '../../fields/slot.ts';

/** Served by layer and style; a style that several layers share is found under the first of them. */
const sldUrl = (row: string): Sql =>
  sql<Slot>`${BASE} || '/styles/' || (select min(l.resource_id) from portal.layer_style l where l.style_id = ${raw(`${row}.id`)}) || '/' || ${raw(`${row}.id`)} || '.sld'`;

const style: Shape = makeShape('style', 'styles', [
  shownColumn('pk', { kind: 'integer' }, 'Id of the style.', { column: 'id' }),
  shownColumn('name', { kind: 'text', max: 255 }, 'Name, unique in its workspace.'),
  shownColumn('workspace', { kind: 'text', max: 128 }, 'Workspace.'),
  shownColumn('sld_title', { kind: 'text', max: 255 }, 'Title.', { nullable: true }),
  shownColumn('sld_body', { kind: 'text' }, 'The style as SLD.', { nullable: true }),
  shownColumn('sld_version', { kind: 'text', max: 12 }, 'Version of SLD.'),
  computed('sld_url', { kind: 'text', format: 'uri' }, 'Address of the SLD.', sldUrl, { nullable: true }),
]);

export const defaultStyle: Relation = {
  shape: () => style,
  rows: (outer, inner) => ({ from: raw(`portal.style ${inner}`), on: raw(`${inner}.id = ${outer}.default_style_id`) }),
  key: (outer) => raw(`${outer}.default_style_id`),
};

export const stylesOfLayer: Relation = {
  shape: () => style,
  rows: (outer, inner) => ({
    from: raw(`portal.layer_style ${inner}_of join portal.style ${inner} on ${inner}.id = ${inner}_of.style_id`),
    on: raw(`${inner}_of.resource_id = ${outer}.id`),
  }),
  order: (inner) => raw(`${inner}.id`),
};
