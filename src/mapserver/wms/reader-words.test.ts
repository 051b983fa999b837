import { expect, test } from 'vitest';
import { languageFor, readerWords } from './reader-words.ts';

test('a language is that of the parameter, then that of the header, then English', () => {
  for (const [asked, accepted, language] of [
    [undefined, undefined, 'en'],
    [undefined, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
    [undefined, 'nl, fr;q=0.5', 'fr'],
    ['ger', 'fr', 'de'],
    ['deu', undefined, 'de'],
    ['fre', undefined, 'fr'],
    ['SPA', undefined, 'es'],
    ['fr de', undefined, 'fr'],
    // Not German, however it begins; nor Spanish.
    ['den', 'est', 'en'],
    ['dut', 'es', 'es'],
  ] as const)
    expect(languageFor(asked, accepted), `${asked} ${accepted}`).toBe(language);
  expect(readerWords('es').yes).toBe('Sí');
});
