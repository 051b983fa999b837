// Sign-in with an OpenID Connect provider, described. Browsers are sent through these addresses, which are there where the settings name a provider.

import { failures, type Paths } from './collection-paths.ts';
import { type Language, TEXTS } from './texts.ts';

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
  return {
    '/account/oidc/start': redirect('account_oidc_start', 'providerStart', 'next'),
    '/account/oidc/callback': redirect('account_oidc_callback', 'providerCallback', 'code'),
  };
}
