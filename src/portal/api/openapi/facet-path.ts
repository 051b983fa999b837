// The facets of a search, described.

import { FACETS } from '../../catalogue/facets.ts';
import type { Collection } from '../../collections/collection.ts';
import { failures, jsonContent, listParameters, type Paths } from './collection-paths.ts';
import type { Schema } from './json-schema.ts';
import { type Language, TEXTS } from './texts.ts';

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
          200: { description: TEXTS.done[language], content: jsonContent(schema) },
          ...failures(language, '400', '404'),
        },
      },
    },
  };
}
