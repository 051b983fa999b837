// The whole program in a folder of its own, and a browser to look at it with. Its database is one on the run's PostgreSQL, with the portal's schema
// in it already, or a private server in the folder; these need a third of the processor time that the embedded one does, which it has where there
// is no PostgreSQL, and in the suites that ask for it.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Driver } from '../../src/pg/driver.ts';
import { LOCAL_SUPERUSER, localPlace, localUri } from '../../src/pg/local/local-place.ts';
import { openLocal } from '../../src/pg/local/open-local.ts';
import { openEmbedded } from '../../src/pg/pglite/open-embedded.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { MAIN } from '../blackbox/built-program.ts';
import { environment, type Program, startCommand } from '../blackbox/program.ts';
import { openDatabase, type TestDatabase } from '../testkit/database.ts';
import { CHROMIUM, missing } from '../testkit/machine.ts';
import { asTestDatabase } from '../testkit/pglite-database.ts';
import { PORTAL_SCHEMA } from '../testkit/portal-schema.ts';

export const ADMIN_PASSWORD = 'correct horse battery';
export const PASSWORD = 'another horse battery';

/** What is missing for a suite in a browser; undefined: nothing. */
export const NO_CHROMIUM: string | undefined = missing('chromium');

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  // Maps are drawn without a graphics card.
  '--use-angle=swiftshader',
  '--webgl-antialiasing-mode=none',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
];

/** So long is waited for what a page is to show: on a machine without a graphics card that others share, drawing takes its time. */
const PATIENCE_MS = 60_000;

export type PortalProgram = {
  readonly url: string;
  readonly program: Program;
  /** The API, as somebody. */
  api(
    account: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly json: unknown }>;
  /** Ends it from one moment to the next, and starts it again in the same folder. `meanwhile`: somebody else is at its database. */
  crash(meanwhile?: (db: TestDatabase) => Promise<void>): Promise<PortalProgram>;
  stop(): Promise<void>;
};

/** `local` and `embedded`: in the program's folder; a demo is made in such a one alone. */
export type PortalDatabase = 'embedded' | 'local' | 'on the PostgreSQL of the run';

export async function startPortal(
  settings: Readonly<Record<string, string>> = {},
  wanted: PortalDatabase = 'on the PostgreSQL of the run',
): Promise<PortalProgram> {
  const kind = inject('engines').postgres.kind === 'absent' ? 'embedded' : wanted;
  const folder = mkdtempSync(join(tmpdir(), 'survest-browser-'));
  // As root, the private server runs under another account, which has to get there.
  chmodSync(folder, 0o711);
  const database = kind === 'on the PostgreSQL of the run' ? await openDatabase('postgres', PORTAL_SCHEMA) : undefined;
  return startIn({ folder, database, isLocal: kind === 'local' }, settings);
}

/** What a program leaves behind and finds again. */
type Place = {
  readonly folder: string;
  /** Undefined: one in the folder, a private server or embedded. */
  readonly database: TestDatabase | undefined;
  readonly isLocal: boolean;
};

