// The database made ready for the portal: brought to this version, with the keys for tokens, and with somebody who can
// sign in.

import { type CallerDb, makeCallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { ensureFirstAdmin, FIRST_ADMIN } from '../../portal/accounts/first-admin.ts';
import { setSignInRule } from '../../portal/accounts/second-factor/factor-store.ts';
import { boundHistory } from '../../portal/layers/bound-history.ts';
import { setStorageDefault } from '../../portal/monitoring/storage-default.ts';
import { loadSigningKeys, publicJwks, type SigningKeys } from '../../portal/oidc/signing-keys.ts';
import type { PortalOptions } from '../../portal/portal-app.ts';
import { setSqlConsole } from '../../portal/sql-console/set-sql-console.ts';
import { boundBin } from '../../portal/trash/empty-trash.ts';
import { PORTAL_TOKEN_CHECK } from '../../rest/pipeline/state.ts';
import type { ServerConfig } from '../config/config.ts';
import { mayPass, migratePortal } from './migrate-portal.ts';
import type { PrepareError } from './portal-gate.ts';

export type PortalParts = Pick<PortalOptions, 'db' | 'keys'> & {
  /** As `db`, over another server. */
  readonly callerDbOn: (driver: Driver) => CallerDb;
};

export async function preparePortal(
  driver: Driver,
  config: Pick<
    ServerConfig,
    | 'adminPassword'
    | 'adminSecondFactor'
    | 'binDays'
    | 'dbStatementTimeout'
    | 'historyDays'
    | 'historyEntries'
    | 'sqlConsole'
    | 'storageQuota'
    | 'versionEntries'
  >,
): Promise<Result<PortalParts, PrepareError>> {
  const migrated = await migratePortal(driver);
  if (!migrated.ok) return migrated;
  const statementTimeoutMs = (config.dbStatementTimeout ?? STATEMENT_SECONDS) * 1000;
  const callerDbOn = (server: Driver): CallerDb => makeCallerDb(server, { statementTimeoutMs });
  const db = callerDbOn(driver);
  const kept = await boundHistory(db, config);
  if (!kept.ok)
    return err({ message: `the history could not be bounded: ${said(kept.error)}`, retry: mayPass(kept.error) });
  const allowed = await setStorageDefault(db, config.storageQuota);
  if (!allowed.ok)
    return err({ message: `the quota could not be set: ${said(allowed.error)}`, retry: mayPass(allowed.error) });
  const bounded = await boundBin(db, config.binDays);
  if (!bounded.ok)
    return err({ message: `the bin could not be bounded: ${said(bounded.error)}`, retry: mayPass(bounded.error) });
  const ruled = await setSignInRule(db, config.adminSecondFactor);
  if (!ruled.ok)
    return err({
      message: `the rule for signing in could not be set: ${said(ruled.error)}`,
      retry: mayPass(ruled.error),
    });
  const switched = await setSqlConsole(db, config.sqlConsole);
  if (!switched.ok)
    return err({ message: `sql-console could not be set: ${said(switched.error)}`, retry: mayPass(switched.error) });
  const keys = await loadSigningKeys(db);
  if (!keys.ok)
    return err({ message: `the keys for tokens could not be read: ${said(keys.error)}`, retry: mayPass(keys.error) });
  const admin = await ensureFirstAdmin(db, { password: config.adminPassword });
  if (!admin.ok)
    return err({
      message: `the first account could not be created: ${said(admin.error)}`,
      retry: mayPass(admin.error),
    });
  if (admin.value.kind === 'created') tellFirstAdmin(admin.value.madeUp);
  return ok({ db, keys: keys.value, callerDbOn });
}

/** Unless it is said otherwise, no statement of anybody keeps the portal busy for longer. */
const STATEMENT_SECONDS = 30;

/** Beside a portal, the REST service takes the portal's tokens, also where it was told to take others, and ends statements as the portal does. */
export function withPortalTokens(config: ServerConfig, keys: SigningKeys): ServerConfig {
  const limited = { ...config, dbStatementTimeout: config.dbStatementTimeout ?? STATEMENT_SECONDS };
  return config.jwtSecret === undefined
    ? {
        ...limited,
        jwtSecret: publicJwks(keys),
        jwtSecretIsBase64: false,
        dbTokenCheck: config.dbTokenCheck ?? PORTAL_TOKEN_CHECK,
      }
    : { ...limited, portalKeys: publicJwks(keys) };
}

/** On the terminal and not in the log, which may be kept and read by others. */
function tellFirstAdmin(madeUp: string | undefined): void {
  process.stdout.write(`Created the account "${FIRST_ADMIN}".\n`);
  if (madeUp !== undefined) process.stdout.write(`Its password, shown only now: ${madeUp}\n`);
}

function said(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}
