// The two questions the provider asks a person, and its complaints, as HTML. No scripts; everything that came from outside
// is escaped.

import { createHash } from 'node:crypto';
import type { MailLanguage } from '../mail/letters.ts';
import { PAGE_WORDS, type PageWords } from './page-words.ts';

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f3f5f7; color: #1c2733; }
main { max-width: 24rem; margin: 10vh auto; padding: 2rem; background: #fff; border: 1px solid #d8dee4; border-radius: 8px; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
label { display: block; margin: 1rem 0 0.25rem; }
input { width: 100%; box-sizing: border-box; padding: 0.5rem; font: inherit; border: 1px solid #8a97a5; border-radius: 4px; }
button { margin: 1.5rem 0.5rem 0 0; padding: 0.5rem 1.25rem; font: inherit; border: 1px solid #0b5cad; border-radius: 4px; background: #0b5cad; color: #fff; }
button.plain { background: #fff; color: #0b5cad; }
.wrong { color: #a4161a; }
li { margin: 0.25rem 0; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** `targets`: where a form may lead in the end; browsers hold a form to its policy through all redirects. */
export function pageHeaders(targets: readonly string[]): Record<string, string> {
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${["'self'", ...targets].join(' ')}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
}

export type LoginPage = {
  readonly language: MailLanguage;
  readonly action: string;
  readonly csrf: string;
  readonly clientName: string;
  readonly username: string;
  readonly complaint: string | undefined;
};

export function loginPage({ language, action, csrf, clientName, username, complaint }: LoginPage): string {
  const words = PAGE_WORDS[language];
  const wrong = complaint === undefined ? '' : `<p class="wrong" role="alert">${escaped(complaint)}</p>`;
  return page(
    language,
    words.signIn,
    `<p>${filled(words.goOn, { client: clientName })}</p>${wrong}
<form method="post" action="${escaped(action)}/login">
${hidden(csrf)}
<label for="username">${words.username}</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" required value="${escaped(username)}">
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">${words.signIn}</button>
</form>
${abortForm(words, action, csrf)}`,
  );
}

export type CodePage = Omit<LoginPage, 'username'>;

/** The second step: a code of the authenticator app, or a recovery code. */
export function codePage({ language, action, csrf, clientName, complaint }: CodePage): string {
  const words = PAGE_WORDS[language];
  const wrong = complaint === undefined ? '' : `<p class="wrong" role="alert">${escaped(complaint)}</p>`;
  return page(
    language,
    words.secondStep,
    `<p>${filled(words.goOn, { client: clientName })}</p>${wrong}
<form method="post" action="${escaped(action)}/second">
${hidden(csrf)}
<label for="code">${words.code}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" required maxlength="40">
<button type="submit">${words.signIn}</button>
</form>
${abortForm(words, action, csrf)}`,
  );
}

export type ConsentPage = {
  readonly language: MailLanguage;
  readonly action: string;
  readonly csrf: string;
  readonly clientName: string;
  /** Where the answer is sent, so that a person can see who is really asking. */
  readonly destination: string;
  readonly username: string;
  readonly scopes: readonly string[];
};

export function consentPage({
  language,
  action,
  csrf,
  clientName,
  destination,
  username,
  scopes,
}: ConsentPage): string {
  const words = PAGE_WORDS[language];
  const items = scopes.map((scope) => `<li>${escaped(words.scopes[scope] ?? scope)}</li>`).join('\n');
  return page(
    language,
    words.allowTitle,
    `<p>${filled(words.wishes, { client: clientName, username }, { destination })}</p>
<ul>
${items}
</ul>
<form method="post" action="${escaped(action)}/confirm">
${hidden(csrf)}
<button type="submit">${words.allow}</button>
</form>
${abortForm(words, action, csrf)}`,
  );
}

export function errorPage(language: MailLanguage, error: string, description: string): string {
  return page(
    language,
    PAGE_WORDS[language].failed,
    `<p>${escaped(description)}</p>\n<p><code>${escaped(error)}</code></p>`,
  );
}

/** A sentence with names in it; those of `strong` stand out. */
function filled(
  sentence: string,
  strong: Readonly<Record<string, string>>,
  plain: Readonly<Record<string, string>> = {},
): string {
  return escaped(sentence).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const [loud, quiet] = [strong[name], plain[name]];
    if (loud !== undefined) return `<strong>${escaped(loud)}</strong>`;
    return quiet === undefined ? whole : escaped(quiet);
  });
}

function abortForm(words: PageWords, action: string, csrf: string): string {
  return `<form method="post" action="${escaped(action)}/abort">
${hidden(csrf)}
<button class="plain" type="submit">${words.cancel}</button>
</form>`;
}

function hidden(csrf: string): string {
  return `<input type="hidden" name="csrfmiddlewaretoken" value="${escaped(csrf)}">`;
}

function page(language: MailLanguage, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
