// `/rest/v1/…`, the address at which Supabase's clients look for the service: the request as the service reads it, and the
// reply with its addresses below that path again. What those clients send without being asked is taken as it is meant.

import { firstHeader, type HttpReply, type HttpRequest } from '../../http/http-message.ts';
import { underMount } from './under-mount.ts';

export const REST_V1 = '/rest/v1';

/** The schema that clients name where nobody chose one. */
const CLIENTS_SCHEMA = 'public';
const PROFILES = ['accept-profile', 'content-profile'];

export function isBelowRestV1(path: string): boolean {
  return path.startsWith(REST_V1) && (path.length === REST_V1.length || path[REST_V1.length] === '/');
}

export function fromRestV1(http: HttpRequest, exposed: readonly string[]): HttpRequest {
  const path = http.path.slice(REST_V1.length) || '/';
  const known = withoutPublic({ ...http, path }, exposed);
  return isPublishableKey(http) ? without(known, ['authorization']) : known;
}

/** Where no schema `public` is exposed, clients that name it unasked mean the first one. */
export function withoutPublic(http: HttpRequest, exposed: readonly string[]): HttpRequest {
  const named = PROFILES.filter((name) => http.headers[name] === CLIENTS_SCHEMA);
  return named.length === 0 || exposed.includes(CLIENTS_SCHEMA) ? http : without(http, named);
}

function without(http: HttpRequest, names: readonly string[]): HttpRequest {
  const headers = { ...http.headers };
  for (const name of names) delete headers[name];
  return { ...http, headers };
}

export function toRestV1(reply: HttpReply): HttpReply {
  return underMount(reply, REST_V1);
}

/** A key that is no token names nobody. Clients send it as one all the same, as long as nobody has signed in. */
function isPublishableKey({ headers }: HttpRequest): boolean {
  const key = firstHeader(headers, 'apikey');
  return key !== undefined && !key.includes('.') && firstHeader(headers, 'authorization') === `Bearer ${key}`;
}
