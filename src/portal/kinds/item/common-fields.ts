// The fields that every item of the catalogue has, whatever its type.

import { PERMISSION_NAMES } from '../../../auth/permission-names.ts';
import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue, type Sql } from '../../fields/bound-value.ts';
import type { Field, FieldType, ReadEnv } from '../../fields/field.ts';
import { computed, isShown, many, one, shownColumn, writtenColumn } from '../../fields/field-makers.ts';
import {
  ACCOUNT,
  CATEGORY,
  GROUP,
  KEYWORD,
  LICENSE,
  REGION,
  REPRESENTATION,
  RESTRICTION,
} from '../../fields/lookup.ts';
import { accountIn } from '../account/fields.ts';
import { tkeywords } from '../thesaurus/fields.ts';
import {
  categoryEntry,
  entryIn,
  groupOfItem,
  keywordsOfItem,
  licenseEntry,
  linksOfItem,
  regionsOfItem,
  representationEntry,
  restrictionEntry,
} from './code-lists.ts';
import { DOC_TYPES } from './doc-types.ts';
import { freshnessFields } from './freshness.ts';
import { permissions, sharing } from './sharing.ts';

export const RESOURCE_TYPES = ['layer', 'map', 'document', 'geoapp', 'geostory'] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** Where each type has its collection. */
export const COLLECTION_OF: Readonly<Record<ResourceType, string>> = {
  layer: 'layers',
  map: 'maps',
  document: 'documents',
  geoapp: 'geoapps',
  geostory: 'geostories',
};

/** Numbers of the types: constant, and of no other meaning. */
const TYPE_NUMBERS: Readonly<Record<ResourceType, number>> = {
  layer: 58,
  map: 61,
  document: 52,
  geoapp: 63,
  geostory: 64,
};

const MAINTENANCE_FREQUENCIES: readonly string[] = [
  'unknown',
  'continual',
  'notPlanned',
  'daily',
  'annually',
  'asNeeded',
  'monthly',
  'fortnightly',
  'irregular',
  'weekly',
  'biannually',
  'quarterly',
];

/** An address, or the picture itself. */
const THUMBNAIL: FieldType = {
  kind: 'text',
  max: 3_000_000,
  format: 'uri',
  pattern: {
    regex: /^(?:https?:\/\/\S{1,2040}|\/(?!\/)\S{0,2047}|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+)$/i,
    complaint: 'Enter a valid URL, or a data URL with a PNG, JPEG, GIF or WebP image.',
  },
};

/** One text per type, by the type's own column. */
function byType(row: string, texts: Readonly<Record<ResourceType, string>>): Sql {
  const cases = RESOURCE_TYPES.map((type) => `when '${type}' then ${texts[type]}`);
  return raw(`case ${row}.resource_type ${cases.join(' ')} end`);
}

const typeNumber = (row: string): Sql =>
  byType(row, {
    layer: String(TYPE_NUMBERS.layer),
    map: String(TYPE_NUMBERS.map),
    document: String(TYPE_NUMBERS.document),
    geoapp: String(TYPE_NUMBERS.geoapp),
    geostory: String(TYPE_NUMBERS.geostory),
  });

const link = (row: string): Sql =>
  sql<BoundValue>`${BASE} || '/api/v2/' || ${byType(row, { layer: "'layers'", map: "'maps'", document: "'documents'", geoapp: "'geoapps'", geostory: "'geostories'" })} || '/' || ${raw(`${row}.id`)}`;

/** As newer clients tell layers apart, and documents. */
const SUBTYPES: readonly string[] = ['vector', 'raster', 'vector_time', 'remote', 'tabular', ...DOC_TYPES];

const subtype = (row: string): Sql =>
  raw(
    `(case ${row}.resource_type when 'layer' then case when ${row}.remote is not null then 'remote' when ${row}.store_type = 'coverageStore' then 'raster' when ${row}.is_tabular then 'tabular' when ${row}.has_time then 'vector_time' when ${row}.store_type = 'dataStore' then 'vector' end when 'document' then ${row}.doc_type end)`,
  );

export const detailUrl = (row: string): Sql =>
  sql<BoundValue>`${BASE} || ${byType(row, {
    layer: `'/layers/' || coalesce(${row}.store || ':', '') || ${row}.alternate`,
    map: `'/maps/' || ${row}.id`,
    document: `'/documents/' || ${row}.id`,
    geoapp: `'/apps/preview/' || ${row}.id`,
    geostory: `'/apps/preview/' || ${row}.id`,
  })}`;

