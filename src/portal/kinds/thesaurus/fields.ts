// Thesauri and their keywords: words that somebody keeps, with addresses and labels in several languages.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue } from '../../fields/bound-value.ts';
import { type Field, makeRecordType, type RecordType, type Relation } from '../../fields/field.ts';
import { computed, many, one, shownColumn, writtenColumn } from '../../fields/field-makers.ts';
import { THESAURUS, THESAURUS_KEYWORD } from '../../fields/lookup.ts';

const pk = shownColumn('pk', { kind: 'integer' }, 'Id.', { column: 'id' });
const uri = writtenColumn('uri', { kind: 'text', max: 2048, format: 'uri' }, 'Its address elsewhere.', {
  nullable: true,
});

/** A thesaurus as its words name it. */
const thesaurusName: RecordType = makeRecordType('thesaurus_name', 'thesaurus_names', [
  pk,
  shownColumn('name', { kind: 'text' }, 'Title.', { column: 'title' }),
  shownColumn('slug', { kind: 'text' }, 'Name in addresses.', { column: 'identifier' }),
  shownColumn('uri', { kind: 'text', format: 'uri' }, 'Its address elsewhere.', { nullable: true }),
]);

const thesaurusOfWord: Relation = {
  recordType: () => thesaurusName,
  rows: (outer, inner) => ({ from: raw(`portal.thesaurus ${inner}`), on: raw(`${inner}.id = ${outer}.thesaurus_id`) }),
  key: (outer) => raw(`${outer}.thesaurus_id`),
};

const wordFields: readonly Field[] = [
  pk,
  writtenColumn('name', { kind: 'text', max: 255 }, 'The word.', { column: 'alt_label', required: true }),
  shownColumn('slug', { kind: 'text', max: 255 }, 'The word as it stands in addresses.'),
  uri,
  one('thesaurus', 'Where it is from; by id, `slug` or object.', thesaurusOfWord, {
    write: { kind: 'reference', column: 'thesaurus_id', to: THESAURUS },
    required: true,
    nullable: false,
  }),
  computed('i18n', { kind: 'json' }, 'Labels by language: `{"de": "Wasser"}`.', (row) => raw(`${row}.labels`), {
    write: { kind: 'column', column: 'labels', cast: 'jsonb', nullAs: '{}' },
    initial: {},
  }),
];

/** As items show them. */
const wordOfItem: RecordType = makeRecordType('tkeyword', 'tkeywords', wordFields);

const wordsOfItem: Relation = {
  part: 'tkeywords',
  recordType: () => wordOfItem,
  rows: (outer, inner) => ({
    from: raw(
      `portal.resource_tkeyword ${inner}_of join portal.thesaurus_keyword ${inner} on ${inner}.id = ${inner}_of.keyword_id`,
    ),
    on: raw(`${inner}_of.resource_id = ${outer}.id`),
  }),
  order: (inner) => raw(`${inner}.alt_label, ${inner}.id`),
};

export const tkeywords: Field = many(
  'tkeywords',
  'Words of thesauri; written by id, by name, or as the objects that are read.',
  wordsOfItem,
  {
    write: {
      kind: 'references',
      to: THESAURUS_KEYWORD,
      setter: {
        when: 'middle',
        statements: (id, ids) => [sql<BoundValue>`select portal.set_tkeywords(${id}, ${ids}::integer[])`],
      },
    },
  },
);

const link = (collection: string): Field =>
  computed(
    'link',
    { kind: 'text', format: 'uri' },
    'Address of this record.',
    (row) => sql<BoundValue>`${BASE} || ${raw(`'/api/v2/${collection}/'`)} || ${raw(`${row}.id`)}`,
  );

export const thesaurusKeyword: RecordType = makeRecordType('tkeyword', 'tkeywords', [
  ...wordFields,
  shownColumn('alt_label', { kind: 'text' }, 'The word, as clients of GeoNode filter by it.'),
  computed('count', { kind: 'integer' }, 'Items that the caller sees.', (row) =>
    raw(`(select count(*) from portal.resource_tkeyword k where k.keyword_id = ${row}.id)`),
  ),
  link('tkeywords'),
]);

export const thesaurus: RecordType = makeRecordType('thesaurus', 'thesauri', [
  pk,
  writtenColumn(
    'identifier',
    {
      kind: 'text',
      max: 255,
      pattern: { regex: /^[A-Za-z0-9_.-]{1,255}$/, complaint: 'Enter letters, digits, dots, hyphens and underscores.' },
    },
    'Name in addresses, and of its facet.',
    { required: true },
  ),
  writtenColumn('title', { kind: 'text', max: 255 }, 'Title.', { required: true }),
  writtenColumn('description', { kind: 'text', max: 2000, blank: true }, 'What it covers.', {
    nullAs: '',
    initial: '',
  }),
  uri,
  writtenColumn('facet', { kind: 'boolean' }, 'A search can be narrowed by its words.', { initial: true }),
  writtenColumn('position', { kind: 'integer' }, 'Place among the facets.', { initial: 0 }),
  link('thesauri'),
]);
