// The change log: read once whatever the order in which transactions end, bounded, and pruned.

import { beforeAll, expect, test } from 'vitest';
import { currentPosition, readChanges } from '../../../src/pg/change-log/change-log.ts';
import { followTablesSql, installChangeLogSql } from '../../../src/pg/change-log/install-change-log.ts';
import { ChangePruner, KEPT_MS } from '../../../src/rest/live/change-pruner.ts';
import { ChangeReader } from '../../../src/rest/live/change-reader.ts';
import { onEachEngine } from '../../testkit/database.ts';

onEachEngine('the change log', {}, (db) => {
  beforeAll(async () => {
    const [role] = await db().query<{ name: string }>('select current_user::text as name');
    await db().script(`${installChangeLogSql(role?.name ?? '')}
      create table place (id integer primary key, at timestamptz); create table pair (a text, b date, primary key (b, a));
      create table parent (id integer, part integer, primary key (id, part)) partition by list (part);
      create table child partition of parent for values in (1);
      ${followTablesSql(['place', 'pair', 'parent'])}`);
  });

  async function position(): Promise<string> {
    const now = await currentPosition(db().driver);
    if (!now.ok) throw new Error(JSON.stringify(now.error));
    return now.value;
  }

  async function since(from: string, most?: number): Promise<{ keys: unknown; overflow: boolean; position: string }> {
    const read = await readChanges(db().driver, from, most);
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    const { changes, overflow, position: next } = read.value;
    return { keys: changes.map(({ keys }) => keys), overflow, position: next };
  }

  test('has an entry for a statement that changed something, with the keys of its rows in the order of the key', async () => {
    const from = await position();
    await db().script(`insert into place values (1), (2); update place set at = now() where id = 9;
      update place set id = 3 where id = 2; delete from place where id = 1;
      set datestyle = 'German'; insert into pair values ('x"y', '2026-02-01'); set datestyle = 'ISO';
      insert into parent values (1, 1); insert into child values (2, 1);`);
    const { keys, position: next } = await since(from);
    expect(keys).toEqual([
      ['["1"]', '["2"]'],
      ['["3"]', '["2"]'],
      ['["1"]'],
      ['["2026-02-01","x\\"y"]'],
      ['["1","1"]'],
      ['["2","1"]'],
    ]);
    expect((await since(next)).keys).toEqual([]);
  });

  test('says only that anything may have changed where that is many rows, and where the table is emptied', async () => {
    const from = await position();
    await db().script(`insert into place select n from generate_series(1001, 1500) n`);
    await db().script(`insert into place select n from generate_series(2001, 2501) n`);
    await db().script('truncate place');
    const { keys } = await since(from);
    expect((keys as unknown[]).map((one) => (Array.isArray(one) ? one.length : one))).toEqual([
      500,
      undefined,
      undefined,
    ]);
  });

  test('is read in parts of bounded size, and says so', async () => {
    const from = await position();
    await db().script(`${'insert into place values (floor(random() * 1e9)::int);'.repeat(4)}`);
    expect((await since(from, 3)).overflow).toBe(true);
    expect((await since(from, 4)).overflow).toBe(false);
  });

  test('passes over what a restored backup brought along', async () => {
    const from = await position();
    await db().script(`insert into survest_live.change (xid, relation) values ('4000000000000', 'place'::regclass)`);
    expect((await since(from)).keys).toEqual([]);
  });

  test('is a gap to who has not read it for so long that it may have been pruned, and to nobody else', async () => {
    let now = 0;
    const told: string[] = [];
    const reader = new ChangeReader({
      driver: db().driver,
      pace: { debounceMs: 0, pollMs: 3600_000 },
      now: () => now,
      onChanges: ({ changes }) => told.push(`${changes.length} changes`),
      onGap: () => told.push('gap'),
      onDecodedGap: () => told.push('gap of decoding'),
      onTrouble: (message) => told.push(message ?? 'no trouble'),
    });
    try {
      expect(await reader.start()).toMatchObject({ ok: true });
      now += KEPT_MS / 2;
      await db().script('insert into place values (70)');
      reader.wake();
      await expect.poll(() => told).toEqual(['1 changes']);
      now += KEPT_MS / 2 + 1;
      reader.wake();
      await expect.poll(() => told).toEqual(['1 changes', 'gap']);
      await db().script('insert into place values (71)');
      reader.wake();
      await expect.poll(() => told).toEqual(['1 changes', 'gap', '1 changes']);
    } finally {
      await reader.close();
    }
  });

  test('is pruned some minutes after transactions have ended, and what never ends after a day', async () => {
    let now = 0;
    const pruner = new ChangePruner(
      db().driver,
      () => now,
      (message) => expect.unreachable(message),
    );
    await db().script(`update survest_live.change set at = now() - interval '2 days' where xid > '3000000000000'`);
    // Transactions of other databases of the same cluster hold back what counts as ended.
    const ended = `select bool_and(xid < pg_snapshot_xmin(pg_current_snapshot())) as ended from survest_live.change
      where xid < '3000000000000'`;
    await expect.poll(() => db().query(ended), { timeout: 150_000 }).toEqual([{ ended: true }]);
    expect(await pruner.prune()).toEqual({ ok: true, value: 0 });
    await db().script('insert into place values (77)');
    now += KEPT_MS;
    const removed = await pruner.prune();
    expect(removed.ok && removed.value).toBeGreaterThan(5);
    const left = await db().query<{ keys: unknown }>('select keys from survest_live.change');
    expect(left).toEqual([{ keys: [['77']] }]);
  }, 180_000);
});
