// One command, done. Every way to fail ends in a message on stderr and the exit code of a failure.

import { assertNever } from '../../kernel/assert-never.ts';
import type { Environment } from '../../kernel/options/collect.ts';
import { describeErrors } from '../../kernel/options/config-error.ts';
import { describeNotice } from '../../kernel/options/config-notice.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { loadDbSettings } from '../../rest/config/db-settings.ts';
import { dumpSchemaCache } from '../../rest/schema-cache/dump.ts';
import { describeCommandLineErrors } from '../command-line/command-line-error.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import { helpText } from '../command-line/help.ts';
import { type Command, parseCommandLine, type SettingSources } from '../command-line/parse-command-line.ts';
import { loadServerConfig, type ServerConfig, type Services } from '../config/config.ts';
import { type DatabaseConfig, loadDatabases } from '../config/databases.ts';
import { readTextFile } from '../config/read-text.ts';
import { survivingErrors } from '../line-writer.ts';
import { type CommandWaits, openAlone, openDatabase, openForCommand } from '../open-database.ts';
import { stopSignal } from '../stop-signal.ts';
import { VERSION } from '../version.ts';
import { workerCount } from '../workers/worker-config.ts';
import { isWorker } from '../workers/worker-link.ts';
import { describeFailure } from './describe-failure.ts';
import { dumpFor, dumpSeveral, exampleFor } from './dump-config.ts';
import { makeReadPassword } from './read-password.ts';
import { askReady, describeReadyError } from './ready.ts';
import { loadServedSchemas } from './served-schemas.ts';

const LAST_LINES_MS = 2000;

export async function main(argv: readonly string[], env: Environment): Promise<ExitCode> {
  survivingErrors(process.stdout);
  survivingErrors(process.stderr);
  const command = parseCommandLine(argv);
  if (!command.ok) return complain(describeCommandLineErrors(command.error.errors, command.error.command));
  return await runCommand(command.value, env).catch(brokeOff);
}

