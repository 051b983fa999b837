// `survest migrate`: the portal's tables brought to this version, and the event trigger of the REST service put up or
// taken down.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { installEventTrigger, removeEventTrigger } from '../../rest/lifecycle/event-trigger.ts';
import type { MigrateChoice } from '../command-line/parse-command-line.ts';
import type { ServerConfig } from '../config/config.ts';
import type { OpenedDatabase } from '../open-database.ts';
import { acceptInPortal, migratePortal } from '../portal/migrate-portal.ts';

type Failed = { readonly message: string };

/** Returns what was done, a line each. */
export async function runMigrate(
  choice: MigrateChoice,
  config: Pick<ServerConfig, 'dbChannel' | 'dbEventTrigger'>,
  open: () => Promise<Result<OpenedDatabase, Failed>>,
): Promise<Result<readonly string[], Failed>> {
  const opened = await open();
  if (!opened.ok) return opened;
  try {
    const accepted = choice.accept === undefined ? ok(undefined) : await accept(opened.value.driver, choice.accept);
    if (!accepted.ok) return accepted;
    const portal = choice.restOnly ? ok([]) : await portalSteps(opened.value.driver);
    if (!portal.ok) return portal;
    const trigger = await triggerStep(opened.value.driver, choice, config);
    if (!trigger.ok) return trigger;
    const done = [...portal.value, ...trigger.value];
    return ok(done.length === 0 ? ['nothing to do'] : done);
  } finally {
    await opened.value.close();
  }
}

async function accept(driver: Driver, file: string): Promise<Result<void, Failed>> {
  const accepted = await acceptInPortal(driver, file);
  if (!accepted.ok) return accepted;
  return accepted.value ? ok(undefined) : err({ message: `${file} is no change that was applied` });
}

async function portalSteps(driver: Driver): Promise<Result<readonly string[], Failed>> {
  const applied = await migratePortal(driver);
  if (!applied.ok) return applied;
  return ok(
    applied.value.length === 0 ? ['the portal is at this version'] : applied.value.map((file) => `applied ${file}`),
  );
}

async function triggerStep(
  driver: Driver,
  choice: MigrateChoice,
  { dbChannel, dbEventTrigger }: Pick<ServerConfig, 'dbChannel' | 'dbEventTrigger'>,
): Promise<Result<readonly string[], Failed>> {
  if (choice.removeEventTrigger) {
    const removed = await removeEventTrigger(driver);
    return removed.ok ? ok(['the event trigger is removed']) : err(problem('removed', removed.error));
  }
  if (!dbEventTrigger) return ok([]);
  const installed = await installEventTrigger(driver, dbChannel);
  return installed.ok
    ? ok([`changes of the schema are announced on the channel "${dbChannel}"`])
    : err(problem('created', installed.error));
}

function problem(verb: string, error: DbError): Failed {
  const said = 'message' in error ? error.message : error.kind;
  const hint = error.kind === 'sql' && error.sqlstate === '42501' ? '; PostgreSQL wants a superuser for it' : '';
  return { message: `the event trigger could not be ${verb}: ${said}${hint}` };
}
