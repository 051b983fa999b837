// The cookie of the chosen language.

import { expect, test } from 'vitest';
import { languageIn } from './chosen-language.ts';

test.each([
  ['', null],
  ['csrftoken=x', null],
  ['django_language=de', 'de'],
  ['csrftoken=x; django_language=en; sessionid=y', 'en'],
  ['other_django_language=de', null],
])('%j → %j', (cookies, language) => {
  expect(languageIn(cookies)).toBe(language);
});
