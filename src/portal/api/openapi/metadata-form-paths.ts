// `/api/v2/metadata/…` in the OpenAPI document: the metadata of an item as the form that newer clients of GeoNode draw.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { TEXTS } from './texts.ts';

const FORM: Schema = {
  type: 'object',
  description: 'Values by the properties of the schema.',
  properties: { title: { type: 'string' } },
  additionalProperties: true,
};
const ERRORS: Schema = {
  type: 'object',
  additionalProperties: { type: 'object', properties: { __errors: { type: 'array', items: { type: 'string' } } } },
};
const SAVED: Schema = {
  type: 'object',
  properties: { message: { type: 'string' }, extraErrors: ERRORS },
  required: ['message', 'extraErrors'],
  additionalProperties: false,
};
const COMPLETIONS: Schema = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, label: { type: 'string' } },
        required: ['id', 'label'],
        additionalProperties: false,
      },
    },
  },
  required: ['results'],
  additionalProperties: false,
};

export function metadataFormPaths(language: Language): Paths {
  const done = (schema: Schema) => ({
    200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
  });
  const operation = (operationId: string, rest: object) => ({
    operationId,
    tags: ['resources'],
    summary: TEXTS.metadataForm[language],
    ...rest,
  });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const q = { name: 'q', in: 'query', schema: { type: 'string', example: 'ri' } };
  const mistakes: Schema = { anyOf: [SAVED, { $ref: '#/components/schemas/Mistakes' }] };
  return {
    '/api/v2/metadata/schema/': {
      get: operation('metadata_schema', { responses: done({ type: 'object', additionalProperties: true }) }),
    },
    '/api/v2/metadata/instance/{id}/': {
      parameters: [id],
      get: operation('metadata_instance', { responses: { ...done(FORM), ...failures(language, '404') } }),
      put: operation('metadata_instance_write', {
        requestBody: { required: true, content: jsonContent(FORM, { title: { title: 'Another title' } }) },
        responses: {
          ...done(SAVED),
          ...failures(language, '401', '403', '404'),
          400: { description: ANSWER_TEXTS.wrong[language], content: jsonContent(mistakes) },
        },
      }),
    },
    ...Object.fromEntries(
      ['categories', 'keywords', 'regions'].map((list) => [
        `/api/v2/metadata/autocomplete/${list}/`,
        {
          get: operation(`metadata_${list}`, {
            parameters: [q],
            responses: { ...done(COMPLETIONS), ...failures(language, '400') },
          }),
        },
      ]),
    ),
  };
}
