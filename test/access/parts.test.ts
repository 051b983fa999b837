// What hangs on items: maps and their layers, styles, keywords, documents, viewer data, uploads, favourites, layer tables, search.

import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { authenticator, owner, service, story } from './story.ts';
import { type Person, readWorld, type World, world } from './world.ts';

onEachEngine('parts of items', { fixtures: world }, (db) => {
  let here: World;
  beforeAll(async () => {
    here = await readWorld(db());
  });

  describe('deleting a layer', () => {
    test('takes it out of maps, and its table, attributes, grants and own styles along', async () => {
      await story(db(), async ({ rows }) => {
        const id = here.item('open');
        const [style] = await rows<{ id: number }>(
          owner,
          'select style_id as id from portal.layer_style where resource_id = $1',
          id,
        );
        await rows(here.person('ada'), 'delete from portal.resource where id = $1', id);
        for (const sql of [
          'select 1 from portal.map_layer where layer_id = $1',
          'select 1 from portal.attribute where resource_id = $1',
          'select 1 from portal.layer_style where resource_id = $1',
          'select 1 from portal_private.resource_grant where resource_id = $1',
          'select 1 from portal_private.search_item where resource_id = $1',
          'select 1 from portal_private.layer_table where resource_id = $1',
          'select 1 from portal.favourite where resource_id = $1',
        ]) {
          expect({ sql, left: await rows(owner, sql, id) }).toEqual({ sql, left: [] });
        }
        expect(await rows(owner, 'select 1 from portal.style where id = $1', style?.id)).toEqual([]);
        expect(await rows(owner, "select to_regclass('layers.open') as table")).toEqual([{ table: null }]);
        expect(await rows(owner, 'select 1 from portal.resource where id = $1', here.item('shared'))).toHaveLength(1);
      });
    });

    test('leaves a style that another layer uses', async () => {
      await story(db(), async ({ rows }) => {
        const [style] = await rows<{ id: number }>(
          owner,
          'select style_id as id from portal.layer_style where resource_id = $1',
          here.item('open'),
        );
        await rows(owner, 'insert into portal.layer_style values ($1, $2)', here.item('worked'), style?.id);
        await rows(here.person('ada'), 'delete from portal.resource where id = $1', here.item('open'));
        expect(await rows(here.person('bob'), 'select 1 from portal.style where id = $1', style?.id)).toHaveLength(1);
        await rows(here.person('bob'), 'select portal.remove_style($1, $2)', here.item('worked'), style?.id);
        expect(await rows(owner, 'select 1 from portal.style where id = $1', style?.id)).toEqual([]);
      });
    });

    test('several in one statement: all or nothing', async () => {
      await story(db(), async ({ rows, tell }) => {
        const ids = [here.item('bobs'), here.item('open')];
        expect(await tell(here.person('bob'), 'delete from portal.resource where id = any($1)', ids)).toMatchObject({
          sqlstate: '42501',
        });
        expect(await rows(owner, 'select 1 from portal.resource where id = any($1)', ids)).toHaveLength(2);
        // What the caller cannot see is not there to be deleted.
        expect(
          await tell(here.person('bob'), 'delete from portal.resource where id = any($1)', [
            here.item('bobs'),
            here.item('closed'),
          ]),
        ).toMatchObject({ count: 1 });
      });
    });
  });

  describe('styles', () => {
    test('that several layers share are changed by who may change them all', async () => {
      await story(db(), async ({ rows, tell }) => {
        const [style] = await rows<{ id: number }>(
          owner,
          'select style_id as id from portal.layer_style where resource_id = $1',
          here.item('worked'),
        );
        const change = "update portal.style set sld_body = 'x' where id = $1";
        expect(await tell(here.person('bob'), change, style?.id)).toMatchObject({ count: 1 });
        await rows(owner, 'insert into portal.layer_style values ($1, $2)', here.item('closed'), style?.id);
        expect(await tell(here.person('bob'), change, style?.id)).toMatchObject({ sqlstate: '42501' });
        expect(await tell(here.person('ada'), change, style?.id)).toMatchObject({ count: 1 });
      });
    });

    test('get another name where theirs is taken, and only layers have them', async () => {
      await story(db(), async ({ rows, tell }) => {
        const add = (item: 'open' | 'shared'): ReturnType<typeof tell> =>
          tell(here.person('ada'), "select portal.add_style($1, 'style of open', 'x') as id", here.item(item));
        const made = await add('open');
        const [named] = await rows<{ name: string }>(
          owner,
          'select name from portal.style where id = $1',
          made.kind === 'done' ? made.rows[0]?.['id'] : 0,
        );
        expect(named?.name).toMatch(/^style of open_[0-9a-f]{4}$/);
        expect(
          await tell(here.person('root'), "select portal.add_style($1, 's', 'x')", here.item('shared')),
        ).toMatchObject({ sqlstate: '42501' });
      });
    });
  });

  test('layers whose names are taken get others, and names are cleaned', async () => {
    await story(db(), async ({ rows }) => {
      const make = async (title: string): Promise<unknown> =>
        (
          await rows(
            here.person('bob'),
            "insert into portal.resource (resource_type, title) values ('layer', $1) returning name, alternate",
            title,
          )
        )[0];
      expect(await make('2021 rivers & lakes')).toEqual({
        name: '_2021_rivers___lakes',
        alternate: 'portal:_2021_rivers___lakes',
      });
      expect(await make('Flüsse.v2')).toMatchObject({ alternate: expect.stringMatching(/^portal:Fl.{1,2}sse\.v2$/) });
      expect(await make('open')).toMatchObject({
        name: expect.stringMatching(/^open_[0-9a-f]{4}$/),
        alternate: expect.stringMatching(/^portal:open_[0-9a-f]{4}$/),
      });
    });
  });

  test('keywords are found whatever their case, made once, and have slugs of their own', async () => {
    await story(db(), async ({ rows, tell }) => {
      const set = (names: string[]): ReturnType<typeof tell> =>
        tell(here.person('ada'), 'select portal.set_keywords($1, $2)', here.item('open'), names);
      const words = (): Promise<unknown> =>
        rows(
          here.person('ada'),
          'select k.name, k.slug from portal.keyword k join portal.resource_keyword r on r.keyword_id = k.id where r.resource_id = $1 order by k.id',
          here.item('open'),
        );
      await set(['Common', ' water ', 'Water', '', 'Öl & Gas', '++', 'a-b', 'a b']);
      expect(await words()).toEqual([
        { name: 'common', slug: 'common' },
        { name: 'water', slug: 'water' },
        { name: 'Öl & Gas', slug: expect.stringMatching(/gas$/) },
        { name: '++', slug: 'keyword' },
        { name: 'a-b', slug: 'a-b' },
        { name: 'a b', slug: expect.stringMatching(/^a-b-[0-9a-f]{8}$/) },
      ]);
      await set([]);
      expect(await words()).toEqual([]);
      expect(await set(['x'.repeat(101)])).toMatchObject({ sqlstate: '22023' });
      expect(
        await tell(here.person('ada'), "select portal.set_regions($1, '{1, 100000}')", here.item('open')),
      ).toMatchObject({ sqlstate: '22023', message: 'unknown region 100000' });
    });
  });

  test('a thumbnail made of the file of a document is for those who get the file, a chosen one for all who see the document', async () => {
    await story(db(), async ({ rows, tell }) => {
      const document = here.item('described');
      const seen = async (who: Person): Promise<unknown[]> =>
        (
          await rows(
            here.person(who),
            'select curated from portal.thumbnail where resource_id = $1 order by 1',
            document,
          )
        ).map((r) => r['curated']);
      const told = async (who: Person): Promise<unknown> =>
        (await rows(here.person(who), 'select has_thumbnail from portal.item_parts($1)', `{${document}}`))[0]?.[
          'has_thumbnail'
        ];
      expect([await seen('ada'), await seen('bob'), await seen('otto'), await seen('visitor')]).toEqual([
        [false],
        [],
        [],
        [],
      ]);
      expect([await told('ada'), await told('bob'), await told('otto')]).toEqual([true, false, false]);
      const chosen = await tell(
        here.person('ada'),
        "insert into portal.thumbnail (resource_id, curated, blob) values ($1, true, 'chosen')",
        document,
      );
      expect(chosen).toMatchObject({ count: 1 });
      expect([await seen('ada'), await seen('bob'), await seen('visitor')]).toEqual([[false, true], [true], []]);
      expect([await told('ada'), await told('bob')]).toEqual([true, true]);
    });
  });

  test('links of documents show only what the caller sees', async () => {
    await story(db(), async ({ rows, tell }) => {
      const link = (who: Person, document: 'described' | 'bobs', to: 'open' | 'closed'): ReturnType<typeof tell> =>
        tell(here.person(who), 'insert into portal.document_link values ($1, $2)', here.item(document), here.item(to));
      expect(await link('ada', 'described', 'open')).toMatchObject({ count: 1 });
      expect(await link('ada', 'described', 'closed')).toMatchObject({ count: 1 });
      expect(await link('ada', 'bobs', 'open')).toMatchObject({ sqlstate: '42501' });
      expect(await link('bob', 'bobs', 'closed')).toMatchObject({ sqlstate: '42501' });
      const links = async (who: Person): Promise<unknown> =>
        (
          await rows(
            here.person(who),
            'select resource_id from portal.document_link where document_id = $1 order by 1',
            here.item('described'),
          )
        ).map((r) => r['resource_id']);
      expect(await links('ada')).toEqual([here.item('open'), here.item('closed')]);
      expect(await links('bob')).toEqual([here.item('open')]);
      expect(await links('otto')).toEqual([here.item('open')]);
      expect(await links('visitor')).toEqual([]);
    });
  });

  test('the viewer store holds one’s own maps, whoever else may see them', async () => {
    await story(db(), async ({ rows, tell }) => {
      const store = async (who: Person): Promise<unknown[]> =>
        rows(here.person(who), 'select id, "user", data from portal.viewer_store');
      expect(await store('ada')).toEqual([{ id: here.item('shared'), user: 'ada', data: { secret: true } }]);
      expect(await store('root')).toHaveLength(1);
      for (const who of ['bob', 'carl', 'stella', 'dora', 'ghost'] as const) expect(await store(who)).toEqual([]);
      expect(await tell(here.person('visitor'), 'select * from portal.viewer_store')).toMatchObject({
        sqlstate: '42501',
      });
      await rows(here.person('ada'), 'select portal.set_metadata_only($1, true)', here.item('shared'));
      expect(await store('ada')).toEqual([]);
    });
  });

  test('favourites are one’s own, and of items one sees', async () => {
    await story(db(), async ({ rows, tell }) => {
      const mine = async (who: Person): Promise<unknown[]> =>
        rows(here.person(who), 'select resource_id from portal.favourite');
      expect(await mine('ada')).toEqual([{ resource_id: here.item('open') }]);
      expect(await mine('root')).toEqual([]);
      expect(
        await tell(
          here.person('bob'),
          'insert into portal.favourite (account_id, resource_id) values (portal.me(), $1)',
          here.item('worked'),
        ),
      ).toMatchObject({ count: 1 });
      expect(
        await tell(
          here.person('bob'),
          'insert into portal.favourite (account_id, resource_id) values (portal.me(), $1)',
          here.item('worked'),
        ),
      ).toMatchObject({ sqlstate: '23505' });
      await rows(here.person('ada'), "select portal.set_perms($1, '{}')", here.item('worked'));
      expect(await mine('bob')).toEqual([]);
      expect(
        await tell(here.person('bob'), 'delete from portal.favourite where account_id = $1', here.accountId('ada')),
      ).toMatchObject({ count: 0 });
      expect(await tell(here.person('visitor'), 'select * from portal.favourite')).toMatchObject({ sqlstate: '42501' });
    });
  });

  describe('uploads', () => {
    test('are seen, named and deleted by who started them, and moved on by workers', async () => {
      await story(db(), async ({ rows, tell }) => {
        const [upload] = await rows<{ id: number }>(
          here.person('ada'),
          'select id, name, state, progress, complete, import_id is not null as numbered from portal.upload',
        );
        expect(upload).toMatchObject({ name: 'rivers', state: 'READY', progress: 0, complete: false, numbered: true });
        for (const who of ['bob', 'stella', 'mia', 'dora', 'ghost'] as const) {
          expect(await rows(here.person(who), 'select 1 from portal.upload')).toEqual([]);
          expect(
            await rows(here.person(who), 'select portal.upload_progress($1::integer) as figure', upload?.id),
          ).toEqual([{ figure: null }]);
          expect(await rows(here.person(who), 'select portal.upload_step($1::integer) as step', upload?.id)).toEqual([
            { step: null },
          ]);
        }
        // Of staff only those who may create content get as far as finding nothing.
        expect(await tell(here.person('bob'), "update portal.upload set name = 'x'")).toMatchObject({ count: 0 });
        expect(await tell(here.person('bob'), 'delete from portal.upload')).toMatchObject({ count: 0 });
        expect(await tell(here.person('visitor'), 'select 1 from portal.upload')).toMatchObject({ sqlstate: '42501' });
        expect(await rows(here.person('root'), 'select 1 from portal.upload')).toHaveLength(1);
        const states: Record<string, [number, boolean]> = {
          PENDING: [33, false],
          WAITING: [50, false],
          COMPLETE: [80, true],
          RUNNING: [66, true],
          PROCESSED: [100, true],
          INVALID: [0, false],
          INCOMPLETE: [0, false],
        };
        for (const [state, [progress, complete]] of Object.entries(states)) {
          expect(
            await rows(
              service,
              'update portal.upload set state = $2 where id = $1 returning progress, complete',
              upload?.id,
              state,
            ),
          ).toEqual([{ progress, complete }]);
        }
        expect(await tell(service, "update portal.upload set state = 'processed'")).toMatchObject({
          sqlstate: '23514',
        });
        expect(
          await tell(
            here.person('ada'),
            "insert into portal.upload_file (upload_id, name, base, blob) values ($1, 'rivers.shp', true, 'k')",
            upload?.id,
          ),
        ).toMatchObject({ count: 1 });
        expect(await rows(here.person('bob'), 'select 1 from portal.upload_file')).toEqual([]);
        expect(await tell(here.person('ada'), 'delete from portal.upload where id = $1', upload?.id)).toMatchObject({
          count: 1,
        });
        expect(await rows(owner, 'select 1 from portal.upload_file')).toEqual([]);
      });
    });
  });

  describe('layer tables', () => {
    test('are closed to their owner too, once protected', async () => {
      await story(db(), async ({ rows, tell }) => {
        expect(await rows(authenticator, 'select 1 from layers.open')).toEqual([]);
        expect(await tell(authenticator, "insert into layers.open (name) values ('x')")).toMatchObject({
          sqlstate: '42501',
        });
        expect(await tell(authenticator, 'delete from layers.open')).toMatchObject({ sqlstate: '42501' });
        expect(await rows(service, 'select 1 from layers.open')).toHaveLength(2);
      });
    });

    test('belong to one layer each, and stand in their schema', async () => {
      await story(db(), async ({ rows, tell }) => {
        const protect = (table: string, id: number): ReturnType<typeof tell> =>
          tell(authenticator, 'select portal.protect_layer_table($1::regclass, $2)', table, id);
        await rows(owner, 'create table public.outside (id int)');
        await rows(authenticator, 'create table layers.fresh (id int generated always as identity primary key)');
        expect(await protect('public.outside', here.item('open'))).toMatchObject({ sqlstate: '22023' });
        expect(await protect('layers.fresh', here.item('open'))).toMatchObject({ sqlstate: '23505' });
        expect(await protect('layers.open', here.item('worked'))).toMatchObject({ sqlstate: '23505' });
        expect(await protect('layers.fresh', here.item('shared'))).toMatchObject({ sqlstate: '22023' });
        expect(await protect('layers.fresh', 999_999)).toMatchObject({ sqlstate: '22023' });
      });
    });

    test('with hostile names are protected and go with their layers', async () => {
      await story(db(), async ({ rows }) => {
        const name = `x"; drop table portal.resource; --'`;
        const quoted = `layers."x""; drop table portal.resource; --'"`;
        const [made] = await rows<{ id: number }>(
          here.person('bob'),
          "insert into portal.resource (resource_type, title) values ('layer', 'hostile') returning id",
        );
        await rows(authenticator, `create table ${quoted} (id serial primary key, name text)`);
        await rows(authenticator, 'select portal.protect_layer_table($1::regclass, $2)', quoted, made?.id);
        expect(await rows(here.person('visitor'), 'select portal.layer_table($1) as name', made?.id)).toEqual([
          { name },
        ]);
        expect(await rows(here.person('bob'), `insert into ${quoted} (name) values ('a') returning id`)).toEqual([
          { id: 1 },
        ]);
        await rows(here.person('bob'), 'delete from portal.resource where id = $1', made?.id);
        expect(
          await rows(
            owner,
            "select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'layers' and c.relname like 'x%'",
          ),
        ).toEqual([{ count: 0 }]);
      });
    });

    test('use their spatial index under the policy', async () => {
      await story(db(), async ({ rows }) => {
        const [made] = await rows<{ id: number }>(
          here.person('bob'),
          "insert into portal.resource (resource_type, title) values ('layer', 'points') returning id",
        );
        await rows(authenticator, 'create table layers.points (id serial primary key, geom geometry(Point, 4326))');
        await rows(
          authenticator,
          'insert into layers.points (geom) select st_setsrid(st_makepoint(i / 100.0, i / 100.0), 4326) from generate_series(1, 5000) i',
        );
        await rows(authenticator, 'create index on layers.points using gist (geom)');
        await rows(authenticator, 'select portal.protect_layer_table($1::regclass, $2)', 'layers.points', made?.id);
        await rows(owner, 'analyze layers.points');
        const plan = await rows(
          here.person('visitor'),
          'explain select * from layers.points where geom && st_makeenvelope(1, 1, 2, 2, 4326)',
        );
        expect(plan.map((r) => r['QUERY PLAN']).join('\n')).toMatch(/Index Cond: \(geom && /);
        expect(
          await rows(
            here.person('visitor'),
            'select count(*)::int from layers.points where geom && st_makeenvelope(1, 1, 2, 2, 4326)',
          ),
        ).toEqual([{ count: 101 }]);
      });
    });
  });

  describe('search', () => {
    const found = async (who: Person, words: string[]): Promise<string[]> =>
      story(db(), async ({ rows }) => {
        await rows(
          here.person('ada'),
          "update portal.resource set abstract = 'All RIVERS, 100% of them_all \\ and more' where title = 'open'",
        );
        await rows(here.person('ada'), "update portal.resource set abstract = 'secret rivers' where title = 'closed'");
        const hits = await rows<{ title: string }>(
          here.person(who),
          'select title from portal.resource where id in (select portal.search_ids($1)) order by title',
          words,
        );
        return hits.map((r) => r.title);
      });

    test.each<[Person, string[], string[]]>([
      ['visitor', ['rivers'], ['open']],
      ['ada', ['rivers'], ['closed', 'open']],
      ['root', ['RIVERS'], ['closed', 'open']],
      ['visitor', ['iver', 'op'], ['open']],
      ['visitor', ['rivers', 'closed'], []],
      ['visitor', ['secret'], []],
      ['ada', ['secret'], ['closed']],
      ['visitor', ['100%'], ['open']],
      ['visitor', ['%'], ['open']],
      ['visitor', ['them_all'], ['open']],
      ['visitor', ['them-all'], []],
      ['visitor', ['__'], []],
      ['visitor', ['\\'], ['open']],
      ['visitor', ["'; drop table portal.resource; --"], []],
      ['visitor', [], ['bobs', 'judged', 'open']],
    ])('%s finds with %j: %j', async (who, words, titles) => {
      expect(await found(who, words)).toEqual(titles);
    });

    test('words are found and counted, as they are written and in their other forms, and nothing hidden', async () => {
      await story(db(), async ({ rows }) => {
        await rows(
          here.person('ada'),
          "update portal.resource set abstract = 'deep blue rivers' where title in ('open', 'closed')",
        );
        const find = async (who: Person, ...words: string[]): Promise<number> => {
          const hits = await rows(here.person(who), 'select id from portal.search_hits($1, null, null, null)', words);
          const pages = 'select id, total::integer from portal.search_page($1, null, 0, 1)';
          const [page] = await rows<{ id: number | null; total: number }>(here.person(who), pages, words);
          expect(page).toMatchObject({ id: hits.length === 0 ? null : expect.any(Number), total: hits.length });
          return hits.length;
        };
        expect(await find('visitor', 'rivers')).toBe(1);
        expect(await find('ada', 'blue', 'rivers')).toBe(2);
        expect(await find('ada', 'rivers', 'closed')).toBe(1);
        expect(await find('visitor', 'rivers', 'closed')).toBe(0);
        expect(await find('visitor', 'river')).toBe(1);
        for (const none of ["'", '"', '!&|']) expect(await find('visitor', none)).toBe(0);
      });
    });

    test('extents find what they meet, any of several boxes, and nothing hidden', async () => {
      await story(db(), async ({ rows }) => {
        await rows(
          here.person('ada'),
          "update portal.resource set ll_bbox_polygon = st_makeenvelope(5, 45, 15, 55, 4326) where title in ('open', 'closed')",
        );
        const find = async (who: Person, boxes: number[]): Promise<number> =>
          (
            await rows(
              here.person(who),
              `select r.id from portal.resource r
                where exists (select from generate_series(1, cardinality($1::double precision[]), 4) i
                               cross join lateral st_makeenvelope(($1)[i], ($1)[i + 1], ($1)[i + 2], ($1)[i + 3], 4326) box
                               where r.ll_bbox_polygon && box and st_intersects(r.ll_bbox_polygon, box))`,
              boxes,
            )
          ).length;
        expect(await find('visitor', [0, 40, 10, 50])).toBe(1);
        expect(await find('ada', [0, 40, 10, 50])).toBe(2);
        expect(await find('ada', [20, 40, 30, 50])).toBe(0);
        expect(await find('ada', [20, 40, 30, 50, 0, 40, 10, 50])).toBe(2);
        expect(await find('ada', [])).toBe(0);
        expect(
          await rows(
            here.person('visitor'),
            'select 1 from portal.resource where ll_bbox_polygon && st_makeenvelope(0, 40, 10, 50, 4326)',
          ),
        ).toHaveLength(1);
      });
    });

    test('views are counted on what the caller sees', async () => {
      await story(db(), async ({ rows }) => {
        for (const item of ['open', 'closed'] as const)
          await rows(here.person('visitor'), 'select portal.count_view($1)', here.item(item));
        expect(
          await rows(owner, 'select title, popular_count from portal.resource where id = any($1) order by title', [
            here.item('open'),
            here.item('closed'),
          ]),
        ).toEqual([
          { title: 'closed', popular_count: 0 },
          { title: 'open', popular_count: 1 },
        ]);
      });
    });
  });
});
