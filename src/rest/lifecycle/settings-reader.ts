// Reads the settings: file and environment, and over them what the database says (`in-database configuration`). Where the
// database cannot be asked, what it said before still holds; where the whole makes no sense, what is in force stays, except
// that a program does not start with it.

import type { Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { type AuthContext, type AuthSettings, makeAuthContext } from '../auth/authenticate.ts';
import type { RestConfig } from '../config/config.ts';
import { type DbSettings, loadDbSettings, NO_DB_SETTINGS } from '../config/db-settings.ts';
import type { RestState } from '../pipeline/state.ts';
import { anonymousRoleProblem } from './anonymous-role.ts';
import { describeLoadError, type LoadError } from './load-error.ts';

export type Settings = {
  readonly config: RestConfig;
  readonly auth: AuthContext;
  readonly roles: DbSettings['roles'];
};

export type SettingsReader = {
  read(inForce: RestState): Promise<Result<Settings, LoadError>>;
};

export type SettingsReaderOptions = {
  readonly driver: Driver;
  readonly observe: Observe;
  /** Reads file and environment again, with what the database says; undefined when the result has mistakes (told to `observe`). */
  readonly reread: (settings: DbSettings) => Promise<RestConfig | undefined>;
};

export function makeSettingsReader({ driver, observe, reread }: SettingsReaderOptions): SettingsReader {
  let ofDatabase: DbSettings = NO_DB_SETTINGS;
  /** Told once for as long as it is so. */
  let problem: string | undefined;

  async function askDatabase({ dbConfig, dbPreConfig }: RestConfig): Promise<Result<void, DbError>> {
    if (!dbConfig) {
      ofDatabase = NO_DB_SETTINGS;
      return ok(undefined);
    }
    const asked = await loadDbSettings(driver, dbPreConfig);
    if (asked.ok) ofDatabase = asked.value;
    else if (asked.error.kind !== 'sql') return asked;
    else observe({ kind: 'database-settings-unread', message: describeLoadError(asked.error) });
    return ok(undefined);
  }

  /** The context in force remembers tokens and fetched keys: another one only for other settings. */
  function authFor(config: RestConfig, inForce: RestState): ReturnType<typeof makeAuthContext> {
    return sameAuth(config, inForce.config) ? ok(inForce.auth) : makeAuthContext(config, { observe });
  }

  async function checkAnonymousRole(role: string | undefined): Promise<void> {
    const found = await anonymousRoleProblem(driver, role);
    if (found !== undefined && found !== problem) observe({ kind: 'config-noticed', line: found });
    problem = found;
  }

  return {
    async read(inForce) {
      const asked = await askDatabase(inForce.config);
      if (!asked.ok) return asked;
      const { overrides, roles } = ofDatabase;
      const config = await reread(ofDatabase);
      const auth = authFor(config ?? inForce.config, inForce);
      if (config !== undefined && !auth.ok) observe({ kind: 'config-rejected', lines: [auth.error.message] });
      if (config !== undefined && auth.ok) {
        await checkAnonymousRole(config.dbAnonRole);
        return ok({ config, auth: auth.value, roles });
      }
      const isFirst = inForce.cache === undefined;
      if (isFirst && config === undefined && overrides.length > 0) return err(MISTAKES);
      if (isFirst && !auth.ok) return err({ kind: 'unusable', message: auth.error.message });
      return ok({ config: inForce.config, auth: inForce.auth, roles });
    },
  };
}

const AUTH_SETTINGS = [
  'dbAnonRole',
  'dbSchemaClaim',
  'jwtAud',
  'jwtCacheMaxEntries',
  'jwtCacheMaxLifetime',
  'jwtCookie',
  'jwtRoleClaimKey',
  'portalKeys',
  'jwtSecret',
  'jwtSecretIsBase64',
] as const satisfies readonly (keyof AuthSettings)[];

function sameAuth(a: AuthSettings, b: AuthSettings): boolean {
  return AUTH_SETTINGS.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

const MISTAKES: LoadError = {
  kind: 'unusable',
  message: 'the settings in the database have mistakes, and the program does not start with them',
};
