// The service as a whole: it holds the state in force, loads it again when told to, and answers requests with it. While
// a new schema loads, and when loading it fails, requests go on with the old one.

import { randomUUID } from 'node:crypto';
import type { HttpReply, HttpRequest } from '../../http/http-message.ts';
import { makeRateLimiter } from '../../http/rate-limiter.ts';
import { TooManySteps } from '../../kernel/in-slices.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Listener } from '../../pg/driver.ts';
import { type AuthContext, type AuthSettings, makeAuthContext } from '../auth/authenticate.ts';
import type { RestConfig } from '../config/config.ts';
import type { DbSettings } from '../config/db-settings.ts';
import { loadDbSettings, NO_DB_SETTINGS } from '../config/db-settings.ts';
import { answerRequest } from '../pipeline/answer-request.ts';
import type { ClientInfo } from '../pipeline/client-info.ts';
import { fromRestV1, isBelowRestV1, toRestV1 } from '../pipeline/rest-v1.ts';
import { makeState, type RestState, type StateParts } from '../pipeline/state.ts';
import { type LoadedSchema, loadSchema, updateSchema } from '../schema-cache/introspect.ts';
import type { Omission } from '../schema-cache/omission.ts';
import { makeBackOff } from './back-off.ts';
import { hearChanges } from './hear-changes.ts';
import { describeLoadError, isFatal, type LoadError } from './load-error.ts';
import { parseNotice } from './notice.ts';
import { makeReloader } from './reloader.ts';
import { askServerVersion, supportProblem } from './server-version.ts';

export type RestServiceOptions = {
  readonly config: RestConfig;
  readonly driver: Driver;
  readonly version: string;
  readonly observe: Observe;
  /** Reads file and environment again, with what the database says; undefined when the result has mistakes (told to `observe`). */
  readonly reread: (settings: DbSettings) => Promise<RestConfig | undefined>;
  /** The database can never be used as configured; the program should end. */
  readonly onFatal: (message: string) => void;
  readonly now?: () => number;
};

export type RestService = {
  /** Never throws: what goes wrong is a reply too. */
  answer(http: HttpRequest, client: ClientInfo): Promise<HttpReply>;
  /** An exception outside of `answer`, for the log. */
  failed(cause: unknown): void;
  state(): RestState;
  /** The schema is loaded and the database was last seen well. */
  isReady(): Promise<boolean>;
  /** Settles after the first attempt to load; further ones go on by themselves. */
  start(): Promise<void>;
  /** `relations`: oids of all that changed, if somebody knows; see `updateSchema`. */
  reloadSchema(relations?: readonly number[]): Promise<void>;
  reloadConfig(): Promise<void>;
  close(): Promise<void>;
};

/** A 503 asks for the schema to be loaded again, but not more often than this. */
const POKE_INTERVAL_MS = 1000;

/** How long the first load waits for the listener, so that no change falls between the two. */
const LISTENER_FIRST_MS = 1000;

/** Of more relations than this it is as quick to load all. */
const MOST_CHANGED = 1000;

/** A database can have as many odd objects as others; the log is for people. */
const MOST_OMISSIONS = 20;

/** What the settings in force amount to. */
type Settings = { readonly config: RestConfig; readonly auth: AuthContext; readonly roles: DbSettings['roles'] };

