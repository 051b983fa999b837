// Serves several databases by one process: each has a driver, a REST service, replicas, log lines and metrics of its own; port, memory and
// traces are shared. What goes wrong with one is its own affair: the program does not end for it, and the others go on.

import { setTimeout as pause } from 'node:timers/promises';
import { MemoryBudget } from '../http/memory-budget.ts';
import { NORMAL } from '../http/service-mode.ts';
import { makeTracer, type Tracer } from '../http/tracing/tracer.ts';
import { ClosingStack } from '../kernel/closing-stack.ts';
import { type Observe, observeAll, unobserved } from '../kernel/observation.ts';
import type { Environment } from '../kernel/options/collect.ts';
import { errorLines } from '../kernel/options/config-error.ts';
import { applyReload } from '../kernel/options/reload.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Driver } from '../pg/driver.ts';
import type { Replicas } from '../pg/replicas/replicas.ts';
import type { DbSettings } from '../rest/config/db-settings.ts';
import { makeMetrics } from '../rest/edge/metrics.ts';
import { severalDatabases } from '../rest/edge/several-databases.ts';
import { makeRestService, type RestService } from '../rest/lifecycle/rest-service.ts';
import { checkStart } from './check-start.ts';
import { EXIT, type ExitCode } from './command-line/exit-code.ts';
import type { SettingSources } from './command-line/parse-command-line.ts';
import { loadServerConfig, type ServerConfig, type Services, serverOptions } from './config/config.ts';
import type { DatabaseConfig } from './config/databases.ts';
import { readTextFile } from './config/read-text.ts';
import { makeConsoleSink, makeLog } from './log.ts';
import { openForService } from './open-database.ts';
import { openReplicas } from './open-replicas.ts';
import { openServices } from './open-services.ts';
import { followPortalMode, type PortalMode } from './portal/follow-portal-mode.ts';
import { makeRereadUri } from './reread-uri.ts';
import { DATABASE_PATIENCE_MS, fail, lendToCommands, openExporter, STOP_DEADLINE_MS } from './serve.ts';
import { stopSignal } from './stop-signal.ts';
import { handleUncaughtErrors } from './uncaught-errors.ts';
import { VERSION } from './version.ts';
import { workerConfig } from './workers/worker-config.ts';
import { decodeByPrimary } from './workers/worker-decoding.ts';
import { isWorker, linkToPrimary } from './workers/worker-link.ts';

type Serve = SettingSources & { readonly services: Services };

/** A database that refuses us for a reason that waiting does not mend is asked again so often: somebody may mend it. */
const HOPELESS_RETRY_MS = 30_000;

type OpenDatabase = {
  readonly name: string;
  readonly driver: Driver;
  readonly replicas: Replicas | undefined;
  readonly service: RestService;
  readonly mode: PortalMode;
  close(): Promise<void>;
};

