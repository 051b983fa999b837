// db-schema-claim: a token whose claim names a schema is served that one, and no other is there.

import { beforeAll, expect, test } from 'vitest';
import { DIARY } from '../../fixtures/diary/diary.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('tenants by claim', { fixtures: DIARY }, (db) => {
  beforeAll(async () => {
    for (const name of ['tenant_a', 'tenant_b'])
      await db().script(`
        create schema ${name};
        create table ${name}.things (id int primary key, name text);
        insert into ${name}.things values (1, '${name}');
        create table ${name}.only_${name} (id int);
        grant usage on schema ${name} to rest_anon, rest_author;
        grant all on all tables in schema ${name} to rest_anon, rest_author;
      `);
  });
  const rest = useRest(db, {
    'db-schemas': 'diary',
    'db-extra-search-path': '',
    'db-schema-claim': '.app.tenant',
    'db-tenant-schemas': 'tenant_*',
  });
  const as = (tenant: unknown): Record<string, string> => ({
    authorization: `Bearer ${tokenFor({ role: 'rest_author', app: { tenant } })}`,
  });
  const get = (target: string, tenant: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    rest.get(target, { ...headers, ...as(tenant) });

  test('each tenant has the schema of the claim', async () => {
    for (const tenant of ['tenant_a', 'tenant_b', 'tenant_a'])
      expect(await get('/things', tenant)).toMatchReply({ status: 200, json: [{ id: 1, name: tenant }] });
    const written = await rest.post('/things', { id: 2, name: 'new' }, as('tenant_b'));
    expect(written).toMatchReply({ status: 201 });
    expect(await get('/things?select=id', 'tenant_b')).toMatchReply({ json: [{ id: 1 }, { id: 2 }] });
    expect(await get('/things?select=id', 'tenant_a')).toMatchReply({ json: [{ id: 1 }] });
    const gone = await rest.request('DELETE', '/things?id=eq.2', { headers: as('tenant_b') });
    expect(gone).toMatchReply({ status: 204 });
  });

  test('no other schema is there, by header, hint, batch or description', async () => {
    for (const other of ['tenant_b', 'diary'])
      expect(await get('/things', 'tenant_a', { 'accept-profile': other })).toMatchReply({
        status: 406,
        json: problem('SVRST106', `Invalid schema: ${other}`, null, 'Only the following schemas are exposed: tenant_a'),
      });
    expect(await get('/only_tenant_b', 'tenant_a')).toMatchReply({
      status: 404,
      json: expect.objectContaining({ hint: "Perhaps you meant the table 'tenant_a.only_tenant_a'" }),
    });
    const batch = await rest.post('/batch', [{ path: '/things' }], as('tenant_b'));
    expect(JSON.parse(String(batch.body))).toMatchObject([{ status: 200, body: [{ name: 'tenant_b' }] }]);
    const described = String((await get('/', 'tenant_a')).body);
    expect(described).toContain('/only_tenant_a');
    expect(described).not.toMatch(/tenant_b|diary/);
  });

  test('a claim that names no schema that is served has none', async () => {
    for (const tenant of ['pg_catalog', 'information_schema', 'tenant_c', 'public', '', 5, ['tenant_a']])
      expect(await get('/things', tenant)).toMatchReply({
        status: 406,
        json: problem('SVRST106', `Invalid schema: ${typeof tenant === 'string' ? tenant : ''}`),
      });
    expect(await get('/writers?select=name', 'diary')).toMatchReply({ json: [{ name: 'Ada' }, { name: 'Bo' }] });
  });

  test('whoever has no such claim is served what is exposed to all, and no tenant', async () => {
    expect(await rest.get('/writers?select=id')).toMatchReply({ json: [{ id: 1 }, { id: 2 }] });
    expect(await rest.request('GET', '/writers?select=id', { as: 'rest_author' })).toMatchReply({ status: 200 });
    expect(await rest.get('/things', { 'accept-profile': 'tenant_a' })).toMatchReply({ status: 406 });
    expect(String((await rest.get('/')).body)).not.toContain('tenant_');
  });

  test('a tenant that comes later is there after a reload', async () => {
    await db().script(`
      create schema tenant_later; create table tenant_later.things (id int primary key);
      grant usage on schema tenant_later to rest_author; grant select on tenant_later.things to rest_author;
    `);
    await rest.client().service.reloadSchema();
    expect(await get('/things', 'tenant_later')).toMatchReply({ status: 200, text: '[]' });
  });
});
