// Links by mail, described: forgotten passwords, registering, inviting, another mail address.

import type { Described } from '../description/operation.ts';
import { body, record, type Schema } from '../description/schema.ts';

const EMAIL: Schema = { type: 'string', format: 'email', maxLength: 254 };
const TOKEN: Schema = { type: 'string', description: 'What stands behind `#` in the link.' };
const token = 'x'.repeat(43);

function operation(what: Omit<Described, 'tag' | 'refusals'>): Described {
  return { ...what, tag: 'users', refusals: [400, 401, 403, 404, 415, 429] };
}

const ASKED = { 202: record({}) };

export const FORGOTTEN: Described = operation({
  id: 'account_forgotten_password',
  summary: {
    en: 'Ask for a link to choose a new password; answered alike whether there is such an account or not',
    de: 'Einen Link für ein neues Passwort anfordern; gleich beantwortet, ob es ein solches Konto gibt oder nicht',
  },
  body: body({ login: { type: 'string', maxLength: 254, description: 'A user name or a mail address.' } }),
  examples: { example: { login: 'ada' } },
  answers: ASKED,
});

export const REGISTER: Described = operation({
  id: 'account_register',
  summary: { en: 'Ask for a link to make an account', de: 'Einen Link anfordern, um ein Konto anzulegen' },
  body: body({ email: EMAIL }),
  examples: { example: { email: 'ada@example.org' } },
  answers: ASKED,
});

export const INVITE: Described = operation({
  id: 'account_invite',
  summary: {
    en: 'Send somebody a link to make an account, as an administrator',
    de: 'Jemandem als Administrator einen Link senden, um ein Konto anzulegen',
  },
  body: body({ email: EMAIL }),
  examples: { example: { email: 'ada@example.org' } },
  answers: ASKED,
});

export const CHANGE_EMAIL: Described = operation({
  id: 'account_email',
  summary: {
    en: 'Ask for a link that makes another mail address one’s own; sent to that address',
    de: 'Einen Link anfordern, der eine andere E-Mail-Adresse zur eigenen macht; an diese Adresse gesendet',
  },
  // That the owner of the account asks, and not who holds a session of theirs.
  body: body(
    {
      email: EMAIL,
      password: { type: 'string', format: 'password', description: 'The password of the account; or `code`.' },
      code: {
        type: 'string',
        description: 'A code of the authenticator app, or a recovery code, where there is no password.',
      },
    },
    ['email'],
  ),
  examples: { example: { email: 'ada@example.org', password: 'correct horse' } },
  answers: ASKED,
});

export const READ_LINK: Described = operation({
  id: 'account_link',
  summary: { en: 'What a link from a letter is for', de: 'Wofür ein Link aus einer Nachricht ist' },
  body: body({ token: TOKEN }),
  examples: { example: { token } },
  answers: {
    200: record({
      purpose: { type: 'string', enum: ['password', 'registration', 'email'] },
      username: { type: 'string', nullable: true },
      email: { type: 'string' },
    }),
  },
});

export const USE_LINK: Described = operation({
  id: 'account_link_use',
  summary: { en: 'Use a link from a letter, once', de: 'Einen Link aus einer Nachricht benutzen, einmal' },
  body: body(
    {
      token: TOKEN,
      username: { type: 'string', maxLength: 150, description: 'Of a new account.' },
      password: { type: 'string', format: 'password', description: 'The new one, where the link is for it.' },
      first_name: { type: 'string', maxLength: 30 },
      last_name: { type: 'string', maxLength: 30 },
    },
    ['token'],
  ),
  examples: { example: { token, username: 'ada', password: 'a new horse battery' } },
  answers: {
    200: record(
      {
        username: { type: 'string' },
        email: { type: 'string', description: 'Of a link for another mail address.' },
        is_active: {
          type: 'boolean',
          description: 'Of a new account: false where an administrator has to switch it on.',
        },
      },
      ['username'],
    ),
  },
});
