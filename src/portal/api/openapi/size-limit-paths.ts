// `/api/v2/upload-size-limits/` in the OpenAPI document.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { pageSchema } from './collection-paths.ts';
import { TEXTS } from './texts.ts';

const LIMIT: Schema = {
  type: 'object',
  properties: {
    slug: { type: 'string', enum: ['dataset_upload_size', 'document_upload_size'] },
    description: { type: 'string' },
    max_size: { type: 'integer', minimum: 0, description: 'In bytes.' },
    max_size_label: { type: 'string' },
  },
  required: ['slug', 'description', 'max_size', 'max_size_label'],
  additionalProperties: false,
};

export function sizeLimitPaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({
    description: ANSWER_TEXTS.done[language],
    content: jsonContent(schema),
  });
  const one: Schema = {
    type: 'object',
    properties: { 'upload-size-limit': LIMIT },
    required: ['upload-size-limit'],
    additionalProperties: false,
  };
  const operation = (operationId: string, parameters: readonly object[], response: object): object => ({
    operationId,
    tags: ['uploads'],
    summary: TEXTS.sizeLimits[language],
    parameters,
    responses: { 200: response, ...failures(language, '404') },
  });
  const slug = { name: 'slug', in: 'path', required: true, schema: { type: 'string' } };
  return {
    '/api/v2/upload-size-limits/': {
      get: operation('upload_size_limits_list', [], answer(pageSchema('upload-size-limits', LIMIT))),
    },
    '/api/v2/upload-size-limits/{slug}/': {
      get: operation('upload_size_limits_read', [slug], answer(one)),
    },
  };
}
