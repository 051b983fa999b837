// Reading and replacing the grants of an item, and what becomes of grants when accounts and groups go.

import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { owner, type Story, story } from './story.ts';
import { type Item, type Person, readWorld, type World, world } from './world.ts';

const FULL = [
  'view_resourcebase',
  'download_resourcebase',
  'change_resourcebase',
  'change_resourcebase_metadata',
  'delete_resourcebase',
  'change_resourcebase_permissions',
  'publish_resourcebase',
];
const LAYER = [...FULL, 'change_layer_data', 'change_layer_style'];

onEachEngine('grants', { fixtures: world }, (db) => {
  let here: World;
  beforeAll(async () => {
    here = await readWorld(db());
  });
  const get = async ({ rows }: Story, item: Item, who: Person = 'root'): Promise<unknown> =>
    (await rows(here.person(who), 'select portal.get_perms($1)', here.item(item)))[0]?.['get_perms'];
  const set = ({ tell }: Story, item: Item, spec: unknown, who: Person = 'ada'): ReturnType<Story['tell']> =>
    tell(here.person(who), 'select portal.set_perms($1, $2)', here.item(item), JSON.stringify(spec));

  test('what was set is read again, and the owner has the full set whatever was asked for', async () => {
    await story(db(), async (tale) => {
      expect(await get(tale, 'open')).toEqual({
        users: { ada: LAYER },
        groups: { anonymous: FULL.slice(0, 2) },
      });
      await set(tale, 'open', {
        users: { bob: ['view_resourcebase'], ada: ['view_resourcebase'] },
        groups: { rangers: ['view_resourcebase', 'change_layer_data'] },
      });
      expect(await get(tale, 'open')).toEqual({
        users: { ada: LAYER, bob: ['view_resourcebase'] },
        groups: { rangers: ['view_resourcebase', 'change_layer_data'] },
      });
    });
  });

  test('AnonymousUser stands for the user and the group', async () => {
    await story(db(), async (tale) => {
      await set(tale, 'closed', {
        users: { AnonymousUser: ['view_resourcebase'] },
        groups: { anonymous: ['download_resourcebase'] },
      });
      expect(await get(tale, 'closed')).toEqual({
        users: { ada: LAYER, AnonymousUser: ['view_resourcebase'] },
        groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] },
      });
      expect(
        await tale.rows(here.person('visitor'), 'select 1 from portal.resource where id = $1', here.item('closed')),
      ).toHaveLength(1);
    });
  });

  test('an empty list takes a principal out; missing and null members are empty', async () => {
    await story(db(), async (tale) => {
      for (const spec of [
        {},
        { users: {} },
        { groups: {} },
        { users: { bob: [] }, groups: { rangers: [] } },
        { users: null, groups: null },
      ]) {
        expect(await set(tale, 'shared', { users: { bob: ['view_resourcebase'] } })).toMatchObject({ kind: 'done' });
        expect(await set(tale, 'shared', spec)).toMatchObject({ kind: 'done' });
        expect(await get(tale, 'shared')).toEqual({ users: { ada: FULL }, groups: {} });
      }
    });
  });

  const WRONG: readonly [what: string, spec: unknown, says: RegExp][] = [
    ['what cannot be a name', { users: { 'no body': ['view_resourcebase'] } }, /unknown user "no body"/],
    ['an unknown group', { groups: { nothing: ['view_resourcebase'] } }, /unknown group "nothing"/],
    ['a user among groups', { groups: { bob: [] } }, /unknown group "bob"/],
    ['an unknown permission', { users: { bob: ['view_resourcebase', 'fly'] } }, /unknown permission "fly"/],
    ['a permission of users', { users: { bob: ['add_resource'] } }, /unknown permission "add_resource"/],
    [
      'a permission that the kind of item does not have',
      { users: { bob: ['view_resourcebase', 'change_layer_data'] } },
      /has no permission "change_layer_data"/,
    ],
    ['a number for a permission', { users: { bob: [1] } }, /unknown permission "1"/],
    ['null for a permission', { users: { bob: [null] } }, /unknown permission/],
    ['text for a list', { users: { bob: 'view_resourcebase' } }, /permissions of "bob" must be a list/],
    ['a list for a member', { users: ['bob'] }, /"users" must be an object/],
    ['a list for everything', [], /must be an object/],
    ['null for everything', null, /must be an object/],
    ['text for everything', 'users', /must be an object/],
    ['a misspelt member', { user: { bob: [] } }, /unknown member "user"/],
    ['SQL for a name', { users: { "x'; drop table portal.resource; --": [] } }, /unknown user "x'; drop table/],
  ];
  test.each(WRONG)('%s is an error that names it, and nothing changes', async (_, spec, says) => {
    await story(db(), async (tale) => {
      const before = await get(tale, 'shared');
      const outcome = await set(tale, 'shared', spec);
      expect(outcome).toMatchObject({ kind: 'failed', sqlstate: '22023' });
      expect(outcome.kind === 'failed' && outcome.message).toMatch(says);
      expect(await get(tale, 'shared')).toEqual(before);
    });
  });

  test('names that nobody has are refused by name, whoever asks, and nobody gets what was meant for them', async () => {
    await story(db(), async (tale) => {
      const before = await get(tale, 'shared');
      const view = ['view_resourcebase'];
      for (const who of ['ada', 'root'] as const) {
        for (const name of ['nobody', 'Ada', 'rangers'])
          expect(await set(tale, 'shared', { users: { [name]: view, bob: view } }, who)).toMatchObject({
            kind: 'failed',
            sqlstate: '22023',
            message: `unknown user "${name}"`,
          });
        const many = await set(tale, 'shared', { users: { nobody: view, 'nobody-else': [], bob: view } }, who);
        expect(many).toMatchObject({ message: 'unknown users "nobody", "nobody-else"' });
        expect(await set(tale, 'shared', { users: { bob: ['fly', 'swim'] } }, who)).toMatchObject({
          message: 'unknown permissions "fly", "swim"',
        });
        const level = JSON.stringify({ users: [{ username: 'nobody', permissions: 'view' }] });
        expect(
          await tale.tell(here.person(who), 'select portal.set_levels($1, $2, true)', here.item('shared'), level),
        ).toMatchObject({ sqlstate: '22023', message: 'unknown user "nobody"' });
      }
      expect(await get(tale, 'shared')).toEqual(before);
      await tale.rows(here.person('root'), "select portal.create_account('nobody') as id");
      expect(await get(tale, 'shared')).toEqual(before);
    });
  });

  test('at most ten names are told of many', async () => {
    await story(db(), async (tale) => {
      const users = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`nobody-${n}`, []]));
      const refused = await set(tale, 'shared', { users });
      expect(refused.kind === 'failed' ? refused.message.match(/"nobody-\d+"/g) : []).toHaveLength(10);
    });
  });

  test('SQL null for everything is an error too', async () => {
    await story(db(), async ({ tell }) => {
      expect(await tell(here.person('ada'), 'select portal.set_perms($1, null)', here.item('shared'))).toMatchObject({
        sqlstate: '22023',
      });
    });
  });

  describe('who may not publish an item', () => {
    test('cannot give that away, nor take it for themselves', async () => {
      await story(db(), async (tale) => {
        // carl holds view and permissions on it, through rangers
        for (const spec of [
          { users: { carl: ['view_resourcebase', 'publish_resourcebase'] } },
          { users: { otto: ['delete_resourcebase'] } },
          { groups: { rangers: ['view_resourcebase', 'change_resourcebase'] } },
          { users: { AnonymousUser: ['change_resourcebase'] } },
        ]) {
          expect(await set(tale, 'judged', spec, 'carl')).toMatchObject({ sqlstate: '42501' });
        }
      });
    });

    test('may leave it with who has it, take it away, and share what they hold', async () => {
      await story(db(), async (tale) => {
        const spec = {
          users: { bob: ['view_resourcebase', 'publish_resourcebase'], otto: ['view_resourcebase'] },
          groups: { rangers: ['view_resourcebase', 'change_resourcebase_permissions'] },
        };
        expect(await set(tale, 'judged', spec, 'carl')).toMatchObject({ kind: 'done' });
        expect(await get(tale, 'judged')).toEqual({ users: { ada: FULL, ...spec.users }, groups: spec.groups });
        expect(await set(tale, 'judged', { groups: spec.groups }, 'carl')).toMatchObject({ kind: 'done' });
        expect(await set(tale, 'judged', spec, 'carl')).toMatchObject({ sqlstate: '42501' });
      });
    });
  });

  test('a private group is unknown to who is not in it, unless it is named already', async () => {
    await story(db(), async (tale) => {
      expect(await set(tale, 'bobs', { groups: { vault: ['view_resourcebase'] } }, 'bob')).toMatchObject({
        sqlstate: '22023',
        message: 'unknown group "vault"',
      });
      expect(await set(tale, 'bobs', { groups: { vault: ['view_resourcebase'] } }, 'root')).toMatchObject({
        kind: 'done',
      });
      expect(await set(tale, 'bobs', { groups: { vault: [FULL[0], FULL[1]] } }, 'bob')).toMatchObject({ kind: 'done' });
      expect(await set(tale, 'open', { groups: { vault: ['view_resourcebase'] } }, 'ada')).toMatchObject({
        kind: 'done',
      });
    });
  });

  test('the columns that decide on visibility follow the grants, however they change', async () => {
    await story(db(), async (tale) => {
      const { rows } = tale;
      const wrong = (): Promise<unknown[]> =>
        rows(
          owner,
          `select r.title from portal.resource r
            cross join lateral (select coalesce(bool_or(g.principal in (-1, 0)), false) as is_public, coalesce(array_agg(g.principal order by g.principal), '{}') as viewers
                                  from portal_private.resource_grant g where g.resource_id = r.id and g.perms & 1 <> 0) v
            where r.is_public <> v.is_public or r.viewers <> case when v.is_public then '{}' else v.viewers end`,
        );
      expect(await wrong()).toEqual([]);
      await set(tale, 'open', { users: { bob: ['view_resourcebase'], carl: ['download_resourcebase'] } });
      expect(await wrong()).toEqual([]);
      await set(tale, 'closed', { groups: { anonymous: ['view_resourcebase'] } });
      expect(await wrong()).toEqual([]);
      await rows(
        here.person('root'),
        'update portal.resource set owner_id = $2 where id = $1',
        here.item('described'),
        here.accountId('otto'),
      );
      expect(await wrong()).toEqual([]);
      await rows(here.person('root'), 'delete from portal.account where username = $1', 'bob');
      expect(await wrong()).toEqual([]);
      await rows(here.person('root'), "delete from portal.user_group where slug = 'rangers'");
      expect(await wrong()).toEqual([]);
      await rows(owner, 'delete from portal_private.resource_grant where principal > 0');
      expect(await wrong()).toEqual([]);
      await rows(owner, 'update portal_private.resource_grant set perms = 3');
      expect(await wrong()).toEqual([]);
    });
  });

  test('an administrator hands an item to another owner, who gets everything; the former one keeps nothing', async () => {
    await story(db(), async (tale) => {
      await tale.rows(
        here.person('root'),
        'update portal.resource set owner_id = $2 where id = $1',
        here.item('closed'),
        here.accountId('bob'),
      );
      expect(await get(tale, 'closed')).toEqual({ users: { bob: LAYER }, groups: {} });
      expect(
        await tale.rows(here.person('ada'), 'select 1 from portal.resource where id = $1', here.item('closed')),
      ).toEqual([]);
    });
  });

  test('an item hidden from everybody can be brought back by who could change it, and by nobody else', async () => {
    await story(db(), async ({ rows, tell }) => {
      const id = here.item('gone');
      const show = 'select portal.set_metadata_only($1, false)';
      expect(await tell(here.person('otto'), show, id)).toMatchObject({ sqlstate: 'P0002' });
      expect(await tell(here.person('visitor'), show, id)).toMatchObject({ sqlstate: '42501' });
      expect(await tell(here.person('otto'), show, 999_999)).toMatchObject({ sqlstate: 'P0002' });
      await rows(here.person('ada'), show, id);
      expect(await rows(here.person('visitor'), 'select 1 from portal.resource where id = $1', id)).toHaveLength(1);
      await rows(here.person('ada'), 'select portal.set_metadata_only($1, true)', id);
      expect(await rows(here.person('root'), 'select 1 from portal.resource where id = $1', id)).toEqual([]);
    });
  });

  test('a deleted group takes its grants along', async () => {
    await story(db(), async (tale) => {
      await tale.rows(here.person('root'), "delete from portal.user_group where slug = 'rangers'");
      expect(await get(tale, 'shared')).toEqual({
        users: { ada: FULL, bob: ['view_resourcebase', 'change_resourcebase'] },
        groups: {},
      });
      expect(
        await tale.rows(here.person('carl'), 'select 1 from portal.resource where id = $1', here.item('shared')),
      ).toEqual([]);
    });
  });

  test('items of a group are those it may see or change, as far as the caller sees them', async () => {
    await story(db(), async ({ rows, tell }) => {
      const of = async (who: Person, slug: string): Promise<number[]> =>
        (await rows<{ id: number }>(here.person(who), 'select portal.group_resources($1) as id', here.group(slug)))
          .map((r) => r.id)
          .sort();
      expect(await of('carl', 'rangers')).toEqual([here.item('shared'), here.item('judged')].sort());
      expect(await of('otto', 'rangers')).toEqual([here.item('judged')]);
      expect(await of('vera', 'vault')).toEqual([here.item('worked')]);
      expect(await of('bob', 'vault')).toEqual([]);
      expect(await of('ghost', 'rangers')).toEqual([]);
      expect(await of('root', 'vault')).toEqual([here.item('worked')]);
      expect(
        await tell(here.person('visitor'), 'select portal.group_resources($1)', here.group('rangers')),
      ).toMatchObject({ sqlstate: '42501' });
    });
  });
});
