// The portal in this process, over a test database: a migrated database with a few accounts in, clients out whose replies
// `toMatchReply` reads.
//
//   onPortal('lists', {}, (portal) => {
//     test('…', async () => expect(await portal().as('ada').get('/api/v2/maps/')).toMatchReply({ status: 200 }));
//   });
//
// Accounts, all with the password PASSWORD: `admin` (superuser), `ada`, `bob`, `mia` (manager of the group `surveyors`), `mel`
// (a member of it), and `gone`, which is deactivated.

import { fileURLToPath } from 'node:url';
import { hash } from '@node-rs/argon2';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { type CallerDb, makeCallerDb } from '../../src/auth/caller-db.ts';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { makeRemoteFetch } from '../../src/http/outbound/remote-fetch.ts';
import { NO_REMOTE_HOSTS } from '../../src/http/outbound/remote-hosts.ts';
import { type StandingClock, standingClock } from '../../src/kernel/clock.ts';
import type { Observation } from '../../src/kernel/observation.ts';
import { err } from '../../src/kernel/result.ts';
import { listBasemaps } from '../../src/mapserver/basemaps/basemap-routes.ts';
import { originsOf } from '../../src/mapserver/basemaps/describe-basemap.ts';
import { archiveFault, makeArchiveShelf } from '../../src/mapserver/basemaps/pmtiles-archive.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import type { BasemapParts } from '../../src/portal/basemaps/basemap-paths.ts';
import { type BasemapCell, followBasemaps } from '../../src/portal/basemaps/follow-basemaps.ts';
import { loadSigningKeys, type SigningKeys } from '../../src/portal/oidc/signing-keys.ts';
import { makePortalApp, type PortalOptions } from '../../src/portal/portal-app.ts';
import { onEachEngine, type SuiteOptions, type TestDatabase } from './database.ts';
import { PORTAL_SCHEMA } from './portal-schema.ts';
import type { Reply } from './reply-matcher.ts';

export const PASSWORD = 'correct horse';
export const ACCOUNTS = ['admin', 'ada', 'bob', 'mia', 'mel'] as const;
export type AccountName = (typeof ACCOUNTS)[number];

export type PortalRequest = {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object or array is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
};

