import { expect, test } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';
import { languageOf, makeText } from './text.ts';

test('every language has every text, and none is empty', () => {
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
  for (const text of [...Object.values(en), ...Object.values(de)]) expect(text.trim()).not.toBe('');
});

test('a text takes the same values in every language', () => {
  const values = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [key, text] of Object.entries(en))
    expect([key, values(de[key as keyof typeof de])]).toEqual([key, values(text)]);
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
  const t = makeText('de');
  expect(t.entry('category', 'unheard-of')).toBe('unheard-of');
  expect(t.entry('__proto__', 'x')).toBe('x');
});

test.each([
  [['de-AT', 'en'], null, 'de'],
  [['fr', 'en-GB'], null, 'en'],
  [['fr'], null, 'en'],
  [['en'], 'de', 'de'],
  [['constructor'], null, 'en'],
] as const)('of %j, chosen %s, %s is spoken', (preferred, chosen, language) => {
  expect(languageOf(preferred, chosen)).toBe(language);
});
