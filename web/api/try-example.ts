// An example of the documentation, sent to this server as whoever reads it. However much is answered, only the beginning is read.

import { prettyJson } from '../lib/exact-json.ts';
import { bearer } from './rest.ts';

export type ExampleRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type ExampleReply = {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** There was more. */
  readonly isCut: boolean;
};

const MAX_BYTES = 100_000;
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*xml|yaml|x-ndjson))/;

/** Undefined: the server could not be reached. */
export async function tryExample(
  { method, path, headers, body }: ExampleRequest,
  isSignedIn: boolean,
): Promise<ExampleReply | undefined> {
  // Of this server, whatever was typed.
  if (!/^\/(?![/\\])/.test(path)) return undefined;
  // The REST service knows tokens and no cookies.
  const token = path.startsWith('/rest/') ? await bearer(isSignedIn) : undefined;
  try {
    const reply = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json, */*;q=0.5',
        'X-Requested-With': 'XMLHttpRequest',
        ...headers,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: body ?? null,
    });
    const type = reply.headers.get('Content-Type') ?? '';
    if (type !== '' && !TEXT.test(type)) {
      await reply.body?.cancel();
      return { status: reply.status, type, text: '', isCut: false };
    }
    const { text, isCut } = await beginningOf(reply);
    return { status: reply.status, type, text: isCut ? text : prettyJson(text), isCut };
  } catch {
    return undefined;
  }
}

async function beginningOf(reply: Response): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const reader = reply.body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return { text: text + decoder.decode(), isCut: false };
    text += decoder.decode(part.value, { stream: true });
    bytes += part.value.length;
    if (bytes <= MAX_BYTES) continue;
    await reader?.cancel();
    return { text: text.slice(0, MAX_BYTES), isCut: true };
  }
}
