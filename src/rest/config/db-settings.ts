// What the database says about settings: those of the service (`pgrst.*` of the connecting role, and what the
// db-pre-config function sets), and those of the roles that requests run as. The first part is pure, rows in and
// overrides out; `loadDbSettings` asks.

import { readFileSync } from 'node:fs';
import { databaseName, optionsOf } from '../../kernel/options/option.ts';
import type { Given } from '../../kernel/options/origin.ts';
import { rawText } from '../../kernel/options/raw-value.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Statement, StatementResult } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/ident.ts';
import { NAMING } from './naming.ts';
import { restOptions } from './rest-options.ts';
import { type RoleSettingRow, type RoleSettings, roleSettingsOfRows } from './role-settings.ts';

/** As much of a driver as it takes. */
type Executor = Pick<Driver, 'execute'>;

export type DbSettings = {
  /** For the `database` source of loading. */
  readonly overrides: readonly Given[];
  readonly roles: RoleSettings;
};

export const NO_DB_SETTINGS: DbSettings = { overrides: [], roles: new Map() };

export type DbSettingRow = { readonly name: string; readonly value: string; readonly inDatabase: boolean };

/** Stronger rows win: set for the role in this database, set for the role, set by the pre-config function. */
export function overridesOfRows(
  ofRole: readonly DbSettingRow[],
  ofPreConfig: readonly { readonly name: string; readonly value: string }[],
): readonly Given[] {
  const overrides = new Map<string, Given>();
  const put = (name: string, value: string, by: 'role-in-database' | 'role' | 'pre-config'): void => {
    const lower = name.toLowerCase(); // names of settings have no case
    overrides.set(lower, { name: lower, value: rawText(value), origin: { kind: 'database', setting: lower, by } });
  };
  for (const row of ofPreConfig) put(row.name, row.value, 'pre-config');
  for (const row of ofRole) if (!row.inDatabase) put(row.name, row.value, 'role');
  for (const row of ofRole) if (row.inDatabase) put(row.name, row.value, 'role-in-database');
  return [...overrides.values()];
}

/**
 * Asks the database. `preConfig` is the function's name as configured outside; a `pgrst.db_pre_config` of the role wins.
 * A failure is for the caller to log: the settings from elsewhere still stand.
 */
export async function loadDbSettings(
  driver: Executor,
  preConfig: string | undefined,
): Promise<Result<DbSettings, DbError>> {
  const first = await driver.execute([
    { text: SQL.dbSettings, params: [NAMING.databasePrefix] },
    { text: "select current_setting('server_version_num')", params: [] },
  ]);
  if (!first.ok) return first;
  const ofRole = rowsOf(first.value[0]).map(([name = '', value = '', inDatabase]) => ({
    name,
    value,
    inDatabase: inDatabase === 't',
  }));
  const version = Number(rowsOf(first.value[1])[0]?.[0]);

  const roles = await driver.execute([
    { text: version >= 150_000 ? SQL.roleSettings : SQL.roleSettings14, params: [] },
  ]);
  if (!roles.ok) return roles;

  const set = await runPreConfig(driver, preConfigOfRole(ofRole) ?? preConfig);
  if (!set.ok) return set;
  return ok({
    overrides: overridesOfRows(ofRole, set.value),
    roles: roleSettingsOfRows(rowsOf(roles.value[0]).map(toRoleRow)),
  });
}

function preConfigOfRole(ofRole: readonly DbSettingRow[]): string | undefined {
  const name = databaseName(NAMING.databasePrefix, restOptions.dbPreConfig.name);
  return overridesOfRows(ofRole, []).flatMap((given) =>
    given.name === name && given.value.kind === 'text' && given.value.text !== '' ? [given.value.text] : [],
  )[0];
}

// No setting has this value, and no function sets it.
const UNTOUCHED = 'survest: not set by the pre-config function';

async function runPreConfig(
  driver: Executor,
  name: string | undefined,
): Promise<Result<readonly { readonly name: string; readonly value: string }[], DbError>> {
  if (name === undefined) return ok([]);
  const names = textArray(settableNames());
  const batch: Statement[] = [
    { text: SQL.preConfigClear, params: [names, UNTOUCHED] },
    { text: `select ${functionIdent(name)}()`, params: [] },
    { text: SQL.preConfigRead, params: [names, UNTOUCHED] },
  ];
  const answer = await driver.execute(batch);
  if (!answer.ok) return err(answer.error);
  return ok(rowsOf(answer.value[2]).map(([setting = '', value = '']) => ({ name: setting, value })));
}

/** `schema.name` or `name`; only the first dot divides, as everywhere in the settings. */
function functionIdent(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? quoteIdent(name) : `${quoteIdent(name.slice(0, dot))}.${quoteIdent(name.slice(dot + 1))}`;
}

function settableNames(): readonly string[] {
  return optionsOf(restOptions).flatMap(([, each]) =>
    each.kind === 'single' && each.inDatabase ? [databaseName(NAMING.databasePrefix, each.name)] : [],
  );
}

/** Our own names need no quoting inside an array. */
function textArray(names: readonly string[]): string {
  return `{${names.join(',')}}`;
}

function rowsOf(result: StatementResult | undefined): readonly (readonly (string | undefined)[])[] {
  return (result?.rows ?? []).map((row) => row.map((cell) => cell?.toString('utf8')));
}

function toRoleRow([role = '', name = '', value = '']: readonly (string | undefined)[]): RoleSettingRow {
  return { role, name, value };
}

const SQL = {
  dbSettings: readSql('db-settings'),
  preConfigClear: readSql('pre-config-clear'),
  preConfigRead: readSql('pre-config-read'),
  roleSettings: readSql('role-settings'),
  roleSettings14: readSql('role-settings-14'),
};

function readSql(name: string): string {
  return readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8');
}
