// The read-only lists of API v1 (`/api/base/`, `/api/layers/` …) in the OpenAPI document. Their records are those of API v2 in an older form, which
// is not described field by field: nothing new should be made for it.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { TEXTS } from './texts.ts';

const LISTS: readonly string[] = [
  'base',
  'layers',
  'maps',
  'documents',
  'categories',
  'keywords',
  'regions',
  'owners',
  'profiles',
  'groups',
];

const COUNT: Schema = { type: 'integer', minimum: 0 };
const ADDRESS: Schema = { type: 'string', nullable: true };
const RECORD: Schema = { type: 'object', additionalProperties: true };
const LIST: Schema = {
  type: 'object',
  properties: {
    meta: {
      type: 'object',
      properties: {
        limit: COUNT,
        offset: COUNT,
        total_count: COUNT,
        next: ADDRESS,
        previous: ADDRESS,
        ignored: { type: 'array', items: { type: 'string' }, description: 'Parameters that mean nothing here.' },
      },
      required: ['limit', 'offset', 'total_count', 'next', 'previous'],
      additionalProperties: false,
    },
    objects: { type: 'array', items: RECORD },
  },
  required: ['meta', 'objects'],
  additionalProperties: false,
};

export function v1Paths(language: Language): Paths {
  const read = (operationId: string, text: keyof typeof TEXTS, parameters: readonly object[], schema: Schema) => ({
    get: {
      operationId,
      tags: ['api-v1'],
      summary: TEXTS[text][language],
      parameters,
      responses: {
        200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
        ...failures(language, '400', '404'),
      },
    },
  });
  const query = (name: string, schema: Schema): object => ({ name, in: 'query', schema });
  const window = [
    query('limit', { type: 'integer', minimum: 0, example: 5 }),
    query('offset', COUNT),
    query('order_by', { type: 'string', example: '-date' }),
    query('q', { type: 'string', example: 'rivers' }),
  ];
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  return Object.fromEntries(
    LISTS.flatMap((list) => [
      [`/api/${list}/`, read(`v1_${list}_list`, 'listOfOld', window, LIST)],
      [`/api/${list}/{id}/`, read(`v1_${list}_read`, 'read', [id], RECORD)],
    ]),
  );
}