export function makeRestService(options: RestServiceOptions): RestService {
  const { driver, observe, version } = options;
  const now = options.now ?? Date.now;
  const backOff = makeBackOff();
  const limiter = makeRateLimiter();
  let state = initialState(options);
  let loadedSchema: LoadedSchema | undefined;
  let listener: Listener | undefined;
  let listenedOn: string | undefined;
  let isListening = false;
  let loadsBegun = 0;
  let serverVersion: string | undefined;
  /** What the open connections began with; undefined when they are not to be trusted. */
  let sessionSettings: string | undefined;
  let dbSettings: DbSettings = NO_DB_SETTINGS;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let lastPoke = 0;
  /** The first attempt to load, while it lasts. */
  let starting: Promise<void> | undefined;

  const schema = makeReloader<readonly number[] | undefined>(async (orders) => {
    const loaded = await loadChecked(orders);
    if (closed) return;
    if (loaded.ok) {
      backOff.reset();
      clearTimeout(timer);
      timer = undefined;
      return;
    }
    sessionSettings = undefined;
    // What has served goes on: a password is being changed, or somebody is at work in pg_hba.conf.
    const fatal = state.cache === undefined && isFatal(loaded.error);
    const recovers = !fatal && state.config.dbPoolAutomaticRecovery;
    const retryInMs = recovers ? backOff.next() : undefined;
    observe({
      kind: 'schema-load-failed',
      message: describeLoadError(loaded.error),
      serving: state.cache !== undefined,
      retryInMs,
    });
    if (retryInMs === undefined) options.onFatal(describeLoadError(loaded.error));
    else retryLater(retryInMs);
  });

  /** An exception in a load is one of a load, whatever the database has that nobody thought of: the program goes on. */
  async function loadChecked(orders: readonly (readonly number[] | undefined)[]): Promise<Result<void, LoadError>> {
    try {
      return (await updated(orders)) ? ok(undefined) : await loadAll();
    } catch (cause) {
      if (!(cause instanceof TooManySteps)) observe({ kind: 'bug', id: randomUUID(), cause });
      return err({ kind: 'failed', message: cause instanceof Error ? cause.message : String(cause) });
    }
  }

  function retryLater(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void schema.request(undefined), ms);
  }

  /** Looks at what changed alone, where all who asked for it named it. Whatever speaks against it is left to a whole load. */
  async function updated(orders: readonly (readonly number[] | undefined)[]): Promise<boolean> {
    if (loadedSchema === undefined || sessionSettings === undefined) return false;
    const changed = new Set<number>();
    for (const relations of orders) {
      if (relations === undefined) return false;
      for (const relation of relations) changed.add(relation);
    }
    if (changed.size > MOST_CHANGED) return false;
    const began = performance.now();
    const loaded = await updateSchema(driver, loadedSchema, changed);
    if (!loaded.ok || loaded.value === undefined) return false;
    const { config, auth, roles } = state;
    take({ config, version, auth, roles }, loaded.value, began);
    return true;
  }

  function take(parts: Omit<StateParts, 'cache'>, loaded: LoadedSchema, began: number): void {
    tellOmissions(state.cache?.omissions ?? [], loaded.cache.omissions);
    loadedSchema = loaded;
    state = makeState({ ...parts, cache: loaded.cache });
    const { routines, representations, mediaHandlers, ...rest } = loaded.cache.summary;
    observe({
      kind: 'schema-loaded',
      queryMs: performance.now() - began,
      buildMs: 0,
      summary: {
        ...rest,
        functions: routines,
        domainRepresentations: representations,
        mediaTypeHandlers: mediaHandlers,
      },
    });
  }

  /** Those that were told before are still so. */
  function tellOmissions(before: readonly Omission[], now: readonly Omission[]): void {
    const told = new Set(before.map(({ what }) => what));
    const fresh = now.filter(({ what }) => !told.has(what));
    for (const { what, why } of fresh.slice(0, MOST_OMISSIONS)) observe({ kind: 'schema-omitted', what, why });
    const more = fresh.length - MOST_OMISSIONS;
    if (more > 0) observe({ kind: 'schema-omitted', what: `${more} more`, why: 'as odd as those' });
  }

  async function loadAll(): Promise<Result<void, LoadError>> {
    const began = performance.now();
    loadsBegun += 1;
    // After trouble connections may be dead without anybody knowing.
    if (sessionSettings === undefined) driver.flushIdle();
    const before = serverVersion;
    const met = await meetServer();
    if (!met.ok) return met;
    const settings = await readSettings();
    if (!settings.ok) return settings;
    const { config, auth, roles } = settings.value;
    const loaded = await loadSchema(driver, {
      schemas: config.dbSchemas,
      extraSearchPath: config.dbExtraSearchPath,
      timezones: serverVersion === before ? state.cache?.timezones : undefined,
    });
    if (!loaded.ok) return loaded;
    take({ config, version, auth, roles }, loaded.value, began);
    void listen();
    return ok(undefined);
  }

  async function meetServer(): Promise<Result<void, LoadError>> {
    const asked = await askServerVersion(driver);
    if (!asked.ok) return asked;
    const problem = supportProblem(asked.value);
    if (problem !== undefined) return err({ kind: 'unusable', message: problem });
    // What the connecting role has been told since is seen by new connections only. Otherwise they stay: to replace them
    // all at once under load is the dearest part of a reload.
    const begins = asked.value.sessionSettings;
    if (sessionSettings !== undefined && sessionSettings !== begins) driver.flushIdle();
    sessionSettings = begins;
    if (asked.value.text !== serverVersion) {
      serverVersion = asked.value.text;
      observe({ kind: 'database-connected', serverVersion, engine: driver.engine });
    }
    return ok(undefined);
  }

  /**
   * Settings in the database go over those of file and environment. Where they cannot be read, those read before still
   * hold; where the whole makes no sense, what is in force stays, except that a program does not start with it.
   */
  async function readSettings(): Promise<Result<Settings, LoadError>> {
    const read = await askSettings();
    if (!read.ok) return read;
    const config = await options.reread(dbSettings);
    const auth = authFor(config ?? state.config);
    if (config !== undefined && !auth.ok) observe({ kind: 'config-rejected', lines: [auth.error.message] });
    if (config !== undefined && auth.ok) return ok({ config, auth: auth.value, roles: dbSettings.roles });
    if (state.cache === undefined && config === undefined && dbSettings.overrides.length > 0) return err(MISTAKES);
    if (state.cache === undefined && !auth.ok) return err({ kind: 'unusable', message: auth.error.message });
    return ok({ config: state.config, auth: state.auth, roles: dbSettings.roles });
  }

  /** The context in force remembers tokens and fetched keys: another one only for other settings. */
  function authFor(config: RestConfig): ReturnType<typeof makeAuthContext> {
    return sameAuth(config, state.config) ? ok(state.auth) : makeAuthContext(config, { observe });
  }

  async function askSettings(): Promise<Result<void, DbError>> {
    if (!state.config.dbConfig) {
      dbSettings = NO_DB_SETTINGS;
      return ok(undefined);
    }
    const settings = await loadDbSettings(driver, state.config.dbPreConfig);
    if (settings.ok) dbSettings = settings.value;
    else if (settings.error.kind !== 'sql') return settings;
    else observe({ kind: 'database-settings-unread', message: describeLoadError(settings.error) });
    return ok(undefined);
  }

  /** Listens where the settings say, if that is not so already; resolves at the first word of the listener. */
  function listen(): Promise<void> {
    const { dbChannelEnabled, dbChannel } = state.config;
    const wanted = dbChannelEnabled && driver.engine !== 'pglite' && !closed ? dbChannel : undefined;
    if (wanted === listenedOn) return Promise.resolve();
    void listener?.close();
    listener = undefined;
    listenedOn = wanted;
    isListening = false;
    if (wanted === undefined) return Promise.resolve();
    return new Promise((heard) => {
      listener = hearChanges({ driver, channel: wanted, schemas: () => state.config.dbSchemas }, (event) => {
        if (wanted !== listenedOn) return;
        switch (event.kind) {
          case 'listening':
            isListening = true;
            observe({ kind: 'listener-ready', channel: wanted });
            // Whatever was notified while nobody listened is lost: what was loaded before this moment may be old.
            if (loadsBegun > 0) void schema.request(undefined);
            break;
          case 'lost':
            isListening = false;
            sessionSettings = undefined;
            observe({
              kind: 'listener-lost',
              channel: wanted,
              message: event.message,
              retryInMs: event.retryInMs,
            });
            break;
          case 'deaf':
            observe({ kind: 'listener-deaf', channel: wanted });
            break;
          case 'notification':
            notified(event.notification.payload);
            break;
        }
        heard();
      });
    });
  }

  function notified(payload: string): void {
    observe({ kind: 'notified', channel: state.config.dbChannel, payload });
    const notice = parseNotice(payload);
    if (notice?.kind === 'reload-schema') void schema.request(notice.relations);
    else if (notice?.kind === 'reload-config') void service.reloadConfig();
  }

  /** Who is told that the database cannot be used has it looked at, but not once for each of them. */
  function onUnavailable(): void {
    if (now() - lastPoke <= POKE_INTERVAL_MS) return;
    lastPoke = now();
    void schema.request(undefined);
  }

  function answer(http: HttpRequest, client: ClientInfo): Promise<HttpReply> {
    if (isBelowRestV1(http.path)) return answerAtRoot(fromRestV1(http, state.config.dbSchemas), client).then(toRestV1);
    return answerAtRoot(http, client);
  }

  function answerAtRoot(http: HttpRequest, client: ClientInfo): Promise<HttpReply> {
    return answerRequest({
      http,
      client,
      state,
      driver,
      observe,
      retryAfterSeconds: Math.ceil(backOff.current() / 1000),
      onUnavailable,
      limiter,
      now,
    });
  }

  const service: RestService = {
    // Who comes while the program starts waits for the first load, as long as for a connection: a 503 would be true for
    // some milliseconds, and the scripts that wait for a start take any other answer for its end.
    answer(http, client) {
      if (state.cache !== undefined || starting === undefined) return answer(http, client);
      const patience = pause(state.config.dbPoolAcquisitionTimeout * 1000);
      return Promise.race([starting, patience]).then(() => answer(http, client));
    },
    failed: (cause) => observe({ kind: 'bug', id: randomUUID(), cause }),
    state: () => state,
    async isReady() {
      if (state.cache === undefined) return false;
      // A connection that listens says it without taking one from the pool. On a replica nobody can listen.
      if (isListening) return true;
      const flown = await driver.fly([{ text: 'select 1', params: [] }]);
      return flown.ok;
    },
    async start() {
      starting = (async () => {
        await Promise.race([listen(), pause(LISTENER_FIRST_MS)]);
        if (!closed) await schema.request(undefined);
      })();
      await starting.finally(() => {
        starting = undefined;
      });
    },
    reloadSchema: (relations) => schema.request(relations),
    async reloadConfig() {
      const settings = await readSettings();
      if (!settings.ok) {
        observe({ kind: 'database-settings-unread', message: describeLoadError(settings.error) });
        return;
      }
      const { config, auth, roles } = settings.value;
      // Another choice of schemas needs another cache; both change together when it is there.
      const { dbSchemas, dbExtraSearchPath } = state.config;
      const needsCache =
        config.dbSchemas.join('\0') !== dbSchemas.join('\0') ||
        config.dbExtraSearchPath.join('\0') !== dbExtraSearchPath.join('\0');
      state = makeState({
        config: needsCache ? { ...config, dbSchemas, dbExtraSearchPath } : config,
        version,
        auth,
        cache: state.cache,
        roles,
      });
      void listen();
      if (needsCache) await schema.request(undefined);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await listener?.close();
    },
  };
  return service;
}

function initialState({ config, version, observe }: RestServiceOptions): RestState {
  const auth = makeAuthContext(config, { observe });
  if (!auth.ok) throw new Error(auth.error.message);
  return makeState({ config, version, auth: auth.value, cache: undefined, roles: NO_DB_SETTINGS.roles });
}

const AUTH_SETTINGS = [
  'dbAnonRole',
  'jwtAud',
  'jwtCacheMaxEntries',
  'jwtCacheMaxLifetime',
  'jwtCookie',
  'jwtRoleClaimKey',
  'jwtSecret',
  'jwtSecretIsBase64',
] as const satisfies readonly (keyof AuthSettings)[];

function sameAuth(a: AuthSettings, b: AuthSettings): boolean {
  return AUTH_SETTINGS.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

const MISTAKES: LoadError = {
  kind: 'unusable',
  message: 'the settings in the database have mistakes, and the program does not start with them',
};

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
