// Starts the services of a command, waits until told to stop, and stops them in order: first no new requests, then those
// under way are finished, then the database is closed.

import { type Observe, observeAll } from '../kernel/observation.ts';
import type { Environment } from '../kernel/options/collect.ts';
import { describeErrors } from '../kernel/options/config-error.ts';
import { applyReload } from '../kernel/options/reload.ts';
import type { DbSettings } from '../rest/config/db-settings.ts';
import { makeMetrics } from '../rest/service/metrics.ts';
import { makeRestService } from '../rest/service/rest-service.ts';
import type { SettingSources } from './cli.ts';
import { loadServerConfig, type ServerConfig, type Services, serverOptions } from './config.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { consoleSink, makeLog } from './log.ts';
import { openDatabase } from './open-database.ts';
import { openServices } from './open-services.ts';
import { readTextFile } from './read-text.ts';
import { stopSignal } from './stop-signal.ts';
import { VERSION } from './version.ts';

type Serve = SettingSources & { readonly services: Services };

/** How long requests under way may take to finish once a stop is asked for. */
const STOP_DEADLINE_MS = 10_000;

export async function serve(config: ServerConfig, command: Serve, env: Environment): Promise<ExitCode> {
  const stop = stopSignal();
  const { services } = command;
  let inForce = config;
  let exit: ExitCode = EXIT.done;
  const log = makeLog(() => inForce, consoleSink);
  log({ kind: 'starting', version: VERSION, services: [services] });
  const database = await openDatabase(config, env, (observation) => observe(observation));
  if (!database.ok) return fail(database.error.message);
  const { driver } = database.value;
  const metrics = makeMetrics(() => driver.stats());
  const observe: Observe = observeAll(log, metrics.observe);

  /** File and environment as they are now, under what the database says; undefined when they have mistakes. */
  async function reread(settings: DbSettings): Promise<ServerConfig | undefined> {
    const input = { args: command.args, env, file: command.file, database: settings.overrides, readText: readTextFile };
    const loaded = await loadServerConfig(services, input);
    if (!loaded.ok) {
      observe({ kind: 'config-rejected', lines: describeErrors(loaded.error).split('\n') });
      return undefined;
    }
    const { config: next, changed, pending } = applyReload(serverOptions, inForce, loaded.value.config);
    if (changed.length > 0 || pending.length > 0) observe({ kind: 'config-reloaded', changed, pending });
    inForce = next;
    return next;
  }

  const rest = makeRestService({
    config,
    driver,
    version: VERSION,
    observe,
    reread,
    onFatal: (message) => {
      exit = fail(message);
      stop.now('the database cannot be used');
    },
  });
  const opened = await openServices({ config, services, rest, metrics, observe });
  if (!opened.ok) {
    await database.value.close();
    return fail(opened.error.message);
  }
  const reloadSchema = (): void => void rest.reloadSchema();
  const reloadConfig = (): void => void rest.reloadConfig();
  process.on('SIGUSR1', reloadSchema).on('SIGUSR2', reloadConfig);
  void rest.start();

  const reason = await stop.asked;
  const began = performance.now();
  observe({ kind: 'stopping', reason });
  process.off('SIGUSR1', reloadSchema).off('SIGUSR2', reloadConfig);
  await Promise.all(opened.value.map((listening) => listening.close(STOP_DEADLINE_MS)));
  await rest.close();
  await database.value.close();
  metrics.close();
  observe({ kind: 'stopped', afterMs: performance.now() - began });
  return exit;
}

function fail(message: string): ExitCode {
  process.stderr.write(`${message}\n`);
  return EXIT.failed;
}
