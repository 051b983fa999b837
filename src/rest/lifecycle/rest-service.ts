// The REST service over time: it holds the state in force, loads it again when told to, retries with back-off when that fails,
// and answers requests. While a new schema loads, and when loading it fails, requests go on with the old one.

import { randomUUID } from 'node:crypto';
import { makeStreamGate } from '../../auth/stream-gate.ts';
import type { HttpReply, HttpRequest } from '../../http/http-message.ts';
import { makeRateLimiter } from '../../http/rate-limiter.ts';
import type { Tracer } from '../../http/tracing/tracer.ts';
import type { Observe } from '../../kernel/observation.ts';
import { MCP_PATH } from '../../mcp/answer-mcp.ts';
import type { Driver } from '../../pg/driver.ts';
import type { Replicas } from '../../pg/replicas/replicas.ts';
import { makeAuthContext } from '../auth/authenticate.ts';
import type { RestConfig } from '../config/config.ts';
import { type DbSettings, NO_DB_SETTINGS } from '../config/db-settings.ts';
import { makeLiveService } from '../live/live-service.ts';
import { answerRequest } from '../pipeline/answer-request.ts';
import type { ClientInfo } from '../pipeline/client-info.ts';
import { OpenStreams } from '../pipeline/open-streams.ts';
import { fromRestV1, isBelowRestV1, toRestV1, withoutPublic } from '../pipeline/rest-v1.ts';
import { makeState, type RestState } from '../pipeline/state.ts';
import { makeAgents } from './answer-agents.ts';
import { makeChangeListener } from './change-listener.ts';
import { describeLoadError } from './load-error.ts';
import { makeSchemaLoader } from './schema-loader.ts';
import { makeSchemaReloads } from './schema-reloads.ts';
import { makeServerSession } from './server-session.ts';
import { makeSettingsReader } from './settings-reader.ts';
import type { StateCell } from './state-cell.ts';

