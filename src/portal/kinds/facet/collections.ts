// Collections to look around by; nobody writes to them.

import { empty, raw } from '../../../sql/index.ts';
import type { RecordType } from '../../fields/field.ts';
import type { Collection } from '../../operations/collection.ts';
import { naturalCollation } from '../../query/source.ts';
import { category, itemCounts, keyword, owner, region } from './fields.ts';

function facet(
  recordType: RecordType,
  about: string,
  from: { readonly table: string; readonly order: string; readonly countAll?: string },
): Collection {
  return {
    path: `/api/v2/${recordType.plural}`,
    list: recordType.plural,
    item: recordType.name,
    about,
    recordType,
    source: {
      row: 'f',
      table: raw(`${from.table} f`),
      joins: empty,
      key: raw('f.id'),
      where: [],
      order: { value: naturalCollation(raw(`f.${from.order}`)), isDescending: false },
      ...(from.countAll === undefined ? {} : { countAll: raw(from.countAll) }),
      isCatalogue: false,
    },
    rules: { recordType, searched: [from.order], hasExtent: false, hasFavourites: false, full: [] },
    visitors: 'welcome',
    listed: [],
    valuePaths: {},
    writer: undefined,
  };
}

export const facets: readonly Collection[] = [
  facet(owner, 'Accounts that own something the caller sees.', {
    table: 'portal.seen_owners()',
    countAll: `select count(*) from jsonb_object_keys(${itemCounts('owner')})`,
    order: 'username',
  }),
  facet(category, 'Topic categories.', { table: 'portal.category', order: 'identifier' }),
  facet(keyword, 'Keywords of items that the caller sees.', {
    table: 'portal.seen_keywords()',
    countAll: `select count(*) from jsonb_object_keys(${itemCounts('keywords')})`,
    order: 'name',
  }),
  facet(region, 'Regions.', { table: 'portal.region', order: 'name' }),
];
