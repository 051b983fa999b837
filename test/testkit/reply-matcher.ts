// expect(reply).toMatchReply({ status, headers, json | text }): one request, the whole expected reply.
// Loaded for every test file by vitest.config.ts.

import { expect } from 'vitest';

/** What a fetch-like call in a test gives back; `body` is the text as it came. */
export type Reply = {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
};

export type ExpectedReply = {
  readonly status?: number;
  readonly statusText?: string;
  /** Names in any case. A value is the exact text or a pattern; null: the header must not be there. Others are not looked at. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** The body read as JSON; asymmetric matchers (`expect.any(…)`) work inside. */
  readonly json?: unknown;
  /** The body as text, exact or a pattern. An empty body is ''. */
  readonly text?: string | RegExp;
};

/** The reply in the shape of what was expected of it, so that a difference shows as one readable diff. */
export function seenAs(reply: Reply, expected: ExpectedReply): Record<string, unknown> {
  const seen: Record<string, unknown> = {};
  if (expected.status !== undefined) seen['status'] = reply.status;
  if (expected.statusText !== undefined) seen['statusText'] = reply.statusText;
  if (expected.headers !== undefined) {
    seen['headers'] = Object.fromEntries(Object.keys(expected.headers).map((name) => [name, headerOf(reply, name)]));
  }
  const body = textOf(reply.body);
  if ('json' in expected) seen['json'] = parseJson(body);
  if (expected.text !== undefined) seen['text'] = body;
  return seen;
}

/** A header's value, several of one name joined as HTTP joins them; null when it is not there. */
export function headerOf(reply: Pick<Reply, 'headers'>, name: string): string | null {
  if (reply.headers instanceof Headers) return reply.headers.get(name);
  const wanted = name.toLowerCase();
  const values = Object.entries(reply.headers)
    .filter(([key, value]) => key.toLowerCase() === wanted && value !== undefined)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? null : values.join(', ');
}

export function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return { 'not JSON': body };
  }
}

function patternsToMatchers(expected: ExpectedReply): Record<string, unknown> {
  const loose = (value: unknown): unknown => (value instanceof RegExp ? expect.stringMatching(value) : value);
  const { headers, text, ...rest } = expected;
  return {
    ...rest,
    ...(headers && { headers: Object.fromEntries(Object.entries(headers).map(([name, v]) => [name, loose(v)])) }),
    ...(text !== undefined && { text: loose(text) }),
  };
}

expect.extend({
  toMatchReply(received: Reply, expected: ExpectedReply) {
    const actual = seenAs(received, expected);
    const wanted = patternsToMatchers(expected);
    const pass = this.equals(actual, wanted);
    return {
      pass,
      actual,
      expected: wanted,
      message: () =>
        pass
          ? 'the reply matches, and was expected not to'
          : `the reply differs\n\n${this.utils.diff(wanted, actual) ?? ''}\n\nwhole reply: ${received.status} ${received.statusText}\n${textOf(received.body).slice(0, 4000)}`,
    };
  },
});

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an augmentation has to repeat the type parameter as vitest declares it
  interface Matchers<T = any> {
    toMatchReply(expected: ExpectedReply): T;
  }
}
