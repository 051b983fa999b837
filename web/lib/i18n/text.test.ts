import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { LANGUAGES, type Language, languageOf, loadLanguage, makeText } from './text.ts';

const OTHERS = { de, fr, es } as const;

test.each(Object.entries(OTHERS))(
  '%s has every text, in the order of the English ones, and none is empty',
  (_, texts) => {
    expect(Object.keys(texts).filter((key) => !Object.hasOwn(en, key))).toEqual([]);
    expect(Object.keys(en).filter((key) => !Object.hasOwn(texts, key))).toEqual([]);
    for (const text of [...Object.values(en), ...Object.values(texts)]) expect(text.trim()).not.toBe('');
  },
);

test.each(Object.entries(OTHERS))('a text takes the same values in %s', (_, texts) => {
  const values = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [key, text] of Object.entries(en))
    expect([key, values(texts[key as keyof typeof en] ?? '')]).toEqual([key, values(text)]);
});

test('every language that can be chosen can be loaded, with numbers and dates in its own way', async () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual(['en', ...Object.keys(OTHERS)].sort());
  for (const language of Object.keys(LANGUAGES) as Language[]) expect(await loadLanguage(language)).toBe(true);
  const [french, spanish] = [makeText('fr'), makeText('es')];
  expect([french('nav.catalogue'), spanish('nav.catalogue')]).toEqual(['Catalogue', 'Catálogo']);
  expect(french.number(1.5)).toBe('1,5');
  expect(spanish.number(1.5)).toBe('1,5');
  expect(french.date('2026-02-03T12:00:00Z')).toContain('févr.');
  expect(spanish.date('2026-02-03T12:00:00Z')).toContain('feb');
  // Nought is one in French, and many in Spanish.
  expect(french.count('catalogue.found', 0)).toBe('0 élément');
  expect(spanish.count('catalogue.found', 0)).toBe('0 elementos');
});

test('a counted text has both forms', () => {
  for (const key of Object.keys(en).filter((name) => name.endsWith('.one')))
    expect(en).toHaveProperty([key.replace(/\.one$/, '.other')]);
});

test('numbers choose the form', () => {
  const t = makeText('en');
  expect(t.count('catalogue.found', 1)).toContain('1');
  expect(t.count('catalogue.found', 1)).not.toBe(t.count('catalogue.found', 2).replace('2', '1'));
});

test('an entry without a text is shown as it is, and no property of objects is one', () => {
  const t = makeText('en');
  expect(t.entry('category', 'unheard-of')).toBe('unheard-of');
  expect(t.entry('__proto__', 'x')).toBe('x');
});

test.each([
  [['de-AT', 'en'], null, 'de'],
  [['it', 'en-GB'], null, 'en'],
  [['it', 'fr-CA', 'en'], null, 'fr'],
  [['es-419'], null, 'es'],
  [['it'], null, 'en'],
  [['en'], 'de', 'de'],
  [['constructor'], null, 'en'],
] as const)('of %j, chosen %s, %s is spoken', (preferred, chosen, language) => {
  expect(languageOf(preferred, chosen)).toBe(language);
});

test('no two subjects have the same key: the one behind would replace the other', async () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const subjects = await Promise.all(folders.map(({ name }) => import(`./${name}/en.ts`)));
  const keys = subjects.flatMap((subject: { readonly en: object }) => Object.keys(subject.en));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  expect(keys.length).toBe(Object.keys(en).length);
});
