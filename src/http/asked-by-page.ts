// Whether a page in a browser asked, for itself: a script, a picture, a tile, a film. Nobody looks at that address, so a challenge for a password would
// have the browser open its own dialog over the page. Pure.

import type { HttpHeaders } from './http-message.ts';

/**
 * Browsers name what they ask for. To pages without TLS they do not: there, what is asked for is no page, and the page that asked is one of the same host,
 * whose address comes along (our pages say `Referrer-Policy: same-origin`).
 */
export function isAskedByPage(headers: HttpHeaders): boolean {
  if (text(headers['x-requested-with']).toLowerCase() === 'xmlhttprequest') return true;
  const destination = text(headers['sec-fetch-dest']);
  if (destination !== '') return destination !== 'document';
  const accept = text(headers['accept']);
  if (/^(?:image|video|audio)\//.test(accept)) return true;
  const referrer = text(headers['referer']);
  return !accept.includes('text/html') && URL.canParse(referrer) && new URL(referrer).host === headers['host'];
}

function text(header: HttpHeaders[string]): string {
  return typeof header === 'string' ? header : '';
}
