// Who may do what with which item: person × item × action, every cell tried out in SQL.

import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { LETTERS, type Letter, MATRIX } from './matrix.ts';
import { type Outcome, story } from './story.ts';
import { ITEMS, type Item, PEOPLE, type Person, readWorld, type World, world } from './world.ts';

type Action = {
  readonly name: string;
  /** Any of these letters. */
  readonly needs: string;
  readonly sql: (item: Item) => string;
  /** What a caller gets who does not see the item; inserts cannot miss, they are refused. */
  readonly hidden: 'missing' | 'refused';
  readonly reads?: boolean;
  readonly only?: 'layer';
  readonly notOn?: Item;
};

const ACTIONS: readonly Action[] = [
  {
    name: 'see it',
    needs: 'v',
    sql: () => 'select title from portal.resource where id = $1',
    hidden: 'missing',
    reads: true,
  },
  {
    name: 'see its link',
    needs: 'v',
    sql: () => 'select url from portal.link where resource_id = $1',
    hidden: 'missing',
    reads: true,
  },
  {
    name: 'see its data',
    needs: 'v',
    sql: () => 'select data from portal.app_data where resource_id = $1',
    hidden: 'missing',
    reads: true,
  },
  {
    name: 'see its attributes',
    needs: 'v',
    sql: () => 'select attribute from portal.attribute where resource_id = $1',
    hidden: 'missing',
    reads: true,
  },
  {
    name: 'see its thumbnail',
    needs: 'v',
    sql: () => 'select blob from portal.thumbnail where resource_id = $1',
    hidden: 'missing',
    reads: true,
    // A document: see the test of its thumbnail.
    notOn: 'described',
  },
  {
    name: 'see its style',
    needs: 'v',
    sql: () =>
      'select s.sld_body from portal.style s join portal.layer_style l on l.style_id = s.id where l.resource_id = $1',
    hidden: 'missing',
    reads: true,
    only: 'layer',
  },
  {
    name: 'read its rows',
    needs: 'v',
    sql: (item) => `select name from layers.${item} where $1::int is not null`,
    hidden: 'missing',
    reads: true,
    only: 'layer',
  },
  {
    name: 'get its file',
    needs: 'd',
    sql: () => 'select blob from portal.document_file where resource_id = $1',
    hidden: 'missing',
    reads: true,
  },
  {
    name: 'change its title',
    needs: 'cm',
    sql: () => "update portal.resource set title = 'changed' where id = $1",
    hidden: 'missing',
  },
  { name: 'change its keywords', needs: 'cm', sql: () => "select portal.set_keywords($1, '{new}')", hidden: 'missing' },
  { name: 'change its regions', needs: 'cm', sql: () => "select portal.set_regions($1, '{3}')", hidden: 'missing' },
  {
    name: 'describe its attributes',
    needs: 'cm',
    sql: () => "update portal.attribute set description = 'd' where resource_id = $1",
    hidden: 'missing',
  },
  {
    name: 'change its view',
    needs: 'c',
    sql: () => 'update portal.resource set zoom = 9 where id = $1',
    hidden: 'missing',
  },
  {
    name: 'change title and view',
    needs: 'c',
    sql: () => "update portal.resource set title = 't', zoom = 9 where id = $1",
    hidden: 'missing',
  },
  {
    name: 'change its data',
    needs: 'c',
    sql: () => "update portal.app_data set data = '{}' where resource_id = $1",
    hidden: 'missing',
  },
  {
    name: 'delete its data',
    needs: 'c',
    sql: () => 'delete from portal.app_data where resource_id = $1',
    hidden: 'missing',
  },
  {
    name: 'add a link',
    needs: 'c',
    sql: () =>
      "insert into portal.link (resource_id, extension, link_type, name, mime, url) values ($1, 'a', 'b', 'c', 'd', 'e')",
    hidden: 'refused',
  },
  {
    name: 'delete its link',
    needs: 'c',
    sql: () => 'delete from portal.link where resource_id = $1',
    hidden: 'missing',
  },
  {
    name: 'replace its thumbnail',
    needs: 'c',
    sql: () => "update portal.thumbnail set blob = 'mine' where resource_id = $1",
    hidden: 'missing',
    notOn: 'described',
  },
  // What is hidden already can be hidden again and shown by who could change it: see the test of metadata_only.
  {
    name: 'hide it',
    needs: 'c',
    sql: () => 'select portal.set_metadata_only($1, true)',
    hidden: 'missing',
    notOn: 'gone',
  },
  { name: 'delete it', needs: 'x', sql: () => 'delete from portal.resource where id = $1', hidden: 'missing' },
  { name: 'set its permissions', needs: 'p', sql: () => "select portal.set_perms($1, '{}')", hidden: 'missing' },
  { name: 'read its permissions', needs: 'p', sql: () => 'select portal.get_perms($1)', hidden: 'missing' },
  {
    name: 'publish it',
    needs: 'u',
    sql: () => 'update portal.resource set is_published = not is_published where id = $1',
    hidden: 'missing',
  },
  {
    name: 'approve it',
    needs: 'u',
    sql: () => 'update portal.resource set is_approved = not is_approved where id = $1',
    hidden: 'missing',
  },
  {
    name: 'add a row',
    needs: 'D',
    sql: (item) => `insert into layers.${item} (name) select 'three' where $1::int is not null`,
    hidden: 'refused',
    only: 'layer',
  },
  {
    name: 'change a row',
    needs: 'D',
    sql: (item) => `update layers.${item} set name = 'x' where id <> $1`,
    hidden: 'missing',
    only: 'layer',
  },
  {
    name: 'delete a row',
    needs: 'D',
    sql: (item) => `delete from layers.${item} where id <> $1`,
    hidden: 'refused',
    only: 'layer',
  },
  {
    name: 'change its style',
    needs: 'S',
    sql: () =>
      "update portal.style set sld_body = 'x' where id = (select style_id from portal.layer_style where resource_id = $1)",
    hidden: 'missing',
    only: 'layer',
  },
  {
    name: 'unset its default style',
    needs: 'S',
    sql: () => 'update portal.resource set default_style_id = null where id = $1',
    hidden: 'missing',
    only: 'layer',
  },
  {
    name: 'add a style',
    needs: 'S',
    sql: () => "select portal.add_style($1, 'new', '<sld/>')",
    hidden: 'missing',
    only: 'layer',
  },
];

