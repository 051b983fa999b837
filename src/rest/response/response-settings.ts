// What the database set of the reply: `response.headers` and `response.status`, checked before they reach HTTP.

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
  const code = status === undefined ? undefined : parseStatus(status);
  if (code === 'bad') return err({ kind: 'guc-status' });
  return ok({ headers: parsed, status: code });
}

// As RFC 9110 has them: nothing that could end a header line early.
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

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
    const entries = item !== null && typeof item === 'object' && !Array.isArray(item) ? Object.entries(item) : [];
    const [entry, another] = entries;
    if (entry === undefined || another !== undefined) return undefined;
    const [name, value] = entry;
    if (typeof value !== 'string' || !NAME.test(name)) return undefined;
    // Node sends header text as Latin-1; UTF-8 bytes written so come out as they were.
    const bytes = Buffer.from(value).toString('latin1');
    if (!VALUE.test(bytes)) return undefined;
    headers.push([name, bytes]);
  }
  return headers;
}

function parseStatus(text: string): number | 'bad' {
  const digits = /^\d+/.exec(text)?.[0];
  const status = digits === undefined ? Number.NaN : Number(digits);
  // Node takes three digits; 1xx would leave the client waiting for the real answer.
  return status >= 200 && status <= 999 ? status : 'bad';
}
