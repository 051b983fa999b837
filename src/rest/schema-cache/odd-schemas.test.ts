// Databases that nobody would make on purpose: each is loaded to the end, what is odd is named, and all the rest is there.

import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import { type LoadedSchema, loadSchema } from './introspect.ts';

const OPTIONS = { schemas: ['api'], extraSearchPath: [] };

onEachEngine('a schema with', {}, (db) => {
  let loaded: LoadedSchema;

  function loads(sql: string): void {
    beforeAll(async () => {
      await db().script(`drop schema if exists api cascade; create schema api; set search_path to api; ${sql}`);
      const result = await loadSchema(db().driver, OPTIONS);
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      loaded = result.value;
    });
  }

  const omitted = (): string[] => loaded.cache.omissions.map(({ what }) => what);
  const embedsOf = (name: string): string[] => [
    ...new Set(loaded.cache.relationshipsOf({ schema: 'api', name }).map(({ foreign }) => foreign.name)),
  ];

  describe('views in circles', () => {
    loads(`
      create table parent (id int primary key);
      create table child (id int primary key, parent_id int references parent);
      create view itself as table child;
      create or replace view itself as table itself;
      create view first as table child;
      create view second as table first;
      create view third as table second;
      create or replace view first as table third;
      create view outside as table third;
      create view sound as table child;
    `);

    test('is loaded, and all its relations are there', () => {
      const names = loaded.cache.tablesOf('api').map(({ name }) => name);
      expect(names).toEqual(['child', 'first', 'itself', 'outside', 'parent', 'second', 'sound', 'third']);
    });

    test('names the views of each circle', () => {
      expect(omitted()).toEqual(['the view api.itself', 'the views api.first, api.second and api.third']);
    });

    test('relates what is not part of a circle', () => {
      expect(embedsOf('parent')).toEqual(['child', 'sound']);
      expect(loaded.cache.table('api', 'sound')?.primaryKey).toEqual(['id']);
      expect(loaded.cache.table('api', 'outside')?.primaryKey).toEqual([]);
    });
  });

  describe('views that show the columns of a key many times', () => {
    const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
    const sixTimes = columns.flatMap((name) => [1, 2, 3, 4, 5, 6].map((i) => `${name} as ${name}${i}`)).join(', ');
    loads(`
      create table parent (${columns.map((name) => `${name} int`).join(', ')}, primary key (${columns.join(', ')}));
      create table child (${columns.map((name) => `${name} int`).join(', ')}, note text,
        foreign key (${columns.join(', ')}) references parent);
      create view parents as select ${sixTimes} from parent;
      create view children as select ${sixTimes} from child;
      create view twice as select a, a as again, b, c, d, e, f from child;
    `);

    test('has some of their relationships, and all of the others', () => {
      expect(embedsOf('parent')).toEqual(['child', 'children', 'twice']);
      const twice = loaded.cache.relationshipsOf({ schema: 'api', name: 'twice' });
      expect(twice.filter(({ foreign }) => foreign.name === 'parent')).toHaveLength(2);
      expect(loaded.cache.summary.relationships).toBeLessThan(20_000);
    });

    test('names the views', () => {
      expect(omitted()).toEqual(['the view api.children', 'the view api.parents']);
    });
  });

  describe('a table of many foreign keys', () => {
    loads(`
      do $$ begin
        for i in 1..200 loop execute format('create table t%s (id int primary key)', i); end loop;
        execute (select 'create table hub (a int, b int, primary key (a, b), '
          || string_agg(format('constraint k%s foreign key (%s) references t%s', i, case i % 2 when 0 then 'a' else 'b' end, i), ', ')
          || ')' from generate_series(1, 200) i);
      end $$;
    `);

    test('has all of them, and all that meet through it', () => {
      expect(loaded.cache.relationshipsOf({ schema: 'api', name: 'hub' })).toHaveLength(200);
      expect(embedsOf('t200')).toContain('hub');
      expect(loaded.cache.summary.relationships).toBe(2 * 200 + 200 * 199);
      expect(omitted()).toEqual([]);
    });
  });

  describe('domains over domains', () => {
    loads(`
      create domain d1 as int;
      do $$ begin
        for i in 2..200 loop execute format('create domain d%s as d%s', i, i - 1); end loop;
      end $$;
      create table shallow (value d30);
      create table deep (value d200);
    `);

    test('looks through some and names those that go on', () => {
      const typeOf = (name: string) => loaded.cache.table('api', name)?.columns.get('value');
      expect(typeOf('shallow')).toMatchObject({ baseType: 'integer', nominalType: 'api.d30' });
      expect(typeOf('deep')).toMatchObject({ nominalType: 'api.d200' });
      expect(omitted()).toEqual(['the domain api.d200']);
    });
  });

  describe('a long chain of views', () => {
    loads(`
      create table v0 (id int primary key);
      create table child (id int primary key, v_id int references v0);
      do $$ begin
        for i in 1..300 loop execute format('create view v%s as table v%s', i, i - 1); end loop;
      end $$;
    `);

    test('relates the last as the first', () => {
      expect(embedsOf('v300')).toEqual(['child']);
      expect(loaded.cache.table('api', 'v300')?.insertable).toBe(true);
      expect(omitted()).toEqual([]);
    });
  });
});

onEachEngine('a foreign table whose wrapper fails', {}, (db) => {
  test('costs nobody but itself', async () => {
    await db().script(`
      create schema api;
      create table api.plain (id int primary key);
      create view api.plain_view as table api.plain;
      create function public.failing() returns int language plpgsql as $$ begin raise exception 'no library'; end $$;
      create foreign data wrapper broken;
      create server nowhere foreign data wrapper broken;
      create foreign table api.far (id int) server nowhere;
      update pg_foreign_data_wrapper set fdwhandler = 'public.failing'::regproc where fdwname = 'broken';
    `);
    const loaded = await loadSchema(db().driver, OPTIONS);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const { cache } = loaded.value;
    expect(cache.tablesOf('api').map(({ name }) => name)).toEqual(['far', 'plain', 'plain_view']);
    expect(cache.table('api', 'plain_view')?.insertable).toBe(true);
    expect(cache.table('api', 'far')?.insertable).toBe(false);
    expect(cache.omissions.map(({ what }) => what)).toEqual(['writes to the foreign table api.far']);
  });

  test('a relation with a column of a type that is gone is left out alone', async () => {
    await db().script(`
      create domain api.lost as int;
      create table api.unreadable (id api.lost);
      delete from pg_type where typname = 'lost';
    `);
    const loaded = await loadSchema(db().driver, OPTIONS);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const { cache } = loaded.value;
    expect(cache.tablesOf('api').map(({ name }) => name)).toEqual(['far', 'plain', 'plain_view']);
    expect(cache.omissions.map(({ what }) => what)).toContain('the relation api.unreadable');
    expect(cache.undescribed('api', 'unreadable')).toContain('type');
  });
});
