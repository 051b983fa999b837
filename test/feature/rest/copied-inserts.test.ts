// POST of many rows that are written alike: sent as COPY where there is a server, and no answer and no row tells the difference. What COPY cannot do,
// or would do in another way, is an INSERT.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Driver } from '../../../src/pg/driver.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { denied, failure } from './expected.ts';

const MANY = 20;

function rows<T>(make: (i: number) => T): T[] {
  return Array.from({ length: MANY }, (_, i) => make(i));
}

onEachEngine('an insert of many rows', { fixtures: REST_FIXTURE }, (db) => {
  let copies = 0;
  const counted = (driver: Driver): Driver => ({
    ...driver,
    execute: (batch, options) => {
      if (batch.some(({ copied }) => copied !== undefined)) copies++;
      return driver.execute(batch, options);
    },
  });
  const rest = useRest(db, { 'db-tx-end': 'commit-allow-override' }, counted);
  const byCopy = (times = 1): number => (db().engine === 'postgres' ? times : 0);

  beforeAll(async () => {
    await db().script(`
      create domain test.crate_part as int check (value > 0);
      create type test.crate_pair as (one int, two text);
      create table test.crates (
        id int primary key,
        label text,
        short varchar(5),
        fixed char(3),
        price numeric(8, 2),
        part test.crate_part,
        numbers int[],
        pair test.crate_pair,
        at timestamptz,
        is_full boolean,
        key uuid,
        raw bytea,
        stored int generated always as (id * 2) stored,
        who text default current_user
      );
      create table test.ruled_crates (id int primary key, label text);
      create rule elsewhere as on insert to test.ruled_crates do instead
        insert into test.crates (id, label) values (new.id, 'ruled') returning id, label;
      create table test.secured_crates (id int primary key, owner text default current_user);
      alter table test.secured_crates enable row level security;
      create policy only_even on test.secured_crates for insert with check (id % 2 = 0);
      create view test.crates_view as select id, label from test.crates;
      create table test.documents_of_crates (id int primary key, about jsonb, said json);
      create table test.numbered_crates (id int generated always as identity, label text);
      create table test.closed_crates (id int primary key);
      create table test.parted_crates (id int, label text) partition by range (id);
      create table test.parted_low partition of test.parted_crates for values from (0) to (10);
      create table test.parted_high partition of test.parted_crates for values from (10) to (1000);
      create table test.watched_crates (id int primary key, label text);
      create function test.watch_row() returns trigger language plpgsql as $$
      begin
        if new.id % 5 = 0 then return null; end if;
        new.label := new.label || '!';
        perform set_config('response.headers', '[{"X-Crate": "' || new.id || '"}]', true);
        perform set_config('response.status', '202', true);
        return new;
      end $$;
      create trigger watch before insert on test.watched_crates for each row execute function test.watch_row();
      create table test.refused_crates (id int primary key, label text);
      create function test.refuse_row() returns trigger language plpgsql as $$
      begin
        raise exception 'no crates today' using errcode = 'PT418', detail = 'closed', hint = 'tomorrow';
      end $$;
      create trigger refuse after insert on test.refused_crates for each row execute function test.refuse_row();
      grant select, insert on test.crates, test.ruled_crates, test.secured_crates, test.crates_view, test.documents_of_crates, test.numbered_crates,
        test.parted_crates, test.watched_crates, test.refused_crates to rest_anon;
      grant update on test.crates to rest_anon;`);
    await rest.client().service.reloadSchema();
  });
  beforeEach(async () => {
    await db().script('truncate test.crates, test.secured_crates, test.watched_crates');
    copies = 0;
  });

  const stored = (columns = 'id, label'): Promise<unknown[]> =>
    db().query(`select ${columns} from test.crates order by id`);

  test('is done as the caller, and answered as any', async () => {
    const sent = rows((id) => ({ id, label: `crate ${id}` }));
    expect(await rest.post('/crates', sent)).toMatchReply({
      status: 201,
      headers: { 'content-range': '*/*', 'content-length': '0', location: null },
      text: '',
    });
    expect(copies).toBe(byCopy());
    expect(await stored('id, label, stored, who')).toEqual(
      sent.map((row) => ({ ...row, stored: row.id * 2, who: 'rest_anon' })),
    );
  });

  test('is counted', async () => {
    const reply = await rest.post(
      '/crates',
      rows((id) => ({ id })),
      { prefer: 'return=minimal, count=exact' },
    );
    expect(reply).toMatchReply({
      status: 201,
      headers: { 'content-range': `*/${MANY}`, 'preference-applied': 'return=minimal, count=exact' },
      text: '',
    });
    expect(copies).toBe(byCopy());
  });

  test('stores what JSON says, whatever the type', async () => {
    const texts = [
      '',
      ' ',
      '\\N',
      '\\.',
      '\\',
      'a\tb',
      'a\nb',
      'a\r\nb',
      '"',
      '/',
      '\b\f',
      'ü€😀',
      'null',
      '\\n',
      '\x7f',
    ];
    const sent = rows((id) => ({
      id,
      label: id === 3 ? null : (texts[id] ?? 'x'.repeat(id * 1000)),
      short: id % 2 === 0 ? 'abc  ' : 'abcde',
      fixed: 'a',
      price: id === 4 ? '1.005' : 12345.5,
      part: id === 5 ? null : id + 1,
      numbers: id === 6 ? null : '{1,2,NULL}',
      pair: '(1,"a b")',
      at: '2024-02-29T12:00:00+02:00',
      is_full: id % 2 === 0,
      key: '00000000-0000-0000-0000-00000000000a',
      raw: '\\x00ff',
    }));
    expect(await rest.post('/crates', sent)).toMatchReply({ status: 201 });
    expect(copies).toBe(byCopy());
    const copied = await stored('*');
    await db().script('truncate test.crates');
    // In another order of columns it is an INSERT.
    const names = Object.keys(sent[0] ?? {}).reverse();
    expect(await rest.post(`/crates?columns=${names.join()}`, sent)).toMatchReply({ status: 201 });
    expect(copies).toBe(byCopy());
    expect(copied).toEqual(await stored('*'));
    expect(copied.map((row) => (row as { label: unknown }).label)).toEqual(sent.map(({ label }) => label));
  });

  test('takes the columns that are named, in this order', async () => {
    const sent = rows((id) => ({ id, label: 'x' }));
    expect(await rest.post('/crates?columns=id,label', sent)).toMatchReply({ status: 201 });
    expect(copies).toBe(byCopy());
    await db().script('truncate test.crates');
    expect(await rest.post('/crates?columns=id', sent)).toMatchReply({ status: 201 });
    expect(copies).toBe(byCopy());
    expect(await stored()).toEqual(sent.map(({ id }) => ({ id, label: null })));
  });

  test('may come as CSV or as lines', async () => {
    const csv = `id,label\n${rows((id) => `${id},${id === 1 ? 'NULL' : '"a ""b"""'}`).join('\n')}\n`;
    expect(await rest.post('/crates', csv, { 'content-type': 'text/csv' })).toMatchReply({ status: 201 });
    const expected = rows((id) => ({ id, label: id === 1 ? null : 'a "b"' }));
    expect(await stored()).toEqual(expected);
    await db().script('truncate test.crates');
    const lines = expected.map((row) => `${JSON.stringify(row)}\n`).join('');
    expect(await rest.post('/crates', lines, { 'content-type': 'application/x-ndjson' })).toMatchReply({ status: 201 });
    expect(await stored()).toEqual(expected);
    expect(copies).toBe(byCopy(2));
  });

  test('goes into the parts of a partitioned table', async () => {
    expect(
      await rest.post(
        '/parted_crates',
        rows((id) => ({ id, label: 'x' })),
      ),
    ).toMatchReply({ status: 201 });
    expect(copies).toBe(byCopy());
    expect(await db().query('select count(*)::int from test.parted_low')).toEqual([{ count: 10 }]);
    expect(
      await rest.post(
        '/parted_crates',
        rows((id) => ({ id: -id, label: 'x' })),
      ),
    ).toMatchReply(
      failure(400, '23514', 'no partition of relation "parted_crates" found for row', {
        details: 'Partition key of the failing row contains (id) = (-1).',
      }),
    );
  });

  test('meets the triggers of the table, and what they say of the answer', async () => {
    const reply = await rest.post(
      '/watched_crates',
      rows((id) => ({ id, label: 'x' })),
      { prefer: 'count=exact' },
    );
    expect(reply).toMatchReply({
      status: 202,
      headers: { 'x-crate': String(MANY - 1), 'content-range': `*/${MANY - MANY / 5}` },
    });
    expect(copies).toBe(byCopy());
    expect(await db().query('select distinct label from test.watched_crates')).toEqual([{ label: 'x!' }]);
  });

  test('that a trigger refuses is refused in its words', async () => {
    const sent = rows((id) => ({ id, label: 'x' }));
    const reply = await rest.post('/refused_crates', sent);
    expect(reply).toMatchReply(failure(418, 'PT418', 'no crates today', { details: 'closed', hint: 'tomorrow' }));
    expect(copies).toBe(byCopy());
    expect(await db().query('select * from test.refused_crates')).toEqual([]);
  });

  test.each([
    [
      'a value that is none of its type',
      rows((id) => ({ id: id === 7 ? 'seven' : id })),
      failure(400, '22P02', 'invalid input syntax for type integer: "seven"'),
    ],
    [
      'a value that is too large',
      rows((id) => ({ id: id === 7 ? 99999999999 : id })),
      failure(400, '22003', 'value "99999999999" is out of range for type integer'),
    ],
    [
      'a text that is too long',
      rows((id) => ({ id, short: 'too long' })),
      failure(400, '22001', 'value too long for type character varying(5)'),
    ],
    [
      'a value that its domain refuses',
      rows((id) => ({ id, part: -1 })),
      failure(400, '23514', 'value for domain crate_part violates check constraint "crate_part_check"'),
    ],
    [
      'no key',
      rows((id) => ({ id: id === 7 ? null : id, label: 'x' })),
      failure(400, '23502', 'null value in column "id" of relation "crates" violates not-null constraint', {
        details: `Failing row contains (null, x, ${'null, '.repeat(11)}rest_anon).`,
      }),
    ],
    [
      'a key that stands twice',
      rows((id) => ({ id: id === 7 ? 3 : id })),
      failure(409, '23505', 'duplicate key value violates unique constraint "crates_pkey"', {
        details: 'Key (id)=(3) already exists.',
      }),
    ],
  ])('with %s is refused, and none of its rows is written', async (_, sent, refusal) => {
    expect(await rest.post('/crates', sent)).toMatchReply(refusal);
    expect(copies).toBe(byCopy());
    expect(await stored()).toEqual([]);
  });

  test('without the privilege is refused', async () => {
    const sent = rows((id) => ({ id }));
    expect(await rest.post('/closed_crates', sent)).toMatchReply(denied('closed_crates'));
    expect(copies).toBe(byCopy());
    // Who may, is copied all the same.
    await db().script('grant insert on test.closed_crates to rest_anon');
    expect(await rest.post('/closed_crates', sent)).toMatchReply({ status: 201 });
    expect(copies).toBe(byCopy(2));
    expect(await rest.post('/crates', sent)).toMatchReply({ status: 201 });
  });

  test('keeps to row security', async () => {
    const even = rows((id) => ({ id: id * 2 }));
    for (const _ of [1, 2]) {
      expect(await rest.post('/secured_crates', even)).toMatchReply({ status: 201 });
      await db().script('truncate test.secured_crates');
    }
    expect(
      await rest.post(
        '/secured_crates',
        rows((id) => ({ id })),
      ),
    ).toMatchReply(failure(401, '42501', 'new row violates row-level security policy for table "secured_crates"'));
    expect(await db().query('select * from test.secured_crates')).toEqual([]);
    // COPY says that it does not do so, and is not asked again.
    expect(copies).toBe(byCopy());
  });

  test('keeps to the rules of the table', async () => {
    const sent = rows((id) => ({ id, label: 'x' }));
    for (const _ of [1, 2]) {
      await db().script('truncate test.crates');
      expect(await rest.post('/ruled_crates', sent)).toMatchReply({ status: 201 });
      expect(await stored()).toEqual(sent.map((row) => ({ ...row, label: 'ruled' })));
    }
    expect(await db().query('select * from test.ruled_crates')).toEqual([]);
    // What was copied is undone, and COPY not asked again.
    expect(copies).toBe(byCopy());
  });

  test('of a column that only the database writes is refused', async () => {
    const sent = rows((id) => ({ id, label: 'x' }));
    expect(await rest.post('/numbered_crates', sent)).toMatchReply(
      failure(400, '428C9', 'cannot insert a non-DEFAULT value into column "id"', {
        details: 'Column "id" is an identity column defined as GENERATED ALWAYS.',
        hint: 'Use OVERRIDING SYSTEM VALUE to override.',
      }),
    );
  });

  test.each([
    ['few rows', '/crates', rows((id) => ({ id, label: 'x' })).slice(0, 15), {}],
    ['a view', '/crates_view', rows((id) => ({ id, label: 'x' })), {}],
    ['rows that are shown', '/crates', rows((id) => ({ id, label: 'x' })), { prefer: 'return=representation' }],
    ['an upsert', '/crates', rows((id) => ({ id, label: 'x' })), { prefer: 'resolution=merge-duplicates' }],
    ['defaults for what is missing', '/crates', rows((id) => ({ id, label: 'x' })), { prefer: 'missing=default' }],
    ['other orders of keys', '/crates', rows((id) => (id === 9 ? { label: 'x', id } : { id, label: 'x' })), {}],
  ])('is an INSERT for %s', async (_, target, sent, headers) => {
    expect(await rest.post(target, sent, headers)).toMatchReply({ status: 201 });
    expect(copies).toBe(0);
    expect(await stored()).toEqual(sent);
  });

  test('is an INSERT for JSON, of which a string stays one', async () => {
    const sent = rows((id) => ({ id, about: `text ${id}`, said: 'x' }));
    expect(await rest.post('/documents_of_crates', sent)).toMatchReply({ status: 201 });
    expect(copies).toBe(0);
    expect(await db().query('select id, about, said from test.documents_of_crates order by id')).toEqual(sent);
  });

  test('is undone where that is asked for', async () => {
    const sent = rows((id) => ({ id, label: 'x' }));
    expect(await rest.post('/crates', sent, { prefer: 'tx=rollback' })).toMatchReply({ status: 201 });
    expect(copies).toBe(0);
    expect(await stored()).toEqual([]);
  });

  test('many of them at once, some of which fail, do not come into each other’s way', async () => {
    const token = (role: string) => ({ authorization: `Bearer ${tokenFor({ role })}` });
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const sent = rows((i) => ({ id: n % 3 === 2 && i === 9 ? 'none' : n * MANY + i, label: String(n) }));
        return rest.post('/crates', sent, n % 3 === 1 ? token('rest_anon') : {});
      }),
    );
    expect(all.map(({ status }) => status)).toEqual(all.map((_, n) => (n % 3 === 2 ? 400 : 201)));
    const written = all.flatMap((_, n) => (n % 3 === 2 ? [] : rows((i) => ({ id: n * MANY + i, label: String(n) }))));
    expect(await stored()).toEqual(written);
  });

  test('a rule that is made later is kept to, before the schema is loaded again', async () => {
    await db().script(`
      create table test.later_crates (id int primary key, label text);
      grant insert on test.later_crates to rest_anon;`);
    await rest.client().service.reloadSchema();
    const sent = rows((id) => ({ id, label: 'x' }));
    expect(await rest.post('/later_crates', sent)).toMatchReply({ status: 201 });
    await db().script(`
      truncate test.later_crates;
      create rule elsewhere as on insert to test.later_crates do instead insert into test.crates (id) values (new.id) returning id, label`);
    expect(await rest.post('/later_crates', sent)).toMatchReply({ status: 201 });
    expect(await db().query('select * from test.later_crates')).toEqual([]);
    expect(await stored()).toEqual(sent.map(({ id }) => ({ id, label: null })));
    expect(copies).toBe(byCopy(2));
  });

  test('with one column, which may be empty', async () => {
    await db().script(
      'create table test.labels_of_crates (label text); grant insert on test.labels_of_crates to rest_anon',
    );
    await rest.client().service.reloadSchema();
    const sent = rows((i) => ({ label: ['', '\\.', '\\N', null][i % 4] }));
    expect(await rest.post('/labels_of_crates', sent)).toMatchReply({ status: 201 });
    expect(copies).toBe(byCopy());
    expect(await db().query('select label from test.labels_of_crates')).toEqual(sent);
  });
});

onEachEngine('an insert of many rows, where it may not be copied', { fixtures: REST_FIXTURE }, (db) => {
  const noCopies = (driver: Driver): Driver => ({
    ...driver,
    execute: (batch, options) => {
      if (batch.some(({ copied }) => copied !== undefined)) throw new Error('it was copied');
      return driver.execute(batch, options);
    },
  });
  const sent = rows((i) => ({ id: 5000 + i, label: 'x' }));

  for (const [what, settings] of [
    ['that shortcut is left out', { 'server-shortcuts': 'plain-http,shared-connections' }],
    ['a pooler is in between', { 'db-prepared-statements': 'false' }],
  ] as const) {
    describe(`as ${what}`, () => {
      const rest = useRest(db, settings, noCopies);

      test('is an INSERT', async () => {
        expect(await rest.post('/shelves', sent)).toMatchReply({ status: 201 });
        expect(await db().query('delete from test.shelves where id >= 5000 returning id, label')).toEqual(sent);
      });
    });
  }
});
