// A request's transaction on a real database: what stays, what is undone, and what is told of it.

import { beforeEach, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Statement } from '../../pg/driver.ts';
import { costProblem } from './cost-problem.ts';
import { type Run, run, type TransactionEnd } from './run.ts';

const q = (text: string, ...params: string[]): Statement => ({ text, params });

const SCOPE = q(`select set_config('test.scope', 'scope', true)`);
const WRITE = q(`with written as (insert into kept values (1) returning n)
  select null, count(*), json_agg(n), null, null from written`);

onEachEngine('a run', {}, (db) => {
  beforeEach(async () => {
    await db().script(`drop table if exists kept; create table kept (n integer unique deferrable initially deferred)`);
  });

  const ran = (work: Partial<Run>) =>
    run(
      {
        before: [SCOPE],
        main: WRITE,
        estimate: undefined,
        isPlan: false,
        transaction: { kind: 'commit' },
        ...work,
      },
      db().driver,
      {},
    );
  const checked = (more: Partial<Extract<TransactionEnd, { kind: 'checked' }>> = {}): TransactionEnd => ({
    kind: 'checked',
    isolation: 'read committed',
    rollback: false,
    check: () => undefined,
    ...more,
  });
  const kept = async (): Promise<number> => (await db().query('select n from kept')).length;
  /** The settings that the main statement saw, as its body. */
  const seeing = (setting: string): Statement => q(`select null, 1, current_setting($1, true), null, null`, setting);
  const bodyOf = async (work: Partial<Run>): Promise<string> => {
    const outcome = await ran(work);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    return outcome.value.found.body.toString();
  };

  test.each([
    ['at once', { kind: 'commit' } as const],
    ['after a look at its rows', checked()],
  ])('keeps what it wrote, %s', async (_when, transaction) => {
    expect(await ran({ transaction })).toMatchObject({ ok: true, value: { found: { page: 1 }, estimate: undefined } });
    expect(await kept()).toBe(1);
  });

  test('undoes what its check finds wrong, and says what that is', async () => {
    const problem = { kind: 'too-costly', limit: 1 } as const;
    const check = ({ page }: { readonly page: number }) => (page === 1 ? problem : undefined);
    expect(await ran({ transaction: checked({ check }) })).toEqual({ ok: false, error: problem });
    expect(await kept()).toBe(0);
  });

  test('shows what it would have written where a rollback is asked for', async () => {
    expect(await ran({ transaction: checked({ rollback: true }) })).toMatchObject({
      ok: true,
      value: { found: { page: 1 } },
    });
    expect(await kept()).toBe(0);
  });

  test.each([true, false])('hears of deferred constraints (rollback: %s)', async (rollback) => {
    await db().script('insert into kept values (1)');
    expect(await ran({ transaction: checked({ rollback }) })).toMatchObject({
      ok: false,
      error: { sqlstate: '23505' },
    });
    expect(await kept()).toBe(1);
  });

  test.each(['read committed', 'repeatable read', 'serializable'] as const)(
    'is isolated as asked: %s',
    async (isolation) => {
      expect(await bodyOf({ main: seeing('transaction_isolation'), transaction: checked({ isolation }) })).toBe(
        isolation,
      );
    },
  );

  test.each([{ kind: 'commit' } as const, checked()])(
    'runs scope, pre-request, main and estimate in this order: $kind',
    async (transaction) => {
      const preRequest = q(`select set_config('test.scope', current_setting('test.scope') || ', before', true)`);
      const estimate = q('explain (format json) select 1 from generate_series(1, 77)');
      expect(await bodyOf({ main: seeing('test.scope'), transaction })).toBe('scope');
      expect(await bodyOf({ before: [SCOPE, preRequest], main: seeing('test.scope'), transaction })).toBe(
        'scope, before',
      );
      expect(
        await ran({ before: [SCOPE, preRequest], main: seeing('test.scope'), estimate, transaction }),
      ).toMatchObject({
        value: { estimate: 77 },
      });
      expect(await ran({ main: seeing('test.scope'), estimate, transaction })).toMatchObject({
        value: { estimate: 77 },
      });
    },
  );

  test('of a plan has its text as the body', async () => {
    expect(await bodyOf({ main: q('explain select 1'), isPlan: true })).toMatch(/^Result /);
  });

  test('that fails has kept nothing and says why', async () => {
    for (const transaction of [{ kind: 'commit' } as const, checked()])
      expect(await ran({ main: q('select 1 / 0'), transaction })).toMatchObject({
        ok: false,
        error: { sqlstate: '22012' },
      });
  });

  test('is refused for its cost beyond the limit, and not at it', async () => {
    const main = q('select $1::text from generate_series(1, 1000)', 'x');
    const [row] = await db().query<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>(
      'explain (format json) select $1::text from generate_series(1, 1000)',
      ['x'],
    );
    const cost = row?.['QUERY PLAN'][0].Plan['Total Cost'] ?? 0;
    expect(cost).toBeGreaterThan(1);
    expect(await costProblem(db().driver, SCOPE, main, { most: cost })).toBeUndefined();
    expect(await costProblem(db().driver, SCOPE, main, { most: cost - 0.01 })).toEqual({
      kind: 'too-costly',
      limit: cost - 0.01,
    });
    expect(await costProblem(db().driver, SCOPE, q('select nothing'), { most: 1 })).toMatchObject({
      sqlstate: '42703',
    });
  });
});
