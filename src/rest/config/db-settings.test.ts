import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Driver } from '../../pg/driver.ts';
import { loadDbSettings, overridesOfRows } from './db-settings.ts';
import { roleSettingsOfRows } from './role-settings.ts';

describe('rows to overrides', () => {
  test('set for the role in this database wins over set for the role, and that over the pre-config function', () => {
    const ofRole = [
      { name: 'pgrst.a', value: 'here', inDatabase: true },
      { name: 'pgrst.a', value: 'anywhere', inDatabase: false },
      { name: 'pgrst.B', value: 'anywhere', inDatabase: false },
    ];
    const ofPreConfig = ['pgrst.a', 'pgrst.b', 'pgrst.c'].map((name) => ({ name, value: 'function' }));
    expect(overridesOfRows(ofRole, ofPreConfig)).toEqual([
      {
        name: 'pgrst.a',
        value: { kind: 'text', text: 'here' },
        origin: { kind: 'database', setting: 'pgrst.a', by: 'role-in-database' },
      },
      {
        name: 'pgrst.b',
        value: { kind: 'text', text: 'anywhere' },
        origin: { kind: 'database', setting: 'pgrst.b', by: 'role' },
      },
      {
        name: 'pgrst.c',
        value: { kind: 'text', text: 'function' },
        origin: { kind: 'database', setting: 'pgrst.c', by: 'pre-config' },
      },
    ]);
  });
});

describe('rows to role settings', () => {
  test.each([
    ['serializable', 'serializable'],
    ['REPEATABLE READ', 'repeatable read'],
    ['read uncommitted', 'read committed'],
    ['', 'read committed'],
  ])('the isolation level %j is %j and no setting of the transaction', (value, isolation) => {
    const rows = [{ role: 'r', name: 'default_transaction_isolation', value }];
    expect(roleSettingsOfRows(rows).get('r')).toEqual({ isolation, settings: [] });
  });
});

/** The driver as one that logged in as `role`: each batch is one transaction, and its first statement switches. */
function asRole(driver: Driver, role: string): Pick<Driver, 'execute'> {
  return {
    async execute(batch) {
      const answer = await driver.execute([{ text: `set local role "${role}"`, params: [] }, ...batch]);
      return answer.ok ? { ok: true, value: answer.value.slice(1) } : answer;
    },
  };
}

