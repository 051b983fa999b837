// The languages that the document of the API speaks. Descriptions of fields are in English in all of them.

export type Language = 'en' | 'de';

export type Text = Readonly<Record<Language, string>>;

/** `de-AT` is German; what nobody speaks here is English. */
export function languageOf(asked: string | undefined): Language {
  return asked !== undefined && /^de\b/i.test(asked) ? 'de' : 'en';
}