/** What a command alone needs is loaded with it: most of the program is no business of most commands. */
async function runCommand(command: Command, env: Environment): Promise<ExitCode> {
  const waits = waitsOf(command);
  switch (command.kind) {
    case 'help':
      return print(helpText(command.topic));
    case 'version':
      return print(`survest ${VERSION}`);
    case 'example':
      return print(exampleFor(command.services));
    case 'serve':
      return withConfig(
        command,
        command.services,
        env,
        async (config) => {
          // While it serves, what nobody caught is logged and survived; a start or stop that breaks off is not to be.
          const served = serveAs(config, command, env).catch(brokeOff);
          return endSoon(await served);
        },
        command.services === 'rest'
          ? async (config, databases) => {
              const served = serveSeveral(config, databases, command, env).catch(brokeOff);
              return endSoon(await served);
            }
          : undefined,
      );
    case 'dump-config':
      return withConfig(
        command,
        command.services,
        env,
        async (config) => {
          const full = await withDatabaseSettings(config, command, env);
          return full.ok ? print(dumpFor(command.services, full.value)) : complain(full.error);
        },
        async (config, databases) => {
          const dumped: DatabaseConfig[] = [];
          for (const { name, config: own } of databases) {
            const full = await withDatabaseSettings(own, { ...command, section: name }, env);
            if (!full.ok) return complain(full.error);
            dumped.push({ name, config: full.value });
          }
          return print(dumpSeveral(config, dumped));
        },
      );
    case 'dump-schema':
      return withConfig(command, command.services, env, async (config) => {
        const full = await withDatabaseSettings(config, command, env);
        return full.ok ? await printSchema(full.value, env) : complain(full.error);
      });
    case 'ready': {
      const ask = async (config: ServerConfig): Promise<ExitCode> => {
        const ready = await askReady(config);
        return ready.ok ? print(`ready: ${ready.value.address}`) : complain(describeReadyError(ready.error));
      };
      return withConfig(command, command.services, env, ask, ask);
    }
    case 'user-create':
    case 'user-passwd':
    case 'user-list':
      return withConfig(command, 'all', env, async (config) => {
        const { runUserCommand } = await import('./user-command.ts');
        return runUserCommand(command, {
          open: () => openForCommand(config, env, waits),
          readPassword: makeReadPassword({ input: process.stdin, prompt: (text) => process.stderr.write(text) }),
          ...SAYS,
        });
      });
    case 'migrate':
      return withConfig(command, 'all', env, async (config) => {
        const { runMigrate } = await import('./migrate-command.ts');
        const done = await runMigrate(command, config, () => openForCommand(config, env, waits));
        return done.ok ? print(done.value.join('\n')) : complain(done.error.message);
      });
    case 'import':
      return withConfig(command, 'all', env, async (config) => {
        const { runImportCommand } = await import('./import-command.ts');
        const { migratePortal } = await import('../portal/migrate-portal.ts');
        return runImportCommand(command, {
          config,
          open: () => openForCommand(config, env, waits),
          migrate: migratePortal,
          ...SAYS,
          terminal: process.stderr,
          signal: interrupted(),
        });
      });
    case 'process':
      return withConfig(command, 'all', env, async (config) => {
        const { runProcessCommand } = await import('./process-command.ts');
        const { migratePortal } = await import('../portal/migrate-portal.ts');
        return runProcessCommand(command, {
          config,
          open: () => openForCommand(config, env, waits),
          migrate: migratePortal,
          ...SAYS,
          terminal: process.stderr,
          signal: interrupted(),
        });
      });
    case 'doctor':
      return withConfig(command, 'all', env, async (config) => {
        const { runDoctorCommand } = await import('./doctor-command.ts');
        const { missingInPortal } = await import('../portal/migrate-portal.ts');
        return runDoctorCommand(command, {
          config,
          open: () => openForCommand(config, env, waits),
          missing: missingInPortal,
          ...SAYS,
        });
      });
    case 'status':
      return withConfig(command, 'all', env, async (config) => {
        const { runStatusCommand } = await import('./status-command.ts');
        const { missingInPortal } = await import('../portal/migrate-portal.ts');
        return runStatusCommand(command, {
          config,
          open: () => openForCommand(config, env, waits),
          missing: missingInPortal,
          ...SAYS,
        });
      });
    case 'maintenance':
      return withConfig(command, 'all', env, async (config) => {
        const { runMaintenanceCommand } = await import('./maintenance-command.ts');
        const { missingInPortal } = await import('../portal/migrate-portal.ts');
        return runMaintenanceCommand(command, {
          open: () => openForCommand(config, env, waits),
          missing: missingInPortal,
          ...SAYS,
        });
      });
    case 'live-install':
    case 'live-remove':
    case 'live-status':
      return withConfig(command, 'rest', env, async (config) => {
        const { runLiveCommand } = await import('./live-command.ts');
        return runLiveCommand(command, {
          config,
          open: () => openAlone({ ...config, dbPool: 1 }, env, waits),
          ...SAYS,
        });
      });
    case 'backup':
    case 'restore':
      return withConfig(command, 'all', env, async (config) => {
        const { runBackupCommand, runRestoreCommand } = await import('./backup-command.ts');
        const { missingInPortal } = await import('../portal/migrate-portal.ts');
        const parts = {
          config,
          open: () => openForCommand(config, env, waits),
          missing: missingInPortal,
          ...SAYS,
          terminal: process.stderr,
          signal: interrupted(),
          now: () => new Date(),
        };
        return command.kind === 'backup' ? runBackupCommand(command, parts) : runRestoreCommand(command, parts);
      });
    case 'move':
      return withConfig(command, 'all', env, async (config) => {
        const { runMoveCommand } = await import('./move-command.ts');
        const { missingInPortal } = await import('../portal/migrate-portal.ts');
        return runMoveCommand(command, {
          config,
          // Not beside a running program: what it writes meanwhile would stay behind.
          open: (from) => openAlone(from, env, waits),
          missing: missingInPortal,
          ...SAYS,
          terminal: process.stderr,
          signal: interrupted(),
          now: () => new Date(),
        });
      });
    case 'types':
      return withConfig(command, command.services, env, async (config) => {
        const { runTypesCommand } = await import('./types-command.ts');
        const full = await withDatabaseSettings(config, command, env);
        if (!full.ok) return complain(full.error);
        return runTypesCommand(command, {
          config: full.value,
          env,
          open: () => openAlone(full.value, env, waits),
          ...SAYS,
          stop: stopSignal,
        });
      });
    default:
      return assertNever(command);
  }
}

const SAYS = {
  out: (text: string) => process.stdout.write(text),
  err: (text: string) => process.stderr.write(text),
};

/** What people may begin with, before the program has ever run. */
const BEGINS: ReadonlySet<Command['kind']> = new Set(['user-create', 'migrate', 'import', 'restore']);

/** How a command that waits for the data folder is called, and where it says for whom. */
function waitsOf({ kind }: Command): CommandWaits {
  const command = `survest ${kind.replaceAll('-', ' ')}`;
  return { command, begins: BEGINS.has(kind), tell: (line) => process.stderr.write(`${command}: ${line}\n`) };
}

function brokeOff(cause: unknown): ExitCode {
  return complain(describeFailure(cause));
}

