// Sign-in with an OpenID Connect provider, and the link of an account to a person there, described. These addresses are there where the settings name a
// provider; browsers are sent through the first two.

import { failures, jsonContent, type Paths } from './collection-paths.ts';
import { reference, type Schema } from './json-schema.ts';
import { PROOF } from './passkey-paths.ts';
import { type Language, TEXTS } from './texts.ts';

const record = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const LINK = record({
  is_linked: { type: 'boolean' },
  since: { type: 'string', format: 'date-time', nullable: true },
});
const BEGUN = record({ url: { type: 'string', description: 'Where the browser is to go.' } });

export function providerPaths(language: Language): Paths {
  const redirect = (id: string, text: keyof typeof TEXTS, parameter: string): Paths[string] => ({
    get: {
      operationId: id,
      tags: ['users'],
      summary: TEXTS[text][language],
      parameters: [{ name: parameter, in: 'query', schema: { type: 'string' } }],
      responses: { 303: { description: TEXTS.done[language] }, ...failures(language, '404') },
    },
  });
  const detail = (text: keyof typeof TEXTS): object => ({
    description: TEXTS[text][language],
    content: jsonContent(reference('Detail')),
  });
  const answer = (schema: Schema): object => ({ description: TEXTS.done[language], content: jsonContent(schema) });
  const link = (id: string, text: keyof typeof TEXTS, success: object, body?: Schema): object => ({
    operationId: `provider_link_${id}`,
    tags: ['users'],
    summary: TEXTS[text][language],
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body) } }),
    responses: { ...success, ...failures(language, '400', '401', '403', '404'), 429: detail('tooOften') },
  });
  return {
    '/account/oidc/start': redirect('account_oidc_start', 'providerStart', 'next'),
    '/account/oidc/callback': redirect('account_oidc_callback', 'providerCallback', 'code'),
    '/account/oidc/link/': {
      get: link('state', 'providerLink', { 200: answer(LINK) }),
      post: link('begin', 'beginProviderLink', { 200: answer(BEGUN), 502: detail('providerSilent') }, PROOF),
      delete: link('remove', 'removeProviderLink', { 204: { description: TEXTS.done[language] } }, PROOF),
    },
  };
}
