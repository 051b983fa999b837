// The portal's tables, policies and functions, brought to this version.

import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Session } from '../../pg/driver.ts';
import {
  acceptMigration,
  checkMigrations,
  type MigrateError,
  type MigrateOptions,
  migrate,
  migrateWithin,
  missingMigrations,
} from '../../pg/migrate.ts';

import { missingRights } from '../../portal/operation/missing-rights.ts';
import { VERSION } from '../version.ts';
import type { PrepareError } from './portal-gate.ts';

const FOLDER = new URL('../../portal/migrations/', import.meta.url);

const OPTIONS: MigrateOptions = { folder: FOLDER, table: { schema: 'survest', name: 'migration' }, program: VERSION };

/** Returns the names of the files that were applied. */
export async function migratePortal(driver: Driver): Promise<Result<readonly string[], PrepareError>> {
  const missing = driver.engine === 'pglite' ? ok([]) : await missingInPortal(driver);
  if (!missing.ok) return missing;
  if (missing.value.length > 0) {
    const lacks = await missingRights(driver);
    if (!lacks.ok)
      return err({ message: `the database could not be asked: ${said(lacks.error)}`, retry: mayPass(lacks.error) });
    if (lacks.value !== undefined) return err({ message: lacks.value, retry: false });
  }
  return asPrepared(await migrate(driver, OPTIONS));
}

/** Names the files that the database does not have yet, and changes nothing. */
export async function missingInPortal(driver: Driver): Promise<Result<readonly string[], PrepareError>> {
  return asPrepared(await missingMigrations(driver, OPTIONS));
}

/** Takes a changed file for applied; false: it is not one that was. */
export async function acceptInPortal(driver: Driver, file: string): Promise<Result<boolean, PrepareError>> {
  const accepted = await acceptMigration(driver, OPTIONS, file);
  if (accepted.ok) return accepted;
  const { error } = accepted;
  return err({ message: describeMigrateError(error), retry: false });
}

/** Inside the session's transaction: those that another database had, or, `after` a number, all that are left. */
export async function migratePortalWithin(
  session: Session,
  range: Parameters<typeof migrateWithin>[2],
): Promise<Result<readonly string[], PrepareError>> {
  return asPrepared(await migrateWithin(session, OPTIONS, range));
}

/** Whether the portal of another database, with those migrations, can be had by this release. */
export async function checkPortalMigrations(
  elsewhere: Parameters<typeof checkMigrations>[1],
): Promise<Result<void, { readonly message: string }>> {
  const checked = await checkMigrations(OPTIONS, elsewhere);
  return checked.ok ? checked : err({ message: describeMigrateError(checked.error) });
}

function asPrepared(done: Result<readonly string[], MigrateError>): Result<readonly string[], PrepareError> {
  if (done.ok) return ok(done.value);
  const { error } = done;
  return err({ message: describeMigrateError(error), retry: error.kind === 'database' && mayPass(error.error) });
}

/** The database is away, not wrong. */
export function mayPass(error: DbError): boolean {
  return error.kind === 'unreachable' ? !error.fatal : error.kind === 'lost' || error.kind === 'pool-timeout';
}

function describeMigrateError(error: MigrateError): string {
  switch (error.kind) {
    case 'database':
      return `the database could not be brought to this version${error.file === null ? '' : ` (${error.file})`}: ${said(error.error)}`;
    case 'unreadable-folder':
      return `the program is incomplete: ${error.folder} cannot be read`;
    case 'bad-number':
      return `the program is damaged: ${error.file} is not a migration, or one number is there twice`;
    case 'changed-after-applied': {
      const by = error.by === undefined ? '' : ` of Survest ${error.by}`;
      return `the database was made by another build${by}: ${error.file} has changed since it was applied. Nothing was changed. Start the build that made it, or put a backup back with a release, whose migrations never change; where you know that the difference does not matter, survest migrate --accept ${error.file} takes the file for applied`;
    }
    case 'newer-database': {
      const by = error.by === undefined ? 'a later release' : `Survest ${error.by}`;
      return `the database is newer than this program: ${by} brought it to ${error.file}, and this is Survest ${VERSION}, which knows it up to ${error.latest}. Nothing was changed; start a release that is at least as new`;
    }
    case 'out-of-order':
      return `the database is newer than this program: ${error.file} is missing in it, but later ones are there`;
    case 'ends-transaction':
      return `the program is damaged: ${error.file} ends its own transaction`;
    default:
      return assertNever(error);
  }
}

function said(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}
