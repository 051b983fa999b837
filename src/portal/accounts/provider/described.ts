// Sign-in with an OpenID Connect provider, and the link of an account to a person there, described. Browsers are sent through the first two.

import type { Text } from '../../description/language.ts';
import type { Described } from '../../description/operation.ts';
import { record } from '../../description/schema.ts';
import { PROOF } from '../second-factor/described.ts';

const redirect = (id: string, summary: Text, parameter: string): Described => ({
  id,
  tag: 'users',
  isForBrowsers: true,
  summary,
  parameters: [{ name: parameter, in: 'query', schema: { type: 'string' } }],
  answers: { 303: undefined },
  refusals: [404],
});

export const START: Described = redirect(
  'account_oidc_start',
  {
    en: 'Begin to sign in with the provider of the settings; leads there',
    de: 'Die Anmeldung mit dem Anbieter der Einstellungen beginnen; führt dorthin',
  },
  'next',
);

export const RETURN: Described = redirect(
  'account_oidc_callback',
  {
    en: 'Where the provider sends people back to; leads on, signed in, or to the sign-in page',
    de: 'Wohin der Anbieter Leute zurückschickt; führt weiter, angemeldet, oder zur Anmeldeseite',
  },
  'code',
);

const link = (what: Omit<Described, 'tag' | 'refusals'>): Described => ({
  ...what,
  tag: 'users',
  refusals: [400, 401, 403, 404, 429],
});

export const READ_LINK: Described = link({
  id: 'provider_link_state',
  summary: {
    en: 'Whether one’s own account is linked to the provider of the settings',
    de: 'Ob das eigene Konto mit dem Anbieter der Einstellungen verknüpft ist',
  },
  answers: {
    200: record({ is_linked: { type: 'boolean' }, since: { type: 'string', format: 'date-time', nullable: true } }),
  },
});

export const BEGIN_LINK: Described = link({
  id: 'provider_link_begin',
  summary: {
    en: 'Begin to link one’s own account to a person of the provider, with password or code',
    de: 'Beginnen, das eigene Konto mit einer Person des Anbieters zu verknüpfen, mit Passwort oder Code',
  },
  body: PROOF,
  answers: { 200: record({ url: { type: 'string', description: 'Where the browser is to go.' } }) },
  says: { 502: { en: 'The provider does not answer.', de: 'Der Anbieter antwortet nicht.' } },
});

export const REMOVE_LINK: Described = link({
  id: 'provider_link_remove',
  summary: {
    en: 'Take the link to the provider back, with password or code; the last way into an account stays',
    de: 'Die Verknüpfung mit dem Anbieter aufheben, mit Passwort oder Code; der letzte Weg in ein Konto bleibt',
  },
  body: PROOF,
  answers: { 204: undefined },
});
