// Browsers that are signed in, and access tokens, described.

import type { Described } from '../description/operation.ts';
import { arrayOf, body, record, type Schema } from '../description/schema.ts';
import { MAX_TOKEN_DAYS, MAX_TOKEN_NAME, TOKEN_DAYS } from './personal-token.ts';

const MOMENT: Schema = { type: 'string', format: 'date-time' };
const SCOPE: Schema = { type: 'string', enum: ['read', 'write'], default: 'read' };
const TOKEN = { id: { type: 'integer' }, name: { type: 'string' }, scope: SCOPE, created: MOMENT, expires: MOMENT };

export const LIST_SESSIONS: Described = {
  id: 'sessions_list',
  tag: 'users',
  summary: { en: 'Browsers in which one is signed in', de: 'Browser, in denen man angemeldet ist' },
  answers: {
    200: record({
      sessions: arrayOf(
        record({
          id: { type: 'integer' },
          agent: { type: 'string', description: 'What the browser calls itself.' },
          address: { type: 'string' },
          created: MOMENT,
          expires: MOMENT,
          is_current: { type: 'boolean' },
        }),
      ),
    }),
  },
  refusals: [401, 403],
};

export const END_SESSION: Described = {
  id: 'sessions_end',
  tag: 'users',
  summary: { en: 'Sign a browser out', de: 'Einen Browser abmelden' },
  answers: { 204: undefined },
  refusals: [400, 401, 403, 404],
};

export const END_OTHER_SESSIONS: Described = {
  id: 'sessions_end_others',
  tag: 'users',
  summary: { en: 'Sign every other browser out', de: 'Alle anderen Browser abmelden' },
  answers: { 204: undefined },
  refusals: [400, 401, 403],
};

export const LIST_TOKENS: Described = {
  id: 'access_tokens_list',
  tag: 'users',
  summary: { en: 'One’s own access tokens, without their text', de: 'Die eigenen Zugriffstoken, ohne ihren Text' },
  answers: { 200: record({ access_tokens: arrayOf(record(TOKEN)) }) },
  refusals: [401, 403],
};

export const MAKE_TOKEN: Described = {
  id: 'access_tokens_make',
  tag: 'users',
  summary: {
    en: 'Make an access token for scripts; its text is in this answer alone',
    de: 'Ein Zugriffstoken für Skripte erstellen; sein Text steht nur in dieser Antwort',
  },
  body: body(
    {
      name: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_NAME },
      scope: SCOPE,
      days: { type: 'integer', minimum: 1, maximum: MAX_TOKEN_DAYS, default: TOKEN_DAYS },
    },
    ['name'],
  ),
  examples: { reading: { name: 'Nightly report', scope: 'read', days: 90 } },
  answers: { 201: record({ ...TOKEN, token: { type: 'string' } }) },
  refusals: [400, 401, 403],
};

export const REVOKE_TOKEN: Described = {
  id: 'access_tokens_revoke',
  tag: 'users',
  summary: { en: 'Revoke an access token', de: 'Ein Zugriffstoken widerrufen' },
  answers: { 204: undefined },
  refusals: [400, 401, 403, 404],
};
