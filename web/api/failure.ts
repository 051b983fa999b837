// Why a request came to nothing, told apart by what a person can do about it.

/** One sentence of the portal, in its own words: what the pages make of it is in `lib/server-message.ts`. */
export type Said = {
  readonly text: string;
  /** The field of the form it is about. */
  readonly field?: string;
  /** What the REST service calls it. */
  readonly code?: string;
};

export type Failure =
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly said: readonly Said[] }
  | { readonly kind: 'not-found' }
  /** `status`: to tell a conflict (412) from a mistake; 400 where nobody asked. */
  | { readonly kind: 'invalid'; readonly status?: number; readonly said: readonly Said[] }
  | { readonly kind: 'offline' }
  | { readonly kind: 'server'; readonly status: number; readonly said: readonly Said[] };

const NOT_PROVIDED = 'Authentication credentials were not provided.';

/** The bodies of errors: `{"detail": …}`, field → messages, or a list of messages. */
export function failureOf(status: number, body: unknown): Failure {
  const said = saidIn(body);
  // What visitors are not challenged for is refused to them in these words.
  if (status === 401 || (status === 403 && said[0]?.text === NOT_PROVIDED)) return { kind: 'signed-out' };
  if (status === 403) return { kind: 'refused', said };
  if (status === 404 || status === 410) return { kind: 'not-found' };
  if (status >= 400 && status < 500) return { kind: 'invalid', ...(status === 400 ? {} : { status }), said };
  return { kind: 'server', status, said };
}

/** Members that are about the whole of a request. */
const GENERAL = ['detail', 'message', 'error_msg', 'errors', 'non_field_errors'] as const;
const MAX_TEXT = 500;

function saidIn(body: unknown): readonly Said[] {
  // The page of some proxy is nothing to read in a line.
  if (typeof body === 'string') return body === '' || /^\s*</.test(body) ? [] : [{ text: body.slice(0, MAX_TEXT) }];
  if (Array.isArray(body)) return body.flatMap(saidIn);
  if (typeof body !== 'object' || body === null) return [];
  const members = new Map<string, unknown>(Object.entries(body));
  const code = members.get('code');
  for (const name of GENERAL) {
    const said = saidIn(members.get(name));
    if (said.length > 0) return typeof code === 'string' ? said.map((one) => ({ ...one, code })) : said;
  }
  return [...members].flatMap(([field, messages]) =>
    Array.isArray(messages)
      ? messages.flatMap((text) => (typeof text === 'string' && text !== '' ? [{ field, text }] : []))
      : [],
  );
}

/** What is wrong with a field. */
export function saidOf(failure: Failure | undefined, field: string): readonly Said[] {
  return failure?.kind === 'invalid' ? failure.said.filter((one) => one.field === field) : [];
}
