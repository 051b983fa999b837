import { expect, test } from 'vitest';
import { column, parameter, routine, table } from '../../../../test/fixtures/rest/hand-made-cache.ts';
import { onEachEngine } from '../../../../test/testkit/database.ts';
import type { Row } from '../../../pg/driver.ts';
import { askVisible, readVisible } from '../../run/ask-visible.ts';
import { visibleDigest, visibleRoutines, visibleTables } from './visible.ts';

const tables = ['a', 'b', 'موارد'].map((name) => table(name, [column('id', 'integer')]));
const routines = [
  routine('f'),
  routine('f', [parameter('x', 'integer')]),
  routine('f', [parameter('x', 'integer'), parameter('y', 'text')]),
  routine('raw', [parameter('', 'json')]),
  routine('g', [parameter('x', 'integer')]),
];

function row(...cells: readonly (string | null)[]): Row {
  return cells.map((cell) => (cell === null ? null : Buffer.from(cell)));
}

test('tables are kept by name', () => {
  const visible = readVisible('follow-privileges', [row('Title', '["موارد", "a", "gone"]', null)]);
  expect(visible.comment).toBe('Title');
  expect(visibleTables(visible, tables).map(({ name }) => name)).toEqual(['a', 'موارد']);
  expect(visibleRoutines(visible, routines)).toEqual([]);
});

test('overloads are kept each by itself, by the names of their inputs', () => {
  const visible = readVisible('follow-privileges', [
    row(
      null,
      null,
      '[["f",["x"],null,1], ["raw",null,null,1], ["f",["x","out","y"],["b","o","v"],2], ["g",["x"],["t"],0]]',
    ),
  ]);
  expect(visibleRoutines(visible, routines)).toEqual([routines[1], routines[2], routines[3]]);
  expect(visibleTables(visible, tables)).toEqual([]);
});

test('everything is visible when privileges are not asked', () => {
  const visible = readVisible('ignore-privileges', [row(null)]);
  expect(visibleTables(visible, tables)).toBe(tables);
  expect(visibleRoutines(visible, routines)).toBe(routines);
});

test('nothing is visible of a schema that is gone', () => {
  const visible = readVisible('follow-privileges', []);
  expect(visible.comment).toBeNull();
  expect(visibleTables(visible, tables)).toEqual([]);
});

test('the digest tells answers apart', () => {
  const answers = [
    readVisible('ignore-privileges', [row(null)]),
    readVisible('ignore-privileges', [row('Title')]),
    readVisible('follow-privileges', [row(null, null, null)]),
    readVisible('follow-privileges', [row(null, '["a"]', null)]),
    readVisible('follow-privileges', [row(null, null, '["a"]')]),
    readVisible('follow-privileges', [row('null', null, null)]),
  ];
  expect(new Set(answers.map(visibleDigest)).size).toBe(answers.length);
});

onEachEngine('visible objects', {}, (db) => {
  // Roles belong to the server, so this suite makes its own.
  const SETUP = `
    do $$ begin
      create role openapi_reader nologin; exception when duplicate_object then null;
    end $$;
    do $$ begin
      create role openapi_owner nologin; exception when duplicate_object then null;
    end $$;
    create schema shown;
    create schema closed;
    comment on schema shown is E'Shown\\nTo some';
    grant usage on schema shown to openapi_reader;
    create table shown.readable (id int);
    create table shown.writable (id int);
    create table shown.by_column (id int, secret text);
    create table shown.hidden (id int);
    create table shown.owned (id int);
    create table shown."موارد ""q""" (id int);
    create table shown.parted (id int) partition by list (id);
    create table shown.part partition of shown.parted for values in (1);
    create view shown.a_view as select 1 as id;
    create materialized view shown.a_matview as select 1 as id;
    create table closed.readable (id int);
    grant select on shown.readable, shown."موارد ""q""", shown.parted, shown.part, shown.a_view, shown.a_matview to openapi_reader;
    grant insert on shown.writable to openapi_reader;
    grant select (id) on shown.by_column to openapi_reader;
    grant openapi_owner to openapi_reader;
    alter table shown.owned owner to openapi_owner;
    grant select on closed.readable to openapi_reader;
    create function shown.open_fn() returns int language sql as 'select 1';
    create function shown.shut_fn() returns int language sql as 'select 1';
    create function shown.half(a int) returns int language sql as 'select 1';
    create function shown.half(a int, out b int, inout c int, variadic d int[]) language sql as 'select 1, 2';
    create function shown.half(text, b int) returns int language sql as 'select 1';
    create function shown.unnamed(json) returns int language sql as 'select 1';
    create procedure shown.a_procedure() language sql as 'select 1';
    create aggregate shown.an_aggregate(int) (sfunc = int4pl, stype = int);
    revoke execute on function shown.shut_fn(), shown.half(int) from public;
    create function closed.open_fn() returns int language sql as 'select 1';
  `;

  async function visibleTo(
    role: string,
    schema: string,
    mode: 'follow-privileges' | 'ignore-privileges' = 'follow-privileges',
  ) {
    const before = [
      { text: "select set_config('transaction_read_only', 'on', true), set_config('role', $1, true)", params: [role] },
    ];
    const asked = await askVisible(db().driver, before, { mode, schema }, {});
    if (!asked.ok) throw new Error(JSON.stringify(asked.error));
    return asked.value;
  }

  const json = (cell: Buffer | null | undefined): unknown => JSON.parse(cell?.toString('utf8') ?? 'null');

  test('are those the role has any privilege on', async () => {
    await db().script(SETUP);
    const { comment, objects } = await visibleTo('openapi_reader', 'shown');
    expect(comment).toBe('Shown\nTo some');
    expect(json(objects?.tables)).toEqual([
      'a_matview',
      'a_view',
      'by_column',
      'owned',
      'parted',
      'readable',
      'writable',
      'موارد "q"',
    ]);
    expect(json(objects?.routines)).toEqual([
      ['a_procedure', null, null, 0],
      ['half', ['a', 'b', 'c', 'd'], ['i', 'o', 'b', 'v'], 3],
      ['half', ['', 'b'], null, 2],
      ['open_fn', null, null, 0],
      ['unnamed', null, null, 1],
    ]);
  });

  test('are none where the role may not enter the schema', async () => {
    expect(await visibleTo('openapi_reader', 'closed')).toEqual({
      comment: null,
      objects: { tables: null, routines: null },
    });
  });

  test('are none of a schema that does not exist', async () => {
    expect(await visibleTo('openapi_reader', 'nowhere')).toEqual({
      comment: null,
      objects: { tables: null, routines: null },
    });
  });

  test('are not asked for when privileges are ignored', async () => {
    expect(await visibleTo('openapi_reader', 'shown', 'ignore-privileges')).toEqual({
      comment: 'Shown\nTo some',
      objects: undefined,
    });
  });
});
