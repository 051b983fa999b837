// Small records that items point at: code lists, keywords, regions, the name of a group, links.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue } from '../../fields/bound-value.ts';
import { makeRecordType, type RecordType, type Relation } from '../../fields/field.ts';
import { computed, shownColumn } from '../../fields/field-makers.ts';

const identifier = shownColumn('identifier', { kind: 'text', max: 255, anyCase: true }, 'Entry of the code list.');

const listEntry = (name: string, plural: string): RecordType => makeRecordType(name, plural, [identifier]);

export const categoryEntry: RecordType = listEntry('category', 'categories');
export const licenseEntry: RecordType = makeRecordType('license', 'licenses', [
  identifier,
  shownColumn('name', { kind: 'text' }, 'Name for people. Only with `include[]=license.name`.', { deferred: true }),
  shownColumn('url', { kind: 'text', format: 'uri' }, 'Its text. Only with `include[]=license.url`.', {
    deferred: true,
    nullable: true,
  }),
]);
export const restrictionEntry: RecordType = listEntry('restriction_code_type', 'restriction_code_types');
export const representationEntry: RecordType = listEntry('spatial_representation_type', 'spatial_representation_types');

/** Code lists are everybody's to read, so the id itself may be compared. */
export function entryIn(column: string, table: string, recordType: RecordType): Relation {
  return {
    recordType: () => recordType,
    rows: (outer, inner) => ({ from: raw(`${table} ${inner}`), on: raw(`${inner}.id = ${outer}.${column}`) }),
    key: (outer) => raw(`${outer}.${column}`),
  };
}

export const groupName: RecordType = makeRecordType('group', 'groups', [
  shownColumn('pk', { kind: 'integer' }, 'Id of the group.', { column: 'id' }),
  shownColumn('name', { kind: 'text' }, 'Name of the group.', { column: 'slug' }),
]);

/** A private group is no group to outsiders: its id must not be found by asking for it. */
export const groupOfItem: Relation = {
  part: '"group"',
  recordType: () => groupName,
  rows: (outer, inner) => ({ from: raw(`portal.user_group ${inner}`), on: raw(`${inner}.id = ${outer}.group_id`) }),
  key: (outer) => raw(`(select g.id from portal.user_group g where g.id = ${outer}.group_id)`),
};

const keywordEntry: RecordType = makeRecordType('keyword', 'keywords', [
  shownColumn('name', { kind: 'text', max: 100 }, 'The word.'),
  shownColumn('slug', { kind: 'text', max: 120 }, 'The word as it stands in addresses.'),
]);

export const keywordsOfItem: Relation = {
  part: 'keywords',
  recordType: () => keywordEntry,
  rows: (outer, inner) => ({
    from: raw(
      `portal.resource_keyword ${inner}_of join portal.keyword ${inner} on ${inner}.id = ${inner}_of.keyword_id`,
    ),
    on: raw(`${inner}_of.resource_id = ${outer}.id`),
  }),
  order: (inner) => raw(`${inner}.name`),
};

const regionEntry: RecordType = makeRecordType('region', 'regions', [
  shownColumn('code', { kind: 'text' }, 'Code of three letters.'),
  shownColumn('name', { kind: 'text' }, 'Name.'),
]);

export const regionsOfItem: Relation = {
  part: 'regions',
  recordType: () => regionEntry,
  rows: (outer, inner) => ({
    from: raw(`portal.resource_region ${inner}_of join portal.region ${inner} on ${inner}.id = ${inner}_of.region_id`),
    on: raw(`${inner}_of.resource_id = ${outer}.id`),
  }),
  order: (inner) => raw(`${inner}.name`),
};

const linkEntry: RecordType = makeRecordType('link', 'links', [
  shownColumn('extension', { kind: 'text' }, 'Ending of the file behind it.'),
  shownColumn('link_type', { kind: 'text' }, 'What kind of link it is: data, image, html, OGC:WMS …'),
  shownColumn('name', { kind: 'text' }, 'Name for people.'),
  shownColumn('mime', { kind: 'text' }, 'Media type.'),
  // Addresses of our own services are kept without that of the portal, which may change.
  computed('url', { kind: 'text', format: 'uri' }, 'Address.', (row) => {
    const url = raw(`${row}.url`);
    return sql<BoundValue>`case when left(${url}, 1) = '/' then ${BASE} || ${url} else ${url} end`;
  }),
]);

/** Some are stored, others follow from the item: the database puts them together with its other parts. */
export const linksOfItem: Relation = {
  part: 'links',
  recordType: () => linkEntry,
  rows: (outer, inner) => ({
    from: raw(
      `portal.item_parts(array[${outer}.id]) ${inner}_of cross join lateral unnest(${inner}_of.links) ${inner}`,
    ),
    on: raw('true'),
  }),
  order: (inner) => raw(`${inner}.id`),
};
