// What the database set of the reply: `response.headers` and `response.status`, checked before they reach HTTP.

import { belongsToServer, headerBytes, isFinalStatus, isHeaderName, isHeaderValue } from '../../http/header-text.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { RunError } from '../errors/run-error.ts';

export type Header = readonly [name: string, value: string];
export type ResponseSettings = { readonly headers: readonly Header[]; readonly status: number | undefined };

const NONE: ResponseSettings = { headers: [], status: undefined };

export function parseResponseSettings(
  headers: string | undefined,
  status: string | undefined,
): Result<ResponseSettings, RunError> {
  if (headers === undefined && status === undefined) return ok(NONE);
  const parsed = headers === undefined ? [] : parseHeaders(headers);
  if (parsed === undefined) return err({ kind: 'guc-headers' });
  const code = status === undefined ? undefined : Number(/^\d+/.exec(status)?.[0]);
  if (code !== undefined && !isFinalStatus(code)) return err({ kind: 'guc-status' });
  return ok({ headers: parsed, status: code });
}

/** A JSON array of objects, each with one key and a text value; anything else is undefined. */
function parseHeaders(text: string): readonly Header[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(json)) return undefined;
  const headers: Header[] = [];
  for (const item of json) {
    const [entry, another] =
      item !== null && typeof item === 'object' && !Array.isArray(item) ? Object.entries(item) : [];
    if (entry === undefined || another !== undefined) return undefined;
    const [name, value] = entry;
    if (typeof value !== 'string' || !isHeaderName(name) || !isHeaderValue(value)) return undefined;
    if (!belongsToServer(name)) headers.push([name, headerBytes(value)]);
  }
  return headers;
}

/** A header that the database sets takes the place of the service's; it may itself stand several times. */
export function overrideHeaders(own: readonly [string, string][], wished: readonly Header[]): [string, string][] {
  const replaced = new Set(wished.map(([name]) => name.toLowerCase()));
  return [
    ...own.filter(([name]) => !replaced.has(name.toLowerCase())),
    ...wished.map(([name, value]): [string, string] => [name, value]),
  ];
}
