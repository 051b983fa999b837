// Passkeys and codes as second factors, described. What options and responses of passkeys hold is said by WebAuthn.

import type { Described } from '../../description/operation.ts';
import { arrayOf, body, record, type Schema } from '../../description/schema.ts';

const ANYTHING: Schema = { type: 'object' };
const SIGNED_IN = body({ user: ANYTHING });
const MOMENT: Schema = { type: 'string', format: 'date-time' };

export const PROOF: Schema = {
  ...body(
    {
      password: { type: 'string' },
      code: { type: 'string', description: 'Six digits of the app, or a recovery code.' },
    },
    [],
  ),
  description: 'Password or code; neither for an account that has none and signed in within ten minutes.',
};

type Own = Omit<Described, 'tag' | 'refusals'>;

function operation(what: Own): Described {
  return { ...what, tag: 'users', refusals: [400, 401, 403, 404, 415, 429] };
}

const OPTIONS_SUMMARY = {
  en: 'What the browser is told to make or use a passkey (WebAuthn)',
  de: 'Was dem Browser gesagt wird, um einen Passkey zu erzeugen oder zu benutzen (WebAuthn)',
};

export const PASSKEYS: Readonly<Record<'options' | 'make' | 'remove' | 'signInOptions' | 'signIn', Described>> = {
  options: operation({ id: 'passkeys_options', summary: OPTIONS_SUMMARY, body: PROOF, answers: { 200: ANYTHING } }),
  make: operation({
    id: 'passkeys_make',
    summary: {
      en: 'Add a passkey that the browser has made',
      de: 'Einen Passkey hinzufügen, den der Browser erzeugt hat',
    },
    body: body({ name: { type: 'string', minLength: 1, maxLength: 100 }, response: ANYTHING }),
    answers: {
      201: record({
        id: { type: 'integer' },
        recovery_codes: { ...arrayOf({ type: 'string' }), description: 'With the first factor of an account.' },
      }),
    },
  }),
  remove: operation({
    id: 'passkeys_remove',
    summary: { en: 'Remove a passkey of one’s own', de: 'Einen eigenen Passkey entfernen' },
    body: PROOF,
    answers: { 204: undefined },
  }),
  signInOptions: operation({
    id: 'passkeys_sign_in_options',
    summary: OPTIONS_SUMMARY,
    body: ANYTHING,
    answers: { 200: ANYTHING },
  }),
  signIn: operation({
    id: 'passkeys_sign_in',
    summary: { en: 'Sign in with a passkey', de: 'Mit einem Passkey anmelden' },
    body: body({ response: ANYTHING }),
    answers: { 200: SIGNED_IN },
  }),
};

const CODE = {
  body: body({ code: { type: 'string', description: 'Six digits of the app, or a recovery code.' } }),
  examples: { app: { code: '123456' } },
};
const CODES = record({ recovery_codes: arrayOf({ type: 'string' }) });

export const SECOND_FACTOR: Readonly<
  Record<'state' | 'begin' | 'confirm' | 'remove' | 'recoveryCodes' | 'signIn' | 'reset', Described>
> = {
  state: operation({
    id: 'second_factor_state',
    summary: { en: 'One’s own second factor', de: 'Der eigene zweite Faktor' },
    answers: {
      200: record({
        totp: { type: 'boolean' },
        recovery_codes: { type: 'integer', description: 'How many are left.' },
        has_password: { type: 'boolean' },
        passkeys: arrayOf(
          record({
            id: { type: 'integer' },
            name: { type: 'string' },
            created: MOMENT,
            last_used: { ...MOMENT, nullable: true },
          }),
        ),
        is_required: { type: 'boolean' },
      }),
    },
  }),
  begin: operation({
    id: 'second_factor_begin',
    summary: {
      en: 'Make a secret for an authenticator app; it counts when its first code was sent',
      de: 'Ein Geheimnis für eine Authenticator-App erzeugen; es gilt, sobald der erste Code gesendet wurde',
    },
    body: PROOF,
    answers: {
      201: record({
        secret: { type: 'string', description: 'In base 32, for apps without a camera.' },
        address: { type: 'string', description: 'What a QR code for apps says (otpauth).' },
      }),
    },
  }),
  confirm: operation({
    id: 'second_factor_confirm',
    summary: {
      en: 'Switch the second factor on with its first code; the recovery codes are in this answer alone',
      de: 'Den zweiten Faktor mit seinem ersten Code einschalten; die Wiederherstellungscodes stehen nur in dieser Antwort',
    },
    ...CODE,
    answers: { 200: CODES },
  }),
  remove: operation({
    id: 'second_factor_remove',
    summary: {
      en: 'Remove one’s second factor, with a code',
      de: 'Den eigenen zweiten Faktor entfernen, mit einem Code',
    },
    ...CODE,
    answers: { 204: undefined },
  }),
  recoveryCodes: operation({
    id: 'second_factor_recovery_codes',
    summary: {
      en: 'Make new recovery codes, with a code; the old ones end',
      de: 'Neue Wiederherstellungscodes erzeugen, mit einem Code; die alten enden',
    },
    ...CODE,
    answers: { 200: CODES },
  }),
  signIn: operation({
    id: 'second_factor_sign_in',
    summary: {
      en: 'The second step of signing in: a code, after POST /account/login/ was answered 202',
      de: 'Der zweite Schritt der Anmeldung: ein Code, nachdem POST /account/login/ mit 202 beantwortet wurde',
    },
    ...CODE,
    answers: { 200: SIGNED_IN },
  }),
  reset: operation({
    id: 'second_factor_reset',
    summary: {
      en: 'Remove the second factor of an account, as an administrator',
      de: 'Den zweiten Faktor eines Kontos entfernen, als Administrator',
    },
    answers: { 204: undefined },
  }),
};
