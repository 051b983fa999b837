// Passkeys, described. What options and responses hold is said by WebAuthn.

import { failures, jsonContent, type Paths } from './collection-paths.ts';
import { idIn } from './id-parameter.ts';
import { reference, type Schema } from './json-schema.ts';
import { type Language, TEXTS } from './texts.ts';

const ANYTHING: Schema = { type: 'object' };
const MADE: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    recovery_codes: { type: 'array', items: { type: 'string' }, description: 'With the first factor of an account.' },
  },
  required: ['id', 'recovery_codes'],
  additionalProperties: false,
};
const NEW_PASSKEY: Schema = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1, maxLength: 100 }, response: ANYTHING },
  required: ['name', 'response'],
};
export const PROOF: Schema = {
  type: 'object',
  description: 'Password or code; neither for an account that has none and signed in within ten minutes.',
  properties: {
    password: { type: 'string' },
    code: { type: 'string', description: 'Six digits of the app, or a recovery code.' },
  },
};
const ANSWER: Schema = { type: 'object', properties: { response: ANYTHING }, required: ['response'] };
const SIGNED_IN: Schema = { type: 'object', properties: { user: { type: 'object' } }, required: ['user'] };

export function passkeyPaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({ description: TEXTS.done[language], content: jsonContent(schema) });
  const detail = (text: keyof typeof TEXTS): object => ({
    description: TEXTS[text][language],
    content: jsonContent(reference('Detail')),
  });
  const refusals = {
    ...failures(language, '400', '401', '403', '404'),
    415: detail('notJson'),
    429: detail('tooOften'),
  };
  const operation = (id: string, text: keyof typeof TEXTS, success: object, body?: Schema): object => ({
    operationId: `passkeys_${id}`,
    tags: ['users'],
    summary: TEXTS[text][language],
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body) } }),
    responses: { ...success, ...refusals },
  });
  return {
    '/account/passkeys/options/': { post: operation('options', 'passkeyOptions', { 200: answer(ANYTHING) }, PROOF) },
    '/account/passkeys/': { post: operation('make', 'makePasskey', { 201: answer(MADE) }, NEW_PASSKEY) },
    '/account/passkeys/{id}/': {
      delete: {
        ...operation('remove', 'removePasskey', { 204: { description: TEXTS.done[language] } }, PROOF),
        parameters: [idIn('id')],
      },
    },
    '/account/login/passkey/options/': {
      post: operation('sign_in_options', 'passkeyOptions', { 200: answer(ANYTHING) }, ANYTHING),
    },
    '/account/login/passkey/': { post: operation('sign_in', 'passkeySignIn', { 200: answer(SIGNED_IN) }, ANSWER) },
  };
}
