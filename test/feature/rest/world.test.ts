// Databases as others have them, each loaded, described in full and read: every relation, every relationship, every function.

import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkedDocument } from '../../fixtures/rest/check-document.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));

describe.each([
  ['shop', 'shop'],
  ['encyclopedia', 'wiki'],
  ['streets', 'street map'],
])('the %s', (file, schema) => {
  onEachEngine(file, { fixtures: [at('rest/00-roles.sql'), at(`world/${file}.sql`)] }, (db) => {
    const rest = useRest(db, { 'db-schemas': schema, 'db-extra-search-path': 'public' });

    test('has every relation that the catalogue has, and leaves none out', async () => {
      const listed = await db().query<{ name: string }>(
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = $1 and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition order by c.relname collate "C"`,
        [schema],
      );
      const { cache } = rest.client().service.state();
      expect(cache?.omissions).toEqual([]);
      expect(
        cache
          ?.tablesOf(schema)
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(listed.map(({ name }) => name));
    });

    test.each(['application/openapi+json', 'application/vnd.oai.openapi+json;version=3.1'])(
      'is described as %s',
      async (accept) => {
        const reply = await rest.get('/', { accept });
        expect(reply.status).toBe(200);
        const document = await checkedDocument(textOf(reply.body));
        const { cache } = rest.client().service.state();
        const relations = cache?.tablesOf(schema).length ?? 0;
        expect(Object.keys(document['paths'] ?? {}).length).toBeGreaterThan(relations * 0.9);
      },
    );

    test('is read relation by relation, in every format', async () => {
      const { cache } = rest.client().service.state();
      for (const { name, kind } of cache?.tablesOf(schema) ?? []) {
        const path = `/${encodeURIComponent(name)}`;
        const reply = await rest.get(`${path}?limit=2`, { prefer: 'count=exact' });
        if (kind === 'materialized-view') continue;
        expect([200, 206, 401], `${name}: ${textOf(reply.body)}`).toContain(reply.status);
        expect((await rest.get(`${path}?limit=1`, { accept: 'text/csv' })).status, name).toBe(
          reply.status === 401 ? 401 : 200,
        );
        expect((await rest.request('OPTIONS', path)).status).toBe(200);
      }
    });

    test('is embedded along every relationship that has a name of its own', async () => {
      const { cache } = rest.client().service.state();
      let embedded = 0;
      for (const table of cache?.tablesOf(schema) ?? []) {
        if (table.kind === 'materialized-view') continue;
        for (const { foreign, kind, ...relationship } of cache?.relationshipsOf(table) ?? []) {
          const name = kind === 'computed' && 'routine' in relationship ? relationship.routine.name : foreign.name;
          const reply = await rest.get(
            `/${encodeURIComponent(table.name)}?select=${encodeURIComponent(`"${name}"`)}(*)&limit=1`,
          );
          expect([200, 300, 401], `${table.name} → ${name}: ${textOf(reply.body)}`).toContain(reply.status);
          if (reply.status === 200) embedded++;
        }
      }
      expect(embedded).toBeGreaterThan(10);
    });

    test('has functions that say how they are called', async () => {
      const { cache } = rest.client().service.state();
      for (const { name } of cache?.routinesOf(schema) ?? []) {
        const reply = await rest.request('OPTIONS', `/rpc/${encodeURIComponent(name)}`);
        expect(reply.status, name).toBe(200);
      }
    });
  });
});
