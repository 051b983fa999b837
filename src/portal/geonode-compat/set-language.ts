// `POST /i18n/setlang/`: the language of the pages, kept in the cookie that they read. The form proves that it comes from a page of ours,
// as that of signing in does; `next` leads to an address of ours and nowhere else.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { membersOf } from '../accounts/body-fields.ts';
import { cookieLine } from '../accounts/cookies.ts';
import { checkLoginForm, nextPage } from '../accounts/login-form.ts';
import type { PortalContext } from '../portal-context.ts';

const LANGUAGE_COOKIE = 'django_language';
const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** Those that the pages have. */
const LANGUAGES: ReadonlySet<string> = new Set(['en', 'de', 'fr', 'es']);

export function setLanguage({ answerError, baseUrl }: PortalContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const base = baseUrl(request);
    const proved = checkLoginForm(request.headers, request.body, base);
    if (!proved.ok) return answerError(request, reply, proved.error);
    const { language, next } = membersOf(request.body);
    const [plain = ''] = (typeof language === 'string' ? language : '').toLowerCase().split(/[-_]/, 1);
    if (!LANGUAGES.has(plain))
      return answerError(request, reply, {
        kind: 'invalid-fields',
        fields: { language: [`The pages are there in ${[...LANGUAGES].join(', ')}.`] },
      });
    const isSecure = base.startsWith('https:');
    reply.header(
      'Set-Cookie',
      cookieLine(LANGUAGE_COOKIE, plain, { maxAge: YEAR_SECONDS, secure: isSecure, httpOnly: false }),
    );
    const wanted = next ?? (request.query as { readonly next?: unknown }).next;
    return reply.redirect(nextPage({ next: wanted }, base), 302);
  };
}
