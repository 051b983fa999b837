// The collections of thesauri and of their keywords: everybody reads them, administrators write them.

import { empty, raw } from '../../../sql/index.ts';
import type { RecordType } from '../../fields/field.ts';
import type { Collection } from '../../operations/collection.ts';
import { naturalCollation } from '../../query/source.ts';
import { thesaurus, thesaurusKeyword } from './fields.ts';

function listOf(
  recordType: RecordType,
  about: string,
  table: string,
  order: string,
  searched: readonly string[],
): Collection {
  return {
    path: `/api/v2/${recordType.plural}`,
    list: recordType.plural,
    item: recordType.name,
    about,
    recordType,
    source: {
      row: 'f',
      table: raw(`${table} f`),
      joins: empty,
      key: raw('f.id'),
      where: [],
      order: { value: naturalCollation(raw(`f.${order}`)), isDescending: false },
      isCatalogue: false,
    },
    rules: { recordType, searched, hasExtent: false, hasFavourites: false, full: [] },
    visitors: 'welcome',
    listed: [],
    valuePaths: {},
    writer: { table, fixed: {}, touched: order },
  };
}

export const thesauri: readonly Collection[] = [
  listOf(thesaurusKeyword, 'Words of thesauri.', 'portal.thesaurus_keyword', 'alt_label', ['name']),
  listOf(thesaurus, 'Thesauri: lists of words that somebody keeps.', 'portal.thesaurus', 'title', [
    'title',
    'identifier',
  ]),
];
