// Requests to the portal: JSON in, a value or a failure out. Sends what proves that a page of ours is asking.

import { err, ok, type Result } from '../lib/result.ts';
import { type Failure, failureOf } from './failure.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type RequestOptions = {
  /** An object is sent as JSON, a form as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
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

export async function send<T>(method: Method, path: string, options: RequestOptions = {}): Promise<Result<T, Failure>> {
  const { body, signal, headers } = options;
  const isForm = body instanceof FormData;
  let reply: Response;
  try {
    reply = await fetch(path, {
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
  const content = parse(text);
  if (reply.ok) return ok(content as T);
  const failure = failureOf(reply.status, content);
  if (REFUSALS.has(failure.kind)) for (const listener of whenRefused) listener();
  return err(failure);
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<Result<T, Failure>> =>
  send<T>('GET', path, { signal });

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function csrfHeader(): Record<string, string> {
  const token = /(?:^|;\s*)csrftoken=([^;]*)/.exec(document.cookie)?.[1];
  return token === undefined ? {} : { 'X-CSRFToken': decodeURIComponent(token) };
}