/** Documents have nothing to embed. */
const embedUrl = (row: string): Sql =>
  sql<BoundValue>`case when ${raw(`${row}.resource_type`)} = 'document' then '' else ${BASE} || ${byType(row, {
    layer: `'/layers/' || ${row}.alternate || '/embed'`,
    map: `'/maps/' || ${row}.id || '/embed'`,
    document: "''",
    geoapp: `'/apps/' || ${row}.id || '/embed'`,
    geostory: `'/apps/' || ${row}.id || '/embed'`,
  })} end`;

/** The one a person chose, else the one that was drawn. */
const thumbnailUrl = (row: string, { hasParts }: ReadEnv): Sql => {
  const isDrawn = hasParts
    ? raw('m.has_thumbnail')
    : raw(`exists (select from portal.thumbnail t where t.resource_id = ${row}.id)`);
  return sql<BoundValue>`coalesce(${raw(`${row}.thumbnail_url`)}, case when ${isDrawn} then ${BASE} || '/thumbs/' || ${raw(`${row}.id`)} || '.png' end)`;
};

/** Of a map nobody has given one of, it is that of its layers or its view; in degrees, as are the extents of maps. */
const extentOf = (row: string, name: string): string =>
  `case when ${row}.resource_type = 'map' and ${row}.srid = 'EPSG:4326' then coalesce(${row}.${name}, portal.map_extent(${row}.id)) else ${row}.${name} end`;

const geometry = (name: string, about: string): Field =>
  computed(name, { kind: 'geometry' }, about, (row) => raw(`st_asgeojson(${extentOf(row, name)}, 9, 0)::json`), {
    nullable: true,
    write: { kind: 'geometry', column: name },
    // Only whether there is one can be asked; where it is, `extent` asks.
    value: (row) => raw(`${row}.${name}`),
  });

const boxOf = (row: string): Sql =>
  raw(
    `(select json_build_object('coords', json_build_array(st_xmin(e.box), st_ymin(e.box), st_xmax(e.box), st_ymax(e.box)), 'srid', 'EPSG:4326') from (select ${extentOf(row, 'll_bbox_polygon')}) e(box) where e.box is not null)`,
  );

const plainText = (name: string): Field =>
  computed(
    `raw_${name}`,
    { kind: 'text' },
    `\`${name}\` without HTML.`,
    (row) => raw(`portal.plain_text(${row}.${name})`),
    {
      value: (row) => raw(`portal.plain_text(${row}.${name})`),
    },
  );

const text = (max: number): { readonly kind: 'text'; readonly max: number; readonly blank: true } => ({
  kind: 'text',
  max,
  blank: true,
});

/**
 * The stamp of an item covers its own row, what hangs on it, the caller's permissions, the people and the group that it names (0120, 0126).
 * What follows from anything else is deferred, and not in here.
 */
export function stamped(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => (isShown(field) && !field.deferred ? { ...field, isStamped: true } : field));
}

/** `pk` to `perms`: what begins every record, before the fields of its own type. */
export const headFields: readonly Field[] = stamped([
  shownColumn(
    'pk',
    { kind: 'digits' },
    'Id, in digits. The same number addresses the item in `resources` and in its own collection.',
    { column: 'id' },
  ),
  shownColumn('uuid', { kind: 'uuid' }, 'Identifier for other catalogues.'),
  // Newer clients look for layers by another name.
  shownColumn(
    'resource_type',
    { kind: 'choice', choices: RESOURCE_TYPES, alias: { dataset: 'layer' } },
    'What kind of item it is.',
  ),
  computed(
    'polymorphic_ctype_id',
    { kind: 'digits' },
    'Number of the type; constant per type.',
    (row) => sql<BoundValue>`(${typeNumber(row)})::text`,
    {
      value: typeNumber,
    },
  ),
  computed(
    'perms',
    { kind: 'words', of: PERMISSION_NAMES },
    'What the caller may do with the item.',
    (row, env) => (env.hasParts ? raw("coalesce(to_json(m.perms), '[]')") : raw(`to_json(portal.my_perms(${row}.id))`)),
    { usesParts: true },
  ),
]);