export async function serveDatabases(
  asked: ServerConfig,
  databases: readonly DatabaseConfig[],
  command: Serve,
  env: Environment,
): Promise<ExitCode> {
  const program = isWorker ? workerConfig(asked) : asked;
  const stop = stopSignal();
  const sink = makeConsoleSink();
  let inForce = program;
  const log = makeLog(() => inForce, sink);
  log({ kind: 'starting', version: VERSION, services: [command.services] });
  const open = new ClosingStack();
  const failed = async (message: string): Promise<ExitCode> => {
    await open.close();
    return fail(message);
  };
  open.defer(
    handleUncaughtErrors(process, {
      observe: (observation) => observeProgram(observation),
      onTooMany: (message) => stop.now(message),
    }),
  );
  let observeProgram: Observe = log;
  const budget = new MemoryBudget(program.serverMaxMemory);
  const exporter = openExporter(program, log);
  open.defer(() => exporter?.close());
  const tracer = exporter === undefined ? undefined : makeTracer(exporter);
  // The metrics ask the pools, so they come after them; the log hears of these from the first moment.
  const later = new Map<string, Observe>();
  const complaints = isWorker ? [] : await checkStart(program, command.services, embeddedFolders(databases));
  if (complaints.length > 0) return failed(complaints.join('\n'));
  const opened: OpenDatabase[] = [];
  open.defer(async () => void (await Promise.all(opened.map((one) => one.close()))));
  for (const database of databases) {
    const { name } = database;
    const observe = observeAll(
      makeLog(() => inForce, sink, name),
      (told) => (later.get(name) ?? unobserved)(told),
    );
    const one = await openOne(database, { command, env, observe, tracer, signal: stop.signal });
    if (!one.ok) return failed(`[${name}] ${one.error.message}`);
    opened.push(one.value);
  }
  const metrics = makeMetrics({
    databases: opened.map(({ name, driver, replicas }) => ({
      name,
      pool: () => driver.stats(),
      replicas: () => replicas?.stats() ?? [],
    })),
    traces: () => exporter?.stats(),
    memory: () => budget.stats(),
  });
  open.defer(() => metrics.close());
  for (const { name } of opened) later.set(name, metrics.observeOf(name));
  observeProgram = observeAll(log, metrics.observe);
  const rest = severalDatabases({
    databases: opened,
    config: () => inForce,
    version: VERSION,
    observe: observeProgram,
  });
  // A worker has to know the schemas before anyone asks, as in `serve.ts`; a database that is down is not waited for by the others.
  if (isWorker)
    await Promise.race([
      Promise.all(opened.map(({ service }) => service.start())),
      pause(DATABASE_PATIENCE_MS, undefined, { ref: false }),
    ]);
  let isDraining = false;
  const listening = await openServices({
    config: program,
    services: command.services,
    rest,
    databases: opened,
    portal: undefined,
    sessionBearer: () => undefined,
    health: { answer: () => false, isDraining: () => isDraining },
    mode: (path, host) => {
      // Looking for the database of a request is worth it only where one of them is closed.
      if (opened.every(({ mode }) => mode.now().kind === 'normal')) return NORMAL;
      const { database } = rest.addressee(path, host);
      return opened.find(({ name }) => name === database)?.mode.now() ?? NORMAL;
    },
    metrics,
    budget,
    tracer,
    observe: observeProgram,
  });
  if (!listening.ok) return failed(listening.error.message);
  open.defer(async () => void (await Promise.all(listening.value.map((one) => one.close(STOP_DEADLINE_MS)))));
  open.defer(async () => void (await Promise.all(opened.map(({ service }) => service.endStreams()))));

  /** Of one database, or of all. */
  const reloadSchema = (relations?: readonly number[], name?: string): void => {
    for (const each of opened) if (name === undefined || each.name === name) void each.service.reloadSchema(relations);
  };
  const reloadConfig = (name?: string): void => {
    if (name === undefined) void reloadProgram();
    for (const each of opened) if (name === undefined || each.name === name) void each.service.reloadConfig();
  };
  const onUsr1 = (): void => reloadSchema();
  const onUsr2 = (): void => reloadConfig();

  /** The settings of the program itself. Databases that come and go wait for a restart. */
  async function reloadProgram(): Promise<void> {
    const { args, file, services } = command;
    const loaded = await loadServerConfig(services, { args, env, file, database: [], readText: readTextFile });
    // What is wrong is told for each database.
    if (!loaded.ok) return;
    inForce = applyReload(serverOptions, inForce, loaded.value.config).config;
    const names = new Set(opened.map(({ name }) => name));
    const added = loaded.value.sections.filter((name) => !names.has(name));
    const removed = [...names].filter((name) => !loaded.value.sections.includes(name));
    for (const name of [...added, ...removed]) {
      const line = `the section [${name}] was ${added.includes(name) ? 'added' : 'removed'}, which takes effect at the next start`;
      log({ kind: 'config-noticed', line });
    }
  }

  process.on('SIGUSR1', onUsr1).on('SIGUSR2', onUsr2);
  open.defer(() => void process.off('SIGUSR1', onUsr1).off('SIGUSR2', onUsr2));
  const link = linkToPrimary({ reloadSchema, reloadConfig });
  if (isWorker) link?.serving(program.adminServerPort === undefined ? undefined : listening.value.at(-1)?.port);
  else for (const { service } of opened) void service.start();

  const reason = await stop.asked;
  const began = performance.now();
  log({ kind: 'stopping', reason });
  isDraining = true;
  if (program.serverDrainDelay > 0) await pause(program.serverDrainDelay * 1000);
  await open.close();
  log({ kind: 'stopped', afterMs: performance.now() - began });
  link?.close();
  return EXIT.done;
}

type Around = {
  readonly command: Serve;
  readonly env: Environment;
  readonly observe: Observe;
  readonly tracer: Tracer | undefined;
  readonly signal: AbortSignal;
};

function embeddedFolders(databases: readonly DatabaseConfig[]): readonly string[] {
  return databases.flatMap(({ config }) => (config.database === undefined ? [] : [config.dataDir]));
}

async function openOne(
  { name, config: asked }: DatabaseConfig,
  { command, env, observe: observeAround, tracer, signal }: Around,
): Promise<Result<OpenDatabase, { readonly message: string }>> {
  const adapt = (config: ServerConfig): ServerConfig => (isWorker ? workerConfig(config) : config);
  const rereadUri = makeRereadUri({ ...command, section: name }, env);
  let inForce = adapt(asked);
  const database = await openForService(inForce, env, observeAround, rereadUri, {
    command: 'survest rest',
    signal,
  });
  if (!database.ok) return err(database.error);
  // Workers share the slot of their primary.
  const driver: Driver = isWorker ? { ...database.value.driver, decode: decodeByPrimary(name) } : database.value.driver;
  const mode = followPortalMode(driver);
  const observe = observeAll(observeAround, mode.observe);
  const lent = await lendToCommands(driver, inForce, observe);
  const replicas = openReplicas(inForce, env, observe, rereadUri);

  async function reread(settings: DbSettings): Promise<ServerConfig | undefined> {
    const { args, file, services } = command;
    const input = { args, env, file, section: name, database: settings.overrides, readText: readTextFile };
    const loaded = await loadServerConfig(services, input);
    if (!loaded.ok) {
      observe({ kind: 'config-rejected', lines: errorLines(loaded.error) });
      return undefined;
    }
    const next = applyReload(serverOptions, inForce, adapt(loaded.value.config));
    const { changed, pending } = next;
    if (changed.length > 0 || pending.length > 0) observe({ kind: 'config-reloaded', changed, pending });
    inForce = next.config;
    return inForce;
  }

  let retry: NodeJS.Timeout | undefined;
  const service = makeRestService({
    config: inForce,
    driver,
    replicas,
    tracer,
    version: VERSION,
    observe,
    reread,
    onFatal: () => {
      clearTimeout(retry);
      retry = setTimeout(() => void service.reloadSchema(), HOPELESS_RETRY_MS);
      retry.unref();
    },
  });
  return ok({
    name,
    driver,
    replicas,
    service,
    mode,
    async close() {
      clearTimeout(retry);
      mode.close();
      await service.close();
      await lent?.close();
      await database.value.close();
    },
  });
}
