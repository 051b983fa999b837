// survest types: the schema cache as TypeScript or JSON Schema, once, or again and again as the schema changes.

import type { Observation } from '../../kernel/observation.ts';
import type { Environment } from '../../kernel/options/collect.ts';
import { describeErrors } from '../../kernel/options/config-error.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { makeClientTypes } from '../../rest/client-types/make-client-types.ts';
import { writeJsonSchema } from '../../rest/client-types/write-json-schema.ts';
import { writeTypescript } from '../../rest/client-types/write-typescript.ts';
import { makeReloader } from '../../rest/lifecycle/reloader.ts';
import { makeRestService } from '../../rest/lifecycle/rest-service.ts';
import { loadNamedTypes } from '../../rest/schema-cache/named-types.ts';
import type { SchemaCache } from '../../rest/schema-cache/schema-cache.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import { loadServerConfig, type ServerConfig } from '../config/config.ts';
import { readTextFile } from '../config/read-text.ts';
import type { OpenedDatabase } from '../open-database.ts';
import type { StopSignal } from '../stop-signal.ts';
import { VERSION } from '../version.ts';
import { replaceFile } from './replace-file.ts';
import { loadServedSchemas } from './served-schemas.ts';

export type TypesCommand = Extract<Command, { kind: 'types' }>;

type Message = { readonly message: string };

export type TypesParts = {
  readonly config: ServerConfig;
  readonly env: Environment;
  readonly open: () => Promise<Result<OpenedDatabase, Message>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly stop: () => StopSignal;
};

export async function runTypesCommand(command: TypesCommand, parts: TypesParts): Promise<ExitCode> {
  const done = await perform(command, parts);
  if (!done.ok) parts.err(`survest types: ${done.error.message}\n`);
  return done.ok ? EXIT.done : EXIT.failed;
}

async function perform(command: TypesCommand, parts: TypesParts): Promise<Result<void, Message>> {
  const { config } = parts;
  const deaf = command.watch ? whyNotWatched(config) : undefined;
  if (deaf !== undefined) return err({ message: deaf });
  const opened = await parts.open();
  if (!opened.ok) return opened;
  const { driver } = opened.value;
  try {
    if (command.watch) return await watch(command, driver, parts);
    const cache = await loadServedSchemas(driver, config);
    return cache.ok ? await write(command, cache.value, driver, parts) : err(unread(cache.error));
  } finally {
    await opened.value.close();
  }
}

function whyNotWatched(config: ServerConfig): string | undefined {
  if (config.dbUri === undefined)
    return '--watch needs a db-uri: the embedded database has one user at a time, and nobody else could change it';
  return config.dbChannelEnabled ? undefined : '--watch needs db-channel-enabled: changes are heard of on that channel';
}

async function write(
  command: TypesCommand,
  cache: SchemaCache,
  driver: Driver,
  { config, out, err: tell }: TypesParts,
): Promise<Result<void, Message>> {
  const missing = command.schemas.find((name) => !cache.schemas.includes(name));
  if (missing !== undefined) {
    const exposed = config.dbSchemas.map((name) => JSON.stringify(name)).join(', ');
    const tenants =
      config.dbTenantSchemas === undefined ? '' : `, db-tenant-schemas ${JSON.stringify(config.dbTenantSchemas)}`;
    return err({
      message: `the schema ${JSON.stringify(missing)} is not exposed; db-schemas names ${exposed}${tenants}`,
    });
  }
  const named = await loadNamedTypes(driver, cache.schemas);
  if (!named.ok) return err(unread(named.error));
  const types = makeClientTypes(cache, named.value, command.schemas.length === 0 ? config.dbSchemas : command.schemas);
  // Schemas of tenants are alike, and many: one of them is described where it is named.
  const text = command.format === 'typescript' ? writeTypescript(types) : writeJsonSchema(types);
  if (command.output === undefined) {
    out(text);
    return ok(undefined);
  }
  const replaced = await replaceFile(command.output, text);
  if (!replaced.ok) return replaced;
  tell(`${command.output} ${replaced.value === 'written' ? 'is written' : 'is as it was'}\n`);
  return ok(undefined);
}

/** The REST service without its listener: it loads, hears of changes, loads again, and tries again where that fails. */
async function watch(command: TypesCommand, driver: Driver, parts: TypesParts): Promise<Result<void, Message>> {
  const stop = parts.stop();
  let fatal: string | undefined;
  const giveUp = (message: string): void => {
    fatal = message;
    stop.now(message);
  };
  let writing: Promise<void> = Promise.resolve();
  let isStopping = false;
  // Two loads may follow each other faster than a text is written.
  const writer = makeReloader<void>(() => {
    writing = writeCurrent();
    return writing;
  });
  async function writeCurrent(): Promise<void> {
    const { cache } = service.state();
    if (cache === undefined || isStopping) return;
    const written = await write(command, cache, driver, parts);
    if (!written.ok) giveUp(written.error.message);
  }
  const service = makeRestService({
    config: parts.config,
    driver,
    version: VERSION,
    observe: (observation) => {
      if (observation.kind === 'schema-loaded') void writer.request();
      const trouble = describeTrouble(observation);
      if (trouble !== undefined) parts.err(`survest types: ${trouble}\n`);
    },
    reread: async ({ overrides }) => {
      const { args, file, section, services } = command;
      const input = { args, env: parts.env, file, section, database: overrides, readText: readTextFile };
      const loaded = await loadServerConfig(services, input);
      if (loaded.ok) return loaded.value.config;
      parts.err(`survest types: ${describeErrors(loaded.error)}\n`);
      return undefined;
    },
    onFatal: giveUp,
  });
  void service.start();
  await stop.asked;
  isStopping = true;
  await service.close();
  await writing;
  return fatal === undefined ? ok(undefined) : err({ message: fatal });
}

function describeTrouble(observation: Observation): string | undefined {
  switch (observation.kind) {
    case 'schema-load-failed':
      return `the schema could not be read: ${observation.message}`;
    case 'listener-lost':
      return `the connection that hears of changes is lost: ${observation.message}`;
    case 'listener-deaf':
      return 'notifications do not arrive (a pooler?): the catalogue is looked at every few seconds instead';
    case 'database-settings-unread':
      return `the settings in the database could not be read: ${observation.message}`;
    case 'bug':
      return `an error in the program: ${String(observation.cause)}`;
    default:
      return undefined;
  }
}

function unread(error: DbError): Message {
  return { message: `the schema could not be read: ${'message' in error ? error.message : error.kind}` };
}
