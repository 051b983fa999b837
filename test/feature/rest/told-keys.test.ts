// Keys of views over UNIONs, told in their comments: rows are embedded by them, and have an address.

import { beforeAll, expect, test } from 'vitest';
import { DIARY, DIARY_SETTINGS } from '../../fixtures/diary/diary.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

onEachEngine('keys told by comments', { fixtures: DIARY }, (db) => {
  beforeAll(() =>
    db().script(`
      create table diary.letters (id int primary key, writer_id int, body text);
      insert into diary.letters values (100, 2, 'a letter');
      create view diary.texts as
        select id, writer_id, body from diary.letters union all select id + 1000, writer_id, body from diary.pages;
      comment on view diary.texts is 'All that was written.
        @survest primary-key id
        @survest foreign-key writer_id references writers(id)
        @survest foreign-key nobody references writers(id)
        @survest foreign-key writer_id references nowhere(id)';
      comment on table diary.letters is '@survest foreign-key writer_id references writers(id)';
      grant select on diary.texts, diary.letters to rest_anon;
    `),
  );
  const rest = useRest(db, DIARY_SETTINGS);

  test('rows are embedded both ways, to one and to many', async () => {
    expect(await rest.get('/texts?select=body,writers(name)&id=in.(100,1003)&order=id')).toMatchReply({
      status: 200,
      json: [
        { body: 'a letter', writers: { name: 'Bo' } },
        { body: 'third', writers: { name: 'Bo' } },
      ],
    });
    expect(await rest.get('/writers?select=name,texts(id)&id=eq.2&texts.order=id')).toMatchReply({
      json: [{ name: 'Bo', texts: [{ id: 100 }, { id: 1003 }] }],
    });
    expect(await rest.get('/writers?select=name,texts!texts_writer_id_fkey!inner(id)&texts.id=eq.100')).toMatchReply({
      json: [{ name: 'Bo', texts: [{ id: 100 }] }],
    });
  });

  test('the view has the primary key of its comment', async () => {
    const reply = await rest.get('/texts?select=id&after=&limit=1');
    expect(reply).toMatchReply({ status: 200, json: [{ id: 100 }] });
    expect(String(JSON.stringify(reply.headers))).toContain('Next-Cursor');
  });

  test('what cannot be meant is named, and a table has its keys by constraints', () => {
    expect(
      rest
        .client()
        .service.state()
        .cache?.omissions.map(({ what, why }) => `${what}: ${why}`),
    ).toEqual([
      '@survest foreign-key writer_id references writers(id) in the comment on diary.letters: a table has its keys by constraints',
      '@survest foreign-key nobody references writers(id) in the comment on diary.texts: they have no such columns, in pairs',
      '@survest foreign-key writer_id references nowhere(id) in the comment on diary.texts: its schema has no such relation',
    ]);
  });

  test('a change of a table that such a key leads to keeps it', async () => {
    await db().script(`
      alter table diary.writers add column born int;
      comment on table diary.letters is null;
      comment on view diary.texts is '@survest foreign-key writer_id references writers(id)';
    `);
    const { service } = rest.client();
    await service.reloadSchema();
    const [row] = await db().query(`select 'diary.writers'::regclass::oid::int as oid`);
    await service.reloadSchema([Number(row?.['oid'])]);
    expect(await rest.get('/texts?select=writers(name)&id=eq.100')).toMatchReply({
      json: [{ writers: { name: 'Bo' } }],
    });
    const [letters] = await db().query(`select 'diary.letters'::regclass::oid::int as oid`);
    await service.reloadSchema([Number(letters?.['oid'])]);
    expect(await rest.get('/texts?select=writers(born)&id=eq.100')).toMatchReply({
      json: [{ writers: { born: null } }],
    });
  });
});
