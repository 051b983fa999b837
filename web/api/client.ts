// Requests to the portal: JSON in, a value or a failure out. Sends what proves that a page of ours is asking.

import type { Guard } from '../lib/guard.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { withLink } from '../lib/share-link.ts';
import type { Answer, Method } from './answer.ts';
import { type Failure, failureOf } from './failure.ts';

export type RequestOptions = {
  /** An object is sent as JSON, a form as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the answer is read, where its numbers may have any length: `parseRows`, `parseGroups`. */
  readonly parse?: (text: string) => unknown;
};

/** A member that the portal does not know is a mistake in a page, and not to be passed over. */
export const STRICT: Readonly<Record<string, string>> = { Prefer: 'handling=strict' };

type Listener = () => void;
const whenRefused = new Set<Listener>();

/** Told whenever the portal refused or hid something: it may not know any more who is asking. */
export function onRefused(listener: Listener): () => void {
  whenRefused.add(listener);
  return () => whenRefused.delete(listener);
}

const REFUSALS: ReadonlySet<Failure['kind']> = new Set(['signed-out', 'refused', 'not-found']);

/** An answer as the portal's OpenAPI document types it; the portal's tests hold every answer against that document. */
export function promised<M extends Method, A extends string>(content: unknown): Answer<M, A> {
  return content as Answer<M, A>;
}

export async function send<const M extends Method, const A extends string>(
  method: M,
  address: A,
  options?: RequestOptions,
): Promise<Result<Answer<M, A>, Failure>> {
  const reply = await request(method, address, options);
  return reply.ok ? ok(promised<M, A>(reply.value)) : reply;
}

export const get = <const A extends string>(
  address: A,
  signal?: AbortSignal,
): Promise<Result<Answer<'GET', A>, Failure>> => send('GET', address, { signal });

/** What the document does not tell of: an answer of another shape is a failure of the server. */
export async function sendFor<T>(
  guard: Guard<T>,
  method: Method,
  address: string,
  options?: RequestOptions,
): Promise<Result<T, Failure>> {
  const reply = await request(method, address, options);
  return reply.ok ? guarded(guard, reply.value) : reply;
}

export const getFor = <T>(guard: Guard<T>, address: string, signal?: AbortSignal): Promise<Result<T, Failure>> =>
  sendFor(guard, 'GET', address, { signal });

/** An answer of another shape is none of ours, such as the page of a proxy. */
export function guarded<T>(guard: Guard<T>, content: unknown): Result<T, Failure> {
  return guard(content) ? ok(content) : err({ kind: 'server', status: 200, said: [] });
}

async function request(method: Method, path: string, options?: RequestOptions): Promise<Result<unknown, Failure>> {
  const reply = await exchange(method, path, options);
  return reply.ok ? ok(reply.value.content) : reply;
}

/** An answer with its headers, for who needs one of them. */
export async function exchange(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Result<{ readonly content: unknown; readonly headers: Headers }, Failure>> {
  const { body, signal, headers, parse = JSON.parse } = options;
  const isForm = body instanceof FormData;
  let reply: Response;
  try {
    reply = await fetch(method === 'GET' || path.startsWith('/account/token') ? withLink(path) : path, {
      method,
      credentials: 'same-origin',
      signal: signal ?? null,
      headers: {
        Accept: 'application/json',
        'X-Requested-With': 'XMLHttpRequest',
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
        ...(method === 'GET' ? {} : { ...csrfHeader(), ...STRICT }),
        ...headers,
      },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return err({ kind: 'offline' });
  }
  const text = await reply.text().catch(() => undefined);
  // Given up while it was coming in: an answer of which half is missing is none.
  signal?.throwIfAborted();
  if (text === undefined) return err({ kind: 'offline' });
  const content = contentOf(text, parse);
  if (reply.ok) return ok({ content, headers: reply.headers });
  const failure = failureOf(reply.status, content);
  if (REFUSALS.has(failure.kind)) for (const listener of whenRefused) listener();
  return err(failure);
}

function contentOf(text: string, parse: (text: string) => unknown): unknown {
  if (text === '') return undefined;
  try {
    return parse(text);
  } catch {
    return text;
  }
}

export function csrfHeader(): Record<string, string> {
  const token = /(?:^|;\s*)csrftoken=([^;]*)/.exec(document.cookie)?.[1];
  return token === undefined ? {} : { 'X-CSRFToken': decodeURIComponent(token) };
}
