// Several processes as one program: the primary starts workers that share the port, replaces those that die, tells them to
// reload, and ends with the last of them. It answers no requests itself.
//
// SIGHUP replaces all workers, one after the other: each new one serves before an old one is told to stop, so that nobody
// notices.

import cluster, { type Worker } from 'node:cluster';
import type { Environment } from '../../kernel/options/collect.ts';
import { makePostgresDriver } from '../../pg/postgres/postgres-driver.ts';
import { listenForChanges } from '../../rest/lifecycle/listen-for-changes.ts';
import { parseNotice } from '../../rest/lifecycle/notice.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { SettingSources } from '../command-line/parse-command-line.ts';
import type { ServerConfig, Services } from '../config/config.ts';
import type { DatabaseConfig } from '../config/databases.ts';
import { type Listening, listen, removeStaleSocket } from '../listen.ts';
import { makeConsoleSink, makeLog } from '../log.ts';
import { openForService } from '../open-database.ts';
import { makeRereadUri } from '../reread-uri.ts';
import { stopSignal } from '../stop-signal.ts';
import { VERSION } from '../version.ts';
import { type DecodedForWorker, isFromWorker, type ToWorker, type WantsDecoding } from './messages.ts';
import { primaryAdmin } from './primary-admin.ts';
import { SharedDecoding } from './shared-decoding.ts';
import { workerCount } from './worker-config.ts';

/** A worker that ends sooner is not replaced at once: what ended it would end the next. */
const SHORT_LIFE_MS = 5000;
const PAUSE_MS = 1000;

type Closing = { close(): Promise<void> };

