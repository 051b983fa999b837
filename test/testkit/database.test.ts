import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { ENGINES, onEachEngine, openDatabase } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'survest-fixtures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = join(folder, 'fixture.sql');
writeFileSync(
  fixture,
  `create extension if not exists postgis;
   do $$ begin create role testkit_role nologin; exception when duplicate_object then null; end $$;
   create schema library;
   create table library.books (id int primary key, title text, tags text[], meta jsonb, place geometry);
   grant select on library.books to testkit_role;
   insert into library.books values (1, 'Ubik', '{a,b}', '{"x":[1]}', st_point(1, 2));`,
);

onEachEngine('a test database without fixtures', {}, (db) => {
  test('is empty and belongs to the superuser', async () => {
    expect(
      await db().query(
        `select (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace) as relations,
                (select count(*)::int from pg_extension) as extensions, rolsuper as super
         from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ relations: 0, extensions: 1, super: true }]);
  });
});

onEachEngine('a test database', { fixtures: [fixture] }, (db) => {
  test('holds its fixtures, and answers with the values pg would make', async () => {
    expect(await db().query('select id, title, tags, meta, st_astext(place) as place from library.books')).toEqual([
      { id: 1, title: 'Ubik', tags: ['a', 'b'], meta: { x: [1] }, place: 'POINT(1 2)' },
    ]);
  });

  test('takes parameters as pg does', async () => {
    expect(
      await db().query('select $1::int as n, $2::text[] as t, $3::jsonb as j, $4::text as nothing', [
        1,
        ['a', 'b,"'],
        JSON.stringify({ a: 1 }),
        null,
      ]),
    ).toEqual([{ n: 1, t: ['a', 'b,"'], j: { a: 1 }, nothing: null }]);
  });

  test('throws what the database says, with its code', async () => {
    await expect(db().query('select 1/0')).rejects.toMatchObject({
      code: '22012',
      message: expect.stringMatching(/zero/),
    });
    await expect(db().script('selec')).rejects.toMatchObject({ code: '42601' });
  });
});

const ready = ENGINES.filter((engine) => inject('engines')[engine].kind === 'ready');
describe.each(ready)('on %s, the next database', (engine) => {
  test('shows nothing of what was done to one before it', { timeout: 60_000 }, async () => {
    const first = await openDatabase(engine, [fixture]);
    await first.script(`
      create schema other; create table other.t (id serial, check (id > 0)); create table public.u (id int);
      create type public.mood as enum ('ok'); create domain public.age as int check (value > 0);
      create function public.f() returns int language sql as 'select 1';
      create function public.on_ddl() returns event_trigger language plpgsql as 'begin end';
      create event trigger watch on ddl_command_end execute function public.on_ddl();
      create view public.v as select * from public.u; create extension if not exists plpgsql;
      alter default privileges in schema public grant select on tables to testkit_role;
      grant usage on schema public to testkit_role; revoke all on schema public from public;
      comment on schema public is 'changed';
      set search_path = other; select set_config('testkit.x', '1', false)`);
    await first.close();
    const second = await openDatabase(engine, [fixture]);
    expect(
      await second.query(`select
        (select string_agg(nspname, ',' order by nspname) from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema') as schemas,
        to_regclass('public.u') as u, to_regtype('public.mood') as mood, to_regproc('public.f') as f,
        (select count(*)::int from pg_event_trigger) as triggers, (select count(*)::int from pg_default_acl) as defaults,
        has_schema_privilege('testkit_role', 'public', 'usage') as usable,
        obj_description('public'::regnamespace) as comment,
        current_setting('search_path') as path, nullif(current_setting('testkit.x', true), '') as x`),
    ).toEqual([
      {
        schemas: 'library,public',
        u: null,
        mood: null,
        f: null,
        triggers: 0,
        defaults: 0,
        usable: true,
        comment: 'standard public schema',
        path: '"$user", public',
        x: null,
      },
    ]);
    await second.close();
  });
});
