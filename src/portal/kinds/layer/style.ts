// Styles of layers.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue, type Sql } from '../../fields/bound-value.ts';
import { makeRecordType, type RecordType, type Relation } from '../../fields/field.ts';
import { computed, shownColumn } from '../../fields/field-makers.ts';

/** Served by layer and style; a style that several layers share is found under the first of them. */
const sldUrl = (row: string): Sql =>
  sql<BoundValue>`${BASE} || '/styles/' || (select min(l.resource_id) from portal.layer_style l where l.style_id = ${raw(`${row}.id`)}) || '/' || ${raw(`${row}.id`)} || '.sld'`;

const style: RecordType = makeRecordType('style', 'styles', [
  shownColumn('pk', { kind: 'integer' }, 'Id of the style.', { column: 'id' }),
  shownColumn('name', { kind: 'text', max: 255 }, 'Name, unique in its workspace.'),
  shownColumn('workspace', { kind: 'text', max: 128 }, 'Workspace.'),
  shownColumn('sld_title', { kind: 'text', max: 255 }, 'Title.', { nullable: true }),
  shownColumn('sld_body', { kind: 'text' }, 'The style as SLD.', { nullable: true }),
  shownColumn('sld_version', { kind: 'text', max: 12 }, 'Version of SLD.'),
  computed('sld_url', { kind: 'text', format: 'uri' }, 'Address of the SLD.', sldUrl, { nullable: true }),
]);

export const defaultStyle: Relation = {
  recordType: () => style,
  rows: (outer, inner) => ({ from: raw(`portal.style ${inner}`), on: raw(`${inner}.id = ${outer}.default_style_id`) }),
  key: (outer) => raw(`${outer}.default_style_id`),
};

export const stylesOfLayer: Relation = {
  recordType: () => style,
  rows: (outer, inner) => ({
    from: raw(`portal.layer_style ${inner}_of join portal.style ${inner} on ${inner}.id = ${inner}_of.style_id`),
    on: raw(`${inner}_of.resource_id = ${outer}.id`),
  }),
  order: (inner) => raw(`${inner}.id`),
};
