import { expect, test } from 'vitest';
import { onEachEngine } from './database.ts';

onEachEngine('a test database', {}, (db) => {
  test('is empty and belongs to the superuser', async () => {
    expect(await db().query('select count(*)::int as n from pg_tables where schemaname = $1', ['public'])).toEqual([
      { n: 0 },
    ]);
  });
});
