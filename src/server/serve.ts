// Starts the services of a command, waits until told to stop, and stops them in order: first no new requests, then those
// under way are finished, then the database is closed.

import { setTimeout } from 'node:timers/promises';
import { MemoryBudget } from '../http/memory-budget.ts';
import { NORMAL } from '../http/service-mode.ts';
import { OtlpExporter } from '../http/tracing/otlp-exporter.ts';
import { makeTracer } from '../http/tracing/tracer.ts';
import { type Observe, observeAll, unobserved } from '../kernel/observation.ts';
import type { Environment } from '../kernel/options/collect.ts';
import { errorLines } from '../kernel/options/config-error.ts';
import { applyReload } from '../kernel/options/reload.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Driver, Listener } from '../pg/driver.ts';
import { type Lent, lendDriver } from '../pg/remote/lend-driver.ts';
import { socketPath } from '../pg/remote/socket-path.ts';
import type { ModeCell } from '../portal/mode/follow-mode.ts';
import type { SessionBearer } from '../portal/oidc/session-bearer.ts';
import type { Heartbeat } from '../portal/operation/heartbeat.ts';
import type { OperationCounter } from '../portal/operation/operation-counts.ts';
import type { DbSettings } from '../rest/config/db-settings.ts';
import { makeMetrics } from '../rest/edge/metrics.ts';
import { listenForChanges } from '../rest/lifecycle/listen-for-changes.ts';
import { parseNotice } from '../rest/lifecycle/notice.ts';
import { makeRestService, type RestService } from '../rest/lifecycle/rest-service.ts';
import { checkStart } from './check-start.ts';
import { EXIT, type ExitCode } from './command-line/exit-code.ts';
import type { SettingSources } from './command-line/parse-command-line.ts';
import { loadServerConfig, type ServerConfig, type Services, serverOptions } from './config/config.ts';
import { readTextFile } from './config/read-text.ts';
import { freeSpace, watchSpace } from './free-space.ts';
import { makeHealth } from './health.ts';
import { makeConsoleSink, makeLog } from './log.ts';
import { openForService } from './open-database.ts';
import { openReplicas } from './open-replicas.ts';
import { openServices } from './open-services.ts';
import { followPortalMode } from './portal/follow-portal-mode.ts';
import type { OpenedImports } from './portal/open-imports.ts';
import { type Handler, makePortalGate, type PrepareError } from './portal/portal-gate.ts';
import { makeRereadUri } from './reread-uri.ts';
import { stopSignal } from './stop-signal.ts';
import { handleUncaughtErrors } from './uncaught-errors.ts';
import { VERSION } from './version.ts';
import { workerConfig } from './workers/worker-config.ts';
import { decodeByPrimary } from './workers/worker-decoding.ts';
import { isWorker, linkToPrimary } from './workers/worker-link.ts';

type Serve = SettingSources & { readonly services: Services };

/** How long requests under way may take to finish once a stop is asked for. */
export const STOP_DEADLINE_MS = 10_000;

export const DATABASE_PATIENCE_MS = 10_000;

/** Where the catalogue tells of new tables. */
const LAYERS_CHANNEL = 'pgrst';

