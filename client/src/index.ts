// A client for the API of a Survest portal: addresses, queries, bodies and answers are typed by the portal's OpenAPI document. It is `fetch` and types, nothing else, and
// runs wherever `fetch` does.
//
//   const portal = createClient('https://maps.example.org', { token });
//   const { layers } = await portal.get('/api/v2/layers/', { query: { search: 'rivers' } });

import type { Operations } from './operations.gen.js';

export type * from './operations.gen.js';

export type ClientOptions = {
  /** An access token (*My account → Access*), or a function that has one when it is asked for. Without it: as a visitor. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Key<M extends Method> = Extract<keyof Operations, `${M} ${string}`>;
/** Addresses that take this verb. */
export type Path<M extends Method> = Key<M> extends `${M} ${infer P}` ? P : never;
type Operation<M extends Method, P extends string> = `${M} ${P}` extends keyof Operations
  ? Operations[`${M} ${P}`]
  : never;
/** What an operation says of its query or its body; undefined: it has none. */
type Part<O, K extends string> = O extends { readonly [Key in K]: infer Said } ? Said : undefined;

/** The names in braces of an address. */
type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

export type Answer<M extends Method, P extends Path<M>> = Operation<M, P>['answer'];

type Common = { readonly signal?: AbortSignal; readonly headers?: Readonly<Record<string, string>> };
type PathPart<P extends string> = [Names<P>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: { readonly [Name in Names<P>]: string | number } };
type BodyPart<B> = [B] extends [undefined]
  ? { readonly body?: undefined }
  : undefined extends B
    ? { readonly body?: B }
    : { readonly body: B };
export type Request<M extends Method, P extends Path<M>> = Common &
  PathPart<P> &
  BodyPart<Part<Operation<M, P>, 'body'>> & { readonly query?: Part<Operation<M, P>, 'query'> };

/** Nothing has to be said where nothing is needed. */
type Given<R> = Record<never, never> extends R ? [request?: R] : [request: R];
type Call<M extends Method> = <P extends Path<M>>(path: P, ...request: Given<Request<M, P>>) => Promise<Answer<M, P>>;

export type Client = {
  readonly get: Call<'GET'>;
  readonly post: Call<'POST'>;
  readonly put: Call<'PUT'>;
  readonly patch: Call<'PATCH'>;
  readonly delete: Call<'DELETE'>;
};

/** The portal answered, and refused. A network that is down is the `TypeError` of `fetch`. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
  readonly status: number;
  /** What was said: `detail`, or messages by the name of the field. */
  readonly body: unknown;
  /** Seconds, where the portal says when to come back. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, retryAfter: number | undefined) {
    super(`${status}: ${wordsOf(body)}`);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

export function createClient(address: string, options: ClientOptions = {}): Client {
  const base = address.replace(/\/$/, '');
  const call =
    (method: Method) =>
    (path: string, request: Untyped = {}): Promise<never> =>
      send(base, options, method, path, request) as Promise<never>;
  return { get: call('GET'), post: call('POST'), put: call('PUT'), patch: call('PATCH'), delete: call('DELETE') };
}

/** Lists that are answered in pages. */
type Listed = { readonly links: { readonly next: string | null } };
type ListPath = { [P in Path<'GET'>]: Answer<'GET', P> extends Listed ? P : never }[Path<'GET'>];

/** The pages of a list, one after the other: `for await (const { layers } of pages(portal, '/api/v2/layers/'))`. */
export async function* pages<P extends ListPath>(
  client: Client,
  path: P,
  request: Omit<Request<'GET', P>, 'body'>,
): AsyncGenerator<Answer<'GET', P>, void> {
  const { query = {}, ...others } = request as Untyped;
  const get = client.get as unknown as (path: string, request: Untyped) => Promise<Answer<'GET', P>>;
  for (let page = Number((query as { page?: number }).page ?? 1); ; page++) {
    const answer = await get(path, { ...others, query: { ...query, page } });
    yield answer;
    if ((answer as Listed).links.next === null) return;
  }
}

type Untyped = Common & {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
};

async function send(
  base: string,
  options: ClientOptions,
  method: Method,
  path: string,
  { path: names = {}, query = {}, body, headers = {}, signal }: Untyped,
): Promise<unknown> {
  const { token, fetch = globalThis.fetch } = options;
  const bearer = typeof token === 'function' ? await token() : token;
  const isJson = body !== undefined && !(body instanceof FormData) && typeof body !== 'string';
  const reply = await fetch(base + filled(path, names) + queryOf(query), {
    method,
    headers: {
      Accept: 'application/json',
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...options.headers,
      ...headers,
    },
    body: isJson ? JSON.stringify(body) : ((body as FormData | string | undefined) ?? null),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await reply.text();
  const content = contentOf(text, reply.headers.get('content-type') ?? '');
  if (reply.ok) return content;
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
  throw new PortalError(reply.status, content, Number.isNaN(seconds) ? undefined : seconds);
}

/** `/api/v2/layers/{id}/` with the names that stand in braces. */
function filled(path: string, names: object): string {
  return path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = (names as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) throw new TypeError(`${path} needs "${name}" in path`);
    return encodeURIComponent(String(value));
  });
}

function queryOf(query: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) pairs.append(name, String(one));
  return pairs.size === 0 ? '' : `?${pairs}`;
}

function contentOf(text: string, type: string): unknown {
  if (text === '') return undefined;
  return /\bjson\b/.test(type) ? JSON.parse(text) : text;
}

function wordsOf(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'detail' in body) return String(body.detail);
  return typeof body === 'string' ? body.slice(0, 200) : JSON.stringify(body ?? '');
}
