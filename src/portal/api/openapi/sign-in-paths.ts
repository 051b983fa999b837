// Browsers that are signed in and access tokens, described.

import { MAX_TOKEN_DAYS, MAX_TOKEN_NAME, TOKEN_DAYS } from '../../oidc/personal-token.ts';
import { failures, jsonContent, type Paths } from './collection-paths.ts';
import { idIn } from './id-parameter.ts';
import type { Schema } from './json-schema.ts';
import { type Language, TEXTS } from './texts.ts';

const SESSION: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    agent: { type: 'string', description: 'What the browser calls itself.' },
    address: { type: 'string' },
    created: { type: 'string', format: 'date-time' },
    expires: { type: 'string', format: 'date-time' },
    is_current: { type: 'boolean' },
  },
  required: ['id', 'agent', 'address', 'created', 'expires', 'is_current'],
  additionalProperties: false,
};

const SCOPE: Schema = { type: 'string', enum: ['read', 'write'], default: 'read' };

const TOKEN_PROPERTIES: Readonly<Record<string, Schema>> = {
  id: { type: 'integer' },
  name: { type: 'string' },
  scope: SCOPE,
  created: { type: 'string', format: 'date-time' },
  expires: { type: 'string', format: 'date-time' },
};
const TOKEN_NAMES = Object.keys(TOKEN_PROPERTIES);

const TOKEN: Schema = {
  type: 'object',
  properties: TOKEN_PROPERTIES,
  required: TOKEN_NAMES,
  additionalProperties: false,
};

const MADE_TOKEN: Schema = {
  type: 'object',
  properties: { ...TOKEN_PROPERTIES, token: { type: 'string' } },
  required: [...TOKEN_NAMES, 'token'],
  additionalProperties: false,
};

const NEW_TOKEN: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_NAME },
    scope: SCOPE,
    days: { type: 'integer', minimum: 1, maximum: MAX_TOKEN_DAYS, default: TOKEN_DAYS },
  },
  required: ['name'],
};

const listOf = (name: string, items: Schema): Schema => ({
  type: 'object',
  properties: { [name]: { type: 'array', items } },
  required: [name],
  additionalProperties: false,
});

export function signInPaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({ description: TEXTS.done[language], content: jsonContent(schema) });
  const refusals = failures(language, '400', '401', '403', '404');
  return {
    '/api/v2/sessions/': {
      get: {
        operationId: 'sessions_list',
        tags: ['users'],
        summary: TEXTS.ownSessions[language],
        responses: { 200: answer(listOf('sessions', SESSION)), ...failures(language, '401', '403') },
      },
      delete: {
        operationId: 'sessions_end_others',
        tags: ['users'],
        summary: TEXTS.endSessions[language],
        responses: { 204: { description: TEXTS.done[language] }, ...failures(language, '400', '401', '403') },
      },
    },
    '/api/v2/sessions/{id}/': {
      delete: {
        operationId: 'sessions_end',
        tags: ['users'],
        summary: TEXTS.endSession[language],
        parameters: [idIn('id')],
        responses: { 204: { description: TEXTS.done[language] }, ...refusals },
      },
    },
    '/api/v2/access-tokens/': {
      get: {
        operationId: 'access_tokens_list',
        tags: ['users'],
        summary: TEXTS.ownTokens[language],
        responses: { 200: answer(listOf('access_tokens', TOKEN)), ...failures(language, '401', '403') },
      },
      post: {
        operationId: 'access_tokens_make',
        tags: ['users'],
        summary: TEXTS.makeToken[language],
        requestBody: {
          required: true,
          content: jsonContent(NEW_TOKEN, { reading: { name: 'Nightly report', scope: 'read', days: 90 } }),
        },
        responses: { 201: answer(MADE_TOKEN), ...failures(language, '400', '401', '403') },
      },
    },
    '/api/v2/access-tokens/{id}/': {
      delete: {
        operationId: 'access_tokens_revoke',
        tags: ['users'],
        summary: TEXTS.revokeToken[language],
        parameters: [idIn('id')],
        responses: { 204: { description: TEXTS.done[language] }, ...refusals },
      },
    },
  };
}
