// The document itself, and who asks (OpenID Connect), described.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { TEXTS } from './texts.ts';

const CLAIMS: Schema = {
  type: 'object',
  properties: {
    sub: { type: 'string' },
    name: { type: 'string' },
    given_name: { type: 'string' },
    family_name: { type: 'string' },
    email: { type: 'string' },
    email_verified: { type: 'boolean' },
    preferred_username: { type: 'string' },
    groups: { type: 'array', items: { type: 'string' } },
  },
  required: ['sub', 'preferred_username'],
  additionalProperties: true,
};

export function documentPaths(language: Language): Paths {
  return {
    '/o/userinfo/': {
      get: {
        operationId: 'userinfo',
        tags: ['users'],
        summary: TEXTS.whoAmI[language],
        responses: {
          200: { description: ANSWER_TEXTS.done[language], content: jsonContent(CLAIMS) },
          ...failures(language, '401'),
        },
      },
    },
    '/api/v2/schema/': {
      get: {
        operationId: 'schema',
        tags: ['root'],
        summary: TEXTS.schema[language],
        parameters: [
          {
            name: 'format',
            in: 'query',
            schema: { type: 'string', enum: ['yaml', 'json', 'openapi', 'openapi-json'] },
            example: 'json',
          },
          { name: 'lang', in: 'query', schema: { type: 'string' }, example: 'de' },
        ],
        responses: {
          200: {
            description: ANSWER_TEXTS.done[language],
            content: Object.fromEntries(
              [
                'application/vnd.oai.openapi',
                'application/yaml',
                'application/vnd.oai.openapi+json',
                'application/json',
              ].map((type) => [type, { schema: type.endsWith('json') ? { type: 'object' } : { type: 'string' } }]),
            ),
          },
          ...failures(language, '404'),
        },
      },
    },
  };
}