const LAYERS: readonly Item[] = ['open', 'closed', 'worked', 'gone', 'unready'];

onEachEngine('permissions', { fixtures: world }, (db) => {
  let here: World;
  beforeAll(async () => {
    here = await readWorld(db());
  });

  for (const item of ITEMS) {
    describe(`the item "${item}"`, () => {
      for (const person of PEOPLE) {
        const letters = MATRIX[item][person];
        test(`${person}: ${letters === '' ? 'nothing' : letters}`, async () => {
          const wrong: string[] = [];
          for (const action of ACTIONS.filter(
            (a) => a.notOn !== item && (a.only === undefined || LAYERS.includes(item)),
          )) {
            const outcome = await story(db(), ({ tell }) =>
              tell(here.person(person), action.sql(item), here.item(item)),
            );
            const was = summary(outcome);
            const should = expected(action, person, letters);
            if (was !== should)
              wrong.push(
                `${action.name}: ${was} instead of ${should} ${outcome.kind === 'failed' ? outcome.message : ''}`,
              );
          }
          expect(wrong).toEqual([]);
        });

        test(`${person} is told so`, async () => {
          const names = [...letters].map((letter) => LETTERS[letter as Letter]);
          const id = here.item(item);
          await story(db(), async ({ rows }) => {
            const caller = here.person(person);
            const [told] = await rows(caller, 'select to_json(portal.my_perms($1)) as mine', id);
            expect(told).toEqual({ mine: names });
            for (const [letter, permission] of Object.entries(LETTERS)) {
              const [may] = await rows(caller, 'select portal.may($1, $2)', id, permission);
              expect({ permission, ...may }).toEqual({ permission, may: letters.includes(letter) });
            }
          });
        });
      }
    });
  }

  test('a list shows what the matrix says, and counts it', async () => {
    for (const person of PEOPLE) {
      const visible = ITEMS.filter((item) => MATRIX[item][person] !== '').sort();
      await story(db(), async ({ rows }) => {
        const caller = here.person(person);
        const listed = await rows<{ title: string }>(caller, 'select title from portal.resource order by title');
        expect({ person, items: listed.map((r) => r.title) }).toEqual({ person, items: visible });
        const [counted] = await rows(caller, 'select count(*)::int from portal.resource');
        expect(counted).toEqual({ count: visible.length });
        const [total] = await rows(caller, 'select portal.visible_count()::int as count');
        expect(total).toEqual(counted);
        const byType = `select resource_type from portal.resource group by 1 having count(*) <> portal.visible_count(resource_type)`;
        expect(await rows(caller, byType)).toEqual([]);
      });
    }
  });

  test('what hangs on hidden items is not in any list', async () => {
    for (const person of PEOPLE) {
      const visible = ITEMS.filter((item) => MATRIX[item][person] !== '').map((item) => here.item(item));
      await story(db(), async ({ rows }) => {
        for (const table of [
          'link',
          'thumbnail',
          'app_data',
          'attribute',
          'resource_keyword',
          'resource_region',
          'layer_style',
          'document_file',
        ]) {
          const found = await rows<{ id: number }>(
            here.person(person),
            `select distinct resource_id as id from portal.${table}`,
          );
          expect({ person, table, strangers: found.filter(({ id }) => !visible.includes(id)) }).toEqual({
            person,
            table,
            strangers: [],
          });
        }
        const words = await rows<{ name: string }>(
          here.person(person),
          "select name from portal.keyword where name like 'word of %'",
        );
        const titles = ITEMS.filter((item) => MATRIX[item][person] !== '' && item !== 'bobs');
        expect({ person, words: words.map((w) => w.name).sort() }).toEqual({
          person,
          words: titles.map((t) => `word of ${t}`).sort(),
        });
      });
    }
  });

  test('a grant that is taken back is gone in the next statement, and one that is given is there', async () => {
    await story(db(), async ({ rows, tell }) => {
      const bob = here.person('bob');
      const id = here.item('worked');
      const sees = async (): Promise<number[]> => [
        (await rows(bob, 'select 1 from portal.resource where id = $1', id)).length,
        (await rows(bob, 'select 1 from layers.worked')).length,
        (await rows(bob, `select 1 from portal.link where resource_id = $1 and name = 'page'`, id)).length,
        (await rows(bob, "select 1 from portal.search_ids('{worked}')")).length,
      ];
      expect(await sees()).toEqual([1, 2, 1, 1]);
      await rows(here.person('ada'), "select portal.set_perms($1, '{}')", id);
      expect(await sees()).toEqual([0, 0, 0, 0]);
      await rows(
        here.person('ada'),
        `select portal.set_perms($1, '{"groups": {"anonymous": ["view_resourcebase"]}}')`,
        id,
      );
      expect(await sees()).toEqual([1, 2, 1, 1]);
      await rows(
        here.person('root'),
        'update portal.account_detail set is_active = false where account_id = $1',
        here.accountId('ada'),
      );
      expect(await tell(here.person('ada'), "update portal.resource set title = 't' where id = $1", id)).toMatchObject({
        sqlstate: '42501',
      });
    });
  });
});

function summary(outcome: Outcome): 'done' | 'refused' | 'missing' | string {
  if (outcome.kind === 'failed') {
    if (outcome.sqlstate === '42501') return 'refused';
    if (outcome.sqlstate === 'P0002') return 'missing';
    return `${outcome.sqlstate} ${outcome.message}`;
  }
  return outcome.count === 0 ? 'missing' : 'done';
}

function expected(action: Action, person: Person, letters: string): 'done' | 'refused' | 'missing' {
  const may = [...action.needs].some((letter) => letters.includes(letter));
  if (action.reads === true) return may ? 'done' : 'missing';
  // Visitors hold no privilege to write anything; only reading permissions they may at least ask.
  if (person === 'visitor' && action.name !== 'read its permissions') return 'refused';
  if (letters === '') return action.hidden;
  return may ? 'done' : 'refused';
}
