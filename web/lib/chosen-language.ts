// The language that somebody chose, here or by a form at `/i18n/setlang/`: kept in a cookie, which both write, so the last choice
// counts; and in the browser's own store, where there was a choice before there was the cookie.

import { keepValue, readKept } from './kept.ts';

const COOKIE = 'django_language';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

export function readChosenLanguage(): string | null {
  return languageIn(document.cookie) ?? readKept('language');
}

export function keepChosenLanguage(language: string): void {
  keepValue('language', language);
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the server writes the same one, and it must be read before the first page is drawn
  document.cookie = `${COOKIE}=${encodeURIComponent(language)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}

export function languageIn(cookies: string): string | null {
  const pairs = cookies.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? null;
}
