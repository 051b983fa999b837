// The address of batches in the OpenAPI 3.1 document.

import type { JsonText } from './json-text.ts';
import { json, jsonObject } from './json-text.ts';
import { FAILURES } from './openapi31-shared.ts';

const HELP = [
  'Does the requests in order, in one transaction, as one caller. When one fails, nothing is done: the status is that of the failed one, and the',
  'others answer 424. With `Prefer: batch=each` a request that fails undoes itself alone.',
  '',
  'A later request uses what an earlier one answered: `$1.id` (by its place, from 1) or `$name.id` (by its `id`), as the value of a filter in `path` and as',
  'a string, or `{"$ref": "1.id"}`, in `body`. A text that begins with `$` is written with two.',
].join('\n');

const REQUEST = {
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$' },
    method: { enum: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'], default: 'GET' },
    path: { type: 'string', pattern: '^/', description: 'Path and query, as of a request that is sent alone.' },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Accept, Content-Type, Prefer, Range, Range-Unit, Accept-Profile, Content-Profile.',
    },
    body: { description: 'JSON; text of another Content-Type is a string.' },
  },
};

const ANSWER = {
  type: 'object',
  required: ['status', 'headers'],
  properties: {
    id: { type: 'string' },
    status: { type: 'integer' },
    headers: { type: 'object', additionalProperties: { type: ['string', 'array'] } },
    body: { description: 'JSON; text of another type is a string.' },
    base64: { type: 'string', description: 'In the place of `body`, where that is no text.' },
  },
};

export function batchPath(maxRequests: number): JsonText {
  return jsonObject([
    [
      'post',
      jsonObject([
        ['operationId', json('batch')],
        ['tags', json(['Batch'])],
        ['summary', json('Several requests in one transaction')],
        ['description', json(HELP)],
        [
          'parameters',
          json([
            {
              name: 'Prefer',
              in: 'header',
              description:
                '`batch=all` (default) or `batch=each`; `tx=rollback`, `timezone=<name>` and `handling=strict` for the whole.',
              schema: { type: 'string' },
            },
          ]),
        ],
        [
          'requestBody',
          json({
            required: true,
            content: {
              'application/json': { schema: { type: 'array', minItems: 1, maxItems: maxRequests, items: REQUEST } },
            },
          }),
        ],
        [
          'responses',
          jsonObject([
            [
              '200',
              json({
                description: 'What each request answered, in their order.',
                content: { 'application/json': { schema: { type: 'array', items: ANSWER } } },
              }),
            ],
            [
              '424',
              json({
                description:
                  'Stands in the answers: another request of the batch failed. The status of the whole is that of the failed one.',
              }),
            ],
            ...FAILURES,
          ]),
        ],
      ]),
    ],
  ]);
}
