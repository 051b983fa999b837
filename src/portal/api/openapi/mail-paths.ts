// Links by mail, described: forgotten passwords, registering, inviting, another mail address. They are there where the settings name a mail server.

import { failures, jsonContent, type Operation, type Paths } from './collection-paths.ts';
import { reference, type Schema } from './json-schema.ts';
import { type Language, TEXTS } from './texts.ts';

const NOTHING: Schema = { type: 'object', additionalProperties: false };
const EMAIL: Schema = { type: 'string', format: 'email', maxLength: 254 };
const TOKEN: Schema = { type: 'string', description: 'What stands behind `#` in the link.' };

/** That the owner of the account asks, and not who holds a session of theirs. */
const PROOF: Readonly<Record<string, Schema>> = {
  password: { type: 'string', format: 'password', description: 'The password of the account; or `code`.' },
  code: {
    type: 'string',
    description: 'A code of the authenticator app, or a recovery code, where there is no password.',
  },
};

const LINK: Schema = {
  type: 'object',
  properties: {
    purpose: { type: 'string', enum: ['password', 'registration', 'email'] },
    username: { type: 'string', nullable: true },
    email: { type: 'string' },
  },
  required: ['purpose', 'username', 'email'],
  additionalProperties: false,
};

const USED_LINK: Schema = {
  type: 'object',
  properties: {
    username: { type: 'string' },
    email: { type: 'string', description: 'Of a link for another mail address.' },
    is_active: { type: 'boolean', description: 'Of a new account: false where an administrator has to switch it on.' },
  },
  required: ['username'],
  additionalProperties: false,
};

const bodyOf = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required,
});

export function mailPaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({ description: TEXTS.done[language], content: jsonContent(schema) });
  const detail = (text: keyof typeof TEXTS): object => ({
    description: TEXTS[text][language],
    content: jsonContent(reference('Detail')),
  });
  const post = (
    id: string,
    text: keyof typeof TEXTS,
    body: Schema,
    example: Readonly<Record<string, unknown>>,
    responses: Operation,
  ): Paths[string] => ({
    post: {
      operationId: id,
      tags: ['users'],
      summary: TEXTS[text][language],
      requestBody: { required: true, content: jsonContent(body, { example }) },
      responses: {
        ...responses,
        ...failures(language, '400', '401', '403', '404'),
        415: detail('notJson'),
        429: detail('tooOften'),
      },
    },
  });
  const asked = { 202: answer(NOTHING) };
  const token = 'x'.repeat(43);
  return {
    '/account/password/forgotten/': post(
      'account_forgotten_password',
      'forgottenPassword',
      bodyOf({ login: { type: 'string', maxLength: 254, description: 'A user name or a mail address.' } }, ['login']),
      { login: 'ada' },
      asked,
    ),
    '/account/register/': post(
      'account_register',
      'register',
      bodyOf({ email: EMAIL }, ['email']),
      { email: 'ada@example.org' },
      asked,
    ),
    '/account/invite/': post(
      'account_invite',
      'invitePerson',
      bodyOf({ email: EMAIL }, ['email']),
      { email: 'ada@example.org' },
      asked,
    ),
    '/account/email/': post(
      'account_email',
      'changeEmail',
      bodyOf({ email: EMAIL, ...PROOF }, ['email']),
      { email: 'ada@example.org', password: 'correct horse' },
      asked,
    ),
    '/account/link/': post(
      'account_link',
      'mailLink',
      bodyOf({ token: TOKEN }, ['token']),
      { token },
      { 200: answer(LINK) },
    ),
    '/account/link/use/': post(
      'account_link_use',
      'useMailLink',
      bodyOf(
        {
          token: TOKEN,
          username: { type: 'string', maxLength: 150, description: 'Of a new account.' },
          password: { type: 'string', format: 'password', description: 'The new one, where the link is for it.' },
          first_name: { type: 'string', maxLength: 30 },
          last_name: { type: 'string', maxLength: 30 },
        },
        ['token'],
      ),
      { token, username: 'ada', password: 'a new horse battery' },
      { 200: answer(USED_LINK) },
    ),
  };
}
