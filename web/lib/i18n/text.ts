// Words of the pages in the reader's language. A key stands for a text; `{name}` in it is replaced; texts that count something
// have a `.one` and an `.other` form.

import { createContext, useContext, useMemo } from 'react';
import { en, type MessageKey, type Messages } from './en.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

/** Loaded when somebody reads in it: the first page carries one language, and English, which has the keys. */
const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Messages>>> = {
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
};
const catalogues = new Map<Language, Messages>([['en', en]]);

/** Before a language is spoken. False: it could not be loaded, and another has to do. */
export async function loadLanguage(language: Language): Promise<boolean> {
  if (language === 'en' || catalogues.has(language)) return true;
  try {
    catalogues.set(language, await LOADERS[language]());
    return true;
  } catch {
    return false;
  }
}

type Values = Readonly<Record<string, string | number>>;
type CountedKey = MessageKey extends infer K ? (K extends `${infer Stem}.one` ? Stem : never) : never;

export type Text = {
  readonly language: Language;
  (key: MessageKey, values?: Values): string;
  /** With the number as `{n}`. */
  count(key: CountedKey, n: number, values?: Values): string;
  /** The text of a key made of parts, such as an entry of a code list; the last part where there is none. */
  entry(prefix: string, name: string): string;
  /** The text of a key that there may be; undefined: there is none. */
  find(key: string, values?: Values): string | undefined;
  number(n: number, options?: Intl.NumberFormatOptions): string;
  date(iso: string): string;
  time(iso: string): string;
};

export function makeText(language: Language): Text {
  const messages = catalogues.get(language) ?? en;
  const plural = new Intl.PluralRules(language);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const fill = (text: string, values: Values): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
  const lookup = (key: string): string | undefined =>
    Object.hasOwn(messages, key) ? messages[key as MessageKey] : undefined;
  const number = (n: number, options?: Intl.NumberFormatOptions): string =>
    new Intl.NumberFormat(language, options).format(n);
  const inTime = (format: Intl.DateTimeFormat, iso: string): string => {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? iso : format.format(date);
  };
  return Object.assign((key: MessageKey, values: Values = {}) => fill(messages[key], values), {
    language,
    count: (key: CountedKey, n: number, values: Values = {}) =>
      fill(lookup(`${key}.${plural.select(n)}`) ?? lookup(`${key}.other`) ?? key, { n: number(n), ...values }),
    entry: (prefix: string, name: string) => lookup(`${prefix}.${name}`) ?? name,
    find: (key: string, values: Values = {}) => {
      const text = lookup(key);
      return text === undefined ? undefined : fill(text, values);
    },
    number,
    date: (iso: string) => inTime(day, iso),
    time: (iso: string) => inTime(moment, iso),
  });
}

export function languageOf(preferred: readonly string[], chosen: string | null): Language {
  for (const tag of [chosen ?? '', ...preferred]) {
    const language = tag.slice(0, 2).toLowerCase();
    if (Object.hasOwn(LANGUAGES, language)) return language as Language;
  }
  return 'en';
}

export const LanguageContext: React.Context<Language> = createContext<Language>('en');

export function useText(): Text {
  const language = useContext(LanguageContext);
  return useMemo(() => makeText(language), [language]);
}
