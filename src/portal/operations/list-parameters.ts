// The query of a list, as its description has it: parameters that follow from the collection.

import type { Text } from '../description/language.ts';
import type { Parameter } from '../description/operation.ts';
import type { Schema } from '../description/schema.ts';
import { isShown } from '../fields/field-makers.ts';
import { MAX_PAGE_SIZE } from '../query/paging.ts';
import type { Collection } from './collection.ts';

const TEXTS = {
  page: { en: 'Number of the page, from 1.', de: 'Nummer der Seite, ab 1.' },
  pageSize: { en: 'Records of a page.', de: 'Datensätze einer Seite.' },
  ordering: {
    en: 'Fields to sort by, separated by commas; a minus sorts downwards.',
    de: 'Felder zum Sortieren, durch Kommas getrennt; ein Minus sortiert absteigend.',
  },
  sort: { en: 'A field to sort by; can be repeated.', de: 'Ein Feld zum Sortieren; kann wiederholt werden.' },
  search: { en: 'Words that all have to occur.', de: 'Wörter, die alle vorkommen müssen.' },
  searchFields: {
    en: 'Where to look for them; can be repeated. ^ begins with, = equals, $ regular expression, @ whole words.',
    de: 'Wo gesucht wird; kann wiederholt werden. ^ beginnt mit, = gleich, $ regulärer Ausdruck, @ ganze Wörter.',
  },
  filter: {
    en: 'filter{field.operator}=value, as often as wanted; a minus before the field negates.',
    de: 'filter{Feld.Operator}=Wert, beliebig oft; ein Minus vor dem Feld verneint.',
  },
  extent: {
    en: 'xmin,ymin,xmax,ymax in WGS 84; several boxes follow each other.',
    de: 'xmin,ymin,xmax,ymax in WGS 84; mehrere Rechtecke folgen aufeinander.',
  },
  include: {
    en: 'A field that is only shown on request; can be repeated.',
    de: 'Ein Feld, das nur auf Wunsch gezeigt wird; kann wiederholt werden.',
  },
  exclude: {
    en: 'A field that is not wanted; can be repeated. The records are then shorter than described here.',
    de: 'Ein Feld, das nicht gewünscht ist; kann wiederholt werden. Die Datensätze sind dann kürzer als hier beschrieben.',
  },
  sideloading: {
    en: '`true`: ids in place of related records, which stand beside the list, each once.',
    de: '`true`: Ids anstelle verknüpfter Datensätze; diese stehen neben der Liste, jeder einmal.',
  },
  full: {
    en: 'Anything: with the fields that are not shown otherwise.',
    de: 'Irgendetwas: mit den Feldern, die sonst nicht gezeigt werden.',
  },
} as const satisfies Readonly<Record<string, Text>>;

const query = (name: string, text: keyof typeof TEXTS, schema: Schema, rest: Partial<Parameter> = {}): Parameter => ({
  name,
  in: 'query',
  description: TEXTS[text],
  schema,
  ...rest,
});

const SEVERAL: Schema = { type: 'array', items: { type: 'string' } };

type Listed = Pick<Collection, 'recordType' | 'rules' | 'isBare'>;

/** How a list is filtered, searched, sorted and paged. */
export function listParameters(collection: Listed): readonly Parameter[] {
  const paging =
    collection.isBare === true
      ? []
      : [
          query('page', 'page', { type: 'integer', minimum: 1, default: 1 }, { example: 1 }),
          query(
            'page_size',
            'pageSize',
            { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: 10 },
            { example: 5 },
          ),
        ];
  return [
    ...paging,
    query('ordering', 'ordering', { type: 'string' }, { example: `-${collection.recordType.key?.name ?? 'pk'}` }),
    query('sort[]', 'sort', SEVERAL, { example: [collection.recordType.key?.name ?? 'pk'] }),
    ...(collection.rules.searched === undefined
      ? []
      : [
          query('search', 'search', { type: 'string' }, { example: 'rivers' }),
          query('search_fields', 'searchFields', SEVERAL, { example: collection.rules.searched }),
        ]),
    query(
      'filter{}',
      'filter',
      { type: 'object', additionalProperties: { type: 'string' } },
      { style: 'form', explode: true, example: { [`filter{${collection.recordType.key?.name ?? 'pk'}.gt}`]: '0' } },
    ),
    ...(collection.rules.hasExtent
      ? [query('extent', 'extent', { type: 'string' }, { example: '-10,-10,10,10' })]
      : []),
    ...fieldParameters(collection),
  ];
}

/** Which fields are shown. */
export function fieldParameters({ recordType, rules, isBare }: Listed): readonly Parameter[] {
  const deferred = recordType.fields.filter((field) => field.deferred && isShown(field)).map(({ name }) => name);
  const names = { type: 'array', items: { type: 'string', example: deferred[0] } };
  return [
    ...(deferred.length === 0 ? [] : [query('include[]', 'include', names, { example: deferred })]),
    ...(rules.full.length === 0 ? [] : [query('full', 'full', { type: 'string' }, { example: 'true' })]),
    query('exclude[]', 'exclude', SEVERAL),
    ...(isBare === true ? [] : [query('sideloading', 'sideloading', { type: 'boolean' }, { example: true })]),
  ];
}
