// `/api/v2/executionrequest/` in the OpenAPI document: uploads as newer clients of GeoNode follow them.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { pageSchema } from '../../description/schema.ts';
import { EXECUTION_ACTIONS, EXECUTION_STATUSES, executions } from '../../kinds/upload/execution.ts';
import { listParameters } from './collection-paths.ts';
import { TEXTS } from './texts.ts';

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
  action: { type: 'string', enum: EXECUTION_ACTIONS },
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

/** Fields are not chosen here. */
const OF_FIELDS: ReadonlySet<string> = new Set(['include[]', 'exclude[]', 'sideloading']);

export function executionPath(language: Language): Paths {
  const request = { type: 'object', properties: REQUEST, required: Object.keys(REQUEST), additionalProperties: false };
  const schema = { type: 'object', properties: { request }, required: ['request'], additionalProperties: false };
  const byId = [{ name: 'exec_id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }];
  const operation = (operationId: string, text: keyof typeof TEXTS, rest: object) => ({
    operationId,
    tags: ['uploads'],
    summary: TEXTS[text][language],
    ...rest,
  });
  const answered = (content: Record<string, unknown>) => ({
    200: { description: ANSWER_TEXTS.done[language], content: jsonContent(content) },
  });
  const read = (operationId: string, content: Record<string, unknown>) =>
    operation(operationId, 'execution', {
      parameters: byId,
      responses: { ...answered(content), ...failures(language, '401', '404') },
    });
  return {
    '/api/v2/executionrequest/': {
      get: operation('executionrequest_list', 'executions', {
        parameters: listParameters(executions, language).filter(
          (parameter) => !OF_FIELDS.has((parameter as { readonly name: string }).name),
        ),
        responses: { ...answered(pageSchema('requests', request)), ...failures(language, '400', '401', '404') },
      }),
    },
    '/api/v2/executionrequest/{exec_id}/': {
      get: read('executionrequest_read', schema),
      delete: operation('executionrequest_delete', 'deleteExecution', {
        parameters: byId,
        responses: {
          204: { description: ANSWER_TEXTS.done[language] },
          ...failures(language, '400', '401', '403', '404'),
        },
      }),
    },
    // The same record without its name.
    '/api/v2/resource-service/execution-status/{exec_id}/': { get: read('execution_status_read', request) },
  };
}
