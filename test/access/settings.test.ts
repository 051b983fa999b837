// What the switches of the portal change: moderation, publishing, private groups, read-only, and the defaults of new items.

import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { type Caller, owner, type Story, service, story } from './story.ts';
import { PEOPLE, type Person, readWorld, type World, world } from './world.ts';

type Switch =
  | 'ADMIN_MODERATE_UPLOADS'
  | 'RESOURCE_PUBLISHING'
  | 'GROUP_PRIVATE_RESOURCES'
  | 'DEFAULT_ANONYMOUS_VIEW_PERMISSION'
  | 'DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION'
  | 'READ_ONLY';

async function turn({ rows }: Story, name: Switch, value: boolean): Promise<void> {
  const changed = await rows(
    service,
    'update portal.setting set value = $2 where name = $1 returning name',
    name,
    value,
  );
  expect(changed).toEqual([{ name }]);
}

// Items of ada, all granted to everybody: approved?, published?, group
const STOCK: Record<string, readonly [approved: boolean, published: boolean, group: string | null]> = {
  plain: [true, true, null],
  unpublished: [true, false, null],
  unapproved: [false, true, null],
  raw: [false, false, null],
  vaulted: [true, true, 'vault'],
  'vaulted raw': [false, false, 'vault'],
  ranged: [true, false, 'rangers'],
  'ranged raw': [false, false, 'rangers'],
};
const everything = Object.keys(STOCK);
const but = (...hidden: string[]): string[] => everything.filter((name) => !hidden.includes(name));

type Case = { readonly on: readonly Switch[]; readonly sees: Partial<Record<Person, readonly string[]>> };
const CASES: readonly Case[] = [
  {
    on: [],
    sees: {
      visitor: everything,
      dora: everything,
      otto: everything,
      vera: everything,
      mia: everything,
      stella: everything,
    },
  },
  {
    on: ['ADMIN_MODERATE_UPLOADS'],
    sees: {
      visitor: ['plain', 'vaulted', 'ranged'],
      dora: ['plain', 'vaulted', 'ranged'],
      otto: everything,
      vera: everything,
      mia: everything,
      stella: everything,
    },
  },
  {
    on: ['RESOURCE_PUBLISHING'],
    sees: {
      visitor: ['plain', 'unapproved', 'vaulted'],
      dora: ['plain', 'unapproved', 'vaulted'],
      otto: everything,
      vera: everything,
      mia: everything,
      stella: everything,
    },
  },
  {
    on: ['ADMIN_MODERATE_UPLOADS', 'RESOURCE_PUBLISHING'],
    sees: {
      visitor: ['plain', 'vaulted'],
      dora: ['plain', 'vaulted'],
      otto: ['plain', 'unpublished', 'vaulted', 'ranged'],
      vera: ['plain', 'unpublished', 'vaulted', 'ranged'],
      // manages a group of the owner, but the items are older than the moderation that makes her approve
      mia: ['plain', 'unpublished', 'vaulted', 'ranged'],
      stella: ['plain', 'unpublished', 'vaulted', 'ranged'],
    },
  },
  {
    on: ['GROUP_PRIVATE_RESOURCES'],
    sees: {
      visitor: but('vaulted', 'vaulted raw'),
      dora: but('vaulted', 'vaulted raw'),
      otto: but('vaulted', 'vaulted raw'),
      vera: everything,
      mia: but('vaulted', 'vaulted raw'),
      stella: but('vaulted', 'vaulted raw'),
    },
  },
  {
    on: ['ADMIN_MODERATE_UPLOADS', 'RESOURCE_PUBLISHING', 'GROUP_PRIVATE_RESOURCES'],
    sees: {
      visitor: ['plain'],
      dora: ['plain'],
      otto: ['plain', 'unpublished', 'ranged'],
      vera: ['plain', 'unpublished', 'vaulted', 'ranged'],
      mia: ['plain', 'unpublished', 'ranged'],
      stella: ['plain', 'unpublished', 'ranged'],
    },
  },
];

