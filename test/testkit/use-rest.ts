// The REST service for a suite: opened before its tests, closed after them. What the service took for a bug of its own
// makes the suite fail.

import { afterAll, beforeAll } from 'vitest';
import type { Tracer } from '../../src/http/tracing/tracer.ts';
import type { Driver } from '../../src/pg/driver.ts';
import type { TestDatabase } from './database.ts';
import type { Reply } from './reply-matcher.ts';
import { openRest, type RequestOptions, type RestClient } from './rest-client.ts';

export type SuiteClient = {
  request(method: string, target: string, options?: RequestOptions): Promise<Reply>;
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  head(target: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  post(target: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** The client itself, once the tests run. */
  client(): RestClient;
};

export function useRest(
  db: () => TestDatabase,
  settings: Readonly<Record<string, string>> = {},
  around?: (driver: Driver) => Driver,
  tracer?: () => Tracer,
): SuiteClient {
  let opened: RestClient | undefined;
  beforeAll(async () => {
    opened = await openRest(db(), settings, around, tracer?.());
  });
  afterAll(() => opened?.close());
  const client = (): RestClient => {
    if (opened === undefined) throw new Error('the service is there once the tests run');
    return opened;
  };
  return {
    request: (method, target, options) => client().request(method, target, options),
    get: (target, headers = {}) => client().request('GET', target, { headers }),
    head: (target, headers = {}) => client().request('HEAD', target, { headers }),
    post: (target, body, headers = {}) => client().request('POST', target, { headers, body }),
    client,
  };
}

/** `[{ id: 1 }, { id: 2 }]`: the rows most tests of conditions ask for. */
export function ids(...values: readonly number[]): readonly { id: number }[] {
  return values.map((id) => ({ id }));
}

/** The body every error has. */
export function problem(
  code: string,
  message: unknown,
  details: unknown = null,
  hint: unknown = null,
): Record<string, unknown> {
  return { code, message, details, hint };
}
