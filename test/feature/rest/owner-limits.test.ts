// Limits that owners set by comments on their tables: what may be filtered and ordered by, how deep, how many rows, at which cost and rate.

import { beforeAll, expect, test } from 'vitest';
import { DIARY, DIARY_SETTINGS } from '../../fixtures/diary/diary.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('limits of owners', { fixtures: DIARY }, (db) => {
  const limitWriters = (): Promise<void> =>
    db().script(`
      comment on table diary.writers is 'Who writes.
        @survest limit role=rest_anon rows=1 filter=id,name order=id operators=eq,in depth=1
        @survest limit role=rest_anon colour=red'`);
  beforeAll(async () => {
    await limitWriters();
    await db().script(`
      comment on table diary.pages is '@survest limit role=rest_anon rows=2';
      comment on table diary.closed is '@survest limit role=rest_anon cost=0';
      comment on table diary.locked is '@survest limit rate=2/h';
    `);
  });
  const rest = useRest(db, { ...DIARY_SETTINGS, 'db-aggregates-enabled': 'true' });
  const HINT = 'The limit is set in the comment on diary.writers.';
  const refused = (limit: string, details: string) => ({
    status: 400,
    headers: { 'proxy-status': 'Survest; error=SVRST186' },
    json: problem('SVRST186', `The request exceeds the limit ${limit}`, details, HINT),
  });

  test('an answer has the rows that it may have, whatever is asked for', async () => {
    for (const address of ['/writers?select=name', '/writers?select=name&limit=5', '/writers?select=name&limit=1'])
      expect(await rest.get(address)).toMatchReply({ status: 200, json: [{ name: 'Ada' }] });
    const author = await rest.request('GET', '/writers?select=name', { as: 'rest_author' });
    expect(author).toMatchReply({ json: [{ name: 'Ada' }, { name: 'Bo' }] });
    expect(await rest.get('/writers?select=name')).toMatchReply({ json: [{ name: 'Ada' }] });
  });

  test('columns that may not be filtered or ordered by, and operators that may not be used, are named', async () => {
    expect(await rest.get('/writers?name=eq.Bo&select=id')).toMatchReply({ json: [{ id: 2 }] });
    expect(await rest.get('/writers?mail=eq.x')).toMatchReply(
      refused('filter=id,name', "Filters by 'mail' of 'writers' are not among them."),
    );
    expect(await rest.get('/writers?or=(id.eq.1,not.and(mail.is.null,id.eq.2))')).toMatchReply(
      refused('filter=id,name', "Filters by 'mail' of 'writers' are not among them."),
    );
    expect(await rest.get('/writers?name=like.A*')).toMatchReply(
      refused('operators=eq,in', "The operator 'like' is not among them."),
    );
    expect(await rest.get('/writers?order=name')).toMatchReply(
      refused('order=id', "Orders by 'name' of 'writers' are not among them."),
    );
    expect(await rest.get('/pages?select=id,writers(name)&order=writers(name)&writers.limit=1')).toMatchReply(
      refused('order=id', "Orders by 'name' of 'writers' are not among them."),
    );
    expect(
      await rest.get('/pages?select=id,...writers(who:name::text)&order=writers(who)&writers.limit=1'),
    ).toMatchReply(refused('order=id', "Orders by 'name' of 'writers' are not among them."));
    expect(await rest.get('/writers?select=id,rank().over(order(mail))')).toMatchReply(
      refused('order=id', "Orders by 'mail' of 'writers' are not among them."),
    );
    const deletion = await rest.request('DELETE', '/writers?mail=is.null');
    expect(deletion).toMatchReply(refused('filter=id,name', "Filters by 'mail' of 'writers' are not among them."));
  });

  test('aggregates count no rows chosen by what may not be filtered by, shown, ordered by or in a group condition', async () => {
    const chosen = 'count().filter(mail.eq.x)';
    for (const address of [
      `/writers?select=${chosen}`,
      `/writers?select=id.max().filter(mail.eq.x)`,
      `/writers?select=name,count()&order=${chosen}`,
      `/writers?select=name,count()&having=(${chosen}.eq.1)`,
      `/pages?select=id,writers(${chosen})&writers.limit=1`,
    ])
      expect(await rest.get(address), address).toMatchReply(
        refused('filter=id,name', "Filters by 'mail' of 'writers' are not among them."),
      );
    expect(await rest.get('/writers?select=count().filter(id.eq.1)')).toMatchReply({ json: [{ count: 1 }] });
  });

  test('embeds are as deep, and have as many rows, as they may', async () => {
    expect(await rest.get('/writers?select=name,pages(id)&pages.limit=2')).toMatchReply({ status: 200 });
    expect(await rest.get('/writers?select=name,pages(id,writers(name))&pages.limit=1')).toMatchReply(
      refused('depth=1', '2 levels are embedded.'),
    );
    expect(await rest.get('/pages?select=id,writers(name)&writers.mail=eq.x')).toMatchReply(
      refused('filter=id,name', "Filters by 'mail' of 'writers' are not among them."),
    );
  });

  test('costs and rates name the comment that limits them', async () => {
    expect(await rest.get('/closed')).toMatchReply({
      status: 400,
      json: expect.objectContaining({
        code: 'SVRST192',
        details: expect.stringContaining('higher cost than the 0 that the comment on diary.closed allows'),
      }),
    });
    expect(await rest.get('/locked')).toMatchReply({ status: 200 });
    expect(await rest.get('/locked')).toMatchReply({ status: 200 });
    expect(await rest.get('/locked')).toMatchReply({
      status: 429,
      json: expect.objectContaining({ code: 'SVRST191', hint: 'The limit is set in the comment on diary.locked.' }),
    });
    expect(await rest.request('GET', '/locked', { as: 'rest_author' })).toMatchReply({ status: 200 });
  });

  test('a batch is held to them, too', async () => {
    const reply = await rest.post('/batch', [{ path: '/writers' }, { path: '/writers?mail=eq.x' }]);
    const answers = JSON.parse(String(reply.body)) as { status: number; body: { code: string } }[];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [424, 'SVRST172'],
      [400, 'SVRST186'],
    ]);
  });

  test('the description of the table has no directives, and those that mean nothing are told', async () => {
    const reply = await rest.get('/', { accept: 'application/openapi+json;version=3.1' });
    expect(String(reply.body)).not.toContain('@survest');
    expect(rest.client().service.state().cache?.omissions).toEqual([
      { what: 'colour=red in the comment on diary.writers', why: 'it is no limit that is known' },
    ]);
  });

  test('a reload takes up what was changed', async () => {
    await db().script(`comment on table diary.writers is 'Who writes.'`);
    await rest.client().service.reloadSchema();
    expect(await rest.get('/writers?mail=is.null&order=name&select=id')).toMatchReply({ json: [{ id: 2 }] });
    await limitWriters();
    await rest.client().service.reloadSchema();
    expect(await rest.get('/writers?mail=is.null')).toMatchReply({ status: 400 });
  });
});

// Comments on roles are of the whole server, where other suites have the same roles.
onEachEngine('limits of roles', { fixtures: DIARY, engines: ['pglite'] }, (db) => {
  beforeAll(() => db().script(`comment on role rest_author is '@survest limit rows=1 depth=0'`));
  const rest = useRest(db, DIARY_SETTINGS);

  test('hold for everything that the role asks', async () => {
    const get = (address: string) => rest.request('GET', address, { as: 'rest_author' });
    expect(await get('/pages?select=body')).toMatchReply({ json: [{ body: 'first' }] });
    expect(await get('/writers?select=pages(id)')).toMatchReply({
      status: 400,
      json: expect.objectContaining({ hint: 'The limit is set in the comment on the role rest_author.' }),
    });
    expect(await rest.get('/writers?select=id,pages(body)&id=eq.2')).toMatchReply({
      json: [{ id: 2, pages: [{ body: 'third' }] }],
    });
  });
});
