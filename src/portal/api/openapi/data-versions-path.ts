// The state of layers' rows, described.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { MOST_VERSIONED } from '../../kinds/layer/data-versions-path.ts';
import { TEXTS } from './texts.ts';

const VERSIONS: Schema = {
  type: 'object',
  properties: {
    versions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          pk: { type: 'string' },
          version: {
            type: 'string',
            nullable: true,
            description:
              'Another one after every change of rows; null: changes are not noted, so look again from time to time.',
          },
        },
        required: ['pk', 'version'],
        additionalProperties: false,
      },
    },
  },
  required: ['versions'],
  additionalProperties: false,
};

export function dataVersionsPath(language: Language): Paths {
  return {
    '/api/v2/layers/data_versions/': {
      get: {
        operationId: 'layers_data_versions',
        tags: ['layers'],
        summary: TEXTS.dataVersions[language],
        parameters: [
          {
            name: 'pk',
            in: 'query',
            schema: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: MOST_VERSIONED },
            example: [1, 2],
          },
        ],
        responses: {
          200: { description: ANSWER_TEXTS.done[language], content: jsonContent(VERSIONS) },
          ...failures(language, '400'),
        },
      },
    },
  };
}
