// The second factor of an account, described.

import { failures, jsonContent, type Paths } from './collection-paths.ts';
import { idIn } from './id-parameter.ts';
import { reference, type Schema } from './json-schema.ts';
import { PROOF } from './passkey-paths.ts';
import { type Language, TEXTS } from './texts.ts';

const record = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const STATE = record({
  totp: { type: 'boolean' },
  recovery_codes: { type: 'integer', description: 'How many are left.' },
  has_password: { type: 'boolean' },
  passkeys: {
    type: 'array',
    items: record({
      id: { type: 'integer' },
      name: { type: 'string' },
      created: { type: 'string', format: 'date-time' },
      last_used: { type: 'string', format: 'date-time', nullable: true },
    }),
  },
  is_required: { type: 'boolean' },
});
const SECRET = record({
  secret: { type: 'string', description: 'In base 32, for apps without a camera.' },
  address: { type: 'string', description: 'What a QR code for apps says (otpauth).' },
});
const CODES = record({ recovery_codes: { type: 'array', items: { type: 'string' } } });
const CODE: Schema = {
  type: 'object',
  properties: { code: { type: 'string', description: 'Six digits of the app, or a recovery code.' } },
  required: ['code'],
};
const SIGNED_IN: Schema = { type: 'object', properties: { user: { type: 'object' } }, required: ['user'] };

export function secondFactorPaths(language: Language): Paths {
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
  const operation = (id: string, text: keyof typeof TEXTS, success: object, body?: object): object => ({
    operationId: `second_factor_${id}`,
    tags: ['users'],
    summary: TEXTS[text][language],
    ...(body === undefined ? {} : { requestBody: { required: true, content: body } }),
    responses: { ...success, ...refusals },
  });
  const code = jsonContent(CODE, { app: { code: '123456' } });
  const gone = { 204: { description: TEXTS.done[language] } };
  return {
    '/account/second-factor/': { get: operation('state', 'ownFactor', { 200: answer(STATE) }) },
    '/account/second-factor/totp/': {
      post: operation('begin', 'beginFactor', { 201: answer(SECRET) }, jsonContent(PROOF)),
      put: operation('confirm', 'confirmFactor', { 200: answer(CODES) }, code),
      delete: operation('remove', 'removeFactor', gone, code),
    },
    '/account/second-factor/recovery-codes/': {
      post: operation('recovery_codes', 'newRecoveryCodes', { 200: answer(CODES) }, code),
    },
    '/account/login/second/': { post: operation('sign_in', 'secondStep', { 200: answer(SIGNED_IN) }, code) },
    '/api/v2/users/{id}/second-factor/': {
      delete: { ...operation('reset', 'resetFactor', gone), parameters: [idIn('id')] },
    },
  };
}
