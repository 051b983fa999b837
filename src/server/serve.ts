// Starts the services of a command, waits until told to stop, and stops them in order: first no new requests, then those
// under way are finished, then the database is closed.

import { setTimeout } from 'node:timers/promises';
import { MemoryBudget } from '../http/memory-budget.ts';
import { NORMAL } from '../http/service-mode.ts';
import { OtlpExporter } from '../http/tracing/otlp-exporter.ts';
import { makeTracer } from '../http/tracing/tracer.ts';
import { ClosingStack } from '../kernel/closing-stack.ts';
import { type Observe, observeAll, unobserved } from '../kernel/observation.ts';
import type { Environment } from '../kernel/options/collect.ts';
import { errorLines } from '../kernel/options/config-error.ts';
import { applyReload } from '../kernel/options/reload.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Driver, Listener } from '../pg/driver.ts';
import { type Lent, lendDriver } from '../pg/lent/lend-driver.ts';
import { socketPath } from '../pg/lent/socket-path.ts';
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
import type { OpenedPortal, PortalServices } from './portal/open-portal.ts';
import type { AskRest } from './portal/open-portal-app.ts';
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
  const { services } = command;
  const stop = stopSignal();
  const open = new ClosingStack();
  let inForce = config;
  let exit: ExitCode = EXIT.done;
  let portal: OpenedPortal | undefined;
  const log = makeLog(() => inForce, makeConsoleSink());
  log({ kind: 'starting', version: VERSION, services: [services] });
  if (config.serverWorkers !== 1 && services !== 'rest')
    log({ kind: 'config-noticed', line: 'server-workers: only `survest rest` answers requests in several processes' });
  // The metrics ask the database's pool, so they come after it; the log hears of it from the first moment.
  let observeMore: Observe = unobserved;
  const observe: Observe = observeAll(log, (observation) => observeMore(observation));
  open.defer(handleUncaughtErrors(process, { observe, onTooMany: giveUp }));
  // Workers share addresses that their primary has opened.
  const complaints = isWorker ? [] : await checkStart(config, services);
  if (complaints.length > 0) return failed(complaints.join('\n'));
  const rereadUri = makeRereadUri(command, env);
  const database = await openForService(config, env, observe, rereadUri, {
    command: services === 'all' ? 'survest' : `survest ${services}`,
    signal: stop.signal,
  });
  if (!database.ok) return failed(database.error.message);
  open.defer(() => database.value.close());
  // Workers share the slot of their primary.
  const driver: Driver = isWorker
    ? { ...database.value.driver, decode: decodeByPrimary(undefined) }
    : database.value.driver;
  const lent = await lendToCommands(driver, config, observe);
  open.defer(() => lent?.close());
  const budget = new MemoryBudget(config.serverMaxMemory);
  const exporter = openExporter(config, observe);
  open.defer(() => exporter?.close());
  const tracer = exporter === undefined ? undefined : makeTracer(exporter);
  const replicas = openReplicas(config, env, observe, rereadUri);
  // Without a portal in this process, the one of another may be in the same database.
  const otherPortal = services === 'rest' ? followPortalMode(driver) : undefined;
  open.defer(() => otherPortal?.close());
  const metrics = makeMetrics({
    databases: [{ name: undefined, pool: () => driver.stats(), replicas: () => replicas?.stats() ?? [] }],
    traces: () => exporter?.stats(),
    memory: () => budget.stats(),
    operation: () => {
      const counts = portal?.counter?.now();
      return counts && { ...counts, mode: portal?.mode.now().kind ?? 'normal' };
    },
  });
  open.defer(() => metrics.close());
  observeMore = (observation) => {
    metrics.observe(observation);
    otherPortal?.observe(observation);
  };
  const health = makeHealth({ driver, space: () => freeSpace(config) });
  if (!isWorker) {
    const watch = watchSpace(
      config,
      observe,
      services === 'rest' && config.database === undefined ? ['temp'] : undefined,
    );
    open.defer(() => watch.close());
  }
  // A portal whose database comes late is closed in the same place.
  const portalParts = new ClosingStack();
  open.defer(() => portalParts.close());
  let onPortal = (): void => {};
  const gate = services === 'rest' ? undefined : makePortalGate(() => preparePortal(services), observe, giveUp);
  const prepared = await gate?.open();
  if (prepared?.ok === false && !prepared.error.retry) return failed(prepared.error.message);
  open.defer(() => gate?.close());
  const rest = makeRestService({
    config: restConfig(config),
    driver,
    replicas,
    tracer,
    version: VERSION,
    observe,
    reread,
    onFatal: giveUp,
  });
  open.defer(() => rest.close());
  // It takes the portal's tokens, so it has to hear of keys that come late.
  onPortal = () => void rest.reloadConfig();
  // A worker takes the place of another, or shares the port with some: it has to know the schema before anyone asks. Without
  // a database it answers too, that there is none.
  if (isWorker) await Promise.race([rest.start(), setTimeout(DATABASE_PATIENCE_MS, undefined, { ref: false })]);
  const listening = await openServices({
    config,
    services,
    rest,
    databases: [{ name: undefined, service: rest }],
    // The jobs of a worker need no address.
    portal: services === 'worker' ? undefined : gate,
    sessionBearer: () => portal?.sessionBearer,
    health,
    mode: () => portal?.mode.now() ?? otherPortal?.now() ?? NORMAL,
    metrics,
    budget,
    tracer,
    observe,
  });
  if (!listening.ok) return failed(listening.error.message);
  open.defer(async () => void (await Promise.all(listening.value.map((one) => one.close(STOP_DEADLINE_MS)))));
  // Answers that go on, as long as an import does or for ever, would be waited for.
  open.defer(() => rest.endStreams());
  const reloadSchema = (relations?: readonly number[]): void => void rest.reloadSchema(relations);
  const reloadAll = (): void => reloadSchema();
  const reloadConfig = (): void => void rest.reloadConfig();
  process.on('SIGUSR1', reloadAll).on('SIGUSR2', reloadConfig);
  open.defer(() => void process.off('SIGUSR1', reloadAll).off('SIGUSR2', reloadConfig));
  const link = linkToPrimary({ reloadSchema, reloadConfig });
  if (isWorker) link?.serving(config.adminServerPort === undefined ? undefined : listening.value.at(-1)?.port);
  else void rest.start();
  if (gate !== undefined && services !== 'worker' && !hearsOfLayers()) {
    const layers = listenForLayers(driver, rest, reloadSchema, observe);
    open.defer(() => layers.close());
  }

  const reason = await stop.asked;
  const began = performance.now();
  observe({ kind: 'stopping', reason });
  // Balancers hear of it first, and send their requests elsewhere; those that come until then are answered.
  health.drain();
  await portal?.stopping();
  if (config.serverDrainDelay > 0) await setTimeout(config.serverDrainDelay * 1000);
  await open.close();
  observe({ kind: 'stopped', afterMs: performance.now() - began });
  link?.close();
  return exit;

  async function preparePortal(services: PortalServices): Promise<Result<Handler, PrepareError>> {
    const { openPortal } = await import('./portal/open-portal.ts');
    const askRest: AskRest = (http, remoteAddress) =>
      rest.askForAgent(http, { signal: undefined, remoteAddress, httpVersion: '1.1' });
    const settings = { driver, config, services, settingsFile: command.file, replicas, observe, askRest };
    const opened = await openPortal(settings, portalParts);
    if (!opened.ok) return opened;
    portal = opened.value;
    health.prepared(portal.files);
    onPortal();
    return ok(portal.handler);
  }

  /** The REST service listens by itself on a database that others use, where the settings leave it the usual channel. */
  function hearsOfLayers(): boolean {
    return driver.can.share && config.dbChannelEnabled && config.dbChannel === LAYERS_CHANNEL;
  }

  async function failed(message: string): Promise<ExitCode> {
    await open.close();
    return fail(message);
  }

  function giveUp(message: string): void {
    exit = fail(message);
    stop.now(message);
  }

  function restConfig(settings: ServerConfig): ServerConfig {
    const mine = isWorker ? workerConfig(settings) : settings;
    return portal?.withTokens(mine) ?? mine;
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
}

/** A database that is open here alone: commands (backup, import, user …) use it through a socket in the data folder. */
export async function lendToCommands(
  driver: Driver,
  { dataDir }: ServerConfig,
  observe: Observe,
): Promise<Lent | undefined> {
  if (driver.can.share) return undefined;
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
