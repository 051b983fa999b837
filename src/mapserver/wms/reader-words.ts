// The language that a client accepts → how values are written for its reader. Pure.

import type { ReaderWords } from '../../geo/presentation/show-value.ts';

/** Moments are in UTC: where a reader is, nobody says. */
const WORDS: readonly ReaderWords[] = [
  { language: 'en', yes: 'Yes', no: 'No', timeZone: 'UTC' },
  { language: 'de', yes: 'Ja', no: 'Nein', timeZone: 'UTC' },
  { language: 'fr', yes: 'Oui', no: 'Non', timeZone: 'UTC' },
  { language: 'es', yes: 'Sí', no: 'No', timeZone: 'UTC' },
];
const ENGLISH: ReaderWords = { language: 'en', yes: 'Yes', no: 'No', timeZone: 'UTC' };

/** The first that is spoken here. */
export function readerWords(accepted: string | undefined): ReaderWords {
  for (const part of (accepted ?? '').slice(0, 200).split(',')) {
    const found = WORDS.find(({ language }) => language === part.trim().slice(0, 2).toLowerCase());
    if (found !== undefined) return found;
  }
  return ENGLISH;
}