async function startIn(place: Place, settings: Readonly<Record<string, string>>): Promise<PortalProgram> {
  const { folder, database, isLocal } = place;
  // It lives for minutes: an embedded database is worth both compilers.
  const program = startCommand(
    process.execPath,
    [MAIN],
    environment({
      'data-dir': folder,
      ...(database?.uri === undefined ? {} : { 'db-uri': database.uri }),
      ...(isLocal ? { database: 'local' } : {}),
      'admin-password': ADMIN_PASSWORD,
      'portal-host': '127.0.0.1',
      'portal-port': '0',
      'server-host': '127.0.0.1',
      'server-port': '0',
      demo: 'false',
      ...settings,
    }),
  );
  await program.told(/Portal listens on [^\s"]+[\s"]/);
  await program.told('Schema cache loaded');
  const url = /Portal listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
  return {
    url,
    program,
    async api(account, method, path, body) {
      const password = account === 'admin' ? ADMIN_PASSWORD : PASSWORD;
      const reply = await fetch(url + path, {
        method,
        headers: {
          Accept: 'application/json',
          Authorization: `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}`,
          ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
        },
        body: body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body),
      });
      const text = await reply.text();
      return { status: reply.status, json: text === '' ? undefined : JSON.parse(text) };
    },
    async crash(meanwhile) {
      program.child.kill('SIGKILL');
      await program.ended;
      if (meanwhile !== undefined) await inDatabaseOf(place, meanwhile);
      return startIn(place, settings);
    },
    async stop() {
      await program.stop();
      await database?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function inDatabaseOf(
  { folder, database, isLocal }: Place,
  work: (db: TestDatabase) => Promise<void>,
): Promise<void> {
  if (database !== undefined) return work(database);
  const { driver, close } = await (isLocal ? openLocalIn(folder) : openEmbeddedIn(folder));
  const db = asTestDatabase(driver);
  try {
    await work(db);
  } finally {
    await db.close();
    await close();
  }
}

type Opened = { readonly driver: Driver; close(): Promise<void> };

async function openEmbeddedIn(folder: string): Promise<Opened> {
  const opened = await openEmbedded({
    dataDir: folder,
    templatePath: join(dirname(MAIN), '../embedded/template.tar.gz'),
    acquisitionTimeoutMs: 60_000,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return { driver: opened.value, close: async () => {} };
}

async function openLocalIn(folder: string): Promise<Opened> {
  const server = await openLocal({
    dataDir: folder,
    installs: { path: process.env['PATH'] ?? '' },
    connections: 2,
    onEvent: () => {},
  });
  if (!server.ok) throw new Error(server.error.message);
  const uri = localUri(localPlace(folder), LOCAL_SUPERUSER);
  return { driver: makePostgresDriver({ uri, applicationName: 'survest-test' }), close: server.value.close };
}

export async function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(NO_CHROMIUM);
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS, timeout: 2 * PATIENCE_MS });
}

export type Look = {
  readonly dark?: boolean;
  readonly phone?: boolean;
  /** Coarse pixels: maps are drawn without a graphics card here, one by one. */
  readonly coarse?: boolean;
  /** A small window, of coarse pixels too. */
  readonly small?: boolean;
  readonly locale?: string;
};

const WIDE = { width: 1440, height: 900 };
const SMALL = { width: 1024, height: 700 };
const PHONE = { width: 390, height: 844 };

export async function openContext(browser: Browser, url: string, look: Look = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: viewportOf(look),
    ...((look.small === true || look.coarse === true) && process.env['TEST_PICTURES'] === undefined
      ? { deviceScaleFactor: 0.5 }
      : {}),
    colorScheme: look.dark === true ? 'dark' : 'light',
    locale: look.locale ?? 'en',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

function viewportOf(look: Look): { readonly width: number; readonly height: number } {
  return look.phone === true ? PHONE : look.small === true ? SMALL : WIDE;
}

/** The open page in another window, in other colours. */
export async function changeLook(page: Page, look: Look): Promise<void> {
  await page.setViewportSize(viewportOf(look));
  await page.emulateMedia({ colorScheme: look.dark === true ? 'dark' : 'light', reducedMotion: 'reduce' });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** What a page complained about: exceptions, and what its content policy kept it from. */
export function watchComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method()) && pathname.startsWith('/api/v2/');
    // Then a field that is misspelt in a page is refused, and seen in a test.
    if (isWrite && request.headers()['prefer'] !== 'handling=strict')
      complaints.push(`${request.method()} ${pathname} does not ask for strict handling`);
  });
  page.on('console', (message) => {
    // A part of a page that broke says so here; the page goes on without it.
    if (/Content Security Policy|Refused to|\b(?:Type|Reference|Range)Error\b/i.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
}

/** Cookies of accounts, by name; each file has a browser and a portal of its own. */
const sessions = new WeakMap<Browser, Map<string, Cookies>>();
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/**
 * The first time in a browser by the form, which leads to the catalogue; from then on with the session that this began, if it still is one, and the page
 * stays where it is.
 */
export async function signIn(page: Page, username: string, password: string = PASSWORD): Promise<void> {
  const context = page.context();
  const browser = context.browser();
  if (browser === null) throw new Error('a page without a browser');
  const known = sessions.get(browser) ?? new Map<string, Cookies>();
  sessions.set(browser, known);
  const cookies = known.get(username);
  if (cookies !== undefined) {
    await context.addCookies(cookies);
    if ((await usernameIn(context)) === username) return;
    await context.clearCookies();
  }
  await signInByForm(page, username, password);
  known.set(username, await context.cookies());
}

async function usernameIn(context: BrowserContext): Promise<unknown> {
  const reply = await context.request.get('/account/session/');
  const { user } = (await reply.json()) as { readonly user?: { readonly username?: unknown } | null };
  return user?.username;
}

export async function signInByForm(page: Page, username: string, password: string = PASSWORD): Promise<void> {
  await page.goto('/account/login');
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.locator('main form').getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: username }).waitFor();
}

export async function makeAccount(portal: PortalProgram, username: string, email = ''): Promise<void> {
  const made = await portal.api('admin', 'POST', '/api/v2/users/', { username, password: PASSWORD, email });
  if (made.status !== 201) throw new Error(`the account ${username} was not made: ${JSON.stringify(made.json)}`);
}

const LOOK_AGAIN_MS = 100;

/** Asks until it is so; the limit is that of the test. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}
