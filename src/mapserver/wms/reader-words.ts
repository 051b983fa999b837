// The language that a client wants → how values are written for its reader. Pure.

import type { ReaderWords } from '../../geo/presentation/show-value.ts';

export type Language = 'en' | 'de' | 'fr' | 'es';

/** Moments are in UTC: where a reader is, nobody says. */
const WORDS: Readonly<Record<Language, ReaderWords>> = {
  en: { language: 'en', yes: 'Yes', no: 'No', timeZone: 'UTC' },
  de: { language: 'de', yes: 'Ja', no: 'Nein', timeZone: 'UTC' },
  fr: { language: 'fr', yes: 'Oui', no: 'Non', timeZone: 'UTC' },
  es: { language: 'es', yes: 'Sí', no: 'No', timeZone: 'UTC' },
};

/** As browsers name them, and as INSPIRE does (ISO 639-2, in either form). */
const NAMES: ReadonlyMap<string, Language> = new Map([
  ...(['en', 'de', 'fr', 'es'] as const).map((one) => [one, one] as const),
  ['eng', 'en'],
  ['ger', 'de'],
  ['deu', 'de'],
  ['fre', 'fr'],
  ['fra', 'fr'],
  ['spa', 'es'],
]);

/** `Vary` of what is written for readers. */
export const IN_A_LANGUAGE = 'Authorization, Cookie, Accept-Language';

/** The first that is spoken here, of what a parameter of the request names, then of what its header does. */
export function languageFor(asked: string | undefined, accepted: string | undefined): Language {
  for (const list of [asked, accepted])
    for (const part of (list ?? '').slice(0, 200).split(/[, ]/)) {
      const [name = ''] = part.trim().toLowerCase().split(/[-_;]/, 1);
      const found = NAMES.get(name);
      if (found !== undefined) return found;
    }
  return 'en';
}

export const readerWords = (language: Language): ReaderWords => WORDS[language];
