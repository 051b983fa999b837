// Tables of the database that are registered for some people only: for everybody else they do not exist in REST either, and no plan tells how many
// rows they have.

import { beforeAll, expect, test } from 'vitest';
import type { BuiltPortal } from './built-portal.ts';

export function registeredTables(portal: () => BuiltPortal): void {
  beforeAll(async () => {
    const { db } = portal();
    await db.query('create schema town');
    await db.query('create table town.ledgers (id int primary key, code text)');
    await db.query(`insert into town.ledgers select n, 'code' || n from generate_series(1, 5000) n`);
    await db.query('analyze town.ledgers');
    await db.query('grant usage on schema town to public');
    await db.query('grant select on town.ledgers to public');
    const wanted = { schema: 'town', table: 'ledgers', permissions: { users: {}, groups: {} } };
    const made = await portal().as('admin').post('/api/v2/database_tables/', wanted);
    expect(made.status, String(made.body)).toBe(201);
  });

  test('are not there for who may not see them', async () => {
    const strangers = [portal().visitor, portal().bearer(await portal().tokenOf('bob'))];
    const owner = portal().bearer(await portal().tokenOf('admin'));
    // The service learns of a new table by a notification, a moment later.
    await expect.poll(async () => (await owner.get('/rest/v1/ledgers?limit=1')).status).toBe(200);
    const there = await owner.get('/rest/v1/ledgers?limit=1');
    expect([there.status, String(there.body)]).toEqual([200, '[{"id":1,"code":"code1"}]']);
    for (const stranger of strangers)
      for (const count of ['planned', 'estimated', 'exact'])
        for (const target of [
          '/rest/v1/NAME?limit=1',
          '/ogc/collections/NAME/items',
          '/ogc/collections/NAME/aggregates',
        ]) {
          const replies = await Promise.all(
            ['ledgers', 'nothing'].map((name) =>
              stranger.get(target.replace('NAME', name), { prefer: `count=${count}` }),
            ),
          );
          const [seen, unseen] = replies.map(({ status, body }) => [
            status,
            String(body).replaceAll(/ledgers|nothing/g, 'NAME'),
          ]);
          expect(seen, `${target} with ${count}`).toEqual(unseen);
          expect(seen?.[0]).toBe(404);
        }
    for (const stranger of strangers)
      for (const target of ['/rest/v1/', '/rest/v1/ledgerz'])
        expect(String((await stranger.get(target)).body), target).not.toContain('ledgers');
  });
}
