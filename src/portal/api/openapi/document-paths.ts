// What is served at the same addresses by others than routes of the portal: who asks (the OpenID provider), and coverages (map services).

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, describe, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { byParameters } from '../../discovery/discovery-described.ts';
import { TEXTS } from './texts.ts';

const WCS = byParameters('wcs', 'WCS', ['2.0.1', '1.1.2', '1.1.1', '1.1.0', '1.0.0'], 'text/xml');

const CLAIMS: Schema = {
  type: 'object',
  properties: {
    sub: { type: 'string' },
    name: { type: 'string' },
    given_name: { type: 'string' },
    family_name: { type: 'string' },
    email: { type: 'string' },
    email_verified: { type: 'boolean' },
    preferred_username: { type: 'string' },
    groups: { type: 'array', items: { type: 'string' } },
  },
  required: ['sub', 'preferred_username'],
  additionalProperties: true,
};

export function documentPaths(language: Language): Paths {
  return {
    '/o/userinfo/': {
      get: {
        operationId: 'userinfo',
        tags: ['users'],
        summary: TEXTS.whoAmI[language],
        responses: {
          200: { description: ANSWER_TEXTS.done[language], content: jsonContent(CLAIMS) },
          ...failures(language, '401'),
        },
      },
    },
    '/wcs': { get: describe(WCS.get, '/wcs', language), post: describe(WCS.post, '/wcs', language) },
  };
}
