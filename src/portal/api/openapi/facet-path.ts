// The facets of a search, described.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import type { Collection } from '../../operations/collection.ts';
import { FACETS } from '../../query/facets.ts';
import { listParameters } from './collection-paths.ts';
import { TEXTS } from './texts.ts';

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

/** The same, as newer clients ask for it. */
export function facetsPaths(language: Language): Paths {
  const parameter = (name: string, schema: Schema, description: string, example: unknown): object => ({
    name,
    in: 'query',
    schema,
    description,
    example,
  });
  const parameters = [
    parameter('page', { type: 'integer', minimum: 0 }, 'Page of the topics, from 0.', 0),
    parameter('page_size', { type: 'integer', minimum: 1 }, 'Topics of a page; no more than 1000.', 5),
    parameter('topic_contains', { type: 'string', maxLength: 200 }, 'A part of the label.', 'a'),
    parameter('lang', { type: 'string' }, 'Language of the labels.', 'de'),
  ];
  const operation = (operationId: string, schema: Schema, more: readonly object[]): Record<string, unknown> => ({
    get: {
      operationId,
      tags: ['resources'],
      summary: TEXTS.facets[language],
      parameters: [...more, ...parameters],
      responses: {
        200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
        ...failures(language, '400', '404'),
      },
    },
  });
  return {
    '/api/v2/facets/': operation(
      'facets',
      {
        type: 'object',
        properties: { facets: { type: 'array', items: FACE } },
        required: ['facets'],
        additionalProperties: false,
      },
      [parameter('include_topics', { type: 'boolean' }, 'With the topics of each.', true)],
    ),
    '/api/v2/facets/{name}/': operation('facet', FACE, [
      { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
      parameter('key', { type: 'string' }, 'Only this topic, even without items; can be repeated.', 'biota'),
    ]),
  };
}

export function facetPath(resources: Collection, language: Language): Paths {
  const schema = {
    type: 'object',
    properties: { total: { type: 'integer', minimum: 0 }, facets: { type: 'array', items: FACET } },
    required: ['total', 'facets'],
    additionalProperties: false,
  };
  return {
    [`${resources.path}/facets/`]: {
      get: {
        operationId: 'resources_facets',
        tags: ['resources'],
        summary: TEXTS.facets[language],
        parameters: listParameters(resources, language),
        responses: {
          200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
          ...failures(language, '400', '404'),
        },
      },
    },
  };
}