async function serveSeveral(
  config: ServerConfig,
  databases: readonly DatabaseConfig[],
  command: Extract<Command, { kind: 'serve' }>,
  env: Environment,
): Promise<ExitCode> {
  if (workerCount(config) > 1 && !isWorker) {
    const embedded = databases.find((each) => each.config.dbUri === undefined);
    if (embedded !== undefined) return complain(`[${embedded.name}] ${ONE_PROCESS}`);
    const { servePrimary } = await import('../workers/primary.ts');
    return servePrimary(config, command, env, databases);
  }
  const { serveDatabases } = await import('../serve-databases.ts');
  return serveDatabases(config, databases, command, env);
}

const ONE_PROCESS =
  'the embedded database is open in one process at a time, and server-workers asks for several: set server-workers = 1, or db-uri to a server';

async function serveAs(
  config: ServerConfig,
  command: Extract<Command, { kind: 'serve' }>,
  env: Environment,
): Promise<ExitCode> {
  if (command.services === 'rest' && workerCount(config) > 1 && !isWorker) {
    if (config.dbUri === undefined) return complain(ONE_PROCESS);
    const { servePrimary } = await import('../workers/primary.ts');
    return servePrimary(config, command, env);
  }
  const { serve } = await import('../serve.ts');
  return serve(config, command, env);
}

/** Lines of the log that nobody reads would keep the process alive for good. */
function endSoon(code: ExitCode): ExitCode {
  setTimeout(() => process.exit(code), LAST_LINES_MS).unref();
  return code;
}

/** Fires at the first Ctrl-C; a second one ends the program at once. */
function interrupted(): AbortSignal {
  return stopSignal().signal;
}

async function withConfig(
  sources: SettingSources,
  services: Services,
  env: Environment,
  work: (config: ServerConfig) => Promise<ExitCode>,
  /** For several databases; undefined: the command is about one. */
  several?: (config: ServerConfig, databases: readonly DatabaseConfig[]) => Promise<ExitCode>,
): Promise<ExitCode> {
  const input = {
    args: sources.args,
    env,
    file: sources.file,
    section: sources.section,
    database: [],
    readText: readTextFile,
  };
  const loaded = await loadServerConfig(services, input);
  if (!loaded.ok) return complain(describeErrors(loaded.error));
  for (const notice of loaded.value.notices) process.stderr.write(`${describeNotice(notice)}\n`);
  const sections = sources.section === undefined ? loaded.value.sections : [];
  const databases = await loadDatabases(sections, services, input);
  if (!databases.ok) return complain(describeErrors(databases.error));
  if (sections.length > 0 && several === undefined) return complain(chooseOne(sections, services));
  return sections.length > 0 && several !== undefined
    ? await several(loaded.value.config, databases.value)
    : await work(loaded.value.config);
}

function chooseOne(sections: readonly string[], services: Services): string {
  const names = sections.map((name) => `--database ${name}`).join(', ');
  const who = services === 'rest' ? 'this command is about one of them' : 'only survest rest serves several';
  return `the configuration file has sections, one for each database, and ${who}: say which (${names})`;
}

/** The settings of the database over those of file and environment, as a running program has them. */
async function withDatabaseSettings(
  config: ServerConfig,
  command: SettingSources & { readonly services: Services },
  env: Environment,
): Promise<Result<ServerConfig, string>> {
  // The embedded database is not opened only to be asked: it may be at work in another process.
  if (!config.dbConfig || config.dbUri === undefined) return ok(config);
  const opened = await openDatabase({ ...config, dbPool: 1 }, env, () => {});
  if (!opened.ok) return err(opened.error.message);
  const settings = await loadDbSettings(opened.value.driver, config.dbPreConfig);
  await opened.value.close();
  if (!settings.ok) {
    const why = 'message' in settings.error ? settings.error.message : settings.error.kind;
    process.stderr.write(`the settings in the database could not be read: ${why}\n`);
    return ok(config);
  }
  const { overrides } = settings.value;
  const { args, file, section } = command;
  const loaded = await loadServerConfig(command.services, {
    args,
    env,
    file,
    section,
    database: overrides,
    readText: readTextFile,
  });
  return loaded.ok ? ok(loaded.value.config) : err(describeErrors(loaded.error));
}

async function printSchema(config: ServerConfig, env: Environment): Promise<ExitCode> {
  const opened = await openDatabase(config, env, () => {});
  if (!opened.ok) return complain(opened.error.message);
  try {
    const cache = await loadServedSchemas(opened.value.driver, config);
    if (!cache.ok)
      return complain(
        `the schema could not be read: ${'message' in cache.error ? cache.error.message : cache.error.kind}`,
      );
    for (const part of dumpSchemaCache(cache.value)) process.stdout.write(part);
    return print('');
  } finally {
    await opened.value.close();
  }
}

function print(text: string): ExitCode {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return EXIT.done;
}

function complain(text: string): ExitCode {
  process.stderr.write(text.endsWith('\n') ? text : `${text}\n`);
  return EXIT.failed;
}
