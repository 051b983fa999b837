// The portal's tables, policies and functions, brought to this version.

import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Session } from '../../pg/driver.ts';
import {
  type AppliedElsewhere,
  acceptChange,
  applySchema,
  checkElsewhere,
  completeWithin,
  createTablesWithin,
  missingInSchema,
  type SchemaError,
  type SchemaOptions,
  schemaScript,
} from '../../pg/schema/apply-schema.ts';
import { missingRights } from '../../portal/monitoring/missing-rights.ts';
import { BASELINE, BEGINNINGS, ROOMS, SCHEMAS } from '../../portal/schema/rooms.ts';
import { VERSION } from '../version.ts';
import type { PrepareError } from './portal-gate.ts';

const FOLDER = new URL('../../portal/schema/', import.meta.url);

const OPTIONS: SchemaOptions = {
  folder: FOLDER,
  rooms: ROOMS,
  beginnings: BEGINNINGS,
  schemas: SCHEMAS,
  record: 'survest',
  program: VERSION,
  baseline: BASELINE,
  formerForm: new URL('former-form.txt', FOLDER),
};

/** Returns the names of the files that were applied. A database of our own grants every right; in others one may be missing. */
export async function migratePortal(driver: Driver): Promise<Result<readonly string[], PrepareError>> {
  const missing = driver.can.share ? await missingInPortal(driver) : ok([]);
  if (!missing.ok) return missing;
  if (missing.value.length > 0) {
    const lacks = await missingRights(driver);
    if (!lacks.ok)
      return err({ message: `the database could not be asked: ${said(lacks.error)}`, retry: mayPass(lacks.error) });
    if (lacks.value !== undefined) return err({ message: lacks.value, retry: false });
  }
  return asPrepared(await applySchema(driver, OPTIONS));
}

/** Names the files that the database does not have yet, and changes nothing. */
export async function missingInPortal(driver: Driver): Promise<Result<readonly string[], PrepareError>> {
  return asPrepared(await missingInSchema(driver, OPTIONS));
}

/** Takes a changed file for applied; false: it is not one that was. */
export async function acceptInPortal(driver: Driver, file: string): Promise<Result<boolean, PrepareError>> {
  return asPrepared(await acceptChange(driver, OPTIONS, file));
}

/** Inside the session's transaction: the tables as another database with those changes had them, for its rows. */
export async function createPortalTables(
  session: Session,
  elsewhere: readonly AppliedElsewhere[],
): Promise<Result<void, PrepareError>> {
  return asPrepared(await createTablesWithin(session, OPTIONS, elsewhere));
}

/** Inside the session's transaction, behind the rows: what is missing. */
export async function completePortal(session: Session): Promise<Result<readonly string[], PrepareError>> {
  return asPrepared(await completeWithin(session, OPTIONS));
}

/** Whether the portal of another database, with those changes, can be had by this release. */
export async function checkPortalChanges(elsewhere: readonly AppliedElsewhere[]): Promise<Result<void, PrepareError>> {
  return asPrepared(await checkElsewhere(OPTIONS, elsewhere));
}

/** All of it as one script for an empty database. */
export async function portalScript(): Promise<Result<string, PrepareError>> {
  return asPrepared(await schemaScript(OPTIONS));
}

function asPrepared<T>(done: Result<T, SchemaError>): Result<T, PrepareError> {
  if (done.ok) return done;
  const { error } = done;
  return err({ message: describeSchemaError(error), retry: error.kind === 'database' && mayPass(error.error) });
}

/** The database is away, not wrong. */
export function mayPass(error: DbError): boolean {
  return error.kind === 'unreachable' ? !error.fatal : error.kind === 'lost' || error.kind === 'pool-timeout';
}

const NAMED = 5;

function describeSchemaError(error: SchemaError): string {
  switch (error.kind) {
    case 'database':
      return `the database could not be brought to this version${error.file === null ? '' : ` (${error.file})`}: ${said(error.error)}`;
    case 'unreadable-folder':
      return `the program is incomplete: ${error.folder} cannot be read`;
    case 'bad-number':
      return `the program is damaged: ${error.file} is not a change, or one number is there twice`;
    case 'stray-file':
      return `the program is damaged: ${error.file} stands in no room`;
    case 'changed-after-applied': {
      const by = error.by === undefined ? '' : ` of Survest ${error.by}`;
      return `the database was made by another build${by}: ${error.file} has changed since it was applied. Nothing was changed. Start the build that made it, or put a backup back with a release, whose changes stay as they are; where you know that the difference does not matter, survest migrate --accept ${error.file} takes the file for applied`;
    }
    case 'newer-database': {
      const by = error.by === undefined ? 'a later release' : `Survest ${error.by}`;
      return `the database is newer than this program: ${by} brought it to ${error.file}, and this is Survest ${VERSION}, which knows it up to ${error.latest}. Nothing was changed; start a release that is at least as new`;
    }
    case 'out-of-order':
      return `the database is newer than this program: ${error.file} is missing in it, but later ones are there`;
    case 'before-baseline':
      return `the database was made by an early build of Survest, up to ${error.file || 'nothing'}: this program takes over what is at ${error.last}. Nothing was changed. Start the last build that numbers its migrations so on it first (or restore the backup with it), and then this one`;
    case 'unlike-baseline': {
      const more = error.lacks.length > NAMED ? `, and ${error.lacks.length - NAMED} more` : '';
      return `the database is not as an early build of Survest left it, and cannot be taken over: it lacks ${error.lacks.slice(0, NAMED).join(', ')}${more}. Nothing was changed`;
    }
    default:
      return assertNever(error);
  }
}

function said(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}
