// Where the words of a search stand, described.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { MOST_MATCHED } from '../../kinds/item/matches-path.ts';
import { TEXTS } from './texts.ts';

const TEXT_LIST: Schema = { type: 'array', items: { type: 'string' } };

const MATCHES: Schema = {
  type: 'object',
  properties: {
    exact: { type: 'boolean', description: 'Nothing was guessed: the items have the words themselves.' },
    matches: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pk: { type: 'string' }, words: TEXT_LIST, terms: TEXT_LIST },
        required: ['pk', 'words', 'terms'],
        additionalProperties: false,
      },
    },
  },
  required: ['exact', 'matches'],
  additionalProperties: false,
};

export function matchesPath(language: Language): Paths {
  return {
    '/api/v2/resources/matches/': {
      get: {
        operationId: 'resources_matches',
        tags: ['resources'],
        summary: TEXTS.matches[language],
        parameters: [
          { name: 'search', in: 'query', required: true, schema: { type: 'string' } },
          {
            name: 'pk',
            in: 'query',
            required: true,
            schema: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: MOST_MATCHED },
          },
        ],
        responses: {
          200: { description: ANSWER_TEXTS.done[language], content: jsonContent(MATCHES) },
          ...failures(language, '400'),
        },
      },
    },
  };
}
