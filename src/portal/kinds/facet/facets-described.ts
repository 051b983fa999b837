// What the facets of a search say of themselves.

import type { Text } from '../../description/language.ts';
import type { Described, Parameter } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import type { Collection } from '../../operations/collection.ts';
import { listParameters } from '../../operations/list-parameters.ts';
import { FACETS } from '../../query/facets.ts';

const ENTRY: Schema = {
  type: 'object',
  properties: { value: { type: 'string' }, label: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
  required: ['value', 'label', 'count'],
  additionalProperties: false,
};

const FACET: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', enum: FACETS.map(({ name }) => name) },
    filter: { type: 'string', description: 'The parameter that narrows the list to a value; can be repeated.' },
    values: { type: 'integer', minimum: 0, description: 'How many values there are, shown or not.' },
    entries: { type: 'array', items: ENTRY },
  },
  required: ['name', 'filter', 'values', 'entries'],
  additionalProperties: false,
};

const TOPICS: Schema = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 0 },
    page_size: { type: 'integer', minimum: 1 },
    start: { type: 'integer', minimum: 0 },
    total: { type: 'integer', minimum: 0 },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          key: { type: 'string' },
          label: { type: 'string' },
          count: { type: 'integer', minimum: 0 },
          is_localized: { type: 'boolean' },
        },
        required: ['key', 'label', 'count', 'is_localized'],
        additionalProperties: false,
      },
    },
  },
  required: ['page', 'page_size', 'start', 'total', 'items'],
  additionalProperties: false,
};

const FACE: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    key: { type: 'string' },
    filter: { type: 'string', description: 'The parameter that narrows lists to a topic, by its key.' },
    label: { type: 'string' },
    is_localized: { type: 'boolean' },
    type: { type: 'string' },
    hierarchical: { type: 'boolean' },
    order: { type: 'integer' },
    link: { type: 'string', format: 'uri' },
    config: { type: 'object' },
    topics: TOPICS,
  },
  required: ['name', 'key', 'filter', 'label', 'is_localized', 'type', 'hierarchical', 'order', 'link'],
  additionalProperties: false,
};

const SUMMARY: Text = {
  en: 'What a search can be narrowed by: the number of items behind each value, as the caller sees them. Takes the query of the list; `page_size` is the number of values of each facet. The filters by a field do not count for its own facet.',
  de: 'Wonach sich eine Suche eingrenzen lässt: wie viele Einträge hinter jedem Wert stehen, so wie der Aufrufer sie sieht. Nimmt die Abfrage der Liste; `page_size` ist die Zahl der Werte je Facette. Filter nach einem Feld zählen für dessen eigene Facette nicht.',
};

const parameter = (name: string, schema: Schema, description: string, example: unknown): Parameter => ({
  name,
  in: 'query',
  schema,
  description,
  example,
});

const OF_TOPICS: readonly Parameter[] = [
  parameter('page', { type: 'integer', minimum: 0 }, 'Page of the topics, from 0.', 0),
  parameter('page_size', { type: 'integer', minimum: 1 }, 'Topics of a page; no more than 1000.', 5),
  parameter('topic_contains', { type: 'string', maxLength: 200 }, 'A part of the label.', 'a'),
  parameter('lang', { type: 'string' }, 'Language of the labels.', 'de'),
];

const facets = (id: string, answer: Schema, parameters: readonly Parameter[]): Described => ({
  id,
  tag: 'resources',
  summary: SUMMARY,
  parameters,
  answers: { 200: answer },
  refusals: [400, 404],
});

/** As newer clients ask for it. */
export const ALL_FACETS: Described = facets(
  'facets',
  {
    type: 'object',
    properties: { facets: { type: 'array', items: FACE } },
    required: ['facets'],
    additionalProperties: false,
  },
  [parameter('include_topics', { type: 'boolean' }, 'With the topics of each.', true), ...OF_TOPICS],
);

export const ONE_FACET: Described = facets('facet', FACE, [
  { name: 'name', in: 'path', schema: { type: 'string' } },
  parameter('key', { type: 'string' }, 'Only this topic, even without items; can be repeated.', 'biota'),
  ...OF_TOPICS,
]);

export const countsOf = (resources: Collection): Described =>
  facets(
    'resources_facets',
    {
      type: 'object',
      properties: { total: { type: 'integer', minimum: 0 }, facets: { type: 'array', items: FACET } },
      required: ['total', 'facets'],
      additionalProperties: false,
    },
    listParameters(resources),
  );