export async function serve(asked: ServerConfig, command: Serve, env: Environment): Promise<ExitCode> {
  const config = isWorker ? workerConfig(asked) : asked;
  const stop = stopSignal();
  const { services } = command;
  let inForce = config;
  let exit: ExitCode = EXIT.done;
  let rest: RestService | undefined;
  const log = makeLog(() => inForce, makeConsoleSink());
  log({ kind: 'starting', version: VERSION, services: [services] });
  if (config.serverWorkers !== 1 && services !== 'rest')
    log({ kind: 'config-noticed', line: 'server-workers: only `survest rest` answers requests in several processes' });
  // The metrics ask the database's pool, so they come after it; the log hears of it from the first moment.
  let observeMore: Observe = unobserved;
  const observe: Observe = observeAll(log, (observation) => observeMore(observation));
  const unguard = handleUncaughtErrors(process, { observe, onTooMany: giveUp });
  // Workers share addresses that their primary has opened.
  const complaints = isWorker ? [] : await checkStart(config, services);
  if (complaints.length > 0) return fail(complaints.join('\n'));
  const database = await openForService(config, env, observe, makeRereadUri(command, env), {
    command: services === 'all' ? 'survest' : `survest ${services}`,
    signal: stop.signal,
  });
  if (!database.ok) return fail(database.error.message);
  // Workers share the slot of their primary.
  const driver: Driver = isWorker
    ? { ...database.value.driver, decode: decodeByPrimary(undefined) }
    : database.value.driver;
  const lent = await lendToCommands(driver, config, observe);
  const budget = new MemoryBudget(config.serverMaxMemory);
  const exporter = openExporter(config, observe);
  const tracer = exporter === undefined ? undefined : makeTracer(exporter);
  const replicas = openReplicas(config, env, observe, makeRereadUri(command, env));
  let mode: ModeCell | undefined;
  let counter: OperationCounter | undefined;
  const metrics = makeMetrics({
    databases: [{ name: undefined, pool: () => driver.stats(), replicas: () => replicas?.stats() ?? [] }],
    traces: () => exporter?.stats(),
    memory: () => budget.stats(),
    operation: () => {
      const counts = counter?.now();
      return counts && { ...counts, mode: mode?.now().kind ?? 'normal' };
    },
  });
  observeMore = (observation) => {
    metrics.observe(observation);
    portalMode?.observe(observation);
  };
  /** The settings of a REST service that takes the portal's tokens, once there is a portal. */
  let withTokens = (settings: ServerConfig): ServerConfig => settings;
  let sessionBearer: SessionBearer | undefined;
  let stopSweeping = (): void => {};
  let stopEmptying = (): void => {};
  let imports: OpenedImports | undefined;
  let thumbnails: { stop(): Promise<void> } | undefined;
  let demo: Promise<void> | undefined;
  let heartbeat: Heartbeat | undefined;
  const health = makeHealth({ driver, space: () => freeSpace(config) });
  const spaceWatch = isWorker
    ? undefined
    : watchSpace(config, observe, services === 'rest' && driver.engine === 'postgres' ? ['temp'] : undefined);
  const stopDemo = new AbortController();
  // Without a portal in this process, the one of another may be in the same database.
  const portalMode = services === 'rest' ? followPortalMode(driver) : undefined;
  const portal = services === 'all' || services === 'portal' ? makePortalGate(openPortal, observe, giveUp) : undefined;
  // Without a portal the door leads nowhere, but the workers behind it start as the portal does.
  const worker = services === 'worker' ? makePortalGate(openWorker, observe, giveUp) : undefined;
  const prepared = await (portal ?? worker)?.open();
  if (prepared?.ok === false && !prepared.error.retry) {
    await lent?.close();
    await database.value.close();
    return fail(prepared.error.message);
  }

  async function openPortal(): Promise<Result<Handler, PrepareError>> {
    const load = await import('./portal/portal-parts.ts');
    const parts = await load.preparePortal(driver, config);
    if (!parts.ok) return parts;
    const { keys } = parts.value;
    withTokens = (settings) => load.withPortalTokens(settings, keys);
    sessionBearer = load.makeSessionBearer(parts.value);
    const stops = [load.startSweeping(parts.value.db), load.startFillingSearch(parts.value.db)];
    stopSweeping = () => {
      for (const stop of stops) stop();
    };
    const blobs = await load.openBlobStore(config, parts.value.db);
    mode ??= await load.followMode(parts.value.db);
    if (config.adminServerPort !== undefined) counter ??= await load.countOperation(parts.value.db);
    heartbeat ??= await load.startHeartbeat({
      db: parts.value.db,
      version: VERSION,
      services: services === 'all' ? 'all' : 'portal',
    });
    stopEmptying = load.startEmptyingBin(parts.value.db, blobs);
    // A portal of its own leaves the work to workers.
    const opened = await load.openImports({
      ...parts.value,
      driver,
      blobs,
      config,
      observe,
      isPaused,
      works: services === 'all',
      settingsFile: command.file,
    });
    if (!opened.ok) {
      stopSweeping();
      stopEmptying();
      return opened;
    }
    imports = opened.value;
    if (services === 'all') {
      thumbnails = await load.openThumbnails({ ...parts.value, driver, blobs, jobs: imports.jobs, observe, config });
      await load.openOverviews({ ...parts.value, jobs: imports.jobs, observe });
      await load.openHarvesting({ ...parts.value, jobs: imports.jobs, config });
    }
    // Jobs read what they have just written, or were told of: only requests are answered by replicas.
    const reads = replicas && load.makeReplicaReads(parts.value.db, replicas, parts.value.callerDbOn);
    const app = await load.openPortalApp({
      ...parts.value,
      ...(reads === undefined ? {} : { db: reads.db, replicas: reads }),
      config,
      blobs,
      imports,
      mode,
      observe,
    });
    if (services === 'all' && config.demo && driver.engine === 'pglite') {
      const { signal } = stopDemo;
      demo = load.makeDemo({ app, db: parts.value.db, dataDir: config.dataDir, observe, signal });
    }
    health.prepared(await load.openFilePlace(config));
    // The REST service takes the portal's tokens, so it has to hear of keys that come late.
    if (rest !== undefined) void rest.reloadConfig();
    return ok((request, response) => app.routing(request, response));
  }

  async function openWorker(): Promise<Result<Handler, PrepareError>> {
    const load = await import('./portal/portal-parts.ts');
    const parts = await load.preparePortal(driver, config);
    if (!parts.ok) return parts;
    const blobs = await load.openBlobStore(config, parts.value.db);
    mode ??= await load.followMode(parts.value.db);
    if (config.adminServerPort !== undefined) counter ??= await load.countOperation(parts.value.db);
    heartbeat ??= await load.startHeartbeat({ db: parts.value.db, version: VERSION, services: 'worker' });
    const opened = await load.openImports({
      ...parts.value,
      driver,
      blobs,
      config,
      observe,
      isPaused,
      works: true,
      settingsFile: command.file,
    });
    if (!opened.ok) return opened;
    imports = opened.value;
    thumbnails = await load.openThumbnails({ ...parts.value, driver, blobs, jobs: imports.jobs, observe, config });
    await load.openOverviews({ ...parts.value, jobs: imports.jobs, observe });
    await load.openHarvesting({ ...parts.value, jobs: imports.jobs, config });
    return ok((_request, response) => response.destroy());
  }

  /** While nothing, or nobody else, is to write, no further job is begun. */
  function isPaused(): boolean {
    return mode !== undefined && mode.now().kind !== 'normal';
  }

  /** The REST service listens by itself on a server, where the settings leave it the usual channel. */
  function hearsOfLayers(): boolean {
    return driver.engine === 'postgres' && config.dbChannelEnabled && config.dbChannel === LAYERS_CHANNEL;
  }

  function giveUp(message: string): void {
    exit = fail(message);
    stop.now(message);
  }

  function restConfig(settings: ServerConfig): ServerConfig {
    const mine = isWorker ? workerConfig(settings) : settings;
    return portal === undefined ? mine : withTokens(mine);
  }

  /** File and environment as they are now, under what the database says; undefined when they have mistakes. */
  async function reread(settings: DbSettings): Promise<ServerConfig | undefined> {
    const input = {
      args: command.args,
      env,
      file: command.file,
      section: command.section,
      database: settings.overrides,
      readText: readTextFile,
    };
    const loaded = await loadServerConfig(services, input);
    if (!loaded.ok) {
      observe({ kind: 'config-rejected', lines: errorLines(loaded.error) });
      return undefined;
    }
    const { config: next, changed, pending } = applyReload(serverOptions, inForce, loaded.value.config);
    if (changed.length > 0 || pending.length > 0) observe({ kind: 'config-reloaded', changed, pending });
    inForce = next;
    return restConfig(next);
  }

  rest = makeRestService({
    config: restConfig(config),
    driver,
    replicas,
    tracer,
    version: VERSION,
    observe,
    reread,
    onFatal: giveUp,
  });
  // A worker takes the place of another, or shares the port with some: it has to know the schema before anyone asks. Without
  // a database it answers too, that there is none.
  if (isWorker) await Promise.race([rest.start(), setTimeout(DATABASE_PATIENCE_MS, undefined, { ref: false })]);
  const opened = await openServices({
    config,
    services,
    rest,
    databases: [{ name: undefined, service: rest }],
    portal,
    sessionBearer: () => sessionBearer,
    health,
    mode: () => mode?.now() ?? portalMode?.now() ?? NORMAL,
    metrics,
    budget,
    tracer,
    observe,
  });
  if (!opened.ok) {
    stopSweeping();
    stopEmptying();
    await thumbnails?.stop();
    await imports?.stop();
    await lent?.close();
    await database.value.close();
    return fail(opened.error.message);
  }
  const reloadSchema = (relations?: readonly number[]): void => void rest?.reloadSchema(relations);
  const reloadAll = (): void => reloadSchema();
  const reloadConfig = (): void => void rest?.reloadConfig();
  process.on('SIGUSR1', reloadAll).on('SIGUSR2', reloadConfig);
  const link = linkToPrimary({ reloadSchema, reloadConfig });
  if (isWorker) link?.serving(config.adminServerPort === undefined ? undefined : opened.value.at(-1)?.port);
  else void rest.start();
  const layers =
    portal !== undefined && !hearsOfLayers() ? listenForLayers(driver, rest, reloadSchema, observe) : undefined;

  const reason = await stop.asked;
  const began = performance.now();
  observe({ kind: 'stopping', reason });
  // Balancers hear of it first, and send their requests elsewhere; those that come until then are answered.
  health.drain();
  void heartbeat?.stopping();
  if (config.serverDrainDelay > 0) await setTimeout(config.serverDrainDelay * 1000);
  process.off('SIGUSR1', reloadAll).off('SIGUSR2', reloadConfig);
  stopDemo.abort();
  await demo;
  // Answers that go on, as long as an import does or for ever, would be waited for.
  await imports?.stopWatching();
  await rest.endStreams();
  await Promise.all(opened.value.map((listening) => listening.close(STOP_DEADLINE_MS)));
  stopSweeping();
  spaceWatch?.close();
  mode?.close();
  portalMode?.close();
  counter?.close();
  stopEmptying();
  portal?.close();
  worker?.close();
  await layers?.close();
  await thumbnails?.stop();
  await imports?.stop();
  await heartbeat?.end();
  await rest.close();
  await lent?.close();
  await exporter?.close();
  await database.value.close();
  metrics.close();
  observe({ kind: 'stopped', afterMs: performance.now() - began });
  link?.close();
  unguard();
  return exit;
}

