// `/api/v2/crs/` in the OpenAPI document.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { MAX_CRS_SEARCH } from '../crs-paths.ts';
import { TEXTS } from './texts.ts';

export function crsPath(language: Language): Paths {
  return {
    '/api/v2/crs/': {
      get: {
        operationId: 'crs_search',
        tags: ['uploads'],
        summary: TEXTS.crsSearch[language],
        parameters: [{ name: 'search', in: 'query', schema: { type: 'string', maxLength: MAX_CRS_SEARCH } }],
        responses: {
          200: {
            description: ANSWER_TEXTS.done[language],
            content: jsonContent({
              type: 'object',
              properties: {
                crs: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: {
                      code: { type: 'string', example: 'EPSG:25832' },
                      name: { type: 'string', example: 'ETRS89 / UTM zone 32N' },
                    },
                    required: ['code', 'name'],
                    additionalProperties: false,
                  },
                },
              },
              required: ['crs'],
              additionalProperties: false,
            }),
          },
          ...failures(language, '400'),
        },
      },
    },
  };
}
