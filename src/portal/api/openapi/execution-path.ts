// `/api/v2/executionrequest/{exec_id}/` in the OpenAPI document: an upload as newer clients of GeoNode follow it.

import { EXECUTION_STATUSES } from '../../uploads/execution-request.ts';
import { failures, jsonContent, type Paths } from './collection-paths.ts';
import type { Schema } from './json-schema.ts';
import { type Language, TEXTS } from './texts.ts';

const TEXT: Schema = { type: 'string' };
const TEXT_OR_NULL: Schema = { type: 'string', nullable: true };
const NUMBER_OR_NULL: Schema = { type: 'integer', nullable: true };

const OUTPUT: Schema = {
  type: 'object',
  properties: {
    resources: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, detail_url: TEXT },
        required: ['id', 'detail_url'],
        additionalProperties: false,
      },
    },
    errors: { type: 'array', items: TEXT },
  },
  required: ['resources'],
  additionalProperties: false,
};

const REQUEST: Readonly<Record<string, Schema>> = {
  exec_id: { type: 'string', format: 'uuid' },
  name: TEXT,
  user: TEXT_OR_NULL,
  status: {
    type: 'string',
    enum: EXECUTION_STATUSES,
    description: 'An open question counts as running; `log` says what is asked, and where to answer.',
  },
  source: { type: 'string', enum: ['upload'] },
  action: { type: 'string', enum: ['upload', 'replace', 'append'] },
  func_name: TEXT,
  step: TEXT_OR_NULL,
  progress: { type: 'number', minimum: 0, maximum: 100 },
  created: { type: 'string', format: 'date-time' },
  finished: { type: 'string', format: 'date-time', nullable: true },
  log: TEXT_OR_NULL,
  input_params: { type: 'object', additionalProperties: true },
  output_params: OUTPUT,
  geonode_resource: NUMBER_OR_NULL,
  link: { type: 'string', format: 'uri' },
};

export function executionPath(language: Language): Paths {
  const request = { type: 'object', properties: REQUEST, required: Object.keys(REQUEST), additionalProperties: false };
  const schema = { type: 'object', properties: { request }, required: ['request'], additionalProperties: false };
  const read = (operationId: string, answered: Record<string, unknown>) => ({
    get: {
      operationId,
      tags: ['uploads'],
      summary: TEXTS.execution[language],
      parameters: [{ name: 'exec_id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      responses: {
        200: { description: TEXTS.done[language], content: jsonContent(answered) },
        ...failures(language, '401', '404'),
      },
    },
  });
  return {
    '/api/v2/executionrequest/{exec_id}/': read('executionrequest_read', schema),
    // The same record without its name.
    '/api/v2/resource-service/execution-status/{exec_id}/': read('execution_status_read', request),
  };
}
