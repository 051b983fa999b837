// How the program runs, and who uses how much space, described.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { MOST_BYTES } from '../../monitoring/operation-paths.ts';
import { TEXTS } from './texts.ts';

const TEXT: Schema = { type: 'string' };
const MAYBE_TEXT: Schema = { type: 'string', nullable: true };
const COUNT: Schema = { type: 'integer' };
const MAYBE_COUNT: Schema = { type: 'integer', nullable: true };
const NUMBER: Schema = { type: 'number' };
const TIME: Schema = { type: 'string', format: 'date-time' };
const MAYBE_TIME: Schema = { type: 'string', format: 'date-time', nullable: true };

/** All of its properties, and no others. */
const whole = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const list = (items: Schema): Schema => ({ type: 'array', items });

const STATUS: Schema = whole({
  mode: whole({ mode: TEXT, message: TEXT, since: MAYBE_TIME }),
  copies: list(
    whole({
      host: TEXT,
      pid: COUNT,
      version: TEXT,
      services: TEXT,
      started: TIME,
      silent_seconds: NUMBER,
      state: { type: 'string', enum: ['alive', 'stopping', 'silent'] },
    }),
  ),
  queues: list(whole({ queue: TEXT, waiting: COUNT, active: COUNT, failed: COUNT, waiting_seconds: NUMBER })),
  failed_jobs: list(whole({ queue: TEXT, id: TEXT, at: MAYBE_TIME, attempts: COUNT, message: MAYBE_TEXT })),
  uploads: { type: 'object', additionalProperties: COUNT },
  failed_uploads: list(whole({ id: COUNT, name: TEXT, at: TIME, owner: MAYBE_TEXT, message: MAYBE_TEXT })),
  database: whole({
    bytes: COUNT,
    version: TEXT,
    connections: COUNT,
    replicas: list(whole({ name: TEXT, state: TEXT, lag_seconds: { type: 'number', nullable: true } })),
  }),
  storage: whole({ layers: COUNT, files: COUNT }),
  audit: whole({ entries: COUNT, since: MAYBE_TIME }),
});

const STORAGE: Schema = whole({
  storage: list(
    whole({
      pk: COUNT,
      username: TEXT,
      layers: COUNT,
      files: COUNT,
      used: COUNT,
      allowed: MAYBE_COUNT,
      quota: MAYBE_COUNT,
    }),
  ),
});

const QUOTA: Schema = whole({ bytes: { type: 'integer', nullable: true, minimum: 0, maximum: MOST_BYTES } });

export function operationPaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({
    description: ANSWER_TEXTS.done[language],
    content: jsonContent(schema),
  });
  return {
    '/api/v2/status/': {
      get: {
        operationId: 'status_read',
        tags: ['settings'],
        summary: TEXTS.status[language],
        responses: { 200: answer(STATUS), ...failures(language, '401', '403') },
      },
    },
    '/api/v2/storage/': {
      get: {
        operationId: 'storage_read',
        tags: ['settings'],
        summary: TEXTS.storage[language],
        responses: { 200: answer(STORAGE), ...failures(language, '401') },
      },
    },
    '/api/v2/users/{id}/quota/': {
      put: {
        operationId: 'users_set_quota',
        tags: ['users'],
        summary: TEXTS.setQuota[language],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
        requestBody: { required: true, content: jsonContent(QUOTA, { unlimited: { bytes: 0 } }) },
        responses: { 200: answer(reference('Updated')), ...failures(language, '400', '401', '403', '404') },
      },
    },
  };
}
