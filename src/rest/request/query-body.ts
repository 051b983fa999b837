// Reading by a body: `QUERY /films`, or `POST /films/query` for clients that cannot send that method. In: the request. Out: the
// query string that a GET would have had, so that everything behind it (grammar, bounds, plans) is that of a GET. It is for
// conditions that are longer than an address may be.

import { firstHeader, type HttpRequest } from '../../http/http-message.ts';
import { exactText, parseExact } from '../../kernel/exact-numbers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { decodeFormComponent, decodePathSegment, encodeUrlComponent } from './form-decoding.ts';
import { LIMITS } from './limits.ts';
import { mediaTypeName, parseContentType } from './media-type.ts';
import type { RequestError } from './request-error.ts';

/** A request as it is meant: by which method, at which address, and whether its parameters are in its body. */
export type MeantRequest = { readonly method: string; readonly path: string; readonly byBody: boolean };

const QUERY = 'QUERY';
const SUFFIX = '/query';

export function meantRequest({ method, path }: Pick<HttpRequest, 'method' | 'path'>): MeantRequest {
  if (method === QUERY) return { method, path, byBody: true };
  if (method === 'POST' && path.endsWith(SUFFIX)) {
    const below = path.slice(0, -SUFFIX.length);
    if (isThing(below)) return { method: QUERY, path: below, byBody: true };
  }
  return { method, path, byBody: false };
}

/** `/films` or `/rpc/best_films`; `/rpc` alone is none, and `/rpc/query` a function of that name. */
function isThing(path: string): boolean {
  const from = path.startsWith('/') ? 1 : 0;
  if (path.length === from) return false;
  const slash = path.indexOf('/', from);
  const first = decodePathSegment(slash < 0 ? path.slice(from) : path.slice(from, slash));
  if (slash < 0) return first !== 'rpc';
  return first === 'rpc' && path.indexOf('/', slash + 1) < 0;
}

/** The parameters of address and body, as one query string. */
export function queryOfBody({
  query,
  body,
  headers,
}: Pick<HttpRequest, 'query' | 'body' | 'headers'>): Result<string, RequestError> {
  if (body.length === 0) return ok(query);
  const contentType = parseContentType(firstHeader(headers, 'content-type'));
  const sent =
    contentType.kind === 'form'
      ? ok(bytesOf(body).toString('latin1'))
      : contentType.kind === 'json'
        ? queryOfJson(body)
        : err<RequestError>({ kind: 'content-type-unsupported', contentType: mediaTypeName(contentType) });
  if (!sent.ok || query === '') return sent;
  const twice = sharedName(query, sent.value);
  return twice === undefined ? ok(`${query}&${sent.value}`) : err({ kind: 'parameter-twice', name: twice });
}

function bytesOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** `{"id":"in.(1,2)","limit":10,"name":["gt.A","lt.C"]}`: a value, or the several values of a parameter that comes again. */
function queryOfJson(body: Uint8Array): Result<string, RequestError> {
  const parsed = parseJson(bytesOf(body).toString('utf8'));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return notParameters();
  const parts: string[] = [];
  for (const [name, value] of Object.entries(parsed)) {
    const encoded = encodeUrlComponent(name);
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean') return notParameters();
      if (parts.length >= LIMITS.parameters.most) return err({ kind: 'too-many', limit: 'parameters' });
      parts.push(`${encoded}=${encodeUrlComponent(exactText(one))}`);
    }
  }
  return ok(parts.join('&'));
}

function parseJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function notParameters(): Result<never, RequestError> {
  return err({ kind: 'body-invalid', problem: { kind: 'not-parameters' } });
}

/** The first name that stands in both. */
function sharedName(query: string, sent: string): string | undefined {
  const names = namesIn(query);
  for (const name of namesIn(sent)) if (names.has(name)) return name;
  return undefined;
}

function namesIn(query: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pair of query.split('&', LIMITS.parameters.most + 1)) {
    const equals = pair.indexOf('=');
    if (pair !== '') names.add(decodeFormComponent(equals < 0 ? pair : pair.slice(0, equals)));
  }
  return names;
}