/** The embedded database is open here alone: commands (backup, import, user …) use it through a socket in the data folder. */
export async function lendToCommands(
  driver: Driver,
  { dataDir }: ServerConfig,
  observe: Observe,
): Promise<Lent | undefined> {
  if (driver.engine !== 'pglite') return undefined;
  const lent = await lendDriver(driver, socketPath(dataDir));
  if (lent.ok) return lent.value;
  const line = `commands cannot use the database while this program runs: ${lent.error.message}`;
  observe({ kind: 'config-noticed', line });
  return undefined;
}

/** Undefined: `server-otlp-endpoint` names none. */
export function openExporter(
  { serverOtlpEndpoint: endpoint, serverOtlpHeaders }: ServerConfig,
  observe: Observe,
): OtlpExporter | undefined {
  if (endpoint === undefined) return undefined;
  const headers = serverOtlpHeaders.map((header): [string, string] => {
    const at = header.indexOf('=');
    return [header.slice(0, at).trim(), header.slice(at + 1).trim()];
  });
  const onRefused = (message: string): void => observe({ kind: 'traces-refused', message });
  return new OtlpExporter({ endpoint, headers, version: VERSION, onRefused });
}

/** Layers that come and go are tables that the REST service serves. */
function listenForLayers(
  driver: Driver,
  rest: RestService,
  reload: (relations?: readonly number[]) => void,
  observe: Observe,
): Listener {
  const schemas = (): readonly string[] => rest.state().config.dbSchemas;
  return listenForChanges({ driver, channel: LAYERS_CHANNEL, schemas }, (event) => {
    if (event.kind === 'deaf') observe({ kind: 'listener-deaf', channel: LAYERS_CHANNEL });
    if (event.kind !== 'notification') return;
    const notice = parseNotice(event.notification.payload);
    reload(notice?.kind === 'reload-schema' ? notice.relations : undefined);
  });
}

export function fail(message: string): ExitCode {
  process.stderr.write(`${message}\n`);
  return EXIT.failed;
}
