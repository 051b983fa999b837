// What somebody tries who wants more: each attempt by an ordinary account, and the answer it gets.

import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { account, type Caller, owner, service, story, visitor } from './story.ts';
import { readWorld, type World, world } from './world.ts';

onEachEngine('escalation', { fixtures: world }, (db) => {
  let here: World;
  beforeAll(async () => {
    here = await readWorld(db());
  });

  // $1 is an item bob may change ("shared"), $2 one that is his own
  const REFUSED: readonly string[] = [
    // grants and what is made of them
    'insert into portal_private.resource_grant values ($1, 1, 511)',
    'update portal_private.resource_grant set perms = 511 where resource_id = $1',
    'select * from portal_private.resource_grant where resource_id = $1',
    'update portal.resource set is_public = true where id = $1',
    "update portal.resource set viewers = '{-2}' where id = $1",
    'update portal.resource set viewers = array[portal.me()] where id = $1',
    'update portal.resource set obstacles = default where id = $1',
    'update portal.resource set private_group = null where id = $1',
    'update portal.resource set metadata_only = true where id = $2',
    'update portal.resource set dirty = false where id = $2',
    // who else may see it
    'select viewers from portal.resource where id = $1',
    'select is_public from portal.resource where id = $1',
    'select id from portal.resource where viewers @> array[1] and id = $1',
    'select id from portal.resource order by viewers, $1::int',
    'select r from portal.resource r where id = $1',
    'select * from portal.resource where id = $1',
    // owner, flags, identity
    'update portal.resource set owner_id = portal.me() where id = $1',
    'update portal.resource set owner_id = null where id = $2',
    'update portal.resource set owner_id = owner_id + 1 where id = $2',
    'update portal.resource set is_published = false where id = $1',
    'update portal.resource set is_approved = false where id = $1',
    'update portal.resource set featured = true where id = $2',
    "update portal.resource set title = 'x', featured = true where id = $2",
    'update portal.resource set id = 1000000 where id = $2',
    'update portal.resource set uuid = gen_random_uuid() where id = $2',
    'update portal.resource set popular_count = 1000000 where id = $2',
    "update portal.resource set resource_type = 'layer' where id = $2",
    "update portal.resource set alternate = 'portal:open' where id = $2",
    'update portal.resource set created = now() where id = $2',
    'update portal.resource set poc_id = 1 where id = $2',
    "update portal.resource set store = 'x', workspace = 'y' where id = $2",
    "insert into portal.resource (resource_type, title, owner_id) select 'document', 'x', owner_id from portal.resource where id = $1",
    "insert into portal.resource (resource_type, title, featured) select 'document', 'x', true where $1::int is not null",
    "insert into portal.resource (resource_type, title, metadata_only) select 'document', 'x', true where $1::int is not null",
    "insert into portal.resource (id, resource_type, title) select 1000000, 'document', 'x' where $1::int is not null",
    "insert into portal.resource (resource_type, title, viewers) select 'document', 'x', '{1}' where $1::int is not null",
    // groups one is not in
    "update portal.resource set group_id = (select id from portal.user_group where slug = 'rangers') where id = $2",
    "insert into portal.resource (resource_type, title, group_id) select 'document', 'x', id from portal.user_group where slug = 'rangers' and $1::int is not null",
    // another's uploads, viewer data and favourites
    'insert into portal.upload (name, user_id) select $$x$$, owner_id from portal.resource where id = $1',
    "insert into portal.upload (name, state) select 'x', 'PROCESSED' where $1::int is not null",
    'insert into portal.favourite (account_id, resource_id) select owner_id, id from portal.resource where id = $1',
    "update portal.upload set state = 'PROCESSED' where id = $1",
    'update portal.upload set user_id = portal.me() where id = $1',
    // parts moved from one item to another
    'update portal.link set resource_id = $2 where resource_id = $1',
    'update portal.app_data set resource_id = $2 where resource_id = $1',
    'update portal.thumbnail set resource_id = $2 where resource_id = $1',
    'update portal.attribute set resource_id = $2 where resource_id = $1',
    'update portal.map_layer set map_id = $2 where map_id = $1',
    'insert into portal.layer_style select $2, id from portal.style where $1::int is not null',
    'insert into portal.keyword (name, slug) select $$x$$, $$x$$ where $1::int is not null',
    'insert into portal.resource_keyword select $2, id from portal.keyword where $1::int is not null',
    // the database itself
    'truncate portal.resource cascade',
    'truncate layers.open',
    'alter table portal.resource disable row level security',
    'alter table layers.open disable row level security',
    'create policy mine on portal.resource using (true)',
    'drop policy seen on portal.resource',
    'alter table portal.resource disable trigger guard',
    'drop trigger survest_guard on layers.open',
    'create table portal.mine (id int)',
    'create table layers.mine (id int)',
    'create function portal.mine() returns int language sql as $$ select 1 $$',
    'drop table layers.open',
    'create trigger t before update on portal.resource for each row execute function suppress_redundant_updates_trigger()',
    'select portal_private.who()',
    'select portal_private.rules()',
    'select portal_private.mask_of(1)',
    'select portal_private.refresh_viewers(1)',
    'select portal_private.excused(1, 1, 1, 1)',
    'alter role survest_user superuser',
    'grant survest_admin to survest_user',
    'set session_replication_role = replica',
    'copy portal.resource to program $$true$$',
  ];

  test.each(REFUSED)('%s is refused', async (sql) => {
    await story(db(), async ({ tell }) => {
      const params = [here.item('shared'), here.item('bobs')].slice(
        0,
        sql.includes('$2') ? 2 : /\$1(?!\$)/.test(sql) ? 1 : 0,
      );
      // Statements that name only the second item still get both.
      const text = sql.includes('$2') && !/\$1(?!\$)/.test(sql) ? `${sql} and $1::int is not null` : sql;
      expect(await tell(here.person('bob'), text, ...params)).toMatchObject({ kind: 'failed', sqlstate: '42501' });
    });
  });

  test('visitors write nothing at all', async () => {
    const privileges = await db().query(
      `select table_schema, table_name, privilege_type from information_schema.table_privileges
        where grantee in ('survest_anon', 'PUBLIC') and table_schema in ('portal', 'portal_private', 'layers') and privilege_type <> 'SELECT'
       union all
       select table_schema, table_name, privilege_type from information_schema.column_privileges
        where grantee in ('survest_anon', 'PUBLIC') and table_schema in ('portal', 'portal_private', 'layers') and privilege_type <> 'SELECT'`,
    );
    expect(privileges).toEqual([]);
  });

  describe('probing for what is hidden', () => {
    test('a hidden id and one that does not exist get the same answer wherever an id can be written', async () => {
      const probes: readonly string[] = [
        'insert into portal.map_layer (map_id, layer_id) select id, $1::int from portal.resource where title = $$shared$$',
        'insert into portal.favourite (account_id, resource_id) values (portal.me(), $1)',
        'insert into portal.document_link (document_id, resource_id) select id, $1::int from portal.resource where title = $$bobs$$',
        "insert into portal.link (resource_id, extension, link_type, name, mime, url) values ($1, '', '', '', '', '')",
        "insert into portal.thumbnail (resource_id, blob) values ($1, 'x')",
        'insert into portal.app_data (resource_id) values ($1)',
        "insert into portal.attribute (resource_id, attribute) values ($1, 'other')",
        "insert into portal.document_file (resource_id, blob, file_name, size) values ($1, 'x', 'x', 0)",
        "insert into portal.upload_file (upload_id, name, blob) values ($1, 'x', 'x')",
        'update portal.resource set group_id = $1 where title = $$bobs$$',
        "update portal.resource set title = 'x' where id = $1",
        'delete from portal.resource where id = $1',
        "select portal.set_perms($1, '{}')",
        'select portal.get_perms($1)',
        'select portal.my_perms($1)::text',
        "select portal.may($1, 'view_resourcebase')",
        'select portal.layer_table($1)',
        "select portal.set_keywords($1, '{a}')",
        "select portal.set_regions($1, '{1}')",
        "select portal.add_style($1, 'x', 'x')",
        'select portal.remove_style($1, 1)',
        'select portal.set_metadata_only($1, true)',
        'select portal.count_view($1)::text',
      ];
      for (const sql of probes) {
        const [hidden, absent] = await story(db(), async ({ tell }) => [
          await tell(
            here.person('bob'),
            sql,
            sql.includes('group_id') ? here.group('vault') : sql.includes('upload_id') ? 1 : here.item('closed'),
          ),
          await tell(here.person('bob'), sql, 999_999),
        ]);
        expect({ sql, ...hidden }).toEqual({ sql, ...absent });
      }
    });

    test('a style of a hidden layer cannot be made one’s own', async () => {
      await story(db(), async ({ rows, tell }) => {
        const [style] = await rows<{ id: number }>(owner, "select id from portal.style where name = 'style of closed'");
        const bob = here.person('bob');
        expect(await rows(bob, 'select 1 from portal.style where id = $1', style?.id)).toEqual([]);
        for (const id of [style?.id, 999_999]) {
          expect(
            await tell(bob, 'update portal.resource set default_style_id = $2 where id = $1', here.item('worked'), id),
          ).toMatchObject({ sqlstate: '22023', message: `unknown style ${id}` });
        }
      });
    });

    test('the name of a hidden app is free, the name of a visible one is taken', async () => {
      await story(db(), async ({ rows, tell }) => {
        const make = (who: Caller, name: string): ReturnType<typeof tell> =>
          tell(who, "insert into portal.resource (resource_type, title, name) values ('geostory', 't', $1)", name);
        await rows(
          here.person('ada'),
          "insert into portal.resource (resource_type, title, name) values ('geostory', 'secret', 'secret')",
        );
        await rows(
          here.person('ada'),
          "select portal.set_perms((select id from portal.resource where title = 'secret'), '{}')",
        );
        expect(await make(here.person('bob'), 'judged')).toMatchObject({ sqlstate: '23505' });
        expect(await make(here.person('bob'), 'secret')).toMatchObject({ kind: 'done' });
        expect(await make(here.person('ada'), 'secret')).toMatchObject({ sqlstate: '23505' });
      });
    });

    test('filters, sorting and errors of expressions never meet a hidden row', async () => {
      await story(db(), async ({ rows }) => {
        // Would raise a division by zero on any row titled "closed".
        expect(
          await rows(
            here.person('bob'),
            "select id from portal.resource where 1 / (title <> 'closed')::int = 1 and title = 'bobs'",
          ),
        ).toHaveLength(1);
        expect(
          await rows(here.person('bob'), "select name from layers.closed where 1 / (name = 'never')::int = 1"),
        ).toEqual([]);
        expect(
          await rows(
            here.person('bob'),
            'select count(*)::int from portal.app_data where 1 / (resource_id <> $1)::int = 1',
            here.item('closed'),
          ),
        ).toEqual([{ count: expect.any(Number) }]);
      });
    });
  });

  describe('claims', () => {
    const id = (): number => here.accountId('ada');
    test('name an account only as a plain number', async () => {
      await story(db(), async ({ rows, tell }) => {
        const me = async (claims: unknown, role: Caller['role'] = 'survest_user'): Promise<unknown> => {
          const outcome = await tell({ role, claims }, 'select portal.me(), portal.is_admin(), portal.is_staff()');
          return outcome.kind === 'done' ? outcome.rows[0] : outcome.sqlstate;
        };
        const nobody = { me: null, is_admin: false, is_staff: false };
        expect(await me({ sub: String(id()) })).toEqual({ ...nobody, me: id() });
        expect(await me({ sub: id() })).toEqual({ ...nobody, me: id() });
        for (const sub of [
          `${id()} or 1=1`,
          `0${id()}`,
          ` ${id()}`,
          `${id()}\n`,
          `-${id()}`,
          '-1',
          '0',
          '',
          '99999999999999999999',
          '1e1',
          '0x1',
          null,
          true,
          [id()],
          { id: id() },
          '١',
        ]) {
          expect({ sub, was: await me({ sub }) }).toEqual({ sub, was: nobody });
        }
        for (const claims of ['', '{}', '[]', '1', '"x"', 'null', `[{"sub": "${id()}"}]`])
          expect({ claims, was: await me(claims) }).toEqual({ claims, was: nobody });
        // Not JSON: nothing is answered at all.
        expect(await me('{')).toBe('22P02');
        // A role says no more than it is.
        expect(await me({ sub: String(id()), role: 'survest_admin' })).toEqual({ ...nobody, me: id() });
        expect(await me({ sub: String(here.accountId('root')) })).toEqual({ ...nobody, me: here.accountId('root') });
        expect(await me({ sub: String(id()) }, 'survest_anon')).toEqual(nobody);
        expect(await me({ sub: String(id()) }, 'survest_admin')).toEqual({ ...nobody, me: id() });
        expect(await me({ sub: '999999' }, 'survest_admin')).toEqual(nobody);
        expect(await me({}, 'survest_admin')).toEqual({ me: null, is_admin: true, is_staff: true });
        expect(await rows(account(here.accountId('stella')), 'select portal.is_staff()')).toEqual([{ is_staff: true }]);
      });
    });

    test('are read only: no function that callers can reach sets a parameter or a role', async () => {
      const setters = await db().query<{ name: string }>(
        `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
          where n.nspname in ('portal', 'portal_private')
            and coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) ~* '(set_config|set\\s+(local\\s+|session\\s+)?role|set\\s+session\\s+authorization|reset\\s)' order by 1`,
      );
      // One makes its transaction read-only, another opens the audit log to its own deletion and closes it again: they are the service's. SQL of
      // administrators has a search path until it ends, and refuses texts that would set anything else.
      const sqlOfAdmins = ['portal.run_sql(text,text,integer)', 'portal.sql_rows(text,text,integer)'];
      expect(setters).toEqual([
        { name: 'portal.check_token()' },
        ...sqlOfAdmins.map((name) => ({ name })),
        { name: 'portal.trim_audit(integer)' },
      ]);
      for (const { name } of setters)
        for (const role of ['survest_anon', 'survest_user', 'survest_admin'])
          expect(await db().query(`select has_function_privilege($1, $2, 'execute') as may`, [role, name])).toEqual([
            { may: sqlOfAdmins.includes(name) && role === 'survest_admin' },
          ]);
      // No change of role leads out of a function that changes the user, and these change to the role of their callers.
      for (const name of sqlOfAdmins)
        expect(
          await db().query(
            'select proowner::regrole::text as owner, prosecdef from pg_proc where oid = $1::regprocedure',
            [name],
          ),
        ).toEqual([{ owner: 'survest_admin', prosecdef: true }]);
    });
  });

  test('a hostile search path changes nothing', async () => {
    await story(db(), async ({ rows, tell }) => {
      const bob = here.person('bob');
      const ask =
        "select portal.me(), portal.is_admin(), portal.may($1, 'change_layer_data'), portal.perm_names(511)::text as names, (select count(*)::int from portal.resource) as seen";
      const [before] = await rows(bob, ask, here.item('closed'));
      for (const sql of [
        'create schema evil',
        'create function evil.current_setting(text, boolean) returns text language sql as $$ select \'{"sub": "1"}\' $$',
        'create function evil.eq(integer, integer) returns boolean language sql as $$ select true $$',
        'create operator evil.= (leftarg = integer, rightarg = integer, function = evil.eq)',
        'create operator evil.<> (leftarg = integer, rightarg = integer, function = evil.eq)',
        'create function evil.overlap(integer[], integer[]) returns boolean language sql as $$ select true $$',
        'create operator evil.&& (leftarg = integer[], rightarg = integer[], function = evil.overlap)',
        'create function evil.eq(text, text) returns boolean language sql as $$ select true $$',
        'create operator evil.= (leftarg = text, rightarg = text, function = evil.eq)',
        'create function evil.coalesce(boolean, boolean) returns boolean language sql as $$ select true $$',
        'grant usage on schema evil to public',
      ]) {
        await rows(owner, sql);
      }
      for (const path of ['evil, pg_catalog, portal', 'evil, pg_temp, pg_catalog']) {
        await rows(owner, "select set_config('search_path', $1, true)", path);
        await tell(
          bob,
          'create temp table account_detail (account_id int, is_active boolean, is_staff boolean, is_superuser boolean)',
        );
        await tell(bob, 'create temp table setting (name text, value boolean)');
        expect((await rows(bob, ask, here.item('closed')))[0]).toEqual(before);
        expect(
          await tell(bob, "update portal.resource set featured = true where title operator(pg_catalog.=) 'bobs'"),
        ).toMatchObject({ sqlstate: '42501' });
      }
    });
  });

  test('an update that would hide a row from its writer is refused, not half done', async () => {
    await story(db(), async ({ rows, tell }) => {
      await rows(service, "update portal.setting set value = true where name = 'GROUP_PRIVATE_RESOURCES'");
      // stella may change what she sees; putting it into a group whose items she cannot see would take it from her
      expect(
        await tell(
          here.person('stella'),
          'update portal.resource set group_id = $2 where id = $1',
          here.item('open'),
          here.group('vault'),
        ),
      ).toMatchObject({ sqlstate: '42501' });
      expect(
        await rows(here.person('ada'), 'select group_id from portal.resource where id = $1', here.item('open')),
      ).toEqual([{ group_id: null }]);
    });
  });

  test('an account that may not create content creates none', async () => {
    await story(db(), async ({ tell }) => {
      for (const who of ['nick', 'dora', 'ghost', 'foreign'] as const) {
        expect(
          await tell(here.person(who), "insert into portal.resource (resource_type, title) values ('document', 'x')"),
        ).toMatchObject({ sqlstate: '42501' });
        expect(await tell(here.person(who), "insert into portal.upload (name) values ('x')")).toMatchObject({
          sqlstate: '42501',
        });
      }
      expect(
        await tell(visitor, "insert into portal.resource (resource_type, title) values ('document', 'x')"),
      ).toMatchObject({ sqlstate: '42501' });
    });
  });
});