onEachEngine('settings in the database', {}, (db) => {
  const tag = randomBytes(4).toString('hex');
  const authenticator = `cfg_auth_${tag}`;
  const web = `Cfg "Web"_${tag}`;
  const group = `cfg_group_${tag}`;
  const stranger = `cfg_stranger_${tag}`;
  const roles = [authenticator, web, group, stranger].map((role) => `"${role.replaceAll('"', '""')}"`);
  const [auth, webUser, groupRole, strange] = roles;

  beforeAll(async () => {
    await db().script(roles.map((role) => `create role ${role} nologin;`).join('\n'));
    await db().script(`
      grant ${groupRole} to ${webUser};
      grant ${webUser} to ${auth};
      do $do$ begin
        execute format('alter database %I set pgrst.db_anon_role = ''whole database''', current_database());
        execute format('alter role ${auth} in database %I set pgrst.db_schemas = ''here''', current_database());
        execute format('alter role ${webUser} in database %I set work_mem = ''8MB''', current_database());
      end $do$;
      alter role ${auth} set pgrst.db_schemas = 'anywhere';
      alter role ${auth} set pgrst.jwt_aud = 'a=b, "c"';
      alter role ${auth} set pgrst.no_such = 'x';
      alter role ${auth} set statement_timeout = '9s';
      alter role ${webUser} set work_mem = '4MB';
      alter role ${webUser} set statement_timeout = '5s';
      alter role ${webUser} set default_transaction_isolation = 'serializable';
      alter role ${webUser} set app.Tenant = 'Ünï = "x"';
      alter role ${webUser} set client_encoding = 'latin1';
      alter role ${webUser} set log_min_duration_statement = '5s';
      alter role ${groupRole} set lock_timeout = '1s';
      alter role ${strange} set lock_timeout = '1s';
      create function public.pre_config_${tag}() returns void language sql as $f$
        select set_config('pgrst.db_schemas', 'function', true), set_config('pgrst.db_max_rows', '7', true),
               set_config('pgrst.db_extra_search_path', '', true), set_config('pgrst.db_uri', 'no', true) $f$;
      create function public.failing_${tag}() returns void language plpgsql as $f$ begin raise 'no'; end $f$;
    `);
  });

  afterAll(async () => {
    await db().script(roles.map((role) => `drop owned by ${role}; drop role ${role};`).join('\n'));
  });

  const load = (preConfig?: string) => loadDbSettings(asRole(db().driver, authenticator), preConfig);
  const overrides = async (preConfig?: string): Promise<unknown> => {
    const loaded = await load(preConfig);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    return loaded.value.overrides.map((given) => [
      given.name,
      given.value.kind === 'text' && given.value.text,
      given.origin.kind === 'database' && given.origin.by,
    ]);
  };

  test('those of the connecting role are read, for this database first; those of the database alone are not', async () => {
    expect(await overrides()).toEqual([
      ['pgrst.db_schemas', 'here', 'role-in-database'],
      ['pgrst.jwt_aud', 'a=b, "c"', 'role'],
      ['pgrst.no_such', 'x', 'role'],
    ]);
  });

  test('the pre-config function sets what the role has not set, an empty text included', async () => {
    expect(await overrides(`public.pre_config_${tag}`)).toEqual([
      ['pgrst.db_extra_search_path', '', 'pre-config'],
      ['pgrst.db_max_rows', '7', 'pre-config'],
      ['pgrst.db_schemas', 'here', 'role-in-database'],
      ['pgrst.jwt_aud', 'a=b, "c"', 'role'],
      ['pgrst.no_such', 'x', 'role'],
    ]);
  });

  test('what the function sets is gone when it has been read', async () => {
    await load(`public.pre_config_${tag}`);
    const rows = await db().driver.execute([{ text: "select current_setting('pgrst.db_max_rows', true)", params: [] }]);
    expect(rows.ok && (rows.value[0]?.rows[0]?.[0]?.toString() ?? '')).toBe('');
  });

  test.each([
    ['a function that fails', `failing_${tag}`, 'P0001'],
    ['a function that is not there', 'public.nowhere', '42883'],
    ['a hostile name', 'x"(); drop table t; --', '42883'],
  ])('%s is an error for the caller to log', async (_, name, sqlstate) => {
    expect(await load(name)).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate } });
  });

  test('a pre-config function named in the database is the one that is called', async () => {
    await db().script(`alter role ${auth} set pgrst.db_pre_config = 'public.failing_${tag}'`);
    try {
      expect(await load(`public.pre_config_${tag}`)).toMatchObject({ ok: false, error: { sqlstate: 'P0001' } });
    } finally {
      await db().script(`alter role ${auth} reset pgrst.db_pre_config`);
    }
  });

  test('roles that can be switched to bring their settings, as they are, without those that would fail or break us', async () => {
    const loaded = await load();
    expect(loaded.ok && [...loaded.value.roles].filter(([role]) => role.includes(tag))).toEqual([
      [
        web,
        {
          isolation: 'serializable',
          settings: [
            [expect.stringMatching(/^app\.tenant$/i), 'Ünï = "x"'],
            ['statement_timeout', '5s'],
            ['work_mem', '8MB'],
          ],
        },
      ],
      [group, { isolation: undefined, settings: [['lock_timeout', '1s']] }],
    ]);
  });

  test('a setting that the connecting role was granted comes along', async () => {
    await db().script(`grant set on parameter log_min_duration_statement to ${auth}`);
    try {
      const loaded = await load();
      expect(loaded.ok && loaded.value.roles.get(web)?.settings.map(([name]) => name)).toContain(
        'log_min_duration_statement',
      );
    } finally {
      await db().script(`revoke set on parameter log_min_duration_statement from ${auth}`);
    }
  });

  test('the statement for servers before PostgreSQL 15 finds the same where nothing was granted', async () => {
    const read = (name: string): string => readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8');
    const answers = await Promise.all(
      ['role-settings', 'role-settings-14'].map((name) =>
        asRole(db().driver, authenticator).execute([{ text: read(name), params: [] }]),
      ),
    );
    const [now, before] = answers.map((answer) => answer.ok && answer.value[0]?.rows.map(String));
    expect(before).toEqual(now);
    expect(before).toHaveLength(5);
  });
});
