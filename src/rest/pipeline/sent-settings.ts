// What a client sent beside its question, its headers and cookies, as the settings by which the database is told of them.

import type { HttpHeaders, HttpRequest } from '../../http/http-message.ts';
import type { ScopeParts } from '../../pg/scope.ts';

export type SentSettings = Pick<ScopeParts, 'headers' | 'cookies'>;

export function sentSettings({ headers }: HttpRequest): SentSettings {
  return { headers: headersJson(headers), cookies: cookiesJson(headers['cookie']) };
}

/** A header that was sent several times is joined, as HTTP has it; cookies have a setting of their own. */
function headersJson(headers: HttpHeaders): string {
  // Node has joined repeated headers already, all but this one: the whole object is what is wanted.
  if (headers['cookie'] === undefined && headers['set-cookie'] === undefined) return JSON.stringify(headers);
  const { cookie: _, 'set-cookie': repeated, ...rest } = headers;
  if (repeated === undefined) return JSON.stringify(rest);
  return JSON.stringify({ ...rest, 'set-cookie': typeof repeated === 'string' ? repeated : repeated.join(', ') });
}

function cookiesJson(header: string | readonly string[] | undefined): string {
  if (header === undefined) return '{}';
  const cookies = new Map<string, string>();
  for (const pair of (typeof header === 'string' ? header : header.join(';')).split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0) cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
  }
  return `{${[...cookies].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}
