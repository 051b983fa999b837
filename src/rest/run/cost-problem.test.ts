import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Statement } from '../../pg/driver.ts';
import { costProblem } from './cost-problem.ts';

const SCOPE: Statement = { text: `select set_config('search_path', 'public', true)`, params: [] };

onEachEngine('the cost of a statement', { engines: ['postgres'] }, (db) => {
  test('is not asked any longer for somebody who left', async () => {
    const { driver } = db();
    expect((await driver.script('create table awaited(n int)')).ok).toBe(true);
    const held = await driver.hold(async (session) => {
      await session.execute([{ text: 'begin', params: [] }]);
      await session.execute([{ text: 'lock table awaited in access exclusive mode', params: [] }]);
      const client = new AbortController();
      const asked = costProblem(
        driver,
        SCOPE,
        { text: 'select * from awaited', params: [] },
        { most: 1 },
        {
          signal: client.signal,
        },
      );
      await expect
        .poll(async () => {
          const waiting = await driver.execute([
            {
              text: `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%from awaited'`,
              params: [],
            },
          ]);
          return waiting.ok ? waiting.value[0]?.rows[0]?.[0]?.toString() : undefined;
        })
        .toBe('1');
      client.abort();
      const problem = await asked;
      await session.execute([{ text: 'rollback', params: [] }]);
      return problem;
    });
    expect(held).toEqual({ ok: true, value: { kind: 'cancelled' } });
  });
});
