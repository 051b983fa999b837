// Collections to look around by: owners, categories, keywords and regions, each record with the number of items behind it
// that the caller sees.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue } from '../../fields/bound-value.ts';
import { type Field, makeRecordType, type RecordType } from '../../fields/field.ts';
import { computed, shownColumn } from '../../fields/field-makers.ts';
import { accountFields } from '../account/fields.ts';

const link = (collection: string): Field =>
  computed(
    'link',
    { kind: 'text', format: 'uri' },
    'Address of this record.',
    (row) => sql<BoundValue>`${BASE} || ${raw(`'/api/v2/${collection}/'`)} || ${raw(`${row}.id`)}`,
  );

const pk = shownColumn('pk', { kind: 'integer' }, 'Id.', { column: 'id' });

type FacetName = 'owner' | 'category' | 'keywords' | 'regions';

/** How many items each record has; the same for all rows of a statement, which therefore asks once. */
export const itemCounts = (facet: FacetName): string => `(select portal.item_counts('${facet}'))`;

const count = (facet: FacetName): Field => {
  const counted = (row: string) => raw(`coalesce((${itemCounts(facet)} ->> ${row}.id::text)::bigint, 0)`);
  return computed('count', { kind: 'integer' }, 'Items that the caller sees.', counted, { value: counted });
};

export const owner: RecordType = makeRecordType('owner', 'owners', [...accountFields, count('owner'), link('owners')]);

export const category: RecordType = makeRecordType('category', 'categories', [
  pk,
  shownColumn('identifier', { kind: 'text', max: 255 }, 'Entry of the code list.'),
  shownColumn('description', { kind: 'text' }, 'What it covers.'),
  count('category'),
  link('categories'),
]);

export const keyword: RecordType = makeRecordType('keyword', 'keywords', [
  pk,
  shownColumn('name', { kind: 'text', max: 100 }, 'The word.'),
  shownColumn('slug', { kind: 'text', max: 120 }, 'The word as it stands in addresses.'),
  count('keywords'),
  link('keywords'),
]);

export const region: RecordType = makeRecordType('region', 'regions', [
  pk,
  shownColumn('code', { kind: 'text' }, 'Code of three letters.'),
  shownColumn('name', { kind: 'text' }, 'Name.'),
  count('regions'),
  link('regions'),
]);
