import { expect, test } from 'vitest';
import { makeCallerDb } from '../../auth/caller-db.ts';
import { standingClock } from '../../kernel/clock.ts';
import { ok } from '../../kernel/result.ts';
import { makePostgresDriver } from '../../pg/postgres/postgres-driver.ts';
import { catalogueSource } from '../kinds/item/content-collection.ts';
import { resource } from '../kinds/item/fields.ts';
import { type CatalogueQuery, parseCatalogueQuery } from './catalogue-query.ts';
import { makeKeptSearches } from './kept-searches.ts';

const source = catalogueSource(undefined);

function searchFor(words: string): CatalogueQuery {
  const query = parseCatalogueQuery(`search=${words}`, {
    recordType: resource,
    searched: ['title', 'abstract'],
    hasExtent: true,
    hasFavourites: true,
    full: [],
  });
  if (!query.ok) throw new Error(JSON.stringify(query.error));
  return query.value;
}

test('a search that could not be kept, in whatever way, keeps no other one from it', async () => {
  const ends = [
    () => Promise.reject(new Error('the flight could not be written')),
    () => Promise.resolve({ ok: false, error: { kind: 'closed' } } as const),
    () => Promise.resolve(ok([])),
  ];
  const asked: unknown[] = [];
  const clock = standingClock(0);
  const driver = makePostgresDriver({ uri: 'postgresql://127.0.0.1:1/none' });
  const db = {
    ...makeCallerDb(driver),
    service: (statements: readonly { readonly params: readonly unknown[] }[]) => {
      asked.push(statements.at(-1)?.params[0]);
      return ends[asked.length - 1]?.() ?? Promise.resolve(ok([]));
    },
  };
  const searches = makeKeptSearches(db, clock);
  for (const words of ['rivers', 'lakes', 'roads']) {
    for (let n = 0; n < 2; n++) {
      searches.noted({ source, query: searchFor(words) });
      clock.advance(1000);
    }
    // What is under way ends.
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1000);
  }
  expect(asked).toEqual(['{"rivers"}', '{"lakes"}', '{"roads"}']);
  await driver.close();
});
