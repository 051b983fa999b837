// Row-level security: the same request, other rows for others. Statements are prepared, so this is where a plan made for
// one role could leak to another.

import { expect, onTestFinished, test } from 'vitest';
import { ANONYMOUS, AUTHOR, READER, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { openRest, tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';

onEachEngine('row security', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const asking = (claims: object): { authorization: string } => ({ authorization: `Bearer ${tokenFor(claims)}` });

  test('rows by claim', async () => {
    expect(await rest.get('/authors_only', asking({ role: AUTHOR, id: 'amira' }))).toMatchReply({
      status: 200,
      headers: { 'content-range': '0-0/*' },
      json: [{ owner: 'amira', secret: 'opensesame' }],
    });
    expect(await rest.get('/authors_only', asking({ role: AUTHOR, id: 'bo' }))).toMatchReply({
      json: [{ owner: 'bo', secret: 'swordfish' }],
    });
    expect(await rest.get('/authors_only', asking({ role: AUTHOR, id: 'nobody' }))).toMatchReply({ json: [] });
    expect(await rest.get('/authors_only', asking({ role: AUTHOR }))).toMatchReply({ json: [] });
  });

  test('rows by role, whoever asked before', async () => {
    const order = [ANONYMOUS, AUTHOR, READER, AUTHOR, ANONYMOUS, READER];
    for (let round = 0; round < 8; round++) {
      for (const role of order) {
        expect(await rest.request('GET', '/by_role?select=role', { as: role })).toMatchReply({
          status: 200,
          json: [{ role }],
        });
      }
    }
  });

  test('the planner’s statistics tell nothing about rows that are hidden', async () => {
    await db().script(`
      create table test.patients (id integer primary key, ward integer, state text, owner name);
      insert into test.patients select i, i % 3, case when i % 10 < 3 then 'infected' else 'well' end, 'nobody' from generate_series(1, 1000) i;
      alter table test.patients enable row level security;
      create policy own on test.patients using (owner = current_user);
      create table test.wards (id integer primary key);
      insert into test.wards values (0), (1), (2);
      alter table test.patients add foreign key (ward) references test.wards;
      create view test.sick_patients with (security_invoker) as select * from test.patients where state = 'infected';
      create view test.sick_again with (security_invoker) as table test.sick_patients;
      grant select on test.patients, test.wards, test.sick_patients, test.sick_again to rest_anon;
      analyze test.patients;
    `);
    const planned = await openRest(db(), { 'db-plan-enabled': 'true' });
    onTestFinished(() => planned.close());
    for (const count of ['planned', 'estimated']) {
      for (const path of ['/patients?state=eq.infected', '/patients', '/sick_patients', '/sick_again'])
        expect(await planned.get(path, { prefer: `count=${count}` }), path).toMatchReply({
          status: 200,
          headers: { 'content-range': '*/0', 'preference-applied': 'count=exact' },
        });
      const embedded = '/wards?select=id,patients!inner(id)&patients.state=eq.infected';
      expect(await planned.get(embedded, { prefer: `count=${count}` })).toMatchReply({
        headers: { 'content-range': '*/0' },
      });
    }
    const plan = { accept: 'application/vnd.pgrst.plan+json' };
    expect(await planned.get('/sick_again', plan)).toMatchReply({ status: 406 });
    expect(await planned.get('/wards?select=patients(id)', plan)).toMatchReply({ status: 406 });
    expect(await planned.request('DELETE', '/patients?state=eq.infected', { headers: plan })).toMatchReply({
      status: 406,
    });
    expect(await planned.get('/wards', plan)).toMatchReply({ status: 200 });
  });

  test('many at once', async () => {
    const roles = Array.from({ length: 60 }, (_, i) => [ANONYMOUS, AUTHOR, READER][i % 3] ?? ANONYMOUS);
    const replies = await Promise.all(
      roles.map((role) => rest.request('GET', '/by_role?select=role&order=id', { as: role })),
    );
    replies.forEach((reply, i) => {
      expect(reply).toMatchReply({ status: 200, json: [{ role: roles[i] }] });
    });
    const owners = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 'amira' : 'bo'));
    const secrets = await Promise.all(
      owners.map((id) => rest.get('/authors_only?select=owner', asking({ role: AUTHOR, id }))),
    );
    secrets.forEach((reply, i) => {
      expect(reply).toMatchReply({ status: 200, json: [{ owner: owners[i] }] });
    });
  });

  test('a total counts what may be seen', async () => {
    const prefer = 'count=exact';
    expect(await rest.get('/authors_only', { ...asking({ role: AUTHOR, id: 'amira' }), prefer })).toMatchReply({
      status: 200,
      headers: { 'content-range': '0-0/1' },
    });
    expect(await rest.head('/authors_only', { ...asking({ role: AUTHOR, id: 'x' }), prefer })).toMatchReply({
      status: 200,
      headers: { 'content-range': '*/0' },
    });
  });

  test('embedded rows', async () => {
    await db().script(`
      create table test.holders (id integer primary key, secret text references test.authors_only);
      insert into test.holders values (1, 'opensesame'), (2, 'swordfish');
      grant select on test.holders to rest_author`);
    await rest.client().service.reloadSchema();
    const target = '/holders?select=id,authors_only(owner)&order=id';
    expect(await rest.get(target, asking({ role: AUTHOR, id: 'amira' }))).toMatchReply({
      json: [
        { id: 1, authors_only: { owner: 'amira' } },
        { id: 2, authors_only: null },
      ],
    });
    expect(
      await rest.get('/holders?select=id,authors_only!inner(owner)', asking({ role: AUTHOR, id: 'bo' })),
    ).toMatchReply({ json: [{ id: 2, authors_only: { owner: 'bo' } }] });
    expect(
      await rest.get('/holders?select=id,authors_only()&authors_only=is.null', asking({ role: AUTHOR, id: 'bo' })),
    ).toMatchReply({ json: [{ id: 1 }] });
  });

  test('a function that runs as its owner sees past it', async () => {
    expect(await rest.request('GET', '/rpc/definer_secrets', { as: AUTHOR })).toMatchReply({
      json: ['opensesame', 'swordfish'],
    });
  });

  test('nothing of a request is left for the next one', async () => {
    await rest.get('/authors_only', asking({ role: AUTHOR, id: 'amira' }));
    await rest.get('/nowhere_at_all', asking({ role: AUTHOR, id: 'amira' }));
    await rest.get('/failing_view', asking({ role: AUTHOR, id: 'amira' }));
    for (let i = 0; i < 10; i++) {
      expect(await rest.get('/rpc/whoami')).toMatchReply({ json: { role: ANONYMOUS, claims: { role: ANONYMOUS } } });
      expect(await rest.get('/authors_only')).toMatchReply({ status: 401 });
    }
  });
});
