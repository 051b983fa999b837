// What the addresses of executions say of themselves: uploads as newer clients of GeoNode follow them.

import type { Text } from '../description/language.ts';
import type { Described, Parameter } from '../description/operation.ts';
import { pageSchema, type Schema } from '../description/schema.ts';
import { EXECUTION_ACTIONS, EXECUTION_STATUSES, executions } from '../kinds/upload/execution.ts';
import { listParameters } from '../operations/list-parameters.ts';

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

const RECORD: Schema = {
  type: 'object',
  properties: REQUEST,
  required: Object.keys(REQUEST),
  additionalProperties: false,
};
const BY_ID: readonly Parameter[] = [{ name: 'exec_id', in: 'path', schema: { type: 'string', format: 'uuid' } }];

/** Fields are not chosen here. */
const OF_FIELDS: ReadonlySet<string> = new Set(['include[]', 'exclude[]', 'sideloading']);

const STATE: Text = {
  en: 'How far an upload is, by the `execution_id` that sending it has answered',
  de: 'Wie weit ein Upload ist, zur `execution_id`, mit der sein Absenden beantwortet wurde',
};

const read = (id: string, answer: Schema): Described => ({
  id,
  tag: 'uploads',
  summary: STATE,
  parameters: BY_ID,
  answers: { 200: answer },
  refusals: [401, 404],
});

export const EXECUTIONS: Described = {
  id: 'executionrequest_list',
  tag: 'uploads',
  summary: {
    en: 'Uploads with how far they are: the caller’s own, all of them to administrators',
    de: 'Uploads mit ihrem Stand: die eigenen, für die Verwaltung alle',
  },
  parameters: listParameters(executions).filter(({ name }) => !OF_FIELDS.has(name)),
  answers: { 200: pageSchema('requests', RECORD) },
  refusals: [400, 401, 404],
};

export const EXECUTION: Described = read('executionrequest_read', {
  type: 'object',
  properties: { request: RECORD },
  required: ['request'],
  additionalProperties: false,
});

export const DELETED_EXECUTION: Described = {
  id: 'executionrequest_delete',
  tag: 'uploads',
  summary: {
    en: 'Delete the record of an upload; the layer that it became stays',
    de: 'Den Eintrag eines Uploads löschen; der Layer, der daraus wurde, bleibt',
  },
  parameters: BY_ID,
  answers: { 204: undefined },
  refusals: [400, 401, 403, 404],
};

/** The same record without its name. */
export const EXECUTION_STATUS: Described = read('execution_status_read', RECORD);
