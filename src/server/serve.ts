// Starts the services of a command, waits until told to stop, and stops them in order: first no new requests, then those
// under way are finished, then the database is closed.

import { fileURLToPath } from 'node:url';
import type { Observe } from '../kernel/observation.ts';
import { observeAll } from '../kernel/observation.ts';
import type { Environment } from '../kernel/options/collect.ts';
import { describeErrors } from '../kernel/options/config-error.ts';
import { applyReload } from '../kernel/options/reload.ts';
import { ok, type Result } from '../kernel/result.ts';
import { makePortalApp } from '../portal/portal-app.ts';
import type { DbSettings } from '../rest/config/db-settings.ts';
import { restListener } from '../rest/service/listener.ts';
import { makeRestService, type RestService } from '../rest/service/rest-service.ts';
import type { SettingSources } from './cli.ts';
import { loadServerConfig, type ServerConfig, type Services, serverOptions } from './config.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type ListenError, type Listening, listen } from './listen.ts';
import { consoleSink, makeLog } from './log.ts';
import { openDatabase } from './open-database.ts';
import { readTextFile } from './read-text.ts';
import { VERSION } from './version.ts';

type Serve = SettingSources & { readonly services: Services };

const REST_MOUNT = '/rest/v1';
const WEB_ROOT = fileURLToPath(new URL('../web', import.meta.url));

/** How long requests under way may take to finish once a stop is asked for. */
const STOP_DEADLINE_MS = 10_000;

export async function serve(config: ServerConfig, command: Serve, env: Environment): Promise<ExitCode> {
  let inForce = config;
  const observe: Observe = observeAll(makeLog(() => inForce, consoleSink));
  const stop = stopSignal();
  observe({ kind: 'starting', version: VERSION, services: [command.services] });
  const database = await openDatabase(config, env, observe);
  if (!database.ok) return fail(database.error.message);
  let exit: ExitCode = EXIT.done;
  const rest = makeRestService({
    config,
    driver: database.value.driver,
    version: VERSION,
    observe,
    reread: async (settings: DbSettings) => {
      const loaded = await loadServerConfig(command.services, {
        args: command.args,
        env,
        file: command.file,
        database: settings.overrides,
        readText: readTextFile,
      });
      if (!loaded.ok) {
        observe({ kind: 'config-rejected', lines: describeErrors(loaded.error).split('\n') });
        return undefined;
      }
      const { config: next, changed, pending } = applyReload(serverOptions, inForce, loaded.value.config);
      if (changed.length > 0 || pending.length > 0) observe({ kind: 'config-reloaded', changed, pending });
      inForce = next;
      return next;
    },
    onFatal: (message) => {
      process.stderr.write(`${message}\n`);
      exit = EXIT.failed;
      stop.now('the database cannot be used');
    },
  });
  const onReloadSchema = (): void => void rest.reloadSchema();
  const onReloadConfig = (): void => void rest.reloadConfig();
  process.on('SIGUSR1', onReloadSchema).on('SIGUSR2', onReloadConfig);
  const opened = await openAll(config, command.services, rest, observe);
  if (!opened.ok) {
    await database.value.close();
    return fail(opened.error.message);
  }
  void rest.start();
  const reason = await stop.asked;
  const began = performance.now();
  observe({ kind: 'stopping', reason });
  await Promise.all(opened.value.map((listening) => listening.close(STOP_DEADLINE_MS)));
  await rest.close();
  await database.value.close();
  process.off('SIGUSR1', onReloadSchema).off('SIGUSR2', onReloadConfig);
  observe({ kind: 'stopped', afterMs: performance.now() - began });
  return exit;
}

/** Opens every address of the command, or none: what was opened before a failure is closed again. */
async function openAll(
  config: ServerConfig,
  services: Services,
  rest: RestService,
  observe: Observe,
): Promise<Result<readonly Listening[], ListenError>> {
  const wanted = [
    ...(services === 'all' || services === 'portal'
      ? [{ service: 'Portal', open: () => openPortal(config, rest) }]
      : []),
    ...(services === 'all' || services === 'rest'
      ? [{ service: 'REST service', open: () => openRest(config, rest) }]
      : []),
  ];
  const opened: Listening[] = [];
  for (const { service, open } of wanted) {
    const listening = await open();
    if (!listening.ok) {
      await Promise.all(opened.map((one) => one.close(0)));
      return listening;
    }
    opened.push(listening.value);
    observe({ kind: 'listening', service, address: listening.value.address });
  }
  return ok(opened);
}

function openRest(config: ServerConfig, rest: RestService): Promise<Result<Listening, ListenError>> {
  return listen(
    restListener(rest),
    config.serverUnixSocket === undefined
      ? { kind: 'tcp', host: config.serverHost, port: config.serverPort }
      : { kind: 'socket', path: config.serverUnixSocket, mode: config.serverUnixSocketMode },
  );
}

/** The portal's address serves the REST service too, where its JavaScript clients look for it. */
async function openPortal(config: ServerConfig, rest: RestService): Promise<Result<Listening, ListenError>> {
  const app = await makePortalApp({ publicUrl: config.publicUrl, webRoot: WEB_ROOT, version: VERSION });
  const listener = restListener(rest, REST_MOUNT);
  return await listen(
    (request, response) => {
      if (request.url?.startsWith(`${REST_MOUNT}/`) === true) listener(request, response);
      else app.routing(request, response);
    },
    { kind: 'tcp', host: config.portalHost, port: config.portalPort },
  );
}

/** Resolves with the reason at the first SIGINT or SIGTERM; a second one ends the program at once. */
function stopSignal(): { readonly asked: Promise<string>; now(reason: string): void } {
  let now: (reason: string) => void = () => {};
  const asked = new Promise<string>((resolve) => {
    now = resolve;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve(`received ${signal}`);
        process.once(signal, () => process.exit(EXIT.failed));
      });
    }
  });
  return { asked, now };
}

function fail(message: string): ExitCode {
  process.stderr.write(`${message}\n`);
  return EXIT.failed;
}
