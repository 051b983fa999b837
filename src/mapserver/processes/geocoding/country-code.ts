// A country as people write it → its two letters. Pure.

import { plainName } from '../../basemaps/plain-name.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'];
const OTHERS: Readonly<Record<string, string>> = {
  usa: 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  holland: 'NL',
};
const FIRST = 'A'.charCodeAt(0);
const LETTERS = 26;

let known: ReadonlyMap<string, string> | undefined;

/** Undefined: it is not understood. */
export function countryCode(country: string): string | undefined {
  known ??= readNames();
  return known.get(plainName(country.trim()));
}

function readNames(): ReadonlyMap<string, string> {
  const names = new Map(Object.entries(OTHERS));
  const letter = (i: number): string => String.fromCharCode(FIRST + i);
  const readers = LANGUAGES.map((language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }));
  for (let i = 0; i < LETTERS * LETTERS; i += 1) {
    const code = letter(Math.floor(i / LETTERS)) + letter(i % LETTERS);
    for (const reader of readers) {
      const name = reader.of(code);
      if (name === undefined) continue;
      names.set(plainName(name), code);
      names.set(code.toLowerCase(), code);
    }
  }
  return names;
}