export const commonFields: readonly Field[] = stamped([
  one(
    'owner',
    'Who owns it. Administrators may choose another account, by id, name or object.',
    accountIn('owner_id', 'owner'),
    {
      write: { kind: 'reference', column: 'owner_id', to: ACCOUNT },
    },
  ),
  one('poc', 'Point of contact.', accountIn('poc_id', 'poc')),
  one('metadata_author', 'Who describes it.', accountIn('metadata_author_id', 'metadata_author')),
  writtenColumn('title', { kind: 'text', max: 255 }, 'Title.', { required: true }),
  writtenColumn('abstract', text(2000), 'What it is about; may hold HTML.', { nullAs: '', initial: '' }),
  writtenColumn('attribution', text(2048), 'Whom to name when it is used.', { nullable: true }),
  writtenColumn('doi', text(255), 'Digital object identifier.', { nullable: true }),
  shownColumn('alternate', { kind: 'text', max: 255 }, '`workspace:name` of a layer.', { nullable: true }),
  writtenColumn('date', { kind: 'datetime' }, 'The date that `date_type` speaks of.'),
  writtenColumn(
    'date_type',
    { kind: 'choice', choices: ['creation', 'publication', 'revision'] },
    'What `date` is the date of.',
    { initial: 'publication' },
  ),
  writtenColumn('edition', text(255), 'Edition.', { nullable: true }),
  writtenColumn('purpose', text(500), 'What it was made for.', { nullable: true }),
  writtenColumn(
    'maintenance_frequency',
    { kind: 'choice', choices: MAINTENANCE_FREQUENCIES },
    'How often it is brought up to date.',
    { nullable: true },
  ),
  one(
    'restriction_code_type',
    'Kind of restriction on its use.',
    entryIn('restriction_code_type_id', 'portal.restriction_code_type', restrictionEntry),
    {
      write: { kind: 'reference', column: 'restriction_code_type_id', to: RESTRICTION },
    },
  ),
  writtenColumn('constraints_other', text(10_000), 'Other restrictions.', { nullable: true }),
  one('license', 'License.', entryIn('license_id', 'portal.license', licenseEntry), {
    write: { kind: 'reference', column: 'license_id', to: LICENSE },
  }),
  writtenColumn(
    'language',
    { kind: 'text', max: 3, pattern: { regex: /^[a-z]{3}$/, complaint: 'Enter a language code of three letters.' } },
    'Language, ISO 639-2.',
    { initial: 'eng' },
  ),
  one('category', 'Topic category, ISO 19115.', entryIn('category_id', 'portal.category', categoryEntry), {
    write: { kind: 'reference', column: 'category_id', to: CATEGORY },
  }),
  one(
    'spatial_representation_type',
    'How space is represented.',
    entryIn('spatial_representation_type_id', 'portal.spatial_representation_type', representationEntry),
    {
      write: { kind: 'reference', column: 'spatial_representation_type_id', to: REPRESENTATION },
    },
  ),
  writtenColumn('temporal_extent_start', { kind: 'datetime' }, 'Begin of the time it covers.', { nullable: true }),
  writtenColumn('temporal_extent_end', { kind: 'datetime' }, 'End of the time it covers.', { nullable: true }),
  writtenColumn('supplemental_information', text(2000), 'Anything else.', {
    nullAs: '',
    initial: 'No information provided',
  }),
  writtenColumn('data_quality_statement', text(2000), 'How good the data are.', { nullable: true }),
  geometry('bbox_polygon', 'Extent in the coordinate system `srid`, as GeoJSON.'),
  geometry('ll_bbox_polygon', 'Extent in WGS 84, as GeoJSON.'),
  computed(
    'extent',
    { kind: 'json' },
    'The same as a box, as newer clients read it: `{"coords": [xmin, ymin, xmax, ymax], "srid": "EPSG:4326"}`.',
    boxOf,
    { nullable: true },
  ),
  writtenColumn(
    'srid',
    {
      kind: 'text',
      max: 30,
      pattern: { regex: /^[A-Za-z]{1,20}:[0-9]{1,9}$/, complaint: 'Enter a coordinate system like EPSG:4326.' },
    },
    'Coordinate system.',
    { initial: 'EPSG:4326' },
  ),
  one('group', 'Group that it belongs to.', groupOfItem, {
    write: { kind: 'reference', column: 'group_id', to: GROUP },
  }),
  many('keywords', 'Keywords; written as names, as the objects that are read, or by id.', keywordsOfItem, {
    write: {
      kind: 'names',
      to: KEYWORD,
      setter: {
        when: 'middle',
        statements: (id, names) => [sql<BoundValue>`select portal.set_keywords(${id}, ${names}::text[])`],
      },
    },
  }),
  many('regions', 'Regions; written by code, as the objects that are read, or by id.', regionsOfItem, {
    write: {
      kind: 'references',
      to: REGION,
      setter: {
        when: 'middle',
        statements: (id, ids) => [sql<BoundValue>`select portal.set_regions(${id}, ${ids}::integer[])`],
      },
    },
  }),
  tkeywords,
  shownColumn('popular_count', { kind: 'digits' }, 'How often it was looked at.'),
  shownColumn('share_count', { kind: 'digits' }, 'How often it was shared.'),
  shownColumn('rating', { kind: 'digits' }, 'How it was rated, 1 to 5, as a whole number; 0: nobody has rated it.'),
  shownColumn('rating_average', { kind: 'number' }, 'How it was rated on average, 1 to 5; 0: nobody has rated it.'),
  shownColumn('rating_count', { kind: 'integer' }, 'How many have rated it.'),
  shownColumn('comment_count', { kind: 'integer' }, 'How many comments there are on it.'),
  writtenColumn('featured', { kind: 'boolean' }, 'Chosen by administrators to be shown first.', { initial: false }),
  writtenColumn('is_published', { kind: 'boolean' }, 'Published; needs `publish_resourcebase`.', { initial: true }),
  writtenColumn('is_approved', { kind: 'boolean' }, 'Approved; needs `publish_resourcebase`.', { initial: true }),
  shownColumn('metadata_only', { kind: 'boolean' }, 'Hides the item from all lists and details.', {
    initial: false,
    write: {
      kind: 'setter',
      cast: 'boolean',
      setter: {
        // Shown again before it can be changed otherwise, hidden when all else is done.
        when: (hidden) => (hidden === 'true' ? 'last' : 'first'),
        statements: (id, hidden) => [
          sql<BoundValue>`select portal.set_metadata_only(${id}, ${hidden}::boolean) where ${hidden}::boolean or not exists (select from portal.resource r where r.id = ${id})`,
        ],
      },
    },
  }),
  computed(
    'is_copyable',
    { kind: 'boolean' },
    'Can be copied with `PUT …/copy`; layers cannot.',
    (row) => raw(`(${row}.resource_type <> 'layer')`),
    { value: (row) => raw(`(${row}.resource_type <> 'layer')`) },
  ),
  computed('processed', { kind: 'boolean' }, 'In step with its stored data.', (row) => raw(`not ${row}.dirty`), {
    value: (row) => raw(`(not ${row}.dirty)`),
  }),
  sharing,
  permissions,
  computed('detail_url', { kind: 'text', format: 'uri' }, 'Address of its page.', detailUrl),
  computed('embed_url', { kind: 'text' }, 'Address to embed it; empty for documents.', embedUrl),
  computed('thumbnail_url', THUMBNAIL, 'Address of a small picture; a data URL with one is accepted.', thumbnailUrl, {
    nullable: true,
    usesParts: true,
    write: { kind: 'column', column: 'thumbnail_url', cast: 'text' },
  }),
  shownColumn('created', { kind: 'datetime' }, 'When it was put into the catalogue.'),
  shownColumn('last_updated', { kind: 'datetime' }, 'When it was last changed.'),
  plainText('abstract'),
  plainText('purpose'),
  plainText('constraints_other'),
  plainText('supplemental_information'),
  plainText('data_quality_statement'),
  computed(
    'subtype',
    { kind: 'choice', choices: SUBTYPES },
    'What kind of data a layer holds, or of document it is; null for other items.',
    subtype,
    {
      nullable: true,
      value: subtype,
    },
  ),
  computed('link', { kind: 'text', format: 'uri' }, 'Address of this record.', link),
  many('links', 'Addresses of its data, pictures and services.', linksOfItem),
  computed(
    'favorite',
    { kind: 'boolean' },
    'One of the caller’s favourites.',
    (row, env) =>
      env.isVisitor
        ? raw('false')
        : raw(
            `exists (select from portal.favourite f where f.resource_id = ${row}.id and f.account_id = (select portal.me()))`,
          ),
    {
      deferred: true,
    },
  ),
  ...freshnessFields,
]);
