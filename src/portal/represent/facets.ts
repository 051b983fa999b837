// Collections to look around by: owners, categories, keywords and regions, each record with the number of items behind it
// that the caller sees.

import { raw, sql } from '../../sql/index.ts';
import { accountFields } from './account.ts';
import { type Field, makeShape, type Shape } from './field.ts';
import { computed, shownColumn } from './field-makers.ts';
import { BASE, type Slot } from './slot.ts';

const link = (collection: string): Field =>
  computed(
    'link',
    { kind: 'text', format: 'uri' },
    'Address of this record.',
    (row) => sql<Slot>`${BASE} || ${raw(`'/api/v2/${collection}/'`)} || ${raw(`${row}.id`)}`,
  );

const pk = shownColumn('pk', { kind: 'integer' }, 'Id.', { column: 'id' });

/** `items` is a query for the rows that count; the row's own id is compared in it. */
const count = (items: (row: string) => string): Field => {
  const counted = (row: string) => raw(`(select count(*) from ${items(row)})`);
  return computed('count', { kind: 'integer' }, 'Items that the caller sees.', counted, { value: counted });
};

export const owner: Shape = makeShape('owner', 'owners', [
  ...accountFields,
  count((row) => `portal.resource i where i.owner_id = ${row}.id`),
  link('owners'),
]);

export const category: Shape = makeShape('category', 'categories', [
  pk,
  shownColumn('identifier', { kind: 'text', max: 255 }, 'Entry of the code list.'),
  shownColumn('description', { kind: 'text' }, 'What it covers.'),
  count((row) => `portal.resource i where i.category_id = ${row}.id`),
  link('categories'),
]);

export const keyword: Shape = makeShape('keyword', 'keywords', [
  pk,
  shownColumn('name', { kind: 'text', max: 100 }, 'The word.'),
  shownColumn('slug', { kind: 'text', max: 120 }, 'The word as it stands in addresses.'),
  count((row) => `portal.resource_keyword i where i.keyword_id = ${row}.id`),
  link('keywords'),
]);

/** Words of a thesaurus; the portal keeps none yet. */
export const thesaurusKeyword: Shape = makeShape('tkeyword', 'tkeywords', [
  pk,
  shownColumn('name', { kind: 'text' }, 'The word.'),
  shownColumn('slug', { kind: 'text' }, 'The word as it stands in addresses.'),
  count(() => 'portal.resource_keyword i where false'),
  link('tkeywords'),
]);

export const region: Shape = makeShape('region', 'regions', [
  pk,
  shownColumn('code', { kind: 'text' }, 'Code of three letters.'),
  shownColumn('name', { kind: 'text' }, 'Name.'),
  count((row) => `portal.resource_region i where i.region_id = ${row}.id`),
  link('regions'),
]);
