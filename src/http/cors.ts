// Cross-origin rules: which headers a browser needs beside a reply, and the answer to its preflight.

import type { HttpHeaders, HttpReply } from './http-message.ts';
import { firstHeader } from './http-message.ts';

export type CorsRules = {
  /** Undefined: any origin, without credentials. */
  readonly allowedOrigins: readonly string[] | undefined;
  readonly methods: readonly string[];
  readonly exposed: readonly string[];
};

type Header = readonly [name: string, value: string];

const NONE: readonly Header[] = [];
const MAX_AGE = '86400';
/** Safe for any request, so they need not be asked for. */
const ALWAYS_ALLOWED = ['Accept', 'Accept-Language', 'Content-Language'];

/** Headers for the reply to a request that came with an Origin. */
export function corsHeaders(headers: HttpHeaders, rules: CorsRules): readonly Header[] {
  const origin = originHeaders(headers, rules);
  if (origin.length === 0 || firstHeader(headers, 'origin') === undefined) return origin;
  const allows = origin.some(([name]) => name === 'Access-Control-Allow-Origin');
  return allows ? [...origin, ['Access-Control-Expose-Headers', rules.exposed.join(', ')]] : origin;
}

/** A browser asking beforehand; undefined when the request is something else, or asks for nobody we know. Touches nothing but the rules. */
export function preflight(method: string, headers: HttpHeaders, rules: CorsRules): HttpReply | undefined {
  const origin = firstHeader(headers, 'origin');
  if (method !== 'OPTIONS' || origin === undefined || !isAllowed(origin, rules)) return undefined;
  const wanted = firstHeader(headers, 'access-control-request-method');
  if (wanted === undefined || !rules.methods.includes(wanted)) return undefined;
  const asked = (firstHeader(headers, 'access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
  return {
    status: 200,
    headers: [
      ...originHeaders(headers, rules),
      ['Access-Control-Allow-Methods', rules.methods.join(', ')],
      ...(asked.length === 0
        ? []
        : [['Access-Control-Allow-Headers', ['Authorization', ...asked, ...ALWAYS_ALLOWED].join(', ')] as const]),
      ['Access-Control-Max-Age', MAX_AGE],
      ['Content-Length', '0'],
    ],
  };
}

/** Whether any page may read what everybody may. */
export function isForAll({ allowedOrigins }: Pick<CorsRules, 'allowedOrigins'>): boolean {
  return allowedOrigins === undefined || allowedOrigins.length === 0;
}

function isAllowed(origin: string, rules: CorsRules): boolean {
  return isForAll(rules) || rules.allowedOrigins?.includes(origin) === true;
}

function originHeaders(headers: HttpHeaders, rules: CorsRules): readonly Header[] {
  const origin = firstHeader(headers, 'origin');
  if (isForAll(rules)) return origin === undefined ? NONE : [['Access-Control-Allow-Origin', '*']];
  // The reply depends on who asks, even where nobody did: a cache must know.
  const vary: Header = ['Vary', 'Origin'];
  if (origin === undefined || !isAllowed(origin, rules)) return [vary];
  return [['Access-Control-Allow-Origin', origin], ['Access-Control-Allow-Credentials', 'true'], vary];
}