export async function servePrimary(
  config: ServerConfig,
  command: SettingSources & { readonly services: Services },
  env: Environment,
  /** Where there are several. */
  databases: readonly DatabaseConfig[] = [],
): Promise<ExitCode> {
  const stop = stopSignal();
  const sink = makeConsoleSink();
  const log = makeLog(() => config, sink);
  const adminPorts = new Map<Worker, number>();
  let exit: ExitCode = EXIT.done;
  let isStopping = false;
  let hasServed = false;

  cluster.setupPrimary({ exec: process.argv[1] ?? '', args: process.argv.slice(2) });
  if (config.serverUnixSocket !== undefined) await removeStaleSocket(config.serverUnixSocket);

  // Workers use the local servers that their primary has started.
  const started: Closing[] = [];
  for (const of of databases.length === 0 ? [config] : databases.map((each) => each.config)) {
    if (of.database !== 'local') continue;
    const opened = await openForService(of, env, log, undefined, { command: 'survest rest', signal: stop.signal });
    if (!opened.ok) {
      await Promise.all(started.map((each) => each.close()));
      process.stderr.write(`${opened.error.message}\n`);
      return EXIT.failed;
    }
    started.push(opened.value);
  }

  const decodings = new Map<string | undefined, SharedDecoding<Worker>>();

  function decodeFor(worker: Worker, { database, isWanted }: WantsDecoding): void {
    const of = databases.find(({ name }) => name === database)?.config ?? config;
    let shared = decodings.get(database);
    if (shared === undefined) {
      shared = new SharedDecoding(() =>
        makePostgresDriver({
          uri: of.dbUri ?? '',
          rereadUri: makeRereadUri({ ...command, section: database ?? command.section }, env),
          env,
          applicationName: `Survest ${VERSION}`,
          replicationUri: of.liveReplicationUri,
          poolSize: 1,
        }),
      );
      decodings.set(database, shared);
    }
    if (!isWanted) void shared.remove(worker);
    else
      shared.add(worker, (event, onSent) => {
        const message: DecodedForWorker = { kind: 'live-decoded', database, event };
        if (worker.isConnected()) worker.send(message, () => onSent());
      });
  }

  /** Resolves once the worker serves, or has ended without. */
  function start(): Promise<void> {
    const worker = cluster.fork();
    const bornAt = performance.now();
    return new Promise((resolve) => {
      worker.on('message', (message: unknown) => {
        if (!isFromWorker(message)) return;
        if (message.kind === 'live-decode') {
          decodeFor(worker, message);
          return;
        }
        hasServed = true;
        if (message.adminPort !== undefined) adminPorts.set(worker, message.adminPort);
        resolve();
      });
      worker.once('exit', (code) => {
        adminPorts.delete(worker);
        for (const shared of decodings.values()) void shared.remove(worker);
        resolve();
        if (isStopping || worker.exitedAfterDisconnect === true || retired.has(worker)) return;
        if (!hasServed && code !== 0) {
          exit = EXIT.failed;
          stop.now('a worker could not start');
          return;
        }
        log({ kind: 'worker-lost', pid: worker.process.pid ?? 0 });
        setTimeout(
          () => {
            if (!isStopping) void start();
          },
          performance.now() - bornAt < SHORT_LIFE_MS ? PAUSE_MS : 0,
        );
      });
    });
  }

  const retired = new WeakSet<Worker>();
  let replacing = Promise.resolve();

  async function replaceAll(): Promise<void> {
    for (const worker of workers()) {
      if (isStopping) return;
      await start();
      retired.add(worker);
      worker.process.kill('SIGTERM');
    }
  }

  const tell = (message: ToWorker): void => {
    for (const worker of workers()) if (worker.isConnected()) worker.send(message);
  };
  const reloadSchema = (): void => tell({ kind: 'reload-schema', relations: undefined });
  const reloadConfig = (): void => tell({ kind: 'reload-config' });
  const replace = (): void => {
    replacing = replacing.then(replaceAll);
  };
  process.on('SIGUSR1', reloadSchema).on('SIGUSR2', reloadConfig).on('SIGHUP', replace);

  await Promise.race([Promise.all(Array.from({ length: workerCount(config) }, start)), stop.asked]);
  const notifications = (databases.length === 0 ? [{ name: undefined, config }] : databases)
    .filter((each) => each.config.dbChannelEnabled)
    .map((each) => listenFor(each.config, each.name));
  const admin = exit === EXIT.done ? await openAdmin() : undefined;

  function listenFor({ dbUri, dbChannel: channel, dbSchemas }: ServerConfig, name: string | undefined): Closing {
    const of = name === undefined ? {} : { database: name };
    const logOf = name === undefined ? log : makeLog(() => config, sink, name);
    const driver = makePostgresDriver({
      uri: dbUri ?? '',
      rereadUri: makeRereadUri({ ...command, section: name ?? command.section }, env),
      env,
      poolSize: 1,
    });
    let wasListening = false;
    const listener = listenForChanges({ driver, channel, schemas: () => dbSchemas }, (event) => {
      if (event.kind === 'listening') {
        logOf({ kind: 'listener-ready', channel });
        // What was notified meanwhile was not heard.
        if (wasListening) tell({ kind: 'reload-schema', relations: undefined, ...of });
        wasListening = true;
      } else if (event.kind === 'lost') {
        const { message, retryInMs } = event;
        logOf({ kind: 'listener-lost', channel, message, retryInMs });
      } else if (event.kind === 'deaf') {
        logOf({ kind: 'listener-deaf', channel });
      } else {
        const { payload } = event.notification;
        logOf({ kind: 'notified', channel, payload });
        const notice = parseNotice(payload);
        if (notice !== undefined) tell({ ...notice, ...of });
      }
    });
    return {
      close: async () => {
        await listener.close();
        await driver.close();
      },
    };
  }

  async function openAdmin(): Promise<Listening | undefined> {
    if (config.adminServerPort === undefined) return undefined;
    const opened = await listen(
      primaryAdmin(() => [...adminPorts.values()]),
      { kind: 'tcp', host: config.adminServerHost ?? config.serverHost, port: config.adminServerPort },
    );
    if (opened.ok) {
      log({ kind: 'listening', service: 'Admin server', address: opened.value.address });
      return opened.value;
    }
    process.stderr.write(`${opened.error.message}\n`);
    exit = EXIT.failed;
    stop.now('the admin server could not be opened');
    return undefined;
  }

  await stop.asked;
  isStopping = true;
  process.off('SIGUSR1', reloadSchema).off('SIGUSR2', reloadConfig).off('SIGHUP', replace);
  await admin?.close(0);
  await Promise.all(
    workers().map(
      (worker) =>
        new Promise<void>((resolve) => {
          worker.once('exit', () => resolve());
          if (!worker.process.kill('SIGTERM')) resolve();
        }),
    ),
  );
  await Promise.all([...notifications, ...decodings.values()].map((each) => each.close()));
  await Promise.all(started.map((each) => each.close()));
  return exit;
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[];
}
