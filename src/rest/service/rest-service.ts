// The service as a whole: it holds the state in force, loads it again when told to, and answers requests with it. While
// a new schema loads, and when loading it fails, requests go on with the old one.

import type { HttpReply, HttpRequest } from '../../http/http-message.ts';
import type { Observe } from '../../kernel/observation.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { CancelSignal, DbError, Driver, Listener } from '../../pg/driver.ts';
import { makeAuthContext } from '../auth/authenticate.ts';
import type { RestConfig } from '../config/config.ts';
import type { DbSettings } from '../config/db-settings.ts';
import { loadDbSettings, NO_DB_SETTINGS } from '../config/db-settings.ts';
import { loadSchemaCache } from '../schema-cache/introspect.ts';
import { answerRequest } from './answer-request.ts';
import { makeBackOff } from './back-off.ts';
import { makeReloader } from './reloader.ts';
import { makeState, type RestState } from './state.ts';

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
  state(): RestState;
  /** The schema is loaded and the database was last seen well. */
  isReady(): Promise<boolean>;
  /** Settles after the first attempt to load; further ones go on by themselves. */
  start(): Promise<void>;
  reloadSchema(): Promise<void>;
  reloadConfig(): Promise<void>;
  close(): Promise<void>;
};

export type ClientInfo = {
  readonly signal: CancelSignal | undefined;
  readonly remoteAddress: string | undefined;
  readonly httpVersion: string;
};

/** A 503 asks for the schema to be loaded again, but not more often than this. */
const POKE_INTERVAL_MS = 1000;

export function makeRestService(options: RestServiceOptions): RestService {
  const { driver, observe, version } = options;
  const now = options.now ?? Date.now;
  const backOff = makeBackOff();
  let state = initialState(options);
  let listener: Listener | undefined;
  let listening = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let lastPoke = 0;

  const schema = makeReloader(async () => {
    const loaded = await loadAll();
    if (closed) return;
    if (loaded.ok) {
      backOff.reset();
      clearTimeout(timer);
      timer = undefined;
      return;
    }
    const fatal = isFatal(loaded.error);
    const recovers = !fatal && state.config.dbPoolAutomaticRecovery;
    const retryInMs = recovers ? backOff.next() : undefined;
    observe({
      kind: 'schema-load-failed',
      message: describe(loaded.error),
      serving: state.cache !== undefined,
      retryInMs,
    });
    if (retryInMs === undefined) options.onFatal(describe(loaded.error));
    else retryLater(retryInMs);
  });

  function retryLater(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void schema.request(), ms);
  }

  async function loadAll(): Promise<Result<void, DbError>> {
    const began = performance.now();
    const settings = await readSettings();
    if (!settings.ok) return settings;
    const config = settings.value.config;
    const cache = await loadSchemaCache(driver, {
      schemas: config.dbSchemas,
      extraSearchPath: config.dbExtraSearchPath,
    });
    if (!cache.ok) return cache;
    const auth = makeAuthContext(config);
    state = makeState({
      config,
      version,
      auth: auth.ok ? auth.value : state.auth,
      cache: cache.value,
      roles: settings.value.roles,
    });
    const { routines, representations, mediaHandlers, ...rest } = cache.value.summary;
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
    return ok(undefined);
  }

  /** Settings in the database go over those of file and environment; when they cannot be read, or make no sense, what is in force stays. */
  async function readSettings(): Promise<Result<{ config: RestConfig; roles: DbSettings['roles'] }, DbError>> {
    if (!state.config.dbConfig) return ok({ config: state.config, roles: NO_DB_SETTINGS.roles });
    const settings = await loadDbSettings(driver, state.config.dbPreConfig);
    if (!settings.ok) {
      if (settings.error.kind !== 'sql') return settings;
      observe({ kind: 'database-settings-unread', message: describe(settings.error) });
      return ok({ config: state.config, roles: state.roles });
    }
    const config = await options.reread(settings.value);
    return ok({ config: config ?? state.config, roles: settings.value.roles });
  }

  function listen(): void {
    if (!state.config.dbChannelEnabled || driver.engine === 'pglite') return;
    listener = driver.listen(state.config.dbChannel, (event) => {
      switch (event.kind) {
        case 'listening':
          // Whatever was notified while nobody listened is lost: load anew. The first time the start has just done so.
          if (listening) void schema.request();
          listening = true;
          observe({ kind: 'listener-ready', channel: state.config.dbChannel });
          return;
        case 'lost':
          observe({
            kind: 'listener-lost',
            channel: state.config.dbChannel,
            message: event.message,
            retryInMs: event.retryInMs,
          });
          return;
        case 'notification':
          notified(event.notification.payload);
          return;
      }
    });
  }

  function notified(payload: string): void {
    observe({ kind: 'notified', channel: state.config.dbChannel, payload });
    if (payload === '' || payload === 'reload schema') void schema.request();
    else if (payload === 'reload config') void service.reloadConfig();
  }

  const service: RestService = {
    async answer(http, client) {
      const reply = await answerRequest({
        http,
        client,
        state,
        driver,
        observe,
        retryAfterSeconds: Math.ceil(backOff.current() / 1000),
        now,
      });
      if (reply.status === 503 && now() - lastPoke > POKE_INTERVAL_MS) {
        lastPoke = now();
        void schema.request();
      }
      return reply;
    },
    state: () => state,
    async isReady() {
      if (state.cache === undefined) return false;
      const flown = await driver.fly([{ text: 'select 1', params: [] }]);
      return flown.ok;
    },
    async start() {
      await schema.request();
      listen();
    },
    reloadSchema: () => schema.request(),
    async reloadConfig() {
      const settings = await readSettings();
      if (!settings.ok) return;
      const { config, roles } = settings.value;
      const auth = makeAuthContext(config);
      if (!auth.ok) {
        observe({ kind: 'config-rejected', lines: [auth.error.message] });
        return;
      }
      const schemasChanged = config.dbSchemas.join('\0') !== state.config.dbSchemas.join('\0');
      state = makeState({
        config: schemasChanged ? { ...config, dbSchemas: state.config.dbSchemas } : config,
        version,
        auth: auth.value,
        cache: state.cache,
        roles,
      });
      // Other schemas need another cache; both change together when it is there.
      if (schemasChanged) await schema.request();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await listener?.close();
    },
  };
  return service;
}

function initialState({ config, version }: RestServiceOptions): RestState {
  const auth = makeAuthContext(config);
  if (!auth.ok) throw new Error(auth.error.message);
  return makeState({ config, version, auth: auth.value, cache: undefined, roles: NO_DB_SETTINGS.roles });
}

function isFatal(error: DbError): boolean {
  return (error.kind === 'unreachable' && error.fatal) || (error.kind === 'sql' && FATAL_STATES.has(error.sqlstate));
}

/** Nothing that waiting would change: our catalogue statements are not understood, or a transaction pooler is in front. */
const FATAL_STATES: ReadonlySet<string> = new Set(['42601', '42P05', '08P01']);

function describe(error: DbError): string {
  switch (error.kind) {
    case 'sql':
      return `${error.message} (SQLSTATE ${error.sqlstate})`;
    case 'unreachable':
    case 'lost':
      return error.message;
    case 'pool-timeout':
      return `no connection became free within ${error.afterMs} ms`;
    case 'cancelled':
      return 'cancelled';
    case 'closed':
      return 'the connections are closed';
  }
}