/** One client: what it sends to prove who it is, it sends with every request. */
export type PortalClient = {
  request(method: string, target: string, options?: PortalRequest): Promise<Reply>;
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  post(target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  put(target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  patch(target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  delete(target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
};

export type SessionClient = PortalClient & {
  /** Cookies by name, kept like a browser keeps them. */
  readonly cookies: Map<string, string>;
};

/** Everybody who may ask a portal. */
export type PortalClients = {
  readonly visitor: PortalClient;
  /** With name and password in every request. */
  as(account: AccountName): PortalClient;
  basic(username: string, password: string): PortalClient;
  bearer(token: string): PortalClient;
  /** A bearer token of the account, as its scripts get one. */
  tokenOf(account: AccountName): Promise<string>;
  /** Signs in; throws when that is refused. Sends the token against forged requests like a page of ours. */
  session(account: AccountName): Promise<SessionClient>;
  /** A browser that has not signed in. */
  browser(): SessionClient;
};

export type Portal = PortalClients & {
  readonly app: FastifyInstance;
  readonly db: TestDatabase;
  /** The service's own view of the database. */
  readonly callerDb: CallerDb;
  readonly keys: SigningKeys;
  /** Ids of the accounts and of the group. */
  readonly ids: Readonly<Record<AccountName | 'gone' | 'surveyors', number>>;
  /** Dates are the real ones, as in the database, plus what a test adds; what is measured stands still until then. */
  readonly clock: StandingClock;
  readonly seen: Observation[];
  close(): Promise<void>;
};

/** Runs the suite on each engine, on a migrated database of its own, with the portal over it. */
export function onPortal(
  name: string,
  options: SuiteOptions & { readonly portal?: Partial<PortalOptions> },
  suite: (portal: () => Portal) => void,
): void {
  onEachEngine(name, { ...options, fixtures: [...PORTAL_SCHEMA, ...(options.fixtures ?? [])] }, (db) => {
    let portal: Portal | undefined;
    beforeAll(async () => {
      portal = await openPortal(db(), options.portal);
    });
    afterAll(async () => {
      await portal?.close();
    });
    suite(() => {
      if (portal === undefined) throw new Error('the portal is there once the tests run');
      return portal;
    });
  });
}

/** The largest archive that a portal of a suite takes. */
export const MAX_ARCHIVE = 100_000;

/** As the program has them; archives only where files are kept. */
function basemapsOf(cell: BasemapCell, blobs: BlobStore | undefined): BasemapParts {
  const fetch = makeRemoteFetch({ hosts: NO_REMOTE_HOSTS });
  const shelf =
    blobs === undefined
      ? { get: async () => err('is not read in this suite') }
      : makeArchiveShelf({ blobs, fetch, now: Date.now });
  return {
    list: listBasemaps({ now: cell.now, shelf, observe: () => {} }),
    cell,
    settings: [],
    sites: () => [...new Set(cell.now().flatMap(originsOf))],
    ...(blobs === undefined
      ? {}
      : { uploads: { blobs, maxBytes: MAX_ARCHIVE, faultOf: (key, size) => archiveFault(blobs, key, size) } }),
  };
}

/** `db` has the schema already, see PORTAL_SCHEMA. */
export async function openPortal(
  db: TestDatabase,
  options: Partial<PortalOptions> = {},
  /** The accounts are there already: the database is a copy of one that had them. */
  known?: Portal['ids'],
): Promise<Portal> {
  const ids = known ?? (await createAccounts(db));
  // As in production: the service connects as the authenticator. The embedded engine knows only its superuser.
  const driver = db.uri === undefined ? db.driver : makePostgresDriver({ uri: asAuthenticator(db.uri), poolSize: 4 });
  const callerDb = makeCallerDb(driver);
  const seen: Observation[] = [];
  const standing = standingClock(0);
  const clock: StandingClock = { ...standing, now: () => Date.now() + standing.ticks() };
  const keys = await loadSigningKeys(callerDb);
  if (!keys.ok) throw new Error(`the token keys could not be made: ${JSON.stringify(keys.error)}`);
  const cell = await followBasemaps(callerDb, []);
  const app = await makePortalApp({
    basemaps: basemapsOf(cell, options.api?.blobs),
    db: callerDb,
    keys: keys.value,
    publicUrl: undefined,
    webRoot: fileURLToPath(new URL('.', import.meta.url)),
    version: 'test',
    clock,
    observe: (observation) => seen.push(observation),
    ...options,
  });
  return {
    app,
    db,
    callerDb,
    keys: keys.value,
    ids,
    clock,
    seen,
    ...clientsOver((method, target, request) => send(app, method, target, request)),
    async close() {
      cell.close();
      await app.close();
      if (driver !== db.driver) await driver.close();
      const bug = seen.find((observation) => observation.kind === 'bug');
      if (bug?.kind === 'bug') throw bug.cause;
    },
  };
}

/** Argon2 at its cheapest: every portal of a suite checks the passwords of its accounts anew, and how dear that is meant to be is tested beside it. */
const CHEAP = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 } as const;
let passwordHash: Promise<string> | undefined;

async function createAccounts(db: TestDatabase): Promise<Portal['ids']> {
  passwordHash ??= hash(PASSWORD, CHEAP);
  const hashed = await passwordHash;
  const ids: Record<string, number> = {};
  for (const name of [...ACCOUNTS, 'gone']) {
    const [made] = await db.query<{ id: number }>(
      'select portal.create_account($1, $2, $3, $4, $5, false, $6::boolean) as id',
      [name, hashed, capital(name), 'Tester', `${name}@example.org`, name === 'admin'],
    );
    ids[name] = made?.id ?? 0;
  }
  await db.query('update portal.account_detail set is_active = false where account_id = $1', [ids['gone']]);
  const [group] = await db.query<{ id: number }>(
    `insert into portal.user_group (slug, title, description) values ('surveyors', 'Surveyors', 'Who measure') returning id`,
  );
  ids['surveyors'] = group?.id ?? 0;
  await db.query(
    'insert into portal.group_member (group_id, account_id, is_manager) values ($1, $2, true), ($1, $3, false)',
    [ids['surveyors'], ids['mia'], ids['mel']],
  );
  return ids as Portal['ids'];
}

/** One request there, and its answer. */
export type Send = (method: string, target: string, request: PortalRequest) => Promise<Reply>;

/** The clients of a portal that `sending` reaches, in this process or over HTTP. */
export function clientsOver(sending: Send): PortalClients {
  const client = (identity: Readonly<Record<string, string>>): PortalClient =>
    clientOf((method, target, request) =>
      sending(method, target, { ...request, headers: { ...identity, ...request.headers } }),
    );
  const basic = (username: string, password: string): PortalClient =>
    client({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` });
  return {
    visitor: client({}),
    as: (account) => basic(account, PASSWORD),
    basic,
    bearer: (token) => client({ authorization: `Bearer ${token}` }),
    async tokenOf(account) {
      const reply = await basic(account, PASSWORD).post('/account/token/');
      if (reply.status !== 200) throw new Error(`${account} got no token: ${reply.status} ${String(reply.body)}`);
      return JSON.parse(String(reply.body)).access_token;
    },
    async session(account) {
      const browser = browserOf(sending);
      const reply = await browser.post('/account/login/', { username: account, password: PASSWORD });
      if (reply.status !== 200) throw new Error(`${account} could not sign in: ${reply.status} ${String(reply.body)}`);
      return browser;
    },
    browser: () => browserOf(sending),
  };
}

function clientOf(sending: Send): PortalClient {
  const withBody =
    (method: string) =>
    (target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      sending(method, target, { body, headers });
  return {
    request: (method, target, options = {}) => sending(method, target, options),
    get: (target, headers = {}) => sending('GET', target, { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: withBody('DELETE'),
  };
}

function browserOf(sending: Send): SessionClient {
  const cookies = new Map<string, string>();
  const paths = new Map<string, string>();
  const client = clientOf(async (method, target, request) => {
    const path = target.replace(/[?#].*$/, '');
    const jar = [...cookies].filter(([name]) => isBelow(path, paths.get(name) ?? '/'));
    const csrf = cookies.get('csrftoken');
    const reply = await sending(method, target, {
      ...request,
      headers: {
        'x-requested-with': 'XMLHttpRequest',
        ...(jar.length === 0 ? {} : { cookie: jar.map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(csrf === undefined ? {} : { 'x-csrftoken': csrf }),
        ...request.headers,
      },
    });
    keepCookies(cookies, paths, reply);
    return reply;
  });
  return { ...client, cookies };
}

function isBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function keepCookies(cookies: Map<string, string>, paths: Map<string, string>, { headers }: Reply): void {
  const lines = headers instanceof Headers ? headers.getSetCookie() : [headers['set-cookie'] ?? []].flat();
  for (const line of lines) {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const attribute = (wanted: string): string | undefined =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const isGone = attribute('max-age') === '0' || new Date(attribute('expires') ?? '9999').getTime() <= Date.now();
    if (isGone) cookies.delete(name);
    else cookies.set(name, value);
    paths.set(name, attribute('path') ?? '/');
  }
}

/** A request's headers and bytes as they are sent. */
export function encodeRequest({ headers = {}, body }: PortalRequest): {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: Buffer;
} {
  if (body === undefined) return { headers };
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return isRaw
    ? { headers, payload: Buffer.from(body) }
    : {
        headers: { 'content-type': 'application/json', ...headers },
        payload: Buffer.from(JSON.stringify(body)),
      };
}

async function send(app: FastifyInstance, method: string, target: string, request: PortalRequest): Promise<Reply> {
  const reply = await app.inject({ method: method as 'GET', url: target, ...encodeRequest(request) });
  return {
    status: reply.statusCode,
    statusText: reply.statusMessage,
    headers: Object.fromEntries(
      Object.entries(reply.headers).map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]),
    ),
    body: reply.rawPayload,
  };
}

function asAuthenticator(uri: string): string {
  const url = new URL(uri);
  url.username = 'survest_authenticator';
  url.password = '';
  return url.href;
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
