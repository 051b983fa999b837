// The REST service in this process, over a test database: settings in, a client out whose replies `toMatchReply` reads.

import { createHmac } from 'node:crypto';
import type { Tracer } from '../../src/http/tracing/tracer.ts';
import type { Observation } from '../../src/kernel/observation.ts';
import type { Driver } from '../../src/pg/driver.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { loadRestConfig } from '../../src/rest/config/load-config.ts';
import { makeRestService, type RestService } from '../../src/rest/lifecycle/rest-service.ts';
import { ANONYMOUS, AUTHENTICATOR, EXPOSED_SCHEMAS, EXTRA_SEARCH_PATH } from '../fixtures/rest/fixture.ts';
import type { TestDatabase } from './database.ts';
import type { Reply } from './reply-matcher.ts';

export const SECRET = 'reallyreallyreallyreallyverysafe';

export type RequestOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object or array is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
  /** Adds a token with this role. */
  readonly as?: string;
};

export type RestClient = {
  request(method: string, target: string, options?: RequestOptions): Promise<Reply>;
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  post(target: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  readonly service: RestService;
  /** Everything the service observed. */
  readonly seen: readonly Observation[];
  close(): Promise<void>;
};

/**
 * `settings` by their names, e.g. `{ 'db-max-rows': '2' }`; the fixture's roles and schemas are preset.
 * `around`: what stands between the service and its driver, for tests that watch it.
 */
export async function openRest(
  db: TestDatabase,
  settings: Readonly<Record<string, string>> = {},
  around: (driver: Driver) => Driver = (driver) => driver,
  tracer?: Tracer,
): Promise<RestClient> {
  const client = await makeRest(db, settings, around, tracer);
  await client.service.start();
  if (client.service.state().cache === undefined)
    throw new Error(`the schema could not be loaded: ${JSON.stringify(client.seen)}`);
  return client;
}

/** The same before its start. */
export async function makeRest(
  db: TestDatabase,
  settings: Readonly<Record<string, string>> = {},
  around: (driver: Driver) => Driver = (driver) => driver,
  tracer?: Tracer,
): Promise<RestClient> {
  const named = {
    'db-uri': 'postgresql://',
    'db-schemas': EXPOSED_SCHEMAS.join(','),
    'db-extra-search-path': EXTRA_SEARCH_PATH.join(','),
    'db-anon-role': ANONYMOUS,
    'jwt-secret': SECRET,
    'db-channel-enabled': 'false',
    ...settings,
  };
  const env = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [
      `SVRST_${name.toUpperCase().replaceAll('-', '_').replaceAll('.', '_')}`,
      value,
    ]),
  );
  const loaded = await loadRestConfig({
    args: [],
    env,
    file: undefined,
    database: [],
    readText: () => Promise.reject(new Error('tests name no files')),
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const seen: Observation[] = [];
  // As in production: the service connects as the authenticator. The embedded engine knows only its superuser.
  const driver = db.uri === undefined ? db.driver : makePostgresDriver({ uri: asAuthenticator(db.uri), poolSize: 4 });
  const service = makeRestService({
    config: loaded.value.config,
    driver: around(driver),
    version: 'test',
    tracer,
    observe: (observation) => seen.push(observation),
    reread: async () => undefined,
    onFatal: () => {},
  });
  const request: RestClient['request'] = (method, target, options = {}) => send(service, method, target, options);
  return {
    request,
    get: (target, headers = {}) => request('GET', target, { headers }),
    post: (target, body, headers = {}) => request('POST', target, { headers, body }),
    service,
    seen,
    async close() {
      await service.close();
      if (driver !== db.driver) await driver.close();
      const bug = seen.find((observation) => observation.kind === 'bug');
      if (bug?.kind === 'bug') throw bug.cause;
    },
  };
}

async function send(
  service: RestService,
  method: string,
  target: string,
  { headers = {}, body, as }: RequestOptions,
): Promise<Reply> {
  const mark = target.indexOf('?');
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const sent = as === undefined ? lower : { ...lower, authorization: `Bearer ${tokenFor({ role: as })}` };
  const reply = await service.answer(
    {
      method,
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      headers: sent,
      body: bytesOf(body),
    },
    { signal: undefined, remoteAddress: '127.0.0.1', httpVersion: '1.1' },
  );
  const grouped: Record<string, string[]> = {};
  for (const [name, value] of reply.headers) grouped[name] = [...(grouped[name] ?? []), value];
  return { status: reply.status, statusText: reply.statusText ?? '', headers: grouped, body: reply.body ?? '' };
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function asAuthenticator(uri: string): string {
  const url = new URL(uri);
  url.username = AUTHENTICATOR;
  url.password = AUTHENTICATOR;
  return url.href;
}

/** A token signed with the tests' passphrase. */
export function tokenFor(claims: object, secret: string = SECRET): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
