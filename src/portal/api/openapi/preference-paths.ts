// What an account prefers, described.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { PREFERENCES } from '../preference-paths.ts';
import { TEXTS } from './texts.ts';

/** `isSent`: null takes a preference back. */
const preferences = (isSent: boolean): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(PREFERENCES).map(([name, values]) => [
      name,
      isSent ? { type: 'string', enum: [...values, null], nullable: true } : { type: 'string', enum: values },
    ]),
  ),
  additionalProperties: false,
});

export function preferencePaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({
    description: ANSWER_TEXTS.done[language],
    content: jsonContent(schema),
  });
  return {
    '/api/v2/preferences/': {
      get: {
        operationId: 'preferences_read',
        tags: ['users'],
        summary: TEXTS.preferences[language],
        responses: {
          200: answer({
            type: 'object',
            properties: { preferences: preferences(false) },
            required: ['preferences'],
            additionalProperties: false,
          }),
          ...failures(language, '401'),
        },
      },
      patch: {
        operationId: 'preferences_change',
        tags: ['users'],
        summary: TEXTS.changePreferences[language],
        requestBody: { required: true, content: jsonContent(preferences(true), { noTour: { tour: 'done' } }) },
        responses: { 200: answer(reference('Updated')), ...failures(language, '400', '401', '403') },
      },
    },
  };
}