onEachEngine('settings', { fixtures: world }, (db) => {
  let here: World;
  beforeAll(async () => {
    here = await readWorld(db());
  });
  const person = (name: Person): Caller => here.person(name);

  async function stock({ rows }: Story): Promise<void> {
    for (const [title, [approved, published, group]] of Object.entries(STOCK)) {
      await rows(
        person('ada'),
        "insert into portal.resource (resource_type, title, abstract, is_approved, is_published, group_id) values ('document', $1, 'stock', $2, $3, $4)",
        title,
        approved,
        published,
        group === null ? null : here.group(group),
      );
    }
  }

  for (const { on, sees } of CASES) {
    test(`with ${on.join(', ') || 'no switch'} on, each sees its part`, async () => {
      await story(db(), async (tale) => {
        await stock(tale);
        for (const name of on) await turn(tale, name, true);
        for (const [who, titles] of Object.entries({ ...sees, ada: everything, root: everything })) {
          const caller = person(who as Person);
          const listed = await tale.rows<{ title: string }>(
            caller,
            "select title from portal.resource where abstract = 'stock' order by id",
          );
          expect({ who, sees: listed.map((r) => r.title) }).toEqual({ who, sees: titles });
          // Functions, search and children say the same.
          const told = await tale.rows<{ title: string; id: number }>(
            owner,
            "select id, title from portal.resource where abstract = 'stock'",
          );
          for (const { id, title } of told) {
            const [may] = await tale.rows(caller, "select portal.may($1, 'view_resourcebase')", id);
            expect({ who, title, ...may }).toEqual({ who, title, may: titles.includes(title) });
          }
          const [page] = await tale.rows(
            caller,
            "select count(*)::int from unnest($1::integer[]) as id where portal.my_perms(id) <> '{}'",
            told.map(({ id }) => id),
          );
          expect({ who, ...page }).toEqual({ who, count: titles.length });
          const [total] = await tale.rows(
            caller,
            `select portal.visible_count()::int - (select count(*)::int from portal.resource) as items,
                    portal.visible_count('document')::int - (select count(*)::int from portal.resource where resource_type = 'document') as documents,
                    portal.visible_count(null, 8)::int - (select count(*)::int from portal.resource where is_approved) as approved,
                    portal.visible_count('layer', 2)::int - (select count(*)::int from portal.resource where is_published and resource_type = 'layer') as published`,
          );
          expect({ who, off: total }).toEqual({ who, off: { items: 0, documents: 0, approved: 0, published: 0 } });
          const [found] = await tale.rows(caller, "select count(*)::int from portal.search_ids('{stock}')");
          expect({ who, ...found }).toEqual({ who, count: titles.length });
        }
      });
    });
  }

  test('a group that turns private takes its items along, and gives them back', async () => {
    await story(db(), async (tale) => {
      await stock(tale);
      await turn(tale, 'GROUP_PRIVATE_RESOURCES', true);
      const seen = async (): Promise<number> =>
        (await tale.rows(person('otto'), "select 1 from portal.resource where title like 'ranged%'")).length;
      expect(await seen()).toBe(2);
      await tale.rows(person('mia'), "update portal.user_group set access = 'private' where slug = 'rangers'");
      expect(await seen()).toBe(0);
      await tale.rows(person('mia'), "update portal.user_group set access = 'public' where slug = 'rangers'");
      expect(await seen()).toBe(2);
      await tale.rows(person('root'), "delete from portal.user_group where slug = 'vault'");
      expect(await tale.rows(person('otto'), "select 1 from portal.resource where title like 'vaulted%'")).toHaveLength(
        2,
      );
    });
  });

  describe('a new item', () => {
    const grants = async (tale: Story, who: Person): Promise<unknown> => {
      const [made] = await tale.rows<{ id: number }>(
        person(who),
        "insert into portal.resource (resource_type, title) values ('document', 'new') returning id",
      );
      const [read] = await tale.rows<{ get_perms: unknown }>(person('root'), 'select portal.get_perms($1)', made?.id);
      return read?.get_perms;
    };
    const full = [
      'view_resourcebase',
      'download_resourcebase',
      'change_resourcebase',
      'change_resourcebase_metadata',
      'delete_resourcebase',
      'change_resourcebase_permissions',
      'publish_resourcebase',
    ];
    const moderated = full.filter(
      (name) => name !== 'change_resourcebase_permissions' && name !== 'publish_resourcebase',
    );
    const [view, download] = ['view_resourcebase', 'download_resourcebase'];

    test('is its owner’s, no manager’s, and to be seen and downloaded by everybody', async () => {
      await story(db(), async (tale) => {
        expect(await grants(tale, 'ada')).toEqual({
          users: { ada: full },
          groups: { anonymous: [view, download] },
        });
        expect(await grants(tale, 'bob')).toEqual({ users: { bob: full }, groups: { anonymous: [view, download] } });
      });
    });

    test('is for the owner’s groups where everybody is shut out by default', async () => {
      await story(db(), async (tale) => {
        await turn(tale, 'DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION', false);
        expect(await grants(tale, 'carl')).toEqual({
          users: { carl: full },
          groups: { anonymous: [view], rangers: [download] },
        });
        await turn(tale, 'DEFAULT_ANONYMOUS_VIEW_PERMISSION', false);
        expect(await grants(tale, 'ada')).toEqual({
          users: { ada: full },
          groups: { rangers: [view, download], vault: [view, download] },
        });
        expect(await grants(tale, 'bob')).toEqual({ users: { bob: full }, groups: {} });
      });
    });

    test.each(['RESOURCE_PUBLISHING', 'ADMIN_MODERATE_UPLOADS'] as const)(
      'waits for others where %s is on',
      async (name) => {
        await story(db(), async (tale) => {
          await turn(tale, name, true);
          expect(await grants(tale, 'ada')).toEqual({
            users: { ada: moderated, mia: full },
            groups: { anonymous: [view, download] },
          });
          const [made] = await tale.rows<{ id: number }>(
            person('ada'),
            "insert into portal.resource (resource_type, title, is_approved, is_published) values ('document', 'eager', true, true) returning id, is_approved, is_published",
          );
          expect(made).toMatchObject(
            name === 'RESOURCE_PUBLISHING'
              ? { is_approved: true, is_published: false }
              : { is_approved: false, is_published: true },
          );
          for (const sql of [
            'update portal.resource set is_published = not is_published where id = $1',
            'update portal.resource set is_approved = not is_approved where id = $1',
            "select portal.set_perms($1, '{}')",
          ]) {
            expect(await tale.tell(person('ada'), sql, made?.id)).toMatchObject({ sqlstate: '42501' });
          }
          expect(
            await tale.tell(
              person('mia'),
              'update portal.resource set is_published = true, is_approved = true where id = $1',
              made?.id,
            ),
          ).toMatchObject({ kind: 'done', count: 1 });
          // Even a manager’s replacement of all grants gives the owner no more than an owner has.
          await tale.rows(
            person('mia'),
            `select portal.set_perms($1, '{"users": {"mia": ["view_resourcebase", "change_resourcebase_permissions"]}}')`,
            made?.id,
          );
          const [read] = await tale.rows<{ get_perms: { users: unknown } }>(
            person('root'),
            'select portal.get_perms($1)',
            made?.id,
          );
          expect(read?.get_perms.users).toMatchObject({ ada: moderated });
        });
      },
    );

    test('is seen by its owner at once, where moderation and publishing are on', async () => {
      await story(db(), async (tale) => {
        await turn(tale, 'RESOURCE_PUBLISHING', true);
        await turn(tale, 'ADMIN_MODERATE_UPLOADS', true);
        await turn(tale, 'GROUP_PRIVATE_RESOURCES', true);
        const [made] = await tale.rows<{ id: number }>(
          person('ada'),
          "insert into portal.resource (resource_type, title, group_id) values ('document', 'n', $1) returning id, is_approved, is_published",
          here.group('vault'),
        );
        expect(made).toMatchObject({ is_approved: false, is_published: false });
        expect(
          await tale.rows(
            person('ada'),
            "update portal.resource set title = 'm' where id = $1 returning title",
            made?.id,
          ),
        ).toEqual([{ title: 'm' }]);
      });
    });

    test('of an administrator needs nobody’s approval', async () => {
      await story(db(), async (tale) => {
        await turn(tale, 'RESOURCE_PUBLISHING', true);
        await turn(tale, 'ADMIN_MODERATE_UPLOADS', true);
        const [made] = await tale.rows(
          person('root'),
          "insert into portal.resource (resource_type, title, featured) values ('document', 'n', true) returning is_approved, is_published, featured",
        );
        expect(made).toEqual({ is_approved: true, is_published: true, featured: true });
      });
    });
  });

  describe('read-only', () => {
    const WRITES: readonly string[] = [
      "insert into portal.resource (resource_type, title) values ('document', 'n')",
      "update portal.resource set title = 'x' where title = 'open'",
      "delete from portal.resource where title = 'open'",
      "select portal.set_perms((select id from portal.resource where title = 'open'), '{}')",
      "select portal.set_keywords((select id from portal.resource where title = 'open'), '{a}')",
      "insert into portal.upload (name) values ('x')",
      "update portal.upload set name = 'x'",
      "insert into portal.favourite (account_id, resource_id) select portal.me(), id from portal.resource where title = 'judged'",
      'update portal.account set first_name = first_name where id = portal.me()',
      'update portal.account_detail set email = email where account_id = portal.me()',
      'update layers.open set name = name',
      'delete from layers.open',
      "insert into layers.open (name) values ('x')",
    ];

    test('refuses every change but an administrator’s', async () => {
      await story(db(), async (tale) => {
        await turn(tale, 'READ_ONLY', true);
        for (const sql of WRITES) {
          expect({ sql, ...(await tale.tell(person('ada'), sql)) }).toMatchObject({ sql, sqlstate: '42501' });
        }
        expect(
          await tale.tell(person('stella'), "update portal.resource set title = 'x' where title = 'open'"),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tale.tell(person('mia'), "update portal.user_group set title = 'x' where slug = 'rangers'"),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tale.tell(person('mia'), "select portal.invite_group_member($1, 'otto', false)", here.group('rangers')),
        ).toMatchObject({ sqlstate: '42501' });
        expect(
          await tale.tell(person('root'), "update portal.resource set title = 'x' where title = 'open'"),
        ).toMatchObject({ count: 1 });
      });
    });

    test('takes the names of changes out of what callers are told', async () => {
      await story(db(), async (tale) => {
        await turn(tale, 'READ_ONLY', true);
        const [told] = await tale.rows(
          person('ada'),
          'select to_json(portal.my_perms($1)) as perms, portal.may_add()',
          here.item('open'),
        );
        expect(told).toEqual({ perms: ['view_resourcebase', 'download_resourcebase'], may_add: false });
        const [admin] = await tale.rows(
          person('root'),
          'select cardinality(portal.my_perms($1)) as perms, portal.may_add()',
          here.item('open'),
        );
        expect(admin).toEqual({ perms: 9, may_add: true });
      });
    });

    test('is over as soon as it is switched off', async () => {
      await story(db(), async (tale) => {
        await turn(tale, 'READ_ONLY', true);
        await turn(tale, 'READ_ONLY', false);
        expect(
          await tale.tell(person('ada'), "update portal.resource set title = 'x' where title = 'open'"),
        ).toMatchObject({ count: 1 });
      });
    });
  });

  test('who is asking, found in one go, is what its parts say, whoever it is and whatever is switched', async () => {
    await story(db(), async (tale) => {
      const { rows } = tale;
      await rows(
        owner,
        `create function public.parts_agree() returns boolean language sql stable security definer return
           portal_private.who() is not distinct from row(portal_private.find_me(), portal_private.find_admin(),
             portal_private.find_staff(portal_private.find_me(), portal_private.find_admin()), portal_private.find_admin() or not portal.setting_on('READ_ONLY'),
             portal_private.find_principals(portal_private.find_me()),
             portal_private.find_rules(portal_private.find_me(), portal_private.find_admin()))::portal_private.caller`,
      );
      const callers = [...PEOPLE.map((one) => person(one)), service, owner];
      const agree = async (): Promise<void> => {
        for (const caller of callers)
          expect(await rows(caller, 'select public.parts_agree() as agree'), JSON.stringify(caller)).toEqual([
            { agree: true },
          ]);
      };
      await agree();
      for (const name of [
        'READ_ONLY',
        'GROUP_PRIVATE_RESOURCES',
        'RESOURCE_PUBLISHING',
        'ADMIN_MODERATE_UPLOADS',
      ] as const) {
        await turn(tale, name, true);
        await agree();
      }
      await rows(owner, "delete from portal.setting where name = 'READ_ONLY'");
      await agree();
    });
  });

  test('switches are read by everybody and turned by administrators', async () => {
    await story(db(), async ({ rows, tell }) => {
      for (const who of ['visitor', 'otto', 'stella'] as const) {
        expect(await rows(person(who), 'select name from portal.setting')).toHaveLength(8);
        expect(await tell(person(who), 'update portal.setting set value = true')).toMatchObject({ sqlstate: '42501' });
      }
      expect(await tell(person('fallen'), 'update portal.setting set value = true')).toMatchObject({
        kind: 'done',
        count: 0,
      });
      expect(await tell(person('root'), "delete from portal.setting where name = 'READ_ONLY'")).toMatchObject({
        sqlstate: '42501',
      });
      expect(await tell(person('root'), "insert into portal.setting values ('NEW', true, '')")).toMatchObject({
        sqlstate: '42501',
      });
    });
  });
});
