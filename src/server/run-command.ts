// One command, done. Every way to fail ends in a message on stderr and the exit code of a failure.

import { assertNever } from '../kernel/assert-never.ts';
import type { Environment } from '../kernel/options/collect.ts';
import { describeErrors } from '../kernel/options/config-error.ts';
import { describeNotice } from '../kernel/options/config-notice.ts';
import { dumpSchemaCache } from '../rest/schema-cache/dump.ts';
import { loadSchemaCache } from '../rest/schema-cache/introspect.ts';
import { type Command, parseCommandLine, type SettingSources } from './cli.ts';
import { describeCommandLineErrors } from './command-line-error.ts';
import { loadServerConfig, type ServerConfig, type Services } from './config.ts';
import { dumpFor, exampleFor } from './dump-config.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { helpText } from './help.ts';
import { openDatabase } from './open-database.ts';
import { readTextFile } from './read-text.ts';
import { askReady, describeReadyError } from './ready.ts';
import { serve } from './serve.ts';
import { VERSION } from './version.ts';

export async function main(argv: readonly string[], env: Environment): Promise<ExitCode> {
  const command = parseCommandLine(argv);
  if (!command.ok) return complain(describeCommandLineErrors(command.error.errors, command.error.command));
  return await runCommand(command.value, env);
}

async function runCommand(command: Command, env: Environment): Promise<ExitCode> {
  switch (command.kind) {
    case 'help':
      return print(helpText(command.topic));
    case 'version':
      return print(`survest ${VERSION}`);
    case 'example':
      return print(exampleFor(command.services));
    case 'serve':
      return withConfig(command, command.services, env, (config) => serve(config, command, env));
    case 'dump-config':
      return withConfig(command, command.services, env, async (config) => print(dumpFor(command.services, config)));
    case 'dump-schema':
      return withConfig(command, command.services, env, (config) => printSchema(config, env));
    case 'ready':
      return withConfig(command, command.services, env, async (config) => {
        const ready = await askReady(config);
        return ready.ok ? print(`ready: ${ready.value.address}`) : complain(describeReadyError(ready.error));
      });
    case 'user-create':
    case 'user-passwd':
    case 'user-list':
    case 'migrate':
    case 'import':
    case 'doctor':
      return complain(`survest ${command.kind.replace('-', ' ')}: not built yet`);
    default:
      return assertNever(command);
  }
}

async function withConfig(
  sources: SettingSources,
  services: Services,
  env: Environment,
  work: (config: ServerConfig) => Promise<ExitCode>,
): Promise<ExitCode> {
  const loaded = await loadServerConfig(services, {
    args: sources.args,
    env,
    file: sources.file,
    database: [],
    readText: readTextFile,
  });
  if (!loaded.ok) return complain(describeErrors(loaded.error));
  for (const notice of loaded.value.notices) process.stderr.write(`${describeNotice(notice)}\n`);
  return await work(loaded.value.config);
}

async function printSchema(config: ServerConfig, env: Environment): Promise<ExitCode> {
  const opened = await openDatabase(config, env, () => {});
  if (!opened.ok) return complain(opened.error.message);
  try {
    const cache = await loadSchemaCache(opened.value.driver, {
      schemas: config.dbSchemas,
      extraSearchPath: config.dbExtraSearchPath,
    });
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