export type RestServiceOptions = {
  readonly config: RestConfig;
  readonly driver: Driver;
  /** Follows `db-replica-uris`; undefined: reads have one server, as writes. */
  readonly replicas?: Replicas | undefined;
  readonly version: string;
  /** Undefined: nothing is traced. */
  readonly tracer?: Tracer | undefined;
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
  /** What a tool of an agent asks, under the limits for agents. */
  askForAgent(http: HttpRequest, client: ClientInfo): Promise<HttpReply>;
  /** A request that was refused before `answer` because of something on this machine, for the log. */
  refused(path: string, status: number, cause: string): void;
  state(): RestState;
  /** What has to be known of a request before its body is read (`edge/rest-front.ts`). */
  addressee(path: string): { readonly config: RestConfig; readonly path: string };
  /** The schema is loaded and the database was last seen well. */
  isReady(): Promise<boolean>;
  /** Settles after the first attempt to load; further ones go on by themselves. */
  start(): Promise<void>;
  /** `relations`: oids of all that changed, if somebody knows; see `updateSchema`. */
  reloadSchema(relations?: readonly number[]): Promise<void>;
  reloadConfig(): Promise<void>;
  /** Ends live streams, which would otherwise go on; no more are taken. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
};

/** How long the first load waits for the listener, so that no change falls between the two. */
const LISTENER_FIRST_MS = 1000;

export function makeRestService(options: RestServiceOptions): RestService {
  const { driver, observe, replicas } = options;
  const now = options.now ?? Date.now;
  const cell: StateCell = { current: initialState(options) };
  const openStreams = new OpenStreams(now, () => cell.current.config.liveRecheck * 1000);
  const limiter = makeRateLimiter();
  const gate = makeStreamGate(driver);
  const live = makeLiveService({
    driver,
    state: () => cell.current,
    observe,
    now,
    onBug: (cause) => {
      const id = randomUUID();
      observe({ kind: 'bug', id, cause });
      return id;
    },
  });
  const server = makeServerSession(driver, observe);
  const settings = makeSettingsReader(options);
  const loader = makeSchemaLoader({ driver, observe, server, settings, cell });
  const reloads = makeSchemaReloads({
    load: loader.load,
    observe,
    cell,
    onLoaded: () => follow(),
    onFailed: server.distrust,
    onFatal: options.onFatal,
    now,
  });
  const changes = makeChangeListener({
    driver,
    observe,
    cell,
    onReloadSchema: (order) => void reloads.request(order),
    onReloadConfig: () => void reloadConfig(),
    // What was loaded before this moment may be old.
    onListening: () => {
      if (loader.hasBegun()) void reloads.request(undefined);
    },
    onLost: server.distrust,
  });
  /** The first attempt to load, while it lasts. */
  let starting: Promise<void> | undefined;

  const agents = makeAgents(() => cell.current, answerIn);

  function answer(http: HttpRequest, client: ClientInfo): Promise<HttpReply> {
    const { dbSchemas, dbRelationGuard, mcp } = cell.current.config;
    if (http.path === MCP_PATH && mcp !== 'off') return agents.answer(http, client);
    if (isBelowRestV1(http.path)) return answerAtRoot(fromRestV1(http, dbSchemas), client).then(toRestV1);
    // A portal has its layers in a schema of its own, which clients that always name `public` know nothing of.
    return answerAtRoot(dbRelationGuard === undefined ? http : withoutPublic(http, dbSchemas), client);
  }

  function answerAtRoot(http: HttpRequest, client: ClientInfo): Promise<HttpReply> {
    return answerIn(cell.current, http, client);
  }

  function answerIn(state: RestState, http: HttpRequest, client: ClientInfo): Promise<HttpReply> {
    return answerRequest({
      http,
      client,
      state,
      driver,
      replicas,
      tracer: options.tracer,
      observe,
      retryAfterSeconds: reloads.retryAfterSeconds(),
      onUnavailable: reloads.poke,
      limiter,
      gate,
      openStreams,
      live,
      now,
    });
  }

  /** Listens where the settings in force say, and reads where they say. */
  function follow(): void {
    const { dbReplicaUris, dbReplicaMaxLag } = cell.current.config;
    replicas?.follow(dbReplicaUris, dbReplicaMaxLag * 1000);
    void changes.follow();
    live.stateChanged();
    void openStreams.recheck();
  }

  async function reloadConfig(): Promise<void> {
    const inForce = cell.current;
    const read = await settings.read(inForce);
    if (!read.ok) {
      observe({ kind: 'database-settings-unread', message: describeLoadError(read.error) });
      return;
    }
    const { config, auth, roles } = read.value;
    const { version, cache } = cell.current;
    // Another choice of schemas needs another cache; both change together when it is there.
    const { dbSchemas, dbExtraSearchPath, dbTenantSchemas } = cell.current.config;
    const needsCache =
      !sameList(config.dbSchemas, dbSchemas) ||
      !sameList(config.dbExtraSearchPath, dbExtraSearchPath) ||
      config.dbTenantSchemas !== dbTenantSchemas;
    const usable = needsCache ? { ...config, dbSchemas, dbExtraSearchPath, dbTenantSchemas } : config;
    cell.current = makeState({ config: usable, version, auth, cache, roles });
    follow();
    if (needsCache) await reloads.request(undefined);
  }

  return {
    // Who comes while the program starts waits for the first load, as long as for a connection: a 503 would be true for
    // some milliseconds, and the scripts that wait for a start take any other answer for its end.
    answer(http, client) {
      const { cache, config } = cell.current;
      if (cache !== undefined || starting === undefined) return answer(http, client);
      const patience = pause(config.dbPoolAcquisitionTimeout * 1000);
      return Promise.race([starting, patience]).then(() => answer(http, client));
    },
    askForAgent: (http, client) => agents.ask(http, client),
    failed: (cause) => observe({ kind: 'bug', id: randomUUID(), cause }),
    refused: (target, status, cause) =>
      observe({ kind: 'request-failed', id: randomUUID(), service: 'REST service', status, target, cause }),
    state: () => cell.current,
    addressee: (path) => ({ config: cell.current.config, path }),
    async isReady() {
      if (cell.current.cache === undefined) return false;
      // A connection that listens says it without taking one from the pool. On a replica nobody can listen.
      if (changes.isListening()) return true;
      const executed = await driver.execute([{ text: 'select 1', params: [] }]);
      const isQueue = !executed.ok && (executed.error.kind === 'pool-timeout' || executed.error.kind === 'pool-full');
      return executed.ok || (isQueue && !driver.can.overlap);
    },
    async start() {
      live.start();
      starting = Promise.race([changes.follow(), pause(LISTENER_FIRST_MS)]).then(() => reloads.request(undefined));
      await starting.finally(() => {
        starting = undefined;
      });
    },
    reloadSchema: (relations) => reloads.request(relations),
    reloadConfig,
    endStreams: () => live.stop(),
    async close() {
      await live.stop();
      reloads.close();
      await Promise.all([changes.close(), replicas?.close()]);
    },
  };
}

function initialState({ config, version, observe }: RestServiceOptions): RestState {
  const auth = makeAuthContext(config, { observe });
  if (!auth.ok) throw new Error(auth.error.message);
  return makeState({ config, version, auth: auth.value, cache: undefined, roles: NO_DB_SETTINGS.roles });
}

function sameList(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, at) => name === others[at]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
