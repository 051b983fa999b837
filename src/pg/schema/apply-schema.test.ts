import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { onEachEngine, type TestDatabase } from '../../../test/testkit/database.ts';
import { makePostgresDriver } from '../postgres/postgres-driver.ts';
import {
  acceptChange,
  applySchema,
  completeWithin,
  createTablesWithin,
  missingInSchema,
  type SchemaOptions,
  schemaScript,
} from './apply-schema.ts';

type Files = Readonly<Record<string, string>>;

function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'schema-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), sql);
  }
  return folder;
}

let made = 0;

/** A schema for the objects and one for the record, of their own for each test. */
function place(): { readonly own: string; readonly record: string } {
  made += 1;
  return { own: `own_${made}`, record: `my "record" ${made}` };
}

onEachEngine('a schema', {}, (db) => {
  const optionsFor = ({ own, record }: ReturnType<typeof place>, files: Files, program = '1.2.3'): SchemaOptions => ({
    folder: folderOf(files),
    rooms: ['one', 'two'],
    schemas: [own],
    record,
    program,
    baseline: 10,
  });
  const apply = (at: ReturnType<typeof place>, files: Files, program?: string) =>
    applySchema(db().driver, optionsFor(at, files, program));
  const world = ({ own }: ReturnType<typeof place>): Files => ({
    'roles.sql': `create schema ${own}`,
    'one/tables.sql': `create table ${own}.thing (id int, note text); alter table ${own}.thing enable row level security`,
    'one/rows.sql': `insert into ${own}.thing values (1, 'first')`,
    'one/functions.sql': `create or replace function ${own}.answer() returns integer language sql return ${own}.deeper();
      grant execute on function ${own}.answer() to pg_monitor`,
    'two/functions.sql': `create or replace function ${own}.ask() returns integer language sql as 'select ${own}.answer()'`,
    'two/policies.sql': `create policy seen on ${own}.thing using (${own}.answer() = id)`,
    'two/triggers.sql': `create trigger always before update on ${own}.thing for each row execute function suppress_redundant_updates_trigger()`,
    'README.md': 'not one of them',
  });
  /** `deeper` comes first: a body of the SQL standard is looked at when it is made. */
  const whole = (at: ReturnType<typeof place>): Files => {
    const files = world(at);
    return {
      ...files,
      'one/functions.sql': `create or replace function ${at.own}.deeper() returns integer language sql return 42;\n${files['one/functions.sql']}`,
    };
  };
  const objects = ({ record }: ReturnType<typeof place>) =>
    db().query<{ object: string; file: string }>(
      `select object, file from "${record.replaceAll('"', '""')}".schema_object order by object`,
    );
  const changes = ({ record }: ReturnType<typeof place>) =>
    db().query(`select number, file from "${record.replaceAll('"', '""')}".migration order by number`);
  const grants = async (signature: string): Promise<unknown> =>
    (
      await db().query<{ acl: string }>('select proacl::text as acl from pg_proc where oid = $1::regprocedure', [
        signature,
      ])
    )[0]?.acl;

  test('is made in an empty database, and then there is nothing to do', async () => {
    const at = place();
    const files = whole(at);
    const all = ['one/functions.sql', 'two/functions.sql', 'two/policies.sql', 'two/triggers.sql'];
    expect(await missingInSchema(db().driver, optionsFor(at, files))).toEqual({ ok: true, value: all });
    expect(await apply(at, files)).toEqual({ ok: true, value: all });
    expect(await apply(at, files)).toEqual({ ok: true, value: [] });
    expect(await missingInSchema(db().driver, optionsFor(at, files))).toEqual({ ok: true, value: [] });
    expect(await db().query(`select * from ${at.own}.thing`)).toEqual([{ id: 1, note: 'first' }]);
    expect(await db().query(`select ${at.own}.ask()`)).toEqual([{ ask: 42 }]);
    expect(await changes(at)).toEqual([{ number: 10, file: '10-baseline' }]);
    expect(await objects(at)).toEqual([
      { object: `function ${at.own}.answer()`, file: 'one/functions.sql' },
      { object: `function ${at.own}.ask()`, file: 'two/functions.sql' },
      { object: `function ${at.own}.deeper()`, file: 'one/functions.sql' },
      { object: `policy seen on ${at.own}.thing`, file: 'two/policies.sql' },
      { object: `trigger always on ${at.own}.thing`, file: 'two/triggers.sql' },
    ]);
  });

  test('is the same as one script', async () => {
    const at = place();
    const script = await schemaScript(optionsFor(at, whole(at)));
    if (!script.ok) throw new Error(script.error.kind);
    await db().script(script.value);
    expect(await apply(at, whole(at))).toEqual({ ok: true, value: [] });
    expect(await objects(at)).toHaveLength(5);
  });

  test('has what a file begins with that stands elsewhere, with what the file itself says of it', async () => {
    const at = place();
    const other = folderOf({
      'shared.sql': `create or replace function ${at.own}.shared() returns integer language sql return 7;\n`,
    });
    const files = { ...whole(at), 'two/functions.sql': `grant execute on function ${at.own}.shared() to pg_monitor` };
    const options = { ...optionsFor(at, files), beginnings: { 'two/functions.sql': join(other, 'shared.sql') } };
    expect(await applySchema(db().driver, options)).toMatchObject({ ok: true });
    expect(await grants(`${at.own}.shared()`)).toContain('pg_monitor=X');
    expect(await objects(at)).toContainEqual({ object: `function ${at.own}.shared()`, file: 'two/functions.sql' });
    writeFileSync(
      join(other, 'shared.sql'),
      `create or replace function ${at.own}.shared() returns integer language sql return 8;\n`,
    );
    expect(await applySchema(db().driver, options)).toEqual({ ok: true, value: ['two/functions.sql'] });
    expect(await grants(`${at.own}.shared()`)).toContain('pg_monitor=X');
    expect(await db().query(`select ${at.own}.shared()`)).toEqual([{ shared: 8 }]);
  });

  test('opens functions to those alone whom a file names', async () => {
    const at = place();
    await apply(at, whole(at));
    expect(await grants(`${at.own}.ask()`)).not.toMatch(/[{,]=X/);
    expect(await grants(`${at.own}.answer()`)).toContain('pg_monitor=X');
    const files = { ...whole(at) };
    files['one/functions.sql'] = (files['one/functions.sql'] ?? '').replace(/grant.*/, '');
    await apply(at, files);
    expect(await grants(`${at.own}.answer()`)).not.toContain('pg_monitor');
  });

  test('changes what a file says otherwise, drops what no file says, and leaves alone what others made', async () => {
    const at = place();
    await apply(at, whole(at));
    await db().script(`create function ${at.own}.theirs() returns integer language sql return 7;
      create policy theirs on ${at.own}.thing using (true);
      create trigger theirs before update on ${at.own}.thing for each row execute function suppress_redundant_updates_trigger()`);
    const { 'two/triggers.sql': _, ...rest } = whole(at);
    const files = {
      ...rest,
      'two/functions.sql': `create or replace function ${at.own}.ask(more integer) returns integer language sql return more`,
      'two/policies.sql': `create policy seen on ${at.own}.thing using (id > 0)`,
    };
    expect(await apply(at, files)).toEqual({
      ok: true,
      value: ['two/functions.sql', 'two/policies.sql', 'two/triggers.sql (gone)'],
    });
    expect((await objects(at)).map(({ object }) => object)).toEqual([
      `function ${at.own}.answer()`,
      `function ${at.own}.ask(integer)`,
      `function ${at.own}.deeper()`,
      `policy seen on ${at.own}.thing`,
    ]);
    expect(await db().query(`select ${at.own}.theirs()`)).toEqual([{ theirs: 7 }]);
    const left = await db().query<{ name: string }>(
      `select polname::text as name from pg_policy where polrelid = $1::regclass union all select tgname from pg_trigger where tgrelid = $1::regclass order by 1`,
      [`${at.own}.thing`],
    );
    expect(left.map(({ name }) => name)).toEqual(['seen', 'theirs', 'theirs']);
    expect(await db().query(`select to_regprocedure('${at.own}.ask()') as gone`)).toEqual([{ gone: null }]);
  });

  test('drops nothing that somebody else depends on, and then changes nothing', async () => {
    const at = place();
    await apply(at, whole(at));
    await db().script(`create view ${at.own}.theirs as select ${at.own}.ask() as n`);
    const files = {
      ...whole(at),
      'two/functions.sql': `create or replace function ${at.own}.other() returns integer language sql return 1`,
    };
    expect(await apply(at, files)).toMatchObject({
      ok: false,
      error: { kind: 'database', error: { sqlstate: '2BP01' } },
    });
    expect(await db().query(`select ${at.own}.ask(), to_regprocedure('${at.own}.other()') as other`)).toEqual([
      { ask: 42, other: null },
    ]);
  });

  test('brings tables that hold rows along by changes, once each, and makes anew what a change has dropped', async () => {
    const at = place();
    await apply(at, whole(at));
    const files = {
      ...whole(at),
      'one/tables.sql': `create table ${at.own}.thing (id int, note text, extra int not null default 5); alter table ${at.own}.thing enable row level security`,
      'changes/baseline.sql': `alter table ${at.own}.thing drop column extra`,
      'changes/11-extra.sql': `alter table ${at.own}.thing add column extra int not null default 5`,
      // Its result is another: policies that ask it go with it.
      'changes/12-answer.sql': `drop function ${at.own}.answer() cascade`,
      'one/functions.sql': (whole(at)['one/functions.sql'] ?? '').replace(
        'answer() returns integer',
        'answer() returns bigint',
      ),
    };
    expect(await missingInSchema(db().driver, optionsFor(at, files))).toMatchObject({
      value: ['11-extra.sql', '12-answer.sql', 'one/functions.sql'],
    });
    expect(await apply(at, files)).toMatchObject({ ok: true });
    expect(await db().query(`select * from ${at.own}.thing`)).toEqual([{ id: 1, note: 'first', extra: 5 }]);
    expect((await objects(at)).map(({ object }) => object)).toContain(`policy seen on ${at.own}.thing`);
    expect(await changes(at)).toHaveLength(3);
    expect(await apply(at, files)).toEqual({ ok: true, value: [] });
  });

  test('loses functions whose type a change has dropped', async () => {
    const at = place();
    const made: Files = {
      ...whole(at),
      'one/tables.sql': `${whole(at)['one/tables.sql']}; create type ${at.own}.pair as (a int, b int)`,
    };
    const taking = `create or replace function ${at.own}.take(p ${at.own}.pair) returns int language sql return 1`;
    await apply(at, { ...made, 'one/functions.sql': `${made['one/functions.sql']};\n${taking}` });
    expect(await objects(at)).toHaveLength(6);
    expect(await apply(at, { ...whole(at), 'changes/11-pair.sql': `drop type ${at.own}.pair cascade` })).toMatchObject({
      ok: true,
    });
    expect(await objects(at)).toHaveLength(5);
  });

  test('is taken for at the last change where it is made from nothing', async () => {
    const at = place();
    const files = { ...whole(at), 'changes/11-extra.sql': 'select 1/0' };
    expect(await apply(at, files)).toMatchObject({ ok: true });
    expect(await changes(at)).toHaveLength(2);
  });

  test('takes rows of an earlier one, whose tables were others', async () => {
    const at = place();
    const files = {
      ...whole(at),
      'one/tables.sql': `create table ${at.own}.thing (id int, title text); alter table ${at.own}.thing enable row level security`,
      'changes/baseline.sql': `alter table ${at.own}.thing rename title to note`,
      'changes/11-title.sql': `alter table ${at.own}.thing rename note to title`,
    };
    const options = optionsFor(at, files);
    const elsewhere = [{ number: 10, file: '10-baseline', checksum: '' }];
    const done = await db().driver.hold(async (session) => {
      await session.execute([{ text: 'begin', params: [] }]);
      const created = await createTablesWithin(session, options, elsewhere);
      await session.script(`insert into ${at.own}.thing (id, note) values (2, 'theirs')`);
      const completed = await completeWithin(session, options);
      await session.execute([{ text: 'commit', params: [] }]);
      return [created, completed];
    });
    expect(done).toMatchObject({ ok: true, value: [{ ok: true }, { ok: true }] });
    expect(await db().query(`select * from ${at.own}.thing where id = 2`)).toEqual([{ id: 2, title: 'theirs' }]);
    expect(await apply(at, files)).toEqual({ ok: true, value: [] });
  });

  test('of a later program is refused, with its version, and nothing is applied', async () => {
    const at = place();
    const files = whole(at);
    await apply(at, { ...files, 'changes/11-later.sql': 'select 1' }, '2.0.0');
    expect(await apply(at, files)).toEqual({
      ok: false,
      error: { kind: 'newer-database', file: '11-later.sql', by: '2.0.0', latest: '10-baseline' },
    });
    // No change, and another function: an earlier program would put its own in place of it.
    const other = place();
    await apply(
      other,
      {
        ...whole(other),
        'two/functions.sql': `create function ${other.own}.ask() returns integer language sql return 2`,
      },
      '1.3.0',
    );
    expect(await apply(other, whole(other))).toMatchObject({
      ok: false,
      error: { kind: 'newer-database', file: 'two/functions.sql', by: '1.3.0' },
    });
    expect(await apply(other, whole(other), '1.3.0-next')).toMatchObject({ ok: true, value: ['two/functions.sql'] });
  });

  test('that fails leaves nothing of itself', async () => {
    const at = place();
    await apply(at, whole(at));
    const files = {
      ...whole(at),
      'changes/11-a.sql': `alter table ${at.own}.thing add column half int`,
      'two/functions.sql': 'select 1/0',
    };
    expect(await apply(at, files)).toMatchObject({
      ok: false,
      error: { kind: 'database', file: 'two/functions.sql', error: { kind: 'sql', sqlstate: '22012' } },
    });
    expect(await db().query(`select * from ${at.own}.thing`)).toEqual([{ id: 1, note: 'first' }]);
    expect(await changes(at)).toHaveLength(1);
  });

  test('with a change that was changed after it was applied is refused by name, until somebody accepts it', async () => {
    const at = place();
    await apply(at, { ...whole(at), 'changes/11-a.sql': 'select 1' });
    const files = { ...whole(at), 'changes/11-a.sql': 'select 11', 'changes/12-b.sql': 'select 2' };
    expect(await apply(at, files)).toEqual({
      ok: false,
      error: { kind: 'changed-after-applied', file: '11-a.sql', by: '1.2.3' },
    });
    const options = optionsFor(at, files);
    expect(await acceptChange(db().driver, options, '12-b.sql')).toEqual({ ok: true, value: false });
    expect(await acceptChange(db().driver, options, '13-z.sql')).toEqual({ ok: true, value: false });
    expect(await acceptChange(db().driver, options, '11-a.sql')).toEqual({ ok: true, value: true });
    expect(await apply(at, files)).toEqual({ ok: true, value: ['12-b.sql'] });
  });

  test('is the same with other line ends', async () => {
    const at = place();
    const files = whole(at);
    await apply(at, files);
    const other = Object.fromEntries(
      Object.entries(files).map(([name, sql]) => [name, `\ufeff${sql.replaceAll('\n', '\r\n')}`]),
    );
    expect(await apply(at, other)).toEqual({ ok: true, value: [] });
  });

  test('whose changes come too late is refused', async () => {
    const at = place();
    await apply(at, whole(at));
    await apply(at, { ...whole(at), 'changes/12-b.sql': 'select 2' });
    expect(await apply(at, { ...whole(at), 'changes/11-a.sql': 'select 1', 'changes/12-b.sql': 'select 2' })).toEqual({
      ok: false,
      error: { kind: 'out-of-order', file: '11-a.sql' },
    });
  });

  test.each([
    ['a change without a number', { 'changes/first.sql': '' }, 'bad-number'],
    ['two changes of one number', { 'changes/11-a.sql': '', 'changes/011-b.sql': '' }, 'bad-number'],
    ['a file in no room', { 'three/tables.sql': '' }, 'stray-file'],
    ['a file of no kind', { 'one/tabels.sql': '' }, 'stray-file'],
  ])('with %s is refused', async (_name, files, kind) => {
    expect(await apply(place(), files)).toMatchObject({ ok: false, error: { kind } });
  });

  test('whose file ends the transaction is told of', async () => {
    const at = place();
    await apply(at, whole(at));
    expect(await apply(at, { ...whole(at), 'changes/11-a.sql': 'commit; begin;' })).toMatchObject({
      ok: false,
      error: { kind: 'database', file: '11-a.sql', error: { message: 'the file ends its own transaction' } },
    });
    expect(await changes(at)).toHaveLength(1);
  });

  test('may lie at a URL, and in a folder that is not there is an error value', async () => {
    const at = place();
    const options = optionsFor(at, whole(at));
    expect(await applySchema(db().driver, { ...options, folder: pathToFileURL(`${options.folder}/`) })).toMatchObject({
      ok: true,
    });
    expect(await applySchema(db().driver, { ...options, folder: '/no/such/folder' })).toEqual({
      ok: false,
      error: { kind: 'unreadable-folder', folder: '/no/such/folder' },
    });
  });

  test('made in the former way is taken over at its last file, and not before', async () => {
    const at = place();
    const { 'one/rows.sql': _, ...files } = whole(at);
    const folder = folderOf({
      'former.txt': `9 9-last.sql abc\nfunction ${at.own}.ask()\nfunction ${at.own}.old()\ntrigger old on ${at.own}.thing\ncolumn ${at.own}.thing.note text`,
    });
    const options: SchemaOptions = { ...optionsFor(at, files), formerForm: join(folder, 'former.txt') };
    const record = `"${at.record.replaceAll('"', '""')}"`;
    await db().script(`create schema ${at.own}; create table ${at.own}.thing (id int); insert into ${at.own}.thing values (3);
      create function ${at.own}.ask() returns integer language sql return 0;
      create function ${at.own}.old() returns integer language sql return 0;
      create function ${at.own}.theirs() returns integer language sql return 0;
      create trigger old before update on ${at.own}.thing for each row execute function suppress_redundant_updates_trigger();
      create schema ${record}; create table ${record}.migration (number int primary key, file text not null, checksum text not null, applied_at timestamptz not null default now());
      insert into ${record}.migration values (8, '8-before.sql', 'x')`);
    expect(await applySchema(db().driver, options)).toEqual({
      ok: false,
      error: { kind: 'before-baseline', file: '8-before.sql', last: '9-last.sql' },
    });
    await db().script(`insert into ${record}.migration values (9, '9-last.sql', 'abc')`);
    expect(await applySchema(db().driver, options)).toEqual({
      ok: false,
      error: { kind: 'unlike-baseline', lacks: [`column ${at.own}.thing.note text`] },
    });
    expect(await changes(at)).toHaveLength(2);
    await db().script(`alter table ${at.own}.thing add column note text`);
    expect(await applySchema(db().driver, options)).toMatchObject({ ok: true });
    expect(await changes(at)).toEqual([{ number: 10, file: '10-baseline' }]);
    expect(await objects(at)).toHaveLength(5);
    expect(
      await db().query(
        `select id, ${at.own}.ask(), ${at.own}.theirs(), to_regprocedure('${at.own}.old()') as old from ${at.own}.thing`,
      ),
    ).toEqual([{ id: 3, ask: 42, theirs: 0, old: null }]);
    expect(await applySchema(db().driver, options)).toEqual({ ok: true, value: [] });
  });
});

onEachEngine('a schema of several programs at once', { engines: ['postgres'] }, (db) => {
  const optionsOf = (files: Files): SchemaOptions => ({
    folder: folderOf(files),
    rooms: ['one'],
    schemas: ['shared'],
    record: 'several',
    program: '1',
    baseline: 10,
  });
  const files: Files = {
    'roles.sql': 'create schema shared',
    'one/tables.sql': 'create table shared.thing (id int); select pg_sleep(0.05)',
    'one/policies.sql': 'create policy seen on shared.thing using (true)',
  };
  const together = async (
    options: SchemaOptions,
    work: (driver: TestDatabase['driver']) => Promise<unknown> = async () => {},
  ) => {
    const drivers = Array.from({ length: 4 }, () => makePostgresDriver({ uri: db().uri ?? '', poolSize: 1 }));
    const [results] = await Promise.all([
      Promise.all(drivers.map((driver) => applySchema(driver, options))),
      work(db().driver),
    ]);
    await Promise.all(drivers.map((driver) => driver.close()));
    return results;
  };

  test('is applied by one of them', async () => {
    const results = await together(optionsOf(files));
    expect(results.map((result) => (result.ok ? result.value.length : result.error))).toEqual(
      expect.arrayContaining([1, 0, 0, 0]),
    );
  });

  test('waits for a table that somebody reads, and holds up nobody meanwhile', async () => {
    const changed = optionsOf({ ...files, 'one/policies.sql': 'create policy seen on shared.thing using (id > 0)' });
    const results = await together(changed, (driver) =>
      driver.hold(async (session) => {
        await session.execute([
          { text: 'begin', params: [] },
          { text: 'select from shared.thing', params: [] },
        ]);
        // Longer than one attempt waits: a reader that comes now gets its rows before the schema has its lock.
        await session.execute([{ text: 'select pg_sleep(1)', params: [] }]);
        const other = await db().query('select count(*)::integer as n from shared.thing');
        expect(other).toEqual([{ n: 0 }]);
        return session.execute([{ text: 'commit', params: [] }]);
      }),
    );
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(results.flatMap((result) => (result.ok ? result.value : []))).toEqual(['one/policies.sql']);
  });
});
