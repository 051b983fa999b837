// Accounts, groups and memberships: who sees whom, who writes what, and what no one reads.

import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { authenticator, owner, service, story } from './story.ts';
import { type Person, readWorld, type World, world } from './world.ts';

onEachEngine('people', { fixtures: world }, (db) => {
  let here: World;
  beforeAll(async () => {
    here = await readWorld(db());
  });

  describe('the list of users', () => {
    const USERS =
      'select a.username from portal.account a join portal.account_detail d on d.account_id = a.id order by a.username';
    const everybody = ['ada', 'bob', 'carl', 'dora', 'mia', 'nick', 'otto', 'root', 'stella', 'vera', 'zoe'];
    test.each<[Person, string[]]>([
      ['otto', ['otto']],
      ['ada', ['ada']],
      ['mia', ['mia']],
      ['fallen', ['zoe']],
      ['stella', everybody],
      ['root', everybody],
      ['dora', []],
      ['ghost', []],
    ])('for %s is %j', async (who, names) => {
      await story(db(), async ({ rows }) => {
        expect((await rows<{ username: string }>(here.person(who), USERS)).map((r) => r.username)).toEqual(names);
      });
    });

    test('is closed to visitors', async () => {
      await story(db(), async ({ tell }) => {
        expect(await tell(here.person('visitor'), USERS)).toMatchObject({ sqlstate: '42501' });
      });
    });
  });

  describe('faces', () => {
    // who is behind a visible item, or in a group one sees
    test.each<[Person, string[]]>([
      ['visitor', ['ada', 'bob']],
      ['dora', ['ada', 'bob']],
      ['otto', ['ada', 'bob', 'carl', 'mia', 'otto']],
      ['vera', ['ada', 'bob', 'carl', 'mia', 'vera']],
      ['stella', ['ada', 'bob', 'carl', 'dora', 'mia', 'nick', 'otto', 'root', 'stella', 'vera', 'zoe']],
    ])('%s knows %j', async (who, names) => {
      await story(db(), async ({ rows }) => {
        const known = await rows<{ username: string }>(
          here.person(who),
          'select username from portal.account order by username',
        );
        expect(known.map((r) => r.username)).toEqual(names);
      });
    });

    test('a contact and an author are known from a visible item', async () => {
      await story(db(), async ({ rows }) => {
        const names = async (): Promise<number> =>
          (await rows(here.person('visitor'), "select 1 from portal.account where username in ('nick', 'zoe')")).length;
        expect(await names()).toBe(0);
        await rows(
          here.person('root'),
          'update portal.resource set poc_id = $2, metadata_author_id = $3 where id = $1',
          here.item('open'),
          here.accountId('nick'),
          here.accountId('zoe'),
        );
        expect(await names()).toBe(2);
        await rows(here.person('ada'), "select portal.set_perms($1, '{}')", here.item('open'));
        expect(await names()).toBe(0);
      });
    });

    test('tell who may create content', async () => {
      await story(db(), async ({ rows }) => {
        const told = await rows<{ username: string }>(
          here.person('root'),
          'select username from portal.account where not can_add',
        );
        expect(told).toEqual([{ username: 'nick' }]);
        await rows(here.person('root'), "select portal.invite_group_member(3, 'nick', false)");
        await rows(here.person('root'), 'select portal.remove_group_member(3, $1)', here.accountId('otto'));
        expect(await rows(here.person('root'), 'select username from portal.account where not can_add')).toEqual([
          { username: 'otto' },
        ]);
        expect(
          await rows(
            here.person('nick'),
            "insert into portal.resource (resource_type, title) values ('document', 'mine') returning title",
          ),
        ).toHaveLength(1);
      });
    });
  });

  describe('e-mail addresses and flags', () => {
    test('of others are nowhere to be read, counted or sorted by', async () => {
      await story(db(), async ({ rows, tell }) => {
        for (const who of ['otto', 'ada', 'mia'] as const) {
          const seen = await rows<{ email: string }>(
            here.person(who),
            'select email from portal.account_detail order by email',
          );
          expect(seen).toEqual([{ email: `${who}@example.org` }]);
          expect(await rows(here.person(who), "select 1 from portal.account_detail where email like 'bob%'")).toEqual(
            [],
          );
          expect(await rows(here.person(who), 'select 1 from portal.account_detail where is_superuser')).toEqual([]);
        }
        expect(await tell(here.person('visitor'), 'select email from portal.account_detail')).toMatchObject({
          sqlstate: '42501',
        });
      });
    });
  });

  describe('password hashes, sessions and provider state', () => {
    test.each([
      'portal_private.credential',
      'portal_private.session',
      'portal_private.oidc_state',
      'portal_private.service_secret',
      'portal_private.resource_grant',
      'portal_private.search_item',
    ])('%s is closed to every role', async (table) => {
      await story(db(), async ({ tell }) => {
        for (const caller of [
          here.person('visitor'),
          here.person('ada'),
          here.person('root'),
          service,
          authenticator,
        ]) {
          expect(await tell(caller, `select * from ${table}`)).toMatchObject({ sqlstate: '42501' });
          expect(await tell(caller, `delete from ${table}`)).toMatchObject({ sqlstate: '42501' });
        }
      });
    });

    const SERVICE_ONLY = [
      "portal.credential_of('ada')",
      'portal.identity_of(1)',
      "portal.open_session('\\x01', 1, now())",
      "portal.session_of('\\x01')",
      "portal.close_session('\\x01')",
      'portal.sweep_expired()',
      "portal.oidc_get('Session', 'a')",
      "portal.oidc_put('Session', 'a', '{}', null)",
      "portal.oidc_consume('a', 'b')",
      "portal.oidc_drop('a', 'b')",
      "portal.oidc_revoke('a')",
      "portal.service_secret('jwt', '{}')",
      "portal.protect_layer_table('layers.open', 1)",
      "portal.bind_layer_table('layers.open', 1)",
      "portal.note_blob('uploads/a')",
      "portal.hold_files('00000000-0000-0000-0000-000000000000', 60)",
      "portal.release_files('00000000-0000-0000-0000-000000000000')",
      'portal.files_held()',
      "portal.note_sign_in('ada', '127.0.0.1', true)",
      "portal.forget_blob('uploads/a')",
      "portal.orphan_blobs('{}')",
    ];
    test.each(SERVICE_ONLY)('select %s is the service’s alone', async (call) => {
      await story(db(), async ({ tell }) => {
        for (const caller of [here.person('visitor'), here.person('ada'), here.person('root'), service]) {
          expect(await tell(caller, `select ${call}`)).toMatchObject({ sqlstate: '42501' });
        }
      });
    });

    test('a login finds the hash, the state and the role of an account, by its name in any case', async () => {
      await story(db(), async ({ rows }) => {
        const find = (login: string): Promise<unknown[]> =>
          rows(
            authenticator,
            'select username, password_hash, is_active, db_role from portal.credential_of($1)',
            login,
          );
        expect(await find('ADA')).toEqual([
          { username: 'ada', password_hash: 'hash-of-ada', is_active: true, db_role: 'survest_user' },
        ]);
        expect(await find('root')).toEqual([
          { username: 'root', password_hash: 'hash-of-root', is_active: true, db_role: 'survest_admin' },
        ]);
        expect(await find('dora')).toEqual([
          { username: 'dora', password_hash: 'hash-of-dora', is_active: false, db_role: 'survest_user' },
        ]);
        expect(await find('AnonymousUser')).toEqual([]);
        expect(await find('nobody')).toEqual([]);
      });
    });

    test('a session lasts until it expires, is closed, or its account is deactivated or gets a new password', async () => {
      await story(db(), async ({ rows }) => {
        const open = (token: string, who: string, expires = "now() + interval '1 hour'"): Promise<unknown> =>
          rows(
            authenticator,
            `select portal.open_session(sha256($1::text::bytea), $2, ${expires}, '{"csrf": "x"}')`,
            token,
            here.accountId(who),
          );
        const find = async (token: string): Promise<unknown> =>
          (
            await rows<{ username: string }>(
              authenticator,
              'select username, db_role, data from portal.session_of(sha256($1::text::bytea))',
              token,
            )
          )[0];
        await open('a', 'ada');
        await open('old', 'ada', 'now()');
        await open('b', 'bob');
        await open('c', 'carl');
        await open('r', 'root');
        expect(await find('a')).toEqual({ username: 'ada', db_role: 'survest_user', data: { csrf: 'x' } });
        expect(await find('r')).toMatchObject({ db_role: 'survest_admin' });
        expect(await find('old')).toBeUndefined();
        expect(await find('other')).toBeUndefined();
        await rows(authenticator, "select portal.close_session(sha256('a'))");
        await rows(
          here.person('root'),
          'update portal.account_detail set is_active = false where account_id = $1',
          here.accountId('bob'),
        );
        await rows(here.person('root'), 'select portal.set_password($1, $2)', here.accountId('carl'), 'new-hash');
        for (const token of ['a', 'b', 'c']) expect(await find(token)).toBeUndefined();
        const [swept] = await rows<{ sweep_expired: number }>(authenticator, 'select portal.sweep_expired()');
        expect(swept).toEqual({ sweep_expired: 1 });
        const [kept] = await rows<{ password_hash: string }>(
          authenticator,
          "select password_hash from portal.credential_of('carl')",
        );
        expect(kept).toEqual({ password_hash: 'new-hash' });
      });
    });

    test('provider state is put, replaced, found by id, code and uid, consumed, revoked by grant, and expires', async () => {
      await story(db(), async ({ rows }) => {
        const get = async (args: string): Promise<unknown> =>
          (await rows(authenticator, `select portal.oidc_get(${args}) as got`))[0]?.['got'];
        const put = (kind: string, id: string, payload: unknown, expires: string): Promise<unknown> =>
          rows(authenticator, `select portal.oidc_put($1, $2, $3, ${expires})`, kind, id, JSON.stringify(payload));
        await put('Token', '1', { grantId: 'g', n: 1 }, "now() + interval '1 hour'");
        await put('Token', '1', { grantId: 'g', n: 2 }, "now() + interval '1 hour'");
        await put('Code', '1', { grantId: 'g', uid: 'u', userCode: 'c' }, 'null');
        await put('Code', 'late', {}, 'now()');
        expect(await get("'Token', '1'")).toEqual({ grantId: 'g', n: 2 });
        expect(await get("'Code', uid => 'u'")).toMatchObject({ userCode: 'c' });
        expect(await get("'Code', user_code => 'c'")).toMatchObject({ uid: 'u' });
        expect(await get("'Code', 'late'")).toBeNull();
        expect(await get("'Token', uid => 'u'")).toBeNull();
        await rows(authenticator, "select portal.oidc_consume('Code', '1')");
        expect(await get("'Code', '1'")).toMatchObject({ consumed: expect.any(Number) });
        await rows(authenticator, "select portal.oidc_revoke('g')");
        expect([await get("'Code', '1'"), await get("'Token', '1'")]).toEqual([null, null]);
      });
    });

    test('a service secret is made once', async () => {
      await story(db(), async ({ rows }) => {
        const ask = async (fresh: string): Promise<unknown> =>
          (
            await rows(
              authenticator,
              'select portal.service_secret($1, $2) as key',
              'jwt',
              JSON.stringify({ key: fresh }),
            )
          )[0]?.['key'];
        expect(await ask('first')).toEqual({ key: 'first' });
        expect(await ask('second')).toEqual({ key: 'first' });
      });
    });
  });

  describe('accounts are written', () => {
    test('by administrators and the service', async () => {
      await story(db(), async ({ rows, tell }) => {
        const make = "select portal.create_account('new', 'hash')";
        for (const who of ['visitor', 'otto', 'stella', 'fallen'] as const)
          expect(await tell(here.person(who), make)).toMatchObject({ sqlstate: '42501' });
        expect(await tell(here.person('root'), make)).toMatchObject({ kind: 'done' });
        expect(await tell(authenticator, make)).toMatchObject({ sqlstate: '23505' });
        expect(await tell(authenticator, "select portal.create_account('NEW', 'hash')")).toMatchObject({
          sqlstate: '23505',
        });
        for (const name of ['', 'a b', 'x'.repeat(151), 'a/b', 'a:b']) {
          expect({ name, ...(await tell(service, 'select portal.create_account($1)', name)) }).toMatchObject({
            name,
            sqlstate: '23514',
          });
        }
        const [made] = await rows(
          owner,
          "select a.can_add, d.is_active, d.is_superuser from portal.account a join portal.account_detail d on d.account_id = a.id where username = 'new'",
        );
        expect(made).toEqual({ can_add: true, is_active: true, is_superuser: false });
      });
    });

    test('a profile by its account: names, not the address, not the user name, not the flags', async () => {
      await story(db(), async ({ tell }) => {
        const otto = here.person('otto');
        const id = here.accountId('otto');
        expect(
          await tell(otto, "update portal.account set first_name = 'O', username = 'otto' where id = $1", id),
        ).toMatchObject({ count: 1 });
        expect(
          await tell(otto, "update portal.account_detail set email = 'o@example.org' where account_id = $1", id),
        ).toMatchObject({ sqlstate: 'PT403' });
        for (const sql of [
          "update portal.account set username = 'king' where id = $1",
          'update portal.account set can_add = true where id = $1',
          'update portal.account set id = 77 where id = $1',
          'update portal.account_detail set is_superuser = true where account_id = $1',
          'update portal.account_detail set is_staff = true where account_id = $1',
          'update portal.account_detail set is_active = true where account_id = $1',
          'insert into portal.account_detail (account_id) values ($1)',
        ]) {
          expect({ sql, ...(await tell(otto, sql, id)) }).toMatchObject({ sql, sqlstate: '42501' });
        }
        // Somebody whose face is known, and somebody who is not
        expect(
          await tell(otto, "update portal.account set first_name = 'X' where id = $1", here.accountId('ada')),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(otto, "update portal.account set first_name = 'X' where id = $1", here.accountId('nick')),
        ).toMatchObject({ count: 0 });
        expect(
          await tell(otto, "update portal.account_detail set email = 'X' where account_id = $1", here.accountId('ada')),
        ).toMatchObject({ count: 0 });
        expect(
          await tell(here.person('stella'), "update portal.account set first_name = 'X' where id = $1", id),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(
            here.person('fallen'),
            'update portal.account_detail set is_superuser = true where account_id = portal.me()',
          ),
        ).toMatchObject({ sqlstate: '42501' });
      });
    });

    test('a deleted account leaves its items to an administrator, in full', async () => {
      await story(db(), async ({ rows, tell }) => {
        expect(
          await tell(here.person('otto'), 'delete from portal.account where id = $1', here.accountId('ada')),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(here.person('stella'), 'delete from portal.account where id = $1', here.accountId('ada')),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(here.person('root'), 'delete from portal.account where id = $1', here.accountId('ada')),
        ).toMatchObject({ count: 1 });
        const [left] = await rows(
          owner,
          'select count(*)::int from portal.resource where owner_id = $1 and poc_id = $1 and metadata_author_id = $1',
          here.accountId('root'),
        );
        expect(left).toEqual({ count: 9 });
        const [perms] = await rows<{ get_perms: { users: object } }>(
          here.person('root'),
          'select portal.get_perms($1)',
          here.item('closed'),
        );
        expect(Object.keys(perms?.get_perms.users ?? {})).toEqual(['root']);
        expect(
          await rows(owner, 'select 1 from portal_private.resource_grant where principal = $1', here.accountId('ada')),
        ).toEqual([]);
        // The token is still signed, the account is not there any more.
        expect(
          await rows(here.person('ada'), 'select 1 from portal.resource where id = $1', here.item('closed')),
        ).toEqual([]);
        const [upload] = await rows(here.person('root'), "select user_id from portal.upload where name = 'rivers'");
        expect(upload).toEqual({ user_id: null });
      });
    });

    test('one may delete oneself, but not be the last administrator to go', async () => {
      await story(db(), async ({ tell }) => {
        expect(await tell(here.person('bob'), 'delete from portal.account where id = portal.me()')).toMatchObject({
          count: 1,
        });
        expect(await tell(here.person('root'), 'delete from portal.account where id = portal.me()')).toMatchObject({
          sqlstate: '23001',
        });
        expect(
          await tell(
            here.person('root'),
            'update portal.account_detail set is_superuser = false where account_id = portal.me()',
          ),
        ).toMatchObject({ sqlstate: '23001' });
        expect(
          await tell(
            here.person('root'),
            'update portal.account_detail set is_active = false where account_id = portal.me()',
          ),
        ).toMatchObject({ sqlstate: '23001' });
        expect(
          await tell(
            here.person('root'),
            'update portal.account_detail set is_superuser = true where account_id = $1',
            here.accountId('zoe'),
          ),
        ).toMatchObject({ count: 1 });
        expect(
          await tell(
            here.person('fallen'),
            'update portal.account_detail set is_superuser = false where account_id = $1',
            here.accountId('root'),
          ),
        ).toMatchObject({ count: 1 });
        expect(await tell(owner, 'delete from portal.account where id = -1')).toMatchObject({ sqlstate: '23001' });
      });
    });
  });

  describe('groups', () => {
    test.each<[Person, string[]]>([
      ['otto', ['anonymous', 'contributors', 'empty', 'rangers', 'registered-members']],
      ['vera', ['anonymous', 'contributors', 'empty', 'rangers', 'registered-members', 'vault']],
      ['root', ['anonymous', 'contributors', 'empty', 'rangers', 'registered-members', 'vault']],
      ['dora', []],
    ])('%s sees %j', async (who, slugs) => {
      await story(db(), async ({ rows }) => {
        const seen = await rows<{ slug: string }>(here.person(who), 'select slug from portal.user_group order by slug');
        expect(seen.map((g) => g.slug)).toEqual(slugs);
      });
    });

    test('a visitor learns the name of an open group from an item of it, and nothing else', async () => {
      await story(db(), async ({ rows, tell }) => {
        const visitor = here.person('visitor');
        expect(await rows(visitor, 'select slug from portal.user_group')).toEqual([]);
        await rows(
          here.person('ada'),
          'update portal.resource set group_id = $2 where id = $1',
          here.item('open'),
          here.group('rangers'),
        );
        await rows(
          here.person('root'),
          'update portal.resource set group_id = $2 where id = $1',
          here.item('bobs'),
          here.group('vault'),
        );
        expect(await rows(visitor, 'select slug from portal.user_group')).toEqual([{ slug: 'rangers' }]);
        for (const sql of [
          'select title from portal.user_group',
          'select email from portal.user_group',
          'select * from portal.group_member',
          'select * from portal.group_in_category',
        ]) {
          expect({ sql, ...(await tell(visitor, sql)) }).toMatchObject({ sql, sqlstate: '42501' });
        }
      });
    });

    test('members are known to who sees the group; pseudo groups have no list', async () => {
      await story(db(), async ({ rows }) => {
        const members = async (who: Person, slug: string): Promise<string[]> =>
          (
            await rows<{ username: string }>(
              here.person(who),
              'select a.username from portal.group_member m join portal.account a on a.id = m.account_id where m.group_id = $1 order by a.username',
              here.group(slug),
            )
          ).map((r) => r.username);
        expect(await members('otto', 'rangers')).toEqual(['ada', 'carl', 'mia']);
        expect(await members('otto', 'vault')).toEqual([]);
        expect(await members('vera', 'vault')).toEqual(['ada', 'vera']);
        expect(await members('otto', 'contributors')).toEqual(['otto']);
        expect((await members('root', 'contributors')).length).toBeGreaterThan(8);
        expect(await members('dora', 'rangers')).toEqual([]);
      });
    });

    test('are made and deleted by administrators and changed by their managers, names aside', async () => {
      await story(db(), async ({ tell }) => {
        const make = "insert into portal.user_group (slug, title) values ('new', 'New')";
        for (const who of ['otto', 'mia', 'stella', 'fallen'] as const)
          expect(await tell(here.person(who), make)).toMatchObject({ sqlstate: '42501' });
        expect(await tell(here.person('root'), make)).toMatchObject({ count: 1 });
        const rename = "update portal.user_group set title = 'R', slug = 'rangers' where slug = 'rangers'";
        for (const who of ['otto', 'carl', 'stella'] as const)
          expect(await tell(here.person(who), rename)).toMatchObject({ sqlstate: '42501' });
        expect(await tell(here.person('mia'), rename)).toMatchObject({ count: 1 });
        expect(
          await tell(here.person('mia'), "update portal.user_group set slug = 'x' where slug = 'rangers'"),
        ).toMatchObject({ sqlstate: '42501' });
        expect(await tell(here.person('mia'), "delete from portal.user_group where slug = 'rangers'")).toMatchObject({
          sqlstate: '42501',
        });
        expect(
          await tell(here.person('otto'), "update portal.user_group set title = 'R' where slug = 'vault'"),
        ).toMatchObject({ count: 0 });
        expect(
          await tell(here.person('root'), "update portal.user_group set title = 'R' where slug = 'anonymous'"),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(here.person('root'), "delete from portal.user_group where slug = 'contributors'"),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(here.person('root'), "update portal.user_group set builtin = true where slug = 'rangers'"),
        ).toMatchObject({ sqlstate: '42501' });
      });
    });

    test('members come and go by managers and administrators; anybody may leave', async () => {
      await story(db(), async ({ tell, rows }) => {
        const add = (who: Person, slug: string, whom: string, manager = false): ReturnType<typeof tell> =>
          tell(here.person(who), 'select portal.invite_group_member($1, $2, $3)', here.group(slug), whom, manager);
        const remove = (who: Person, slug: string, whom: string): ReturnType<typeof tell> =>
          tell(
            here.person(who),
            'select portal.remove_group_member($1, $2) as was',
            here.group(slug),
            here.accountId(whom),
          );
        expect(await add('otto', 'rangers', 'otto')).toMatchObject({ sqlstate: '42501' });
        expect(await add('carl', 'rangers', 'otto')).toMatchObject({ sqlstate: '42501' });
        expect(await add('otto', 'vault', 'otto')).toMatchObject({ sqlstate: 'P0002' });
        expect(await add('mia', 'vault', 'mia')).toMatchObject({ sqlstate: 'P0002' });
        expect(await add('mia', 'contributors', 'nick')).toMatchObject({ sqlstate: '42501' });
        expect(await add('visitor', 'rangers', 'otto')).toMatchObject({ sqlstate: '42501' });
        expect(await add('root', 'anonymous', 'otto')).toMatchObject({ sqlstate: '22023' });
        expect(
          await tell(
            here.person('root'),
            "select portal.invite_group_member($1, 'nobody', false)",
            here.group('rangers'),
          ),
        ).toMatchObject({ sqlstate: '22023' });
        expect(
          await tell(here.person('root'), "select portal.invite_group_member(999999, 'otto', false)"),
        ).toMatchObject({
          sqlstate: 'P0002',
        });

        const sees = async (): Promise<number> =>
          (await rows(here.person('otto'), 'select 1 from portal.resource where id = $1', here.item('shared'))).length;
        expect(await sees()).toBe(0);
        // A manager invites; who is invited answers.
        const answer = (who: Person, accepts: boolean): ReturnType<typeof tell> =>
          tell(here.person(who), 'select portal.answer_invitation($1, $2) as was', here.group('rangers'), accepts);
        expect(await add('mia', 'rangers', 'otto')).toMatchObject({ kind: 'done' });
        expect(await sees()).toBe(0);
        expect(await answer('nick', true)).toMatchObject({ rows: [{ was: false }] });
        expect(await answer('visitor', true)).toMatchObject({ sqlstate: '42501' });
        expect(await answer('otto', false)).toMatchObject({ rows: [{ was: true }] });
        expect(await answer('otto', true)).toMatchObject({ rows: [{ was: false }] });
        expect(await sees()).toBe(0);
        expect(await add('mia', 'rangers', 'otto')).toMatchObject({ kind: 'done' });
        expect(await answer('otto', true)).toMatchObject({ rows: [{ was: true }] });
        expect(await sees()).toBe(1);
        expect(await rows(here.person('mia'), 'select from portal.group_invitation')).toEqual([]);
        expect(await remove('carl', 'rangers', 'otto')).toMatchObject({ sqlstate: '42501' });
        expect(await remove('otto', 'rangers', 'otto')).toMatchObject({ rows: [{ was: true }] });
        expect(await sees()).toBe(0);
        expect(await add('mia', 'rangers', 'carl', true)).toMatchObject({ kind: 'done' });
        expect(await remove('carl', 'rangers', 'mia')).toMatchObject({ rows: [{ was: true }] });
        expect(await remove('otto', 'contributors', 'otto')).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(
            here.person('mia'),
            'insert into portal.group_member (group_id, account_id) values ($1, portal.me())',
            here.group('vault'),
          ),
        ).toMatchObject({ sqlstate: '42501' });
      });
    });

    test('categories and keywords of a group are its managers’', async () => {
      await story(db(), async ({ tell, rows }) => {
        await rows(here.person('root'), "insert into portal.group_category (slug, name) values ('field', 'Field')");
        const put =
          'insert into portal.group_in_category (group_id, category_id) select $1, id from portal.group_category';
        expect(await tell(here.person('carl'), put, here.group('rangers'))).toMatchObject({ sqlstate: '42501' });
        expect(await tell(here.person('mia'), put, here.group('rangers'))).toMatchObject({ count: 1 });
        expect(await tell(here.person('mia'), put, here.group('vault'))).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(here.person('carl'), "select portal.set_group_keywords($1, '{forest}')", here.group('rangers')),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tell(here.person('mia'), "select portal.set_group_keywords($1, '{forest}')", here.group('rangers')),
        ).toMatchObject({ kind: 'done' });
        expect(await rows(here.person('otto'), "select 1 from portal.keyword where name = 'forest'")).toHaveLength(1);
        expect(await rows(here.person('visitor'), "select 1 from portal.keyword where name = 'forest'")).toEqual([]);
      });
    });
  });
});
