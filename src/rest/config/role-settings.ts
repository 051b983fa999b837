// Rows of role-settings.sql → what the transaction of each role begins with.

type IsolationLevel = 'read committed' | 'repeatable read' | 'serializable';

type RoleSetting = {
  /** From the role's `default_transaction_isolation`; undefined when it has none. */
  readonly isolation: IsolationLevel | undefined;
  /** In the order they are applied, names and values as the role has them. */
  readonly settings: readonly (readonly [name: string, value: string])[];
};

/** By role name, as it is: `Web_User` and `web_user` are two roles. Roles without settings are not in it. */
export type RoleSettings = ReadonlyMap<string, RoleSetting>;

export type RoleSettingRow = { readonly role: string; readonly name: string; readonly value: string };

export function roleSettingsOfRows(rows: readonly RoleSettingRow[]): RoleSettings {
  const roles = new Map<string, { isolation: IsolationLevel | undefined; settings: [string, string][] }>();
  for (const { role, name, value } of rows) {
    const entry = roles.get(role) ?? { isolation: undefined, settings: [] };
    roles.set(role, entry);
    // It is said when the transaction begins; set inside, it would be too late.
    if (name.toLowerCase() === 'default_transaction_isolation') entry.isolation = isolationLevel(value);
    else entry.settings.push([name, value]);
  }
  return roles;
}

function isolationLevel(value: string): IsolationLevel {
  const lower = value.toLowerCase();
  return lower === 'repeatable read' || lower === 'serializable' ? lower : 'read committed';
}
