// The page that people see while the portal is being maintained: the operator's message, and where administrators sign in. It needs nothing else of
// the portal: no script, no file.

import { createHash } from 'node:crypto';

const STYLE = `:root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto 0;padding:0 1.25rem}h1{font-size:1.5rem}a{color:LinkText}`;

export const CLOSED_POLICY: string = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const WORDS = {
  en: { title: 'Maintenance', signIn: 'Administrators sign in here' },
  de: { title: 'Wartung', signIn: 'Anmeldung für Administratoren' },
  fr: { title: 'Maintenance', signIn: 'Connexion des administrateurs' },
  es: { title: 'Mantenimiento', signIn: 'Acceso para administradores' },
} as const;

export function closedPage(message: string, acceptLanguage: string | undefined): string {
  const language = languageOf(acceptLanguage ?? '');
  const { title, signIn } = WORDS[language];
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${escaped(message)}</p><p><a href="/account/login">${signIn}</a></p></main></body>
</html>
`;
}

/** The first language of the header that the page speaks. */
function languageOf(header: string): keyof typeof WORDS {
  for (const range of header.slice(0, 200).split(',')) {
    const name = range.trim().slice(0, 2).toLowerCase();
    if (name === 'en' || name === 'de' || name === 'fr' || name === 'es') return name;
  }
  return 'en';
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
